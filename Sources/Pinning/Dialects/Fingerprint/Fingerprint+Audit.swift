package import Foundation
package import TLSCore

extension Fingerprint {
    package static var onlyKeyType: KeyType? { nil }

    package var bringsAnchors: Bool { false }

    package func remembered(from host: String, path: [Certificate]) -> Self { self }

    package func ownFindings(of scope: PinScope, knownChain: [Certificate]) -> [PolicyFinding] { [] }

    package var scopes: [PinScope] { [PinScope(written: [.init(digests, position: .leaf)], checks: checks)] }
}

extension Fingerprint {
    package func ownFindings(at instant: Date) -> [PolicyFinding] {
        var found = unusable.map { unusable in
            PolicyFinding(
                .unusablePin,
                .outage,
                "the fingerprint \(unusable.written) never matches: \(unusable.reason)",
                fix: "write it as the library computes it"
            )
        }
        if let unguardedRequest { found.append(unguardedRequest) }
        let weak = Set(digests.map(\.algorithm)).subtracting([.sha256])
        found += weak.map { algorithm in
            let name = algorithm == .md5 ? "MD5" : "SHA-1"
            let fix = "give the SHA-256 fingerprint: 64 digits"
            return PolicyFinding(
                .weakDigest,
                .warning,
                "the fingerprint is one of \(name), which has been broken",
                fix: fix
            )
        }
        .sorted { $0.message < $1.message }
        return found
    }

    private var unguardedRequest: PolicyFinding? {
        switch library {
        case .urllib3, .aiohttp, .dotNet: nil
        case .httpCertificatePinning:
            PolicyFinding(
                .unguardedRequest,
                .breach,
                "the fingerprint is compared on a connection of its own, and the request goes over another that nothing pins: "
                    + "an attacker with a trusted certificate lets the first one pass, and reads the second",
                fix: "pin in the client that makes the request"
            )
        case .dio:
            PolicyFinding(
                .unguardedRequest,
                .breach,
                "validateCertificate is called when the answer has begun: an attacker with a trusted certificate has read the "
                    + "request by then",
                fix: "pin in the handshake: a SecurityContext that trusts your own certificates only"
            )
        }
    }
}
