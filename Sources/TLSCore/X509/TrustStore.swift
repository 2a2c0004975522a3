import COpenSSL
package import Foundation
import Synchronization

/// What one device trusts: a set of anchors, and the question whether a chain leads to one of them.
///
/// Answers come from the system's OpenSSL (`X509_verify_cert(3)`), with the instant passed in. A certificate of the
/// store ends a path even when it vouches not for itself, as current curl, wget and Go do.
public final class TrustStore: Sendable {
    package let anchors: [TrustAnchor]
    /// How the device's TLS library searches and judges.
    package let stack: TrustStack
    let store: Owned
    private let anchorSet: Set<Certificate>
    /// Whether all are of one origin, as on most devices.
    private let anchorsAreAlike: Bool
    /// Made once each: a pinning system asks for the same few again and again.
    private let subsets = Mutex<[[TrustAnchor.Origin]: TrustStore]>([:])
    private let twins = Mutex<[TrustStack: TrustStore]>([:])

    /// What counts as too weak, by OpenSSL's security levels (`SSL_CTX_set_security_level(3)`): 2, Debian's default,
    /// asks for RSA 2048 and SHA-256.
    static let securityLevel: Int32 = 2

    /// Whether the same question gets the same answer without a look at the signatures again.
    let remembers: Bool
    private let answers = Mutex<[Question: Answer]>([:])

    struct Question: Hashable {
        var chain: [Certificate]
        var host: String?
        var isDated: Bool
        var toleratesWeakness: Bool
        var isLenient: Bool
        var isClients: Bool
    }

    private struct Answer {
        var result: TrustResult
        /// The seconds since 1970 between which no certificate that was at hand begins or ends.
        var holds: Range<Int>
    }

    /// So many answers are remembered, of chains of no more than so many certificates.
    private static let (mostAnswers, longestChain) = (256, 16)

    package convenience init(_ anchors: [TrustAnchor]) throws(OpenSSLError) { try self.init(anchors, remembers: false) }

    package init(_ anchors: [TrustAnchor], remembers: Bool) throws(OpenSSLError) {
        _ = OpenSSL.isReady
        ERR_clear_error()
        self.anchors = anchors
        self.remembers = remembers
        stack = .openSSL
        anchorSet = Set(anchors.map(\.certificate))
        anchorsAreAlike = Set(anchors.map(\.origin)).count == 1
        let pointer = try require(X509_STORE_new(), "make a trust store")
        store = Owned(pointer) { X509_STORE_free($0) }
        for anchor in anchors {
            try require(X509_STORE_add_cert(pointer, anchor.certificate.x509.pointer), "add a trust anchor")
        }
    }

    private init(_ other: TrustStore, on stack: TrustStack) {
        (anchors, anchorSet, anchorsAreAlike) = (other.anchors, other.anchorSet, other.anchorsAreAlike)
        (store, remembers) = (other.store, other.remembers)
        self.stack = stack
    }

    /// The same anchors under another TLS library, with answers of its own.
    package func on(_ stack: TrustStack) -> TrustStore {
        guard stack != self.stack else { return self }
        return twins.withLock { twins in
            if let twin = twins[stack] { return twin }
            let twin = TrustStore(self, on: stack)
            twins[stack] = twin
            return twin
        }
    }

    /// The same without a memory: what a client is asked is not what the oracle was answered.
    package func forgetful() throws(OpenSSLError) -> TrustStore {
        remembers ? try TrustStore(anchors).on(stack) : self
    }

    /// Every anchor as PEM, in the order given, and the first of several once more at the end: who reads only the last
    /// block, or keeps only the last that he read, trusts the same as who reads only the first.
    public func pem() -> String { pem(Set(TrustAnchor.Origin.allCases)) }

    /// The anchors of some origins as PEM, in the same order.
    package func pem(_ origins: Set<TrustAnchor.Origin>) -> String {
        let certificates = anchors.filter { origins.contains($0.origin) }.map(\.certificate)
        return PEM.encode(certificates + certificates.dropFirst().prefix(1).flatMap { _ in certificates.prefix(1) })
    }

