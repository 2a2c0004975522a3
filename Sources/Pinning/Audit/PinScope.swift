package import Foundation
package import TLSCore

/// One entry of a configuration, and what the hosts are held to that it is for.
package struct PinScope: Sendable {
    /// Pins of which one must match; every list of a scope must be met.
    package struct List: Sendable {
        package var digests: [PinnedDigest]
        package var position: PinRequirement.Position
        package var search: PinRequirement.Search

        package init(
            _ digests: [PinnedDigest],
            position: PinRequirement.Position = .any,
            search: PinRequirement.Search = .verifiedPath
        ) {
            self.digests = digests
            self.position = position
            self.search = search
        }

        package init(keys: [Pin], position: PinRequirement.Position = .any) {
            self.init(keys.map { PinnedDigest($0) }, position: position)
        }
    }

    /// The domain or pattern as written; empty where a configuration names no hosts.
    package var name: String
    package var keyPath: String
    /// Of the other entries that reach `host` too.
    package var otherKeyPaths: [String] = []
    package var line: Int?
    /// A host that it is for, and of those the one that the fewest other entries reach too.
    package var host: String
    /// As they stand in this entry: what stands twice is here twice.
    package var written: [List]
    /// What `host` is held to, other entries that reach it counted in; none: it is not pinned.
    package var lists: [List]
    /// The ordinary checks that are kept beside the pins.
    package var checks: PinPolicy.Checks
    package var failure: PinPolicy.Failure
    /// Who only reports a mismatch, where the system refuses it in connections that others make.
    package var reporter: String?
    /// From when on the pins no longer hold.
    package var expires: Date?

    package init(
        _ name: String = "",
        keyPath: String? = nil,
        line: Int? = nil,
        host: String? = nil,
        written: [List],
        lists: [List]? = nil,
        checks: PinPolicy.Checks = .all,
        failure: PinPolicy.Failure = .block,
        expires: Date? = nil
    ) {
        self.name = name
        self.keyPath = keyPath ?? name
        self.line = line
        self.host = host ?? name
        self.written = written
        self.lists = lists ?? written
        self.checks = checks
        self.failure = failure
        self.expires = expires
    }

    /// A host below a domain that no configuration mentions.
    static func anyHost(below domain: some StringProtocol) -> String { "any-host." + domain }

    /// Whether its name is a variable of Xcode or Gradle.
    var isNamedByBuild: Bool { PinMistake.isSetByBuild(name) }

    func finding(_ rule: PolicyFinding.Rule, _ severity: PolicyFinding.Severity, _ message: String, fix: String)
        -> PolicyFinding
    {
        PolicyFinding(rule, severity, line: line, keyPath: keyPath, message, fix: fix)
    }

    /// Whether a mismatch stops nobody: what would be an outage is none then.
    package func isToothless(at instant: Date) -> Bool { failure == .report || expires.map { $0 < instant } ?? false }
}
