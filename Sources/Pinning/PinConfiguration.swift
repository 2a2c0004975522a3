package import Foundation
package import TLSCore

/// What an app was built with, for all its hosts, in the words of one real pinning system.
///
/// A configuration is a value: it is parsed as strictly as the real library parses, decides as that library does (its
/// faults included), and renders itself in its own format, so that a test build can be given it.
package protocol PinConfiguration: PinRules {
    static var dialect: Dialect { get }

    /// How its files are told from others, and read.
    static var format: PolicyFormat { get }

    /// The only kind of key that it can pin; `nil`: there are several.
    static var onlyKeyType: KeyType? { get }

    /// The domains or patterns of its entries, in the order written; none where it names no hosts.
    var entryNames: [String] { get }

    /// Whether a host without an entry is turned away, rather than left to ordinary trust.
    var refusesOtherHosts: Bool { get }

    /// Whether the app brings authorities of its own along, and trusts them somewhere; which, its configuration does
    /// not say.
    var bringsAnchors: Bool { get }

    /// The configuration as a client knows it that has talked to a host.
    ///
    /// - Parameter path: over which it has, leaf first; empty: not known.
    func remembered(from host: String, path: [Certificate]) -> Self

    /// What only this system can have wrong with it.
    func ownFindings(at instant: Date) -> [PolicyFinding]

    /// What only this system makes of production's own chain.
    ///
    /// - Parameters:
    ///   - scope: what decides about the server.
    ///   - knownChain: leaf first, and never empty.
    func ownFindings(of scope: PinScope, knownChain: [Certificate]) -> [PolicyFinding]
}

extension PinConfiguration {
    package var stack: TrustStack { Self.dialect.stack }
}

/// A configuration that names no hosts: it holds for every one that it is used with.
package protocol HostlessPinConfiguration: PinConfiguration {}

extension HostlessPinConfiguration {
    package func scope(for host: String) -> PinScope? { scopes.first }

    package var entryNames: [String] { [] }

    package var refusesOtherHosts: Bool { false }
}

/// One pin of a configuration.
package struct ConfiguredPin: Hashable, Sendable {
    /// The domain, or the pattern, that it was written for; `nil` where a configuration names no hosts.
    package var domain: String?
    package var pin: Pin
    /// What it is the digest of.
    package var match: PinRequirement.Match
    /// Which certificates it may match.
    package var position: PinRequirement.Position
    private var digest: PinnedDigest?

    package init(
        domain: String?,
        pin: Pin,
        match: PinRequirement.Match = .key,
        position: PinRequirement.Position = .any
    ) {
        self.domain = domain
        self.pin = pin
        self.match = match
        self.position = position
    }

    /// - Parameter digest: of any kind; if it is no SHA-256, `pin` only stands for it.
    package init(domain: String?, comparing digest: PinnedDigest, position: PinRequirement.Position) {
        self.init(domain: domain, pin: digest.pin, match: digest.match, position: position)
        self.digest = digest
    }

    /// What the app compares.
    package var compared: PinnedDigest { digest ?? PinnedDigest(pin, of: match) }

    /// For people: as the configuration writes it, or as Android and OkHttp write a pin.
    package var label: String {
        let compared = compared
        if let written = compared.pin.written { return "sha256/\(written)".asOneLine }
        return compared.written == nil && compared.algorithm == .sha256 ? "\(pin)" : "\(compared)"
    }

    /// Whether nobody computed it from a key or a certificate.
    package var isPlaceholder: Bool { compared.placeholder != nil }

    /// The public root whose key it is; `nil`: of nobody known.
    package var authority: KnownAuthority? { match == .key ? KnownAuthority.of(pin) : nil }
}

/// The pinning systems whose configurations can be read, by the names of the command line.
package enum Dialect: String, CaseIterable, Sendable {
    /// Apple's `NSPinnedDomains` in an `Info.plist`.
    case ats
    /// TrustKit for iOS and macOS.
    case trustkit
    /// Alamofire's `ServerTrustManager`, declared in YAML because apps write it in code.
    case alamofire
    /// A `URLSession` delegate that compares leaf certificates, declared in YAML.
    case delegate
    /// `public-key-pinning-ios`, declared in YAML.
    case publicKeyPinning = "public-key-pinning-ios"
    /// Android's network security configuration.
    case android
    /// TrustKit for Android, on top of it.
    case trustkitAndroid = "trustkit-android"
    /// OkHttp's `CertificatePinner`, declared in YAML.
    case okhttp
    /// `pinnedpubkey` of curl, wget and git.
    case curl
    /// Certificate fingerprints of urllib3, aiohttp, http_certificate_pinning, dio and .NET, declared in YAML.
    case fingerprint
    /// Go's and Node's callbacks in their usual forms, declared in YAML.
    case callback
    /// The `Public-Key-Pins` header (RFC 7469).
    case hpkp
    /// Chromium's static pins, declared in YAML.
    case chromium
    /// AFNetworking's `AFSecurityPolicy`, declared in YAML because apps write it in code.
    case afnetworking
    /// electron-ssl-pinning's rules for Electron, declared in YAML.
    case electron
}

extension Dialect {
    /// The TLS library under it; of the first tool or language, where there are several.
    package var stack: TrustStack {
        switch self {
        case .ats, .trustkit, .alamofire, .delegate, .publicKeyPinning, .afnetworking: .apple
        case .android, .trustkitAndroid, .okhttp: .conscrypt
        case .curl, .fingerprint: .openSSL
        case .callback: .go
        case .hpkp, .chromium, .electron: .chromium
        }
    }

    /// Everything that is known of it.
    package var configuration: any PinConfiguration.Type {
        switch self {
        case .ats: ATSConfiguration.self
        case .trustkit: TrustKitConfiguration.self
        case .alamofire: Alamofire.self
        case .delegate: LeafDelegate.self
        case .publicKeyPinning: PublicKeyPinning.self
        case .android: AndroidNetworkSecurity.self
        case .trustkitAndroid: TrustKitAndroid.self
        case .okhttp: OkHttp.self
        case .curl: Curl.self
        case .fingerprint: Fingerprint.self
        case .callback: Callback.self
        case .hpkp: HPKP.self
        case .chromium: ChromiumStatic.self
        case .afnetworking: AFNetworking.self
        case .electron: Electron.self
        }
    }
}