    /// The anchors of some origins alone, sorted by them; this store where that is the same.
    ///
    /// The order matters where one certificate has come from two places: the first that is found speaks for it.
    package func restricted(to origins: [TrustAnchor.Origin]) throws(OpenSSLError) -> TrustStore {
        if let origin = anchors.first?.origin, anchorsAreAlike, origins.contains(origin) { return self }
        if let known = subsets.withLock({ $0[origins] }) { return known }
        let subset = try TrustStore(
            origins.flatMap { origin in anchors.filter { $0.origin == origin } },
            remembers: remembers
        ).on(stack)
        subsets.withLock { $0[origins] = subset }
        return subset
    }

    /// Whether a server that shows `chain` is to be trusted, pins aside.
    ///
    /// - Parameters:
    ///   - chain: as presented: leaf first, the rest in any order.
    ///   - host: the DNS name or address the client asked for; `nil` checks no name. A common name never counts
    ///     (RFC 9525 section 6.3).
    ///   - instant: when; `nil` checks no dates.
    ///   - toleratesWeakness: `true` to pass over `tooWeak`, and so learn whether that is all that is wrong.
    ///   - isLenient: `true` to pass over that and all else that some TLS stack in use passes over.
    ///   - isClients: whether it is a client that shows it.
    package func evaluate(
        _ chain: [Certificate],
        host: String?,
        at instant: Date?,
        toleratesWeakness: Bool = false,
        isLenient: Bool = false,
        isClients: Bool = false
    ) -> TrustResult {
        let question = Question(
            chain: chain,
            host: host,
            isDated: instant != nil,
            toleratesWeakness: toleratesWeakness,
            isLenient: isLenient,
            isClients: isClients
        )
        guard remembers, chain.count <= TrustStore.longestChain else { return answer(question, at: instant) }
        let second = Int(instant?.wholeSeconds ?? 0)
        if let known = answers.withLock({ $0[question] }), known.holds.contains(second) { return known.result }
        let result = answer(question, at: instant)
        let holds = instant == nil ? 0..<1 : TrustStore.spell(around: second, chain + anchors.map(\.certificate))
        answers.withLock { answers in
            if answers.count >= TrustStore.mostAnswers { answers = [:] }
            answers[question] = Answer(result: result, holds: holds)
        }
        return result
    }

    /// The time around an instant in which none of the certificates begins or ends, to the second on both sides of that.
    private static func spell(around second: Int, _ certificates: [Certificate]) -> Range<Int> {
        var holds = Int.min..<Int.max
        for date in certificates.flatMap({ [$0.validity.notBefore, $0.validity.notAfter] }) {
            let turn = Int(date.timeIntervalSince1970)
            for turn in [turn, turn + 1] {
                holds =
                    turn <= second
                    ? max(holds.lowerBound, turn)..<holds.upperBound
                    : holds.lowerBound..<min(holds.upperBound, turn)
            }
        }
        return holds
    }

    private func answer(_ question: Question, at instant: Date?) -> TrustResult {
        let result = search(question, at: instant)
        guard !stack.expiresEarly, !result.isTrusted, let instant, endsAt(instant, question.chain) else {
            return result
        }
        let earlier = search(question, at: instant - 1)
        guard earlier.isTrusted else { return result }
        return question.isLenient ? earlier : .refused(TrustFailure(.lastSecond))
    }

    /// Whether this is the last second of some certificate.
    private func endsAt(_ instant: Date, _ chain: [Certificate]) -> Bool {
        (chain + anchors.map(\.certificate)).contains { $0.validity.notAfter.wholeSeconds == instant.wholeSeconds }
    }

