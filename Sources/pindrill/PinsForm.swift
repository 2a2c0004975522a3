import ArgumentParser
import Pinning
import TLSCore

/// A pinning system, and how pins are written for it, ready to paste.
enum PinsForm: String, CaseIterable, ExpressibleByArgument {
    case ats, trustkit, android, okhttp, curl, alamofire, hpkp

    /// Stands in for a host where no certificate names one.
    static let placeholder = "example.com"

    /// - Throws: why this system cannot pin such things.
    func text(_ pins: PinList) throws(InputError) -> String {
        switch self {
        case .ats: return ats(pins)
        case .trustkit: return trustkit(pins)
        case .android: return android(pins)
        case .okhttp: return okhttp(pins)
        case .curl: return Curl(.list(pins.own.map { .pin($0.pin) })).rendered()
        case .alamofire: return try alamofire(pins)
        case .hpkp: return HPKP(keys: pins.all.map(\.pin)).rendered()
        }
    }

    /// What the reader should know about these pins in this system; for standard error.
    func notes(_ pins: PinList) -> [String] {
        var notes: [String] = []
        if pins.host == nil, [.ats, .android, .okhttp, .alamofire].contains(self) {
            notes.append("no host is named in it; '\(PinsForm.placeholder)' stands for yours")
        }
        switch self {
        case .trustkit where pins.all.count < 2:
            notes.append("TrustKit demands two different pins at least: add that of a backup key")
        case .hpkp where pins.all.count < 2:
            notes.append("a browser keeps this header only with the pin of a backup key that is in no chain: add it")
        case .hpkp:
            notes.append("one of the pins must be a backup key's that is in no chain, or browsers drop the header")
        case .ats where !pins.leaves.isEmpty && !pins.authorities.isEmpty:
            notes.append("both lists must match at once; delete one unless that is meant")
        case .alamofire where pins.host?.hasPrefix("*.") == true:
            notes.append("Alamofire compares hosts exactly: list each host that the app asks")
        case .curl where pins.leaves.isEmpty:
            notes.append("curl compares only the server's own key, and these are authorities'")
        default: break
        }
        return notes
    }

    private func ats(_ pins: PinList) -> String {
        let host = pins.host ?? PinsForm.placeholder
        let isWildcard = host.hasPrefix("*.")
        var lines = [
            "<key>NSPinnedDomains</key>", "<dict>", "    <key>\(isWildcard ? host.dropFirst(2) : host[...])</key>",
            "    <dict>",
        ]
        if isWildcard { lines += ["        <key>NSIncludesSubdomains</key>", "        <true/>"] }
        for (name, list) in [("NSPinnedLeafIdentities", pins.leaves), ("NSPinnedCAIdentities", pins.authorities)]
        where !list.isEmpty {
            lines += ["        <key>\(name)</key>", "        <array>"]
            for material in list {
                lines += [
                    "            <!-- \(material.remark.forXML) -->",
                    "            <dict>",
                    "                <key>SPKI-SHA256-BASE64</key>",
                    "                <string>\(material.pin.base64)</string>",
                    "            </dict>",
                ]
            }
            lines.append("        </array>")
        }
        return (lines + ["    </dict>", "</dict>", ""]).joined(separator: "\n")
    }

    private func trustkit(_ pins: PinList) -> String {
        let list = pins.all.map { "    \"\($0.pin.base64)\",  // \($0.remark)\n" }.joined()
        return """
            kTSKPublicKeyHashes: [
                // TrustKit demands at least two pins, and they must differ: one of them is the backup key's.
            \(list)],

            """
    }

    private func android(_ pins: PinList) -> String {
        let host = pins.host ?? PinsForm.placeholder
        let isWildcard = host.hasPrefix("*.")
        let list = pins.all.map {
            "        <!-- \($0.remark.forXML) -->\n        <pin digest=\"SHA-256\">\($0.pin.base64)</pin>\n"
        }
        return """
            <domain-config>
                <domain includeSubdomains="\(isWildcard)">\(isWildcard ? host.dropFirst(2) : host[...])</domain>
                <pin-set>
            \(list.joined())    </pin-set>
            </domain-config>

            """
    }

