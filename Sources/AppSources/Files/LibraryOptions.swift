/// `CURLOPT_PINNEDPUBLICKEY` in languages that are not read, where its value is no literal.
package enum LibraryOptions {
    package struct Found: Hashable, Sendable {
        package var line: Int
        package var host: String?
        /// Of the names that it is given, those that the file tells.
        package var pins: [String]
    }

    package static let name = "PINNEDPUBLICKEY"
    package static let reason = "what this option of curl is given is not read in this language"

    package static func read(_ text: String) -> [Found] {
        let lines = TextLines(text, isCode: true)
        return lines.all.indices.flatMap { index -> [Found] in
            let line = lines.all[index].text
            guard !lines.all[index].isSkipped, let option = line.firstRange(of: name) else { return [] }
            let before = line[..<option.lowerBound].split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
            // What declares the option gives nothing to anyone.
            guard !["define", "const", "enum"].contains(where: before.contains) else { return [] }
            // The value may stand on the next line.
            let own = line[option.upperBound...]
            let isOpen = own.allSatisfy { $0.isWhitespace || ",=>\"'".contains($0) }
            let value = isOpen && index + 1 < lines.all.count ? lines.all[index + 1].text : own
            guard PinText.pins(within: String(value)).isEmpty, value.contains(where: \.isLetter) else { return [] }
            let names = value.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init).filter {
                $0.count > 1
            }
            let pins = names.flatMap { Self.pins(of: $0, in: lines) }.uniqued
            if pins.isEmpty {
                let given = arguments(names, index, lines)
                if !given.isEmpty { return given }
            }
            return [Found(line: index + 1, host: lines.hostOfBlock(index) ?? host(beside: index, lines), pins: pins)]
        }
    }

    /// What the calls of the function around an option give it, where its value is a parameter of that function.
    private static func arguments(_ names: [String], _ index: Int, _ lines: TextLines) -> [Found] {
        let places = stride(from: index - 1, through: max(0, index - 200), by: -1)
        let heads = places.lazy.compactMap { place in
            String(lines.all[place].text).firstMatch(of: #/\b(?:function|def|func|fn)\s+(\w+)\s*\(([^)]*)\)/#)
                .map { (place: place, name: String($0.output.1), parameters: String($0.output.2)) }
        }
        guard let head = heads.first(where: { _ in true }),
            head.parameters.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" })
                .contains(where: { names.contains(String($0)) })
        else { return [] }
        return lines.all.indices.compactMap { place in
            let line = lines.all[place].text
            guard place != head.place, !lines.all[place].isSkipped, let call = line.firstRange(of: "\(head.name)("),
                line[..<call.lowerBound].last.map({ !$0.isLetter && !$0.isNumber && $0 != "_" }) ?? true
            else { return nil }
            var text = String(line[call.lowerBound...])
            for next in lines.all[(place + 1)...].prefix(8) where isOpen(text) { text += "\n" + next.text }
            let pins = PinText.pins(within: text)
            return pins.isEmpty ? nil : Found(line: place + 1, host: CommandLines.host(of: text), pins: pins)
        }
    }

    private static func isOpen(_ text: String) -> Bool { text.count { $0 == "(" } > text.count { $0 == ")" } }

    /// Of the URL that the same handle is given, where that is a constant: `curl_init(self::$api)`.
    private static func host(beside index: Int, _ lines: TextLines) -> String? {
        let around = max(0, index - 30)..<min(lines.all.count, index + 30)
        let names = around.filter { !lines.all[$0].isSkipped }.flatMap { place -> [String] in
            let line = lines.all[place].text
            guard let mark = ["curl_init(", "CURLOPT_URL", "pycurl.URL"].compactMap({ line.firstRange(of: $0) }).first
            else { return [] }
            return line[mark.upperBound...].split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
        }
        let hosts = names.uniqued.flatMap { name in
            lines.all.filter { !$0.isSkipped }.compactMap { line -> String? in
                let words = line.text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
                guard words.prefix(4).contains(where: { $0 == name }), line.text.contains("=") else { return nil }
                return CommandLines.host(of: line.text)
            }
        }
        return Set(hosts).count == 1 ? hosts.first : nil
    }

    /// `$name = "…"`, `const NAME = "…"`, `define('NAME', '…')`
    private static func pins(of name: String, in lines: TextLines) -> [String] {
        lines.all.filter { !$0.isSkipped }.flatMap { line -> [String] in
            let words = line.text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
            guard words.prefix(6).contains(where: { $0 == name }), let place = line.text.firstRange(of: name) else {
                return []
            }
            let rest = line.text[place.upperBound...].drop { $0.isWhitespace || "'\"[]:".contains($0) }
            guard let mark = rest.first, mark == "=" || mark == ",", !rest.hasPrefix("==") else { return [] }
            let parts = rest.split(omittingEmptySubsequences: false) { "\"'`".contains($0) }.map(String.init)
            return parts.indices.filter { $0 % 2 == 1 }.map { parts[$0] }
                .filter { !PinText.pins(within: $0).isEmpty || PinText.isPin($0) }
        }
    }
}
