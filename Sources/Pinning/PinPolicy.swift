package import TLSCore

/// What a client was built to demand of one host's certificates, beyond or instead of ordinary trust.
///
/// Every pinning system is a value on these axes: `requirements` that must *all* hold (none: the client does not pin),
/// the ordinary `checks` it keeps, what it does on a mismatch, and whom it exempts.
package struct PinPolicy: Hashable, Sendable {
    /// The ordinary checks that a client keeps beside its pins.
    package struct Checks: OptionSet, Hashable, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        /// The chain leads to an anchor of the store.
        package static let path = Checks(rawValue: 1)
        /// The leaf names the host.
        package static let host = Checks(rawValue: 2)
        /// The validity of every certificate of the path has begun.
        package static let notBefore = Checks(rawValue: 4)
        /// No certificate of the path has expired.
        package static let notAfter = Checks(rawValue: 8)
        /// Every certificate of the path is valid at the instant.
        package static let validity: Checks = [.notBefore, .notAfter]

        package static let all: Checks = [.path, .host, .validity]
    }

    /// What a client does when no pin matches.
    package enum Failure: String, CaseIterable, Sendable {
        case block
        /// Talks to the server all the same, and at best tells somebody.
        case report
    }

    package var requirements: [PinRequirement]
    package var checks: Checks
    package var failure: Failure
    /// A path that ends in an anchor of one of these origins is not held to the pins.
    package var exempt: Set<TrustAnchor.Origin>

    package init(
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
    package static let unpinned = PinPolicy()
}
