/// The answer to "is this chain trusted here, for this host, now?".
package enum TrustResult: Hashable, Sendable {
    /// The path that was built: leaf first, anchor last.
    case trusted(path: [Certificate])
    case refused(TrustFailure)

    package var isTrusted: Bool { if case .trusted = self { true } else { false } }
}
