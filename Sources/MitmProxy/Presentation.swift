public import TLSCore

/// What the next connections will see: for each host, one identity or several.
public struct Presentation: Sendable {
    /// For which hosts a rule holds.
    public enum HostPattern: Hashable, Sendable {
        case any
        /// One host, without regard to case.
        case exactly(String)

        func matches(_ host: String?) -> Bool {
            switch self {
            case .any: true
            case .exactly(let name): host?.lowercased() == name.lowercased()
            }
        }
    }

    /// Which identity a connection sees.
    public enum Selection: Sendable {
        case always(Source)
        /// The first connection sees the first, the second the second, and so on; the last one stays.
        case sequence([Source])
    }

    /// Where an identity comes from.
    public enum Source: Sendable {
        case identity(Identity)
        /// Made for the name that each client asks for.
        case minted(by: Minter)
    }

    /// The first rule whose pattern matches is in force.
    public var rules: [(pattern: HostPattern, selection: Selection)]

    /// The one version of TLS that is spoken; `nil`: those of the proxy's settings.
    public var version: TLSVersion?

    public init(rules: [(pattern: HostPattern, selection: Selection)], version: TLSVersion? = nil) {
        self.rules = rules
        self.version = version
    }

    /// One selection for every host.
    public init(_ selection: Selection, version: TLSVersion? = nil) {
        self.init(rules: [(.any, selection)], version: version)
    }

    /// One identity for every host.
    public init(_ identity: Identity) {
        self.init(.always(.identity(identity)))
    }
}

/// The number of a presentation: which of them a connection saw. Every `present` opens a new one.
public struct Epoch: Hashable, Comparable, Sendable {
    public let number: Int

    package init(_ number: Int) { self.number = number }

    public static func < (left: Epoch, right: Epoch) -> Bool { left.number < right.number }

    func next() -> Epoch { Epoch(number + 1) }
}

/// Whether connections that are open when the presentation changes may live on.
public enum ExistingConnections: Sendable {
    case close
    /// As a real server does: an open connection keeps the certificate it was opened with.
    case keep
}