    private func okhttp(_ pins: PinList) -> String {
        let host = pins.host ?? PinsForm.placeholder
        let list = pins.all.map { "    .add(\"\(host)\", \"\($0.pin)\") // \($0.remark)\n" }.joined()
        return "CertificatePinner.Builder()\n\(list)    .build()\n"
    }

    /// Alamofire compares keys, which it takes from certificates, so it is certificates that are pasted.
    private func alamofire(_ pins: PinList) throws(InputError) -> String {
        let certificates = pins.all.compactMap(\.certificate)
        guard !certificates.isEmpty else {
            throw InputError("Alamofire pins keys that it takes from certificates: name a certificate")
        }
        let named = pins.host ?? PinsForm.placeholder
        let host = named.hasPrefix("*.") ? named.dropFirst(2) : named[...]
        let list = certificates.map { "    \"\($0.derBase64)\",  // \(KeyMaterial($0).remark)\n" }.joined()
        return """
            // Alamofire compares whole keys, not hashes, and takes them from certificates; here they are in DER, as Base64.
            let certificates = [
            \(list)].map { SecCertificateCreateWithData(nil, Data(base64Encoded: $0)! as CFData)! }
            let manager = ServerTrustManager(evaluators: [
                "\(host)": PublicKeysTrustEvaluator(keys: certificates.af.publicKeys),
            ])

            """
    }
}

/// Keys to pin, each once, and the host they are for.
struct PinList {
    /// In the order given.
    let all: [KeyMaterial]
    /// The first name of the first certificate that is a server's; `*.` and a name is possible. `nil` where there is none.
    let host: String?

    init(_ materials: [KeyMaterial], host: String? = nil) {
        var places: [Pin: Int] = [:]
        var all: [KeyMaterial] = []
        for material in materials {
            if let place = places[material.pin] {
                // A certificate says more than the bare key beside it.
                if all[place].certificate == nil, material.certificate != nil { all[place] = material }
            } else {
                places[material.pin] = all.count
                all.append(material)
            }
        }
        self.all = all
        let names = all.lazy.filter { !$0.isAuthority }.compactMap(\.certificate).flatMap(\.names).compactMap { name in
            if case .dns(let text) = name, text.isHostName { text } else { nil }
        }
        self.host = host.flatMap { $0.isHostName ? $0 : nil } ?? names.first
    }

    var leaves: [KeyMaterial] { all.filter { !$0.isAuthority } }
    var authorities: [KeyMaterial] { all.filter(\.isAuthority) }
    /// For systems that compare only the server's own key.
    var own: [KeyMaterial] { leaves.isEmpty ? all : leaves }
}

extension KeyMaterial {
    /// Whether it is an authority's. One that names hosts is a server's, though it may say that it is an authority as
    /// well: so `openssl req -x509` makes them.
    var isAuthority: Bool {
        guard let certificate, certificate.isAuthority else { return false }
        return certificate.names.allSatisfy { if case .other = $0 { true } else { false } }
    }

    /// What it is, in one line that is safe in a comment of any language here.
    var remark: String {
        let subject = String((subject ?? "").unicodeScalars.filter { !$0.steersTerminal }.map(Character.init))
        return switch kind {
        case .certificate: subject.isEmpty ? "(no subject)" : subject
        case .publicKey: "public key"
        case .privateKey: "public half of a private key"
        case .certificateRequest: subject.isEmpty ? "certificate request" : "certificate request of \(subject)"
        }
    }
}

extension Certificate {
    /// The body of its PEM in one line.
    fileprivate var derBase64: String { pem.split(separator: "\n").dropFirst().dropLast().joined() }
}

extension String {
    /// Whether it can stand in a configuration as it is: a certificate's names are a stranger's text.
    fileprivate var isHostName: Bool {
        !isEmpty && utf8.count <= 253 && wholeMatch(of: #/(\*\.)?[A-Za-z0-9_]([A-Za-z0-9._\-]*[A-Za-z0-9_])?/#) != nil
    }

    /// Two hyphens end a comment.
    fileprivate var forXML: String {
        replacing("--", with: "- -").replacing("--", with: "- -") + (hasSuffix("-") ? " " : "")
    }
}
