package import Pinning
import Scenarios

extension Fleet {
    /// What a version says of its configuration.
    package struct PolicySource: Hashable, Sendable {
        /// As the fleet file writes it, relative to that file's folder.
        package var path: String
        package var dialect: Dialect?
        package var device: [String]
    }

    private static let mostVersions = 1000

    /// Reads a fleet file.
    ///
    /// - Parameter load: reads a configuration; each is asked for once.
    /// - Throws: all that is wrong, with file and line.
    package static func parse(
        _ text: String,
        file: String,
        load: (PolicySource) throws -> any PinConfiguration
    ) throws(FileError) -> Fleet {
        try FileReader.read(text, file: file, called: "a fleet file") { reader, root in
            let known = ["version", "host", "usage", "versions"]
            guard
                let fields = reader.fields(of: root, called: "the fleet", known: known, required: ["host", "versions"])
            else { return nil }
            reader.checkVersion(fields["version"])
            var loaded: [PolicySource: any PinConfiguration] = [:]
            let nodes = fields["versions"].flatMap { reader.list($0, of: "versions") } ?? []
            if let node = fields["versions"], nodes.isEmpty || nodes.count > mostVersions {
                reader.report("expected from 1 to \(mostVersions) versions, found \(nodes.count)", at: node)
            }
            var weights: [Weight] = []
            let versions = nodes.prefix(mostVersions).compactMap { node in
                version(node, with: reader, &loaded, &weights, load)
            }
            var names: Set<String> = []
            for (version, node) in zip(versions, nodes) where !names.insert(version.name).inserted {
                reader.report("the version '\(version.name)' is given twice", at: node)
            }
            if weights.contains(.users), weights.contains(.shares), let node = fields["versions"] {
                reader.report("some versions have 'users' and some 'share'; use one of the two", at: node)
            }
            let usage = fields["usage"].flatMap { reader.prose($0, "the name of a file") }
            if usage == nil, weights.count < versions.count, let node = fields["versions"] {
                reader.report("without 'usage', every version needs 'users' or 'share'", at: node)
            }
            if let node = fields["usage"], !weights.isEmpty {
                reader.report("'usage' counts the users; take 'users' and 'share' out of the versions", at: node)
            }
            let shares = versions.reduce(0) { $0 + ($1.weight ?? 0) }
            if !weights.isEmpty, !weights.contains(.users), shares > 1.000_1, let node = fields["versions"] {
                reader.report("the shares are more than 100% together", at: node)
            }
            guard let host = reader.host(fields["host"], isHost: \.canBeHost) else { return nil }
            return Fleet(host: host, versions: versions, usage: usage, weight: weights.first ?? .users)
        }
    }

    private static func version(
        _ node: YAMLNode,
        with reader: FileReader,
        _ loaded: inout [PolicySource: any PinConfiguration],
        _ weights: inout [Weight],
        _ load: (PolicySource) throws -> any PinConfiguration
    ) -> Version? {
        let known = ["name", "policy", "dialect", "device", "released", "users", "share"]
        guard let fields = reader.fields(of: node, called: "the version", known: known, required: ["name", "policy"]),
            let name = fields["name"].flatMap({ reader.prose($0, "the name of a version") })
        else { return nil }
        guard let policy = fields["policy"].flatMap({ reader.prose($0, "the name of a file") }) else { return nil }
        var version = Version(name: name, rules: UniformPolicy(PinPolicy()))
        version.released = fields["released"].flatMap(reader.day)
        if let users = fields["users"].flatMap({ reader.integer($0, in: 0...1_000_000_000_000, "a number of people") })
        {
            version.weight = Double(users)
            weights.append(.users)
        }
        if let node = fields["share"], let share = reader.share(node) {
            version.weight = share
            weights.append(.shares)
        }
        let device = fields["device"].flatMap { reader.list($0, of: "settings") } ?? []
        let source = PolicySource(
            path: policy,
            dialect: fields["dialect"].flatMap { reader.choice($0, "a dialect") },
            device: device.compactMap { reader.prose($0, "a setting of a device") }
        )
        // For people who write that a version pins nothing, and have no file for that.
        if policy == "none" { return version }
        do {
            let configuration = try loaded[source] ?? load(source)
            loaded[source] = configuration
            version.rules = configuration
        } catch {
            for line in "\(error)".split(separator: "\n").prefix(5) {
                reader.report("version '\(name)': \(line)", at: fields["policy"] ?? node)
            }
        }
        return version
    }
}

extension FileReader {
    /// `12.5%`, as a fraction.
    func share(_ node: YAMLNode) -> Double? {
        guard let text = prose(node, "a share such as 12.5%") else { return nil }
        guard let share = Share.parse(text) else {
            report("'\(text)' is no share; write it as in 12.5%", at: node)
            return nil
        }
        return share
    }
}

/// Parts of a hundred, as people write them.
package enum Share {
    /// - Returns: from 0 to 1; `nil` for anything but a number from 0 to 100 and a per cent sign.
    package static func parse(_ text: String) -> Double? {
        guard text.hasSuffix("%"), let number = Double(text.dropLast()), (0...100).contains(number),
            text.dropLast().allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") })
        else { return nil }
        return number / 100
    }

    /// As in `3.4 %`; what is not nothing is never written as 0.
    package static func text(_ share: Double) -> String {
        let percent = share * 100
        if percent > 0, percent < 0.01 { return "under 0.01 %" }
        let digits = percent >= 10 || percent == 0 ? 1 : 2
        let scale = digits == 1 ? 10.0 : 100.0
        let rounded = (percent * scale).rounded() / scale
        return (rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)") + " %"
    }
}
