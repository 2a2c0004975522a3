/// Pins that an app gives a library whose rules a dialect has, in the words of that dialect's declaration.
package struct LibraryPins: Hashable, Sendable {
    package var dialect: String
    package var hosts: [String]
    /// As the source writes them, or the names of certificate files.
    package var pins: [String]
    /// What they are, and whom they are for, in words.
    package var what: String
    /// Under which key of the declaration they stand.
    var key: String
    /// The other keys and their values, which are words of the declaration.
    var settings: [String] = []
    /// Whether `pins` are names of files.
    var areFiles = false
    /// What parts the pins, where the key has one text of all.
    var separator: String?
    /// What stands under the key, if that is no list of `pins`: entries on lines of their own.
    var entries: [Entry] = []

    /// An entry of a list: keys and values, which are scalars of YAML or lists of them.
    struct Entry: Hashable, Sendable {
        var line: Int
        var fields: [String]
    }

    /// - Parameter assets: the certificate files of the project by name, each with its path; `nil` where a name is that of
    ///   several.
    func reading(at line: Int, assets: [String: String?]) -> FoundPins.Reading {
        var values = pins
        if areFiles {
            values = []
            for name in pins {
                guard case .some(.some(let path)) = assets[name.fileName] else {
                    return .described(hosts: hosts, pins: pins, what: "\(what); '\(name)' is not in what was read")
                }
                values.append(path)
            }
        }
        guard values.allSatisfy({ !$0.contains(where: \.isNewline) }) else {
            return .gaps([.init(line: line, reason: "a text holds a line break")], hosts: hosts)
        }
        var text = LinedText()
        if let separator {
            let all = values.joined(separator: separator).quotedForYAML
            text.write("\(dialect): {\((settings + ["\(key): \(all)"]).joined(separator: ", "))}\n", at: line)
            return .policy(dialect: dialect, text: text.text, hosts: hosts)
        }
        text.write("\(dialect): {\((settings + ["\(key): ["]).joined(separator: ", "))", at: line)
        if entries.isEmpty { text.write(values.map(\.quotedForYAML).joined(separator: ", ")) }
        for entry in entries { text.write("{\(entry.fields.joined(separator: ", "))}, ", at: entry.line) }
        text.write("]}\n")
        // Entries name their hosts themselves.
        return .policy(dialect: dialect, text: text.text, hosts: entries.isEmpty ? hosts : [])
    }
}

extension String {
    /// A scalar of YAML in single quotes, in which nothing else is special.
    var quotedForYAML: String { "'\(replacing("'", with: "''"))'" }

    /// The last part of a path, as files are looked up by their names.
    fileprivate var fileName: String { (split(separator: "/").last.map(String.init) ?? self).lowercased() }
}
