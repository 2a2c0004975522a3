package import TLSCore

/// Fingerprints of certificates, as apps compare them with the digest of the whole leaf: by Python's urllib3
/// (`assert_fingerprint`) and aiohttp (`Fingerprint`), by Flutter's http_certificate_pinning, by dio's `validateCertificate`
/// and by callbacks of .NET. Every renewal locks users out, unless the next certificate's fingerprint was shipped before.
package struct Fingerprint: HostlessPinConfiguration, Equatable {
    package static let dialect = Dialect.fingerprint

    package static let format = PolicyFormat(dialect) { Fingerprint(reading: $1, with: $0) }

    package enum Library: String, CaseIterable, Sendable {
        /// The digest comes beside the check of the path, and switches that of the host off.
        case urllib3
        /// The digest replaces every check.
        case aiohttp
        /// A connection of its own is checked, before the app makes its request on another.
        case httpCertificatePinning = "http_certificate_pinning"
        /// dio's `validateCertificate`, which is called when the answer has begun.
        case dio
        /// `ServerCertificateCustomValidationCallback` and its like, whose answer is the last word.
        case dotNet = "dotnet"

        /// Whether there is room for one digest only.
        var takesOne: Bool { self == .urllib3 || self == .aiohttp }
    }

    /// Those that can match, each with its algorithm.
    package let digests: [PinnedDigest]
    /// Those that never match as the library compares them, and why.
    let unusable: [Unusable]
    package let library: Library
    /// Whether the path and its dates are checked: urllib3's `cert_reqs`, and whether a callback asks for what the stack
    /// found.
    package let requiresCertificate: Bool
    /// Which digest http_certificate_pinning is told to compute; `nil`: as each one's length says.
    let computed: FingerprintDigest?

    /// In which letters a callback compares.
    let letters: Letters

    enum Letters: String, CaseIterable, Sendable {
        case upper
        case lower
        case any

        func fit(_ digits: String) -> Bool {
            switch self {
            case .upper: digits == digits.uppercased()
            case .lower: digits == digits.lowercased()
            case .any: true
            }
        }
    }

    struct Unusable: Hashable, Sendable {
        var written: String
        var reason: String
    }

    /// `nil` for a digest that is none, and for MD5 and SHA-1 in aiohttp, which raises an error.
    package init?(_ digest: [UInt8], library: Library = .urllib3, requiresCertificate: Bool = true) {
        guard let algorithm = FingerprintDigest.allCases.first(where: { $0.count == digest.count }),
            library != .aiohttp || algorithm == .sha256
        else { return nil }
        let pinned = PinnedDigest(digest, algorithm, of: .certificate)
        self.init([pinned], library: library, requiresCertificate: requiresCertificate)
    }

    package init(_ digests: [PinnedDigest], library: Library, requiresCertificate: Bool = true) {
        self.init(digests, [], library: library, requiresCertificate: requiresCertificate)
    }

    init(
        _ digests: [PinnedDigest],
        _ unusable: [Unusable],
        library: Library,
        requiresCertificate: Bool,
        computed: FingerprintDigest? = nil,
        letters: Letters = .any
    ) {
        self.letters = letters
        self.digests = digests
        self.computed = computed
        self.unusable = unusable
        self.library = library
        self.requiresCertificate =
            switch library {
            case .aiohttp: false
            case .httpCertificatePinning: true
            case .urllib3, .dio, .dotNet: requiresCertificate
            }
    }

    /// What is checked beside the digest.
    var checks: PinPolicy.Checks {
        guard requiresCertificate else { return [] }
        return library == .urllib3 ? [.path, .validity] : .all
    }

    package var stack: TrustStack {
        switch library {
        case .urllib3, .aiohttp: .openSSL
        case .httpCertificatePinning: .apple
        // .NET asks the system, and Dart on some systems as well.
        case .dio, .dotNet: .unknown
        }
    }

    package var stacks: [TrustStack] { library == .httpCertificatePinning ? [.apple, .conscrypt] : [stack] }

    package func decide(_ situation: Situation) -> Decision {
        switch library {
        case .urllib3, .aiohttp:
            if let refusal = situation.refusal(below: .tls1_2, by: "Python's ssl module") { return refusal }
            guard requiresCertificate else { return judge(situation) }
            let decision = judge(situation.on(stack))
            guard decision.demand == .accept, judge(situation.on(.openSSLToRoots)).demand != .accept else {
                return decision
            }
            let rule = "only Python 3.13 and later take a path that ends in an intermediate"
            return Decision(.either, .systemRule(rule))
        case .httpCertificatePinning, .dio, .dotNet:
            return situation.unlessOld(situation.decide(on: stacks, judge))
        }
    }

    /// On one TLS library.
    private func judge(_ situation: Situation) -> Decision {
        let isOfApple = situation.store.stack == .apple && requiresCertificate
        let ordinary =
            isOfApple ? ApplePlatform.decideUnpinned(situation) : situation.decide(PinPolicy(checks: checks))
        guard ordinary.demand != .reject, let leaf = situation.chain.first else { return ordinary }
        guard digests.contains(where: { $0.matches(leaf) }) else {
            let pins = pins.map(\.pin)
            return Decision(.reject, .noPinMatches(PinRequirement(pins: pins, match: .certificate, position: .leaf)))
        }
        return ordinary.demand == .accept ? Decision(.accept, .pinned(matched: [leaf])) : ordinary
    }

    package var pins: [ConfiguredPin] { digests.map { ConfiguredPin(domain: nil, comparing: $0, position: .leaf) } }

    package func mapPins(_ transform: (Pin) -> Pin) -> Fingerprint {
        let mapped = digests.map { digest in
            let pin = transform(digest.pin)
            return pin == digest.pin ? digest : PinnedDigest(pin, of: .certificate)
        }
        // A key of ours stands for one of production's by its SHA-256.
        return Fingerprint(
            mapped,
            unusable,
            library: library,
            requiresCertificate: requiresCertificate,
            letters: letters
        )
    }
}