    private func search(_ question: Question, at instant: Date?) -> TrustResult {
        guard let leaf = question.chain.first else { return .refused(TrustFailure(.noCertificate)) }
        if let most = stack.mostCertificates, question.chain.count > most, !question.isClients {
            return .refused(TrustFailure(.tooManyCertificates))
        }
        if stack.knowsFewKeys, !leaf.hasCommonKey, !question.isClients,
            !question.isLenient || stack.isSure(of: .unknownKey)
        {
            return .refused(TrustFailure(.unknownKey))
        }
        if stack.takesAnchorsAsKeys,
            anchorSet.contains(leaf) || stack == .conscrypt && anchorSet.contains(where: leaf.isTwin)
        {
            // Whoever trusts the leaf itself looks at nothing but its name.
            return leaf.failure(host: question.host, at: nil).map { .refused($0) } ?? .trusted(path: [leaf])
        }
        if stack == .gnuTLS, !question.isClients { return gnuTLSAnswer(question, at: instant) }
        if stack == .java { return javaAnswer(question, at: instant) }
        if stack == .boringSSL, !question.isClients { return boringSSLAnswer(question, at: instant) }
        let first = verify(question, question.chain, trusting: nil, at: instant)
        guard case .refused(let failure) = first else { return first }
        if stack == .unknown {
            // Android's passes over most of what a stack in use passes over, and tries every path.
            guard question.isLenient else { return first }
            let other = on(.conscrypt).answer(question, at: instant)
            if case .refused(let failure) = other, failure.reason == .tooManyPaths { return other }
            return other.isTrusted ? other : first
        }
        guard stack.backtracks, !failure.isOfLeaf else { return first }
        var found: TrustResult?
        let isCutShort = walk(question, at: instant) { result in
            // Versions of the library differ about some reasons, and then this is what matters.
            if found.map({ result.isTrusted || isSure(of: $0) && !isSure(of: result) }) ?? true { found = result }
            return result.isTrusted
        }
        if isCutShort, found?.isTrusted != true { return .refused(TrustFailure(.tooManyPaths)) }
        return found ?? first
    }

    func isSure(of result: TrustResult) -> Bool {
        if case .refused(let failure) = result { stack.isSure(of: failure.reason) } else { true }
    }

    /// A verified chain up to its first anchor. Where that is the leaf, OpenSSL goes on to whatever issuer was sent.
    func path(_ stack: OpaquePointer?) -> [Certificate] { cut(TrustStore.certificates(stack)) }

    func cut(_ certificates: [Certificate]) -> [Certificate] {
        guard let end = certificates.firstIndex(where: anchorSet.contains) else { return certificates }
        return Array(certificates[...end])
    }

    /// What every evaluation asks, the reference client's handshake included.
    static func configure(_ parameters: OpaquePointer, host: String?, at instant: Date?) -> Bool {
        X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_TRUSTED_FIRST))
        X509_VERIFY_PARAM_set_hostflags(
            parameters,
            UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS)
        )
        if let instant {
            X509_VERIFY_PARAM_set_time(parameters, instant.wholeSeconds)
        } else {
            X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_NO_CHECK_TIME))
        }
        guard let host = host.map(SubjectName.relative) else { return true }
        guard SubjectName.canBeAsked(host) else { return false }
        if SubjectName.address(host) != nil { return X509_VERIFY_PARAM_set1_ip_asc(parameters, host) == 1 }
        return X509_VERIFY_PARAM_set1_host(parameters, host, host.utf8.count) == 1
    }

    /// The certificates of a borrowed stack, each with a reference of its own (balanced by `Certificate`'s owner).
    ///
    /// - Parameter known: those of which it may be made, and which then need not be encoded and hashed again.
    static func certificates(_ stack: OpaquePointer?, among known: some Sequence<Certificate> = []) -> [Certificate] {
        (0..<pd_x509_stack_count(stack)).compactMap { index in
            guard let pointer = pd_x509_stack_at(stack, index) else { return nil }
            if let same = known.first(where: { $0.x509.pointer == pointer }) { return same }
            guard X509_up_ref(pointer) == 1 else { return nil }
            return Certificate(owning: pointer)
        }
    }
}
