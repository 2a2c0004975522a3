import Foundation
import TLSCore

/// How a dialect is told from the others, and how it is read.
struct PolicyRecogniser: Sendable {
    typealias Read =
        @Sendable (PolicyContents, _ certificates: (String) throws -> [Certificate]) throws(PolicyFileError)
        -> any PinConfiguration

    let dialect: Dialect
    /// What gives it away, for people.
    let sign: String
    let recognises: @Sendable (PolicyContents) -> Bool
    /// `nil` where a dialect can be told but not read.
    var read: Read?

    static let all: [PolicyRecogniser] =
        [
            PolicyRecogniser(dialect: .ats, sign: "NSPinnedDomains in a property list") {
                $0.holds("NSPinnedDomains")
            } read: { contents, _ throws(PolicyFileError) in
                try ATSConfiguration(parsing: contents.data, file: contents.file)
            },
            PolicyRecogniser(dialect: .trustkit, sign: "TSKPinnedDomains in a property list or JSON") {
                $0.holds("TSKPinnedDomains")
            } read: { contents, _ throws(PolicyFileError) in
                try TrustKitConfiguration(
                    parsing: contents.data,
                    file: contents.file,
                    platform: contents.device.platform
                )
            },
            PolicyRecogniser(dialect: .android, sign: "<network-security-config>") {
                $0.holds("<network-security-config") && !$0.holds("<trustkit-config")
            } read: { contents, _ throws(PolicyFileError) in
                try AndroidNetworkSecurity(parsing: contents.data, file: contents.file, device: contents.device.android)
            },
            PolicyRecogniser(dialect: .trustkitAndroid, sign: "<trustkit-config> in a <network-security-config>") {
                $0.holds("<network-security-config") && $0.holds("<trustkit-config")
            } read: { contents, _ throws(PolicyFileError) in
                try TrustKitAndroid(
                    parsing: contents.data,
                    file: contents.file,
                    device: contents.device.android,
                    apiLevel: contents.device.apiLevel
                )
            },
            PolicyRecogniser(dialect: .okhttp, sign: "CertificatePinner.Builder in source, or key 'okhttp:' in YAML") {
                $0.holds("CertificatePinner.Builder") || $0.declares(.okhttp)
            } read: { contents, certificates throws(PolicyFileError) in
                let read: any PinConfiguration =
                    if contents.declares(.okhttp) {
                        try contents.declaration(.okhttp, certificates)
                    } else {
                        try OkHttp(parsing: contents.data, file: contents.file)
                    }
                guard contents.device.settings.contains(.targetSDK), let pinner = read as? OkHttp else { return read }
                return OkHttp(pinner.entries, release: pinner.release, targetSDK: contents.device.android.targetSDK)
            },
            PolicyRecogniser(dialect: .hpkp, sign: "header 'Public-Key-Pins' with pin-sha256=\"…\"") {
                $0.holdsPinningHeader || $0.holdsPinningDirectives
            } read: { contents, _ throws(PolicyFileError) in
                try HPKP(parsing: contents.requireText(), file: contents.file)
            },
            PolicyRecogniser(dialect: .curl, sign: "'sha256//…', public key in PEM or DER, or key 'curl:' in YAML") {
                $0.isPinnedPublicKey || $0.declares(.curl)
            } read: { contents, certificates throws(PolicyFileError) in
                if contents.declares(.curl) { return try contents.declaration(.curl, certificates) }
                return try Curl(parsing: Array(contents.data), file: contents.file)
            },
        ] + [.alamofire, .delegate, .publicKeyPinning, .fingerprint, .callback, .chromium].map(declared)

    private static func declared(_ dialect: Dialect) -> PolicyRecogniser {
        var recogniser = PolicyRecogniser(dialect: dialect, sign: "key '\(dialect.rawValue):' in YAML") {
            $0.declares(dialect)
        }
        if DeclaredPolicy.readers[dialect] != nil {
            recogniser.read = { contents, certificates throws(PolicyFileError) in
                try contents.declaration(dialect, certificates)
            }
        }
        return recogniser
    }

    init(
        dialect: Dialect,
        sign: String,
        recognises: @escaping @Sendable (PolicyContents) -> Bool,
        read: Read? = nil
    ) {
        self.dialect = dialect
        self.sign = sign
        self.recognises = recognises
        self.read = read
    }
}

/// A file before anybody knows its dialect.
struct PolicyContents: Sendable {
    let data: Data
    let file: String
    let device: AppDevice
    /// `nil` for what is no UTF-8.
    let text: String?

    init(data: Data, file: String, device: AppDevice = AppDevice()) {
        self.data = data
        self.file = file
        self.device = device
        text = String(validating: data, as: UTF8.self)
    }

    func holds(_ word: String) -> Bool { data.range(of: Data(word.utf8)) != nil }

    func declares(_ dialect: Dialect) -> Bool {
        text != nil && (data.starts(with: (dialect.rawValue + ":").utf8) || holds("\n\(dialect.rawValue):"))
    }

    /// A header's name has no case.
    var holdsPinningHeader: Bool {
        guard let lowercased = text?.lowercased() else { return false }
        return lowercased.hasPrefix("public-key-pins") || lowercased.contains("\npublic-key-pins")
            || lowercased.contains("\r\npublic-key-pins")
    }

    /// The header's value alone. Elsewhere the same words are a slip, which the file's own reader names.
    var holdsPinningDirectives: Bool {
        let directives = ["pin-sha256=", "max-age=", "includesubdomains", "report-uri="]
        guard let text, holds("pin-sha256=") else { return false }
        return text.split(whereSeparator: \.isNewline).contains { line in
            let line = line.drop(while: \.isWhitespace).lowercased()
            return directives.contains(where: line.hasPrefix)
        }
    }

    var isPinnedPublicKey: Bool {
        let start = text?.drop(while: \.isWhitespace) ?? ""
        return start.hasPrefix("sha256//") || holds("-----BEGIN PUBLIC KEY-----") && !declaresAnything
            || Array(data).isSubjectPublicKeyInfo
    }

    private var declaresAnything: Bool { Dialect.allCases.contains(where: declares) }

    /// What a reader would call it.
    var kind: String {
        if data.isEmpty { return "an empty file" }
        if data.starts(with: Data("bplist".utf8)) || holds("<plist") { return "a property list" }
        if holds("-----BEGIN CERTIFICATE-----") || (try? Certificate(der: Array(data))) != nil {
            return "a certificate"
        }
        guard let start = text?.first(where: { !$0.isWhitespace }) else { return "bytes that are no text" }
        return start == "<" ? "XML" : start == "{" || start == "[" ? "JSON" : "a text"
    }

    func error(_ message: String) -> PolicyFileError { PolicyFileError(file: file, [PolicyFileError.Problem(message)]) }

    func requireText() throws(PolicyFileError) -> String {
        if let text { return text }
        let problem = PolicyFileError.Problem(
            line: data.lineThatIsNotUTF8,
            "expected a text in UTF-8, found \(kind)"
        )
        throw PolicyFileError(file: file, [problem])
    }

    func declaration(
        _ dialect: Dialect,
        _ certificates: (String) throws -> [Certificate]
    ) throws(PolicyFileError) -> any PinConfiguration {
        try DeclaredPolicy.parse(requireText(), file: file, dialect: dialect, certificates: certificates)
    }
}

extension Data {
    /// The 1-based line of the first bytes that are not UTF-8, in which no other character holds a line feed's byte.
    var lineThatIsNotUTF8: Int? {
        split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .firstIndex { String(validating: $0, as: UTF8.self) == nil }.map { $0 + 1 }
    }
}
