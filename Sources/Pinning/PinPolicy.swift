public import TLSCore

/// What a client was built to demand of one host's certificates, beyond or instead of ordinary trust.
///
/// Every pinning system is a value on these axes: `requirements` that must *all* hold (none: the client does not pin),
/// the ordinary `checks` it keeps, what it does on a mismatch, and whom it exempts.
public struct PinPolicy: Hashable, Sendable {
    /// The ordinary checks that a client keeps beside its pins.
    public struct Checks: OptionSet, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The chain leads to an anchor of the store.
        public static let path = Checks(rawValue: 1)
        /// The leaf names the host.
        public static let host = Checks(rawValue: 2)
        /// Every certificate of the path is valid at the instant.
        public static let validity = Checks(rawValue: 4)

        public static let all: Checks = [.path, .host, .validity]
    }

    /// What a client does when no pin matches.
    public enum Failure: String, CaseIterable, Sendable {
        case block
        /// Talks to the server all the same, and at best tells somebody.
        case report
    }

    public var requirements: [PinRequirement]
    public var checks: Checks
    public var failure: Failure
    /// A path that ends in an anchor of one of these origins is not held to the pins.
    public var exempt: Set<TrustAnchor.Origin>

    public init(
        requirements: [PinRequirement] = [],
        checks: Checks = .all,
        failure: Failure = .block,
        exempt: Set<TrustAnchor.Origin> = []
    ) {
        self.requirements = requirements
        self.checks = checks
        self.failure = failure
        self.exempt = exempt
    }

    /// A client that pins nothing and relies on its trust store alone.
    public static let unpinned = PinPolicy()
}
