public import Foundation
import TLSCore

extension LeafDelegate {
    public func ownFindings(at instant: Date) -> [PolicyFinding] {
        guard form == .asPrinted else { return [] }
        let message = "the delegate compares an array with certificates: it crashes, or refuses every server"
        return [PolicyFinding(.locksOut, .outage, message, fix: "take the first certificate out of the array")]
    }
}

extension Curl {
    public func ownFindings(at instant: Date) -> [PolicyFinding] {
        switch source {
        case .publicKey: return []
        case .certificate:
            let message =
                "the file holds a certificate and no public key: it never matches, and every server is refused"
            return [
                PolicyFinding(
                    .locksOut,
                    .outage,
                    message,
                    fix: "write its public key to the file ('openssl x509 -pubkey')"
                )
            ]
        case .list(let hashes):
            return hashes.compactMap { hash in
                guard case .never(let text) = hash else { return nil }
                let hint = oddPinSpelling(text).map { " (\($0))" } ?? ""
                let message = "'sha256//\(text)' is not the padded Base64 of a SHA-256 digest\(hint), and never matches"
                return PolicyFinding(.unusablePin, .outage, message, fix: "compute the pin again from the key")
            }
        }
    }
}

extension Fingerprint {
    public func ownFindings(at instant: Date) -> [PolicyFinding] {
        guard algorithm != .sha256 else { return [] }
        let name = algorithm == .md5 ? "MD5" : "SHA-1"
        let fix = "give the SHA-256 fingerprint: 64 digits"
        return [
            PolicyFinding(.weakDigest, .warning, "the fingerprint is one of \(name), which has been broken", fix: fix)
        ]
    }
}

extension Callback {
    public func ownFindings(at instant: Date) -> [PolicyFinding] {
        let fix: String
        switch form {
        // Resumption takes nothing from a callback that stops nobody.
        case .goVerifyConnection, .nodePinUnauthorized: return []
        case .goLeaf, .goRawAny, .goRawAnySkip, .goLeafSkip:
            fix = "use VerifyConnection, which is called for each connection"
        case .nodePin, .nodePinNoHost:
            fix = "check the key again when a socket says that its session was reused"
        }
        let message =
            "the callback is not called for resumed sessions: one that began without pins goes on without them"
        return [PolicyFinding(.resumption, .warning, message, fix: fix)]
    }
}
