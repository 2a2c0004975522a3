/// Pins in an app's source, as they are written.
package struct FoundPins: Hashable, Sendable {
    package enum Form: String, CaseIterable, Sendable {
        case okhttp
        case trustkit
        case ats
        case alamofire
        case reactNativePinning = "react-native-ssl-public-key-pinning"
        case reactNativeFetch = "react-native-ssl-pinning"
        case flutterCheck = "http_certificate_pinning"
        case flutterPinning = "flutter_ssl_pinning"
        case dartFingerprint = "badCertificateCallback"
        /// In Dart, where no such callback is in the code: dio's `validateCertificate`, a socket's `peerCertificate`.
        case dartCheck = "certificate check"
        case dartTrust = "SecurityContext"
        case rhttp
        case dotNet = "certificate callback"
        case electron = "setCertificateVerifyProc"
        case electronError = "certificate-error"
        case cordovaHTTP = "cordova-plugin-advanced-http"
        case cordovaChecker = "sslCertificateChecker"
        case nativeScript = "nativescript-https"
        case titanium = "createX509CertificatePinningSecurityManager"
        case publicKeyHeader = "Public-Key-Pins"
        case networkSecurity = "network-security-config"
        case nodeIdentity = "checkServerIdentity"
        case nodeTrust = "TLS options"
        case elasticsearch = "caFingerprint"
        case curl
        case afNetworking = "AFSecurityPolicy"
        case trustManager = "TrustManager"
        case hostnameVerifier = "HostnameVerifier"
        case androidPinning = "AndroidPinning"
        case netty = "FingerprintTrustManagerFactory"
        case delegate = "URLSessionDelegate"
        case certificateAsset = "certificate file"
        case socket = "SSLSecurity"
        case appleTrust = "trust roots"
        case nioCallback = "NIOSSL callback"
        case socketRequest = "SRWebSocket"
        case backchannel = "BackchannelCertificateValidator"
        case secureHttpClient = "SecureHttpClient"
        case modernHttpClient = "ModernHttpClient"
    }

    /// One entry of a pinner: the pins that one call gives a host.
    package struct Entry: Hashable, Sendable {
        package var host: String
        package var pins: [String]
        package var line: Int
    }

    /// The pins of one entry, where no model has its rules or something else keeps the whole from being read.
    package struct Part: Hashable, Sendable {
        /// `nil` where only the app tells it.
        package var host: String?
        /// As they are written, never empty; there may be more.
        package var pins: [String]
        package var line: Int
        /// The expression of the host, where there is one and only the app tells what it is.
        package var expression: String?
        /// The last day on which the pins count, as it is written; `nil` where none is told.
        package var end: String?

        package init(host: String?, pins: [String], line: Int, expression: String? = nil) {
            self.host = host
            self.pins = pins
            self.line = line
            self.expression = expression
        }

        /// Whether the source says that it is one host.
        func isOfSameHost(as other: Part) -> Bool {
            host == other.host && expression == other.expression && (host ?? expression) != nil
        }

        init(_ entry: Entry) { self.init(host: entry.host, pins: entry.pins, line: entry.line) }
    }

    /// Why a part cannot be read.
    package struct Gap: Hashable, Sendable {
        package var line: Int
        package var reason: String
    }

    /// A condition in code that compares, which no rule accounts for.
    package struct Question: Hashable, Sendable {
        package var line: Int
        /// As it is written, without what negates it.
        package var condition: String
    }

    package enum Content: Hashable, Sendable {
        /// `CertificatePinner`'s.
        case pinner([Entry])
        /// A dictionary in the words of its library.
        case dictionary(Value)
        /// Hosts and what each is held to, in Alamofire's words.
        case evaluators(Value, allHosts: Bool)
        /// What a library is given whose rules a dialect has.
        case library(LibraryPins)
        /// Pins whose rules are in no model: what they are digests of, or which files.
        case described(hosts: [String], pins: [String], what: String, known: [Part] = [])
        /// What keeps it from being read; never empty.
        case gaps([Gap], hosts: [String], known: [Part] = [])
    }

    package var form: Form
    package var path: String
    package var line: Int
    /// Under which conditions of the build or the run, in words; empty where always.
    package var conditions: [String] = []
    package var content: Content
    /// What code that compares asks beside that, in the order of the source.
    package var asked: [Question] = []
    /// The type, or the function outside all types, that it stands in, where nothing else of what was read names it.
    package var unreferenced: String?
    /// Whether code that compares names its pins by itself, and not what calls it.
    var namesPins = false
}

extension FoundPins {
    /// All that is told of it, in words.
    var told: [String] {
        switch content {
        case .pinner, .dictionary, .evaluators, .library: conditions
        case .described(let hosts, let pins, let what, let known):
            conditions + hosts + pins + [what] + known.compactMap(\.expression)
        case .gaps(let gaps, let hosts, let known):
            conditions + gaps.map(\.reason) + hosts
                + known.flatMap { $0.pins + [$0.host, $0.expression].compactMap { $0 } }
        }
    }

    /// Whether a model has its rules.
    var isModelled: Bool {
        switch content {
        case .pinner, .dictionary, .evaluators: true
        // Other code that compares the same may do more than that.
        case .library: !Self.comparisons.contains(form)
        case .described, .gaps: false
        }
    }

    /// Whether it is code of the app's own that compares.
    var isComparison: Bool {
        guard case .described = content else { return false }
        return Self.comparisons.contains(form)
    }

    static let comparisons: Set<Form> = [
        .trustManager, .delegate, .nioCallback, .dartFingerprint, .dartCheck, .dotNet, .nodeIdentity,
    ]
}
