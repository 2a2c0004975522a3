package import Pinning

/// What a project's `.pindrill.yml` says about its audit.
package struct AuditSettings: Hashable, Sendable {
    /// Something that may be as it is, for a while.
    package struct Permission: Hashable, Sendable {
        package var rule: String
        /// As the configuration writes it; `nil`: whichever host it is about.
        package var host: String?
        /// From the root of the project; `nil`: in any file.
        package var path: String?
        /// The last day on which it holds.
        package var until: Day
        package var because: String
        /// Where it stands in the settings.
        package var line: Int

        /// Whether it is about this, today or not.
        func covers(_ result: AuditResult) -> Bool {
            rule == result.rule && host.map { $0.lowercased() == result.host?.lowercased() } ?? true
                && path.map { $0 == result.path } ?? true
        }
    }

    /// As its user would name it; empty where there is none.
    package var file: String
    package var permissions: [Permission]

    package init(file: String = "", permissions: [Permission] = []) {
        self.file = file
        self.permissions = permissions
    }

    /// Where a permission stands.
    package func place(of permission: Permission) -> String { "\(file):\(permission.line)" }

    /// The same, with the permission that it has on this day, or else had before.
    package func apply(to result: AuditResult, on day: Day) -> AuditResult {
        var result = result
        let own = permissions.filter { $0.covers(result) }
        result.permission = own.first { day <= $0.until }
        result.endedPermission = result.permission == nil ? own.max { $0.until < $1.until } : nil
        result.permissionPlace = (result.permission ?? result.endedPermission).map(place)
        return result
    }

    /// Those that are about nothing that was found.
    package func unused(by results: [AuditResult]) -> [Permission] {
        permissions.filter { permission in !results.contains(where: permission.covers) }
    }
}

extension AuditSettings {
    private static let mostPermissions = 1000

    /// Reads a `.pindrill.yml`.
    ///
    /// - Parameters:
    ///   - file: what it is called in messages.
    ///   - folder: where it lies, from the root of the project: empty, or with a slash at its end.
    /// - Throws: all that is wrong with it, with file and line.
    package static func parse(_ text: String, file: String, folder: String = "") throws(FileError) -> AuditSettings {
        try FileReader.read(text, file: file, called: "the settings of a project", beginning: "'audit:'") {
            reader,
            root in
            guard let fields = reader.fields(of: root, called: "the settings", known: ["version", "audit"]) else {
                return nil
            }
            reader.checkVersion(fields["version"])
            guard let audit = fields["audit"] else { return AuditSettings(file: file) }
            let own = reader.fields(of: audit, called: "the audit", known: ["allow"]) ?? [:]
            let nodes = own["allow"].flatMap { reader.list($0, of: "permissions") } ?? []
            if let node = own["allow"], nodes.count > mostPermissions {
                reader.report("expected at most \(mostPermissions) permissions, found \(nodes.count)", at: node)
            }
            let permissions = nodes.prefix(mostPermissions).compactMap { permission($0, folder, with: reader) }
            return AuditSettings(file: file, permissions: permissions)
        }
    }

    private static func permission(_ node: YAMLNode, _ folder: String, with reader: FileReader) -> Permission? {
        let fields = reader.fields(
            of: node,
            called: "the permission",
            known: ["rule", "host", "file", "until", "because"],
            required: ["rule", "until", "because"]
        )
        let rules = AuditRule.names.filter { !AuditRule.notes.contains($0) }.map { ($0, $0) }
        guard let fields,
            let rule = fields["rule"].flatMap({ reader.choice($0, "a rule of the audit", among: rules) }),
            let until = fields["until"].flatMap(reader.day),
            let reason = fields["because"], let because = reader.prose(reason, "a reason")
        else { return nil }
        if because.allSatisfy(\.isWhitespace) { reader.report("'because' is empty; say why this may be", at: reason) }
        let file = fields["file"].flatMap { reader.prose($0, "the name of a file") }
        return Permission(
            rule: rule,
            host: fields["host"].flatMap { reader.prose($0, "the name of a host") },
            path: file.map { folder + ($0.hasPrefix("./") ? String($0.dropFirst(2)) : $0) },
            until: until,
            because: because.asOneLine,
            line: node.mark.line
        )
    }
}
