import Foundation
import TLSCore

/// What Apple's trust evaluation and App Transport Security ask of every server, pinned or not.
///
/// Source: apple-oss-distributions/Security, `SecPolicyCreateSSL` and what `trustd` does with its options. Certificate
/// transparency, which chains to Apple's own anchors must prove, is not modelled: no test authority can.
enum ApplePlatform {
    enum Trust {
        /// The path that was built, leaf first and anchor last.
        case trusted(path: [Certificate])
        case refused(Decision)
    }

    /// Judges a server before any pin is looked at.
    static func trust(_ situation: Situation, oldest: TLSVersion = .tls1_2) -> Trust {
        if situation.version < oldest {
            return .refused(Decision(.reject, .systemRule("App Transport Security asks for \(oldest) or newer")))
        }
        // What OpenSSL calls too weak is judged below, by Apple's rules.
        let trust = situation.on(.apple).store.evaluate(
            situation.chain,
            host: situation.host,
            at: situation.instant,
            toleratesWeakness: true
        )
        switch trust {
        case .refused(let failure): return .refused(.untrusted(failure))
        case .trusted(let path):
            guard let rule = brokenRule(path, in: situation.store) else { return .trusted(path: path) }
            return .refused(Decision(.reject, .systemRule(rule)))
        }
    }

    /// What an app does with a server that it does not pin: App Transport Security and nothing else.
    static func decideUnpinned(_ situation: Situation, oldest: TLSVersion = .tls1_2) -> Decision {
        switch trust(situation, oldest: oldest) {
        case .refused(let decision): decision
        case .trusted: Decision(.accept, .trusted)
        }
    }

    /// The rule that a trusted path breaks, in words.
    static func brokenRule(_ path: [Certificate], in store: TrustStore) -> String? {
        guard let leaf = path.first, let anchor = path.last else { return nil }
        if let weak = path.first(where: { $0.hasShortKey }) {
            return
                "Apple's platforms ask for RSA 2048 or EC 256 at least, and \(weak.subject) has \(weak.keyDescription)"
        }
        // Nobody relies on the signature of an anchor.
        if let weak = path.dropLast().first(where: { $0.hasWeakSignature }) {
            return "Apple's platforms reject signatures over SHA-1 and MD5, as that of \(weak.subject)"
        }
        let origin = store.anchors.first { $0.certificate == anchor }?.origin ?? .system
        if !leaf.namesServerAuthentication, asksForPurpose(leaf, origin) {
            return "Apple's platforms ask for the extended key usage serverAuth"
        }
        if path.count == 1, origin == .user { return nil }
        guard let days = longestValidity(leaf, origin), leaf.lifetime > days * day + (origin == .system ? 0 : 3600)
        else {
            return nil
        }
        return "Apple's platforms take no such certificate that is valid for more than \(Int(days)) days"
    }

    private static let day: TimeInterval = 86400
    /// 1 March 2018, 1 July 2019 and 1 September 2020, all UTC: the rules hold for what was issued from then on.
    private static let march2018 = Date(timeIntervalSince1970: 1_519_862_400)
    private static let july2019 = Date(timeIntervalSince1970: 1_561_939_200)
    private static let september2020 = Date(timeIntervalSince1970: 1_598_918_400)

    private static func asksForPurpose(_ leaf: Certificate, _ origin: TrustAnchor.Origin) -> Bool {
        switch origin {
        case .system: true
        case .app: leaf.validity.notBefore > july2019
        case .user: false
        }
    }

    private static func longestValidity(_ leaf: Certificate, _ origin: TrustAnchor.Origin) -> Double? {
        let issued = leaf.validity.notBefore
        guard origin == .system else { return issued >= july2019 ? 825 : nil }
        return issued >= september2020 ? 398 : issued >= march2018 ? 825 : nil
    }
}

extension Certificate {
    /// Whether its key is too short, or of a kind that has no length there (`SecCertificateIsAtLeastMinKeySize`).
    fileprivate var hasShortKey: Bool {
        if keyCurve != nil { return keyBits < 256 }
        return !keyDescription.hasPrefix("RSA") || keyBits < 2048
    }

    fileprivate var lifetime: TimeInterval { validity.notAfter.timeIntervalSince(validity.notBefore) }
}
