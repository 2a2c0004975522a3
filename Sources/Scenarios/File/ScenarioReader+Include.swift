import Pinning

/// The top level of a file, and `include`: other files, read as if they stood in this one.
extension ScenarioReader {
    /// What one file declares at its top level.
    struct Part {
        var root: YAMLNode
        var fields: [String: YAMLNode]
    }

    /// What may stand in several files, and counts as one.
    static let sections = ["keys", "authorities", "stores", "chains", "policies", "clients", "scenarios"]
    /// What is said once for all. An included file may be a first file itself, and say it for that.
    private static let ownKeys = [
        "host", "play", "origin", "collector", "routes", "others", "reachable", "upstream", "tls",
        "listeners",
    ]

    /// Far above what anybody writes; each may be as large as one file may be.
    private static let mostFiles = 100

    /// The file, and behind it those that it includes, each before its own; none where the first cannot be read.
    func parts(of source: ScenarioSource) -> [Part] { parts(of: source, includedAt: nil, by: []) }

    private func parts(of source: ScenarioSource, includedAt place: SourceLocation?, by outer: [String]) -> [Part] {
        sources.append((source.identity, source.file, place))
        isShipped = isShipped && ScenarioFile.shippedTexts.values.contains(source.text)
        guard var part = part(source, isIncluded: place != nil) else {
            // Whatever it declares is not known.
            names.unreadable.formUnion(Subject.Kind.allCases)
            return []
        }
        if isBorrowed(part.root) {
            part.fields["clients"] = nil
            if let host = part.fields.removeValue(forKey: "host") { borrowedHost = host.scalar }
        }
        let included = part.fields["include"].flatMap { list($0, of: "files") } ?? []
        var missing: [YAMLNode] = []
        let others = included.flatMap { parts(includedAs: $0, by: outer + [source.identity], &missing) }
        if let first = missing.first, let name = first.scalar {
            let more = missing.count > 1 ? " and \(missing.count - 1) more" : ""
            let advice = missing.count > 1 ? "; copy them along with this file, or write 'include: [shipped]'" : ""
            report("cannot include '\(name.prefix(80))'\(more): \(Self.noFile)\(advice)", at: first)
        }
        return [part] + others
    }

    /// Whether a file's name leads out of the folder of the one that names it; links are followed where it is read.
    static func leadsOut(_ name: String) -> Bool {
        name.hasPrefix("/") || name.split(separator: "/").contains("..")
    }

    static let outside = "it must lie in the folder of this file, or below it"

    /// Whether a value stands in the shipped catalogue, and the file that is read only includes that: it has clients and a
    /// host of its own.
    func isBorrowed(_ node: YAMLNode) -> Bool {
        ScenarioSource.isCarried(node.file) && !ScenarioSource.isCarried(sources[0].file)
    }

    /// Why most cannot be read: said once of all that a file names.
    private static let noFile = "no such file"

    /// - Parameter missing: takes what names no file.
    private func parts(includedAs node: YAMLNode, by outer: [String], _ missing: inout [YAMLNode]) -> [Part] {
        guard let name = text(node, "the name of a file") else { return [] }
        func refuse(_ reason: String) -> [Part] {
            if reason == Self.noFile { missing.append(node) }
            for line in reason.split(whereSeparator: \.isNewline) where reason != Self.noFile {
                report("cannot include '\(name.prefix(80))': \(line)", at: node)
            }
            names.unreadable.formUnion(Subject.Kind.allCases)
            return []
        }
        guard sources.count < Self.mostFiles else { return refuse("more than \(Self.mostFiles) files") }
        guard !Self.leadsOut(name) else { return refuse(Self.outside) }
        let source: ScenarioSource
        do {
            source = try ScenarioSource(carried: name, namedIn: node.file) ?? files.pack(name, node.file)
        } catch {
            return refuse("\(error)")
        }
        if outer.contains(source.identity) { return refuse("files would go in a circle, for it includes this one") }
        if let first = sources.first(where: { $0.identity == source.identity })?.place {
            report("'\(name)' is included already (\(first.asSeen(from: node.location)))", at: node)
            return []
        }
        return parts(of: source, includedAt: node.location, by: outer)
    }

    private func part(_ source: ScenarioSource, isIncluded: Bool) -> Part? {
        guard let root = root(of: source) else { return nil }
        guard root.kind == .mapping else {
            report("expected 'version: 1' and the sections of a scenario file, found \(root.kind.rawValue)", at: root)
            return nil
        }
        guard isVersionKnown(in: root) else { return nil }
        let required = ["version"] + (isIncluded ? [] : ["host"])
        let known = ["version", "include"] + Self.ownKeys + Self.sections
        return fields(of: root, called: "the file", known: known, required: required).map {
            Part(root: root, fields: $0)
        }
    }

    private func root(of source: ScenarioSource) -> YAMLNode? {
        do throws(YAMLError) {
            return try YAMLNode(
                parsing: source.text,
                file: source.file,
                called: "a scenario file",
                beginning: "'version: 1'",
                takesAliases: true
            )
        } catch {
            let place = SourceLocation(file: source.file, line: error.mark.line, column: error.mark.column)
            let advice = error.isAboutSize ? "; move a part of it to another one, and name that under 'include'" : ""
            report(error.message + advice, at: place)
            return nil
        }
    }

    /// A file of another version means something else by the same words: there is no point in reading on.
    private func isVersionKnown(in root: YAMLNode) -> Bool {
        guard
            case .mapping(let entries) = root.content,
            let node = entries.first(where: { $0.key.scalar == "version" })?.value
        else { return true }
        guard case .scalar("1", isPlain: true) = node.content else {
            report("this program reads version 1 of scenario files only", at: node)
            return false
        }
        return true
    }
}

extension SourceLocation {
    /// How a message about another place in the same file, or in another, names this one.
    func asSeen(from other: SourceLocation) -> String { file == other.file ? "line \(line)" : "\(file):\(line)" }
}
