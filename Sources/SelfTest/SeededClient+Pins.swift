import Foundation
import MitmHarness
import Pinning
import Scenarios
import TLSCore

extension SeededClient {
    /// Pins that are compared with the wrong thing, or in the wrong way, where trust is as it should be.
    static let badPins: [SeededClient] = [
        .bad("ignores-pins", "compares no pins", foundBy: "attacker-trusted-ca") { TLSExchange(obeying: $0.unpinned) },
        .bad("only-reports", "finds the mismatch and goes on", foundBy: "attacker-trusted-ca") { endpoint in
            TLSExchange(obeying: endpoint.changing { $0.failure = .report })
        },
        .bad(
            "forgets-its-pins-in-a-year",
            "compares no pins after a day that was built in",
            foundBy: "pins-with-a-date",
            policies: ["leaf-and-backup", "issuing-ca"]
        ) { TLSExchange(obeying: $0.isLongAhead ? $0.unpinned : $0) },
        .bad(
            "ends-in-a-year",
            "talks to nobody after a day that was built in",
            foundBy: "pins-with-a-date",
            policies: ["leaf-and-backup", "issuing-ca"]
        ) { endpoint in
            .judging(endpoint) { policy, seen in
                !endpoint.isLongAhead
                    && policy.judgePins(presented: seen.presented, verified: seen.verified, in: endpoint.store).demand
                        == .accept
            }
        },
        .bad(
            "searches-what-was-sent",
            "looks for its pins in everything that the server sent",
            foundBy: "stuffed-chain"
        ) { .searchingWhatWasSent($0) },
        .bad(
            "searches-the-end-of-what-was-sent",
            "compares its pins with the last certificate sent",
            foundBy: "pinned-ca-appended",
            policies: authority
        ) { endpoint in
            .judging(endpoint) { policy, seen in seen.presented.last.map(policy.pinsKey(of:)) == true }
        },
        .bad(
            "searches-the-second-sent",
            "compares its pins with the second certificate sent",
            foundBy: "pinned-ca-inserted",
            policies: authority
        ) { endpoint in
            .judging(endpoint) { policy, seen in seen.presented.dropFirst().first.map(policy.pinsKey(of:)) == true }
        },
        .bad(
            "pins-the-authoritys-name",
            "knows its authority by name",
            foundBy: "pinned-ca-name-on-another-key",
            policies: authority
        ) { endpoint in
            // The name of the authority that stands behind its own server.
            .judging(endpoint) { _, seen in seen.verified.dropFirst().contains { $0.subject.contains("acme-issuing") } }
        },
        .bad(
            "pins-the-issuers-field",
            "reads the name of its authority in the leaf",
            foundBy: "pinned-ca-name-on-another-key",
            policies: authority
        ) { endpoint in
            .judging(endpoint) { _, seen in seen.presented.first?.issuer.contains("acme-issuing") == true }
        },
        .bad(
            "pins-the-subject",
            "knows its server by the certificate's subject",
            foundBy: "attacker-trusted-ca",
            policies: leaf
        ) { endpoint in
            .judging(endpoint) { _, seen in seen.presented.first?.subject.contains(endpoint.host) == true }
        },
        .bad(
            "compares-curves-only",
            "compares pins of elliptic-curve keys, and passes over RSA",
            foundBy: "attacker-trusted-ca [rsa2048]"
        ) { .sparing($0) { $0.presented.first?.keyDescription.hasPrefix("RSA") == true } },
        .bad(
            "compares-rsa-only",
            "compares pins of RSA keys, and passes over elliptic curves",
            foundBy: "attacker-trusted-ca"
        ) { .sparing($0) { $0.presented.first?.keyDescription.hasPrefix("RSA") != true } },
        .bad(
            "compares-p256-only",
            "cannot read a key on P-384, and lets it pass",
            foundBy: "attacker-trusted-ca [p384]"
        ) { .sparing($0) { $0.presented.first?.keyCurve == "secp384r1" } },
        .bad(
            "cannot-read-ed25519",
            "cannot read an Ed25519 key, and lets it pass",
            foundBy: "attacker-trusted-ca [ed25519]"
        ) { .sparing($0) { $0.presented.first?.keyDescription.uppercased().contains("ED25519") == true } },
        .bad(
            "stumbles-over-short-chains",
            "writes the third certificate of the chain into its log, and lets pass what has only two",
            foundBy: "attackers-chain-of-another-length"
        ) { .sparing($0) { $0.verified.count < 3 } },
        .bad(
            "makes-way-for-a-renewal",
            "compares no pins with a certificate that ends within two weeks, because another will follow it",
            foundBy: "attacker-with-an-odd-validity"
        ) {
            .sparing($0) { $0.presented.first.map { $0.validity.notAfter.timeIntervalSinceNow < 14 * 86400 } == true }
        },
        .bad(
            "stumbles-over-no-subject",
            "writes the subject into its log, and lets pass what has none",
            foundBy: "attacker-with-an-odd-certificate"
        ) { .sparing($0) { $0.presented.first?.subject.isEmpty == true } },
        .bad(
            "compares-for-one-protocol",
            "compares its pins in the handler of HTTP/1.1, and passes over servers that name no protocol (ALPN)",
            foundBy: "attacker-with-an-odd-handshake"
        ) { .sparing($0) { $0.applicationProtocol == nil } },
        .bad(
            "compares-in-http-1.1-only",
            "compares its pins in the code of HTTP/1.1, and passes over servers that speak HTTP/2",
            foundBy: "attacker-with-http-2"
        ) {
            var exchange = TLSExchange.sparing($0) { $0.applicationProtocol == "h2" }
            exchange.settings.applicationProtocols = ["h2", "http/1.1"]
            return exchange
        },
        .wayward(
            "knows-the-certificates-words",
            "knows its server again by the names and dates of the certificate that it saw first",
            foundBy: "copied-certificate"
        ) { endpoint, memory in
            var exchange = TLSExchange(obeying: endpoint)
            let judge = exchange.judge
            exchange.judge = { seen in
                let words = seen.presented.first.map { "\($0.subject) \($0.validity)" } ?? ""
                guard memory.notes.first != words else { return Decision(.accept, .trusted) }
                let decision = judge(seen)
                if decision.demand == .accept { memory.note(words) }
                return decision
            }
            return await exchange.report(endpoint)
        },
        .bad(
            "compares-in-tls-1.3-only",
            "compares its pins in a callback of TLS 1.3",
            foundBy: "attacker-trusted-ca [TLS 1.2]"
        ) { .sparing($0) { $0.version < .tls1_3 } },
        .bad(
            "compares-in-tls-1.2-only",
            "compares its pins in a callback of TLS 1.2",
            foundBy: "attacker-trusted-ca"
        ) { .sparing($0) { $0.version == .tls1_3 } },
        old("speaks-tls-1.1-unpinned", .tls1_1),
        old("speaks-tls-1.0-unpinned", .tls1_0),
        near("compares-the-beginning", "compares the first ten characters of a pin") {
            $0.base64.prefix(10) == $1.base64.prefix(10)
        },
        near("compares-the-end", "compares the last ten characters of a pin") {
            $0.base64.suffix(10) == $1.base64.suffix(10)
        },
        near("compares-one-byte", "compares the first byte of a pin") { $0.digest[0] == $1.digest[0] },
        near("compares-sixteen-bytes", "compares half of the digest") { $0.digest.prefix(16) == $1.digest.prefix(16) },
        near("folds-case", "compares Base64 without regard to case") {
            $0.base64.lowercased() == $1.base64.lowercased()
        },
        near("compares-letters", "strips what is neither letter nor digit before it compares") {
            $0.base64.filter(\.isLetter) == $1.base64.filter(\.isLetter)
        },
        near("sums-up", "compares a sum of the bytes") {
            $0.digest.reduce(0) { $0 &+ Int($1) } == $1.digest.reduce(0) { $0 &+ Int($1) }
        },
        .bad(
            "takes-either-hash",
            "accepts the hash of the certificate where the key's is pinned",
            foundBy: "near-miss-pins",
            policies: leaf
        ) { .comparing($0) { $0.pin == $1 || $0.fingerprint == $1 } },
    ]

    /// Pins that cannot be read.
    static let badSettings: [SeededClient] = [
        .bad(
            "switches-off-over-a-damaged-pin",
            "compares no pins when one of them cannot be read",
            foundBy: "damaged-pins"
        ) {
            TLSExchange(obeying: $0.damage.isEmpty ? $0 : $0.unpinned)
        },
        .bad(
            "leaves-out-damaged-pins",
            "leaves out what it cannot read of its pins, and pins nothing where nothing is left",
            foundBy: "damaged-pins",
            policies: ["leaf-only", "issuing-ca"]
        ) { endpoint in
            TLSExchange(
                obeying: endpoint.changing { policy in
                    for index in policy.requirements.indices {
                        policy.requirements[index].pins.removeAll(where: endpoint.isDamaged)
                    }
                    policy.requirements.removeAll(where: \.pins.isEmpty)
                }
            )
        },
    ]

    /// The right comparison with the wrong set of pins: most of these lock users out.
    static let badPinSets: [SeededClient] = [
        .bad(
            "first-pin-only",
            "reads the first pin of its list",
            foundBy: "rotated-to-backup",
            policies: leaf
        ) { endpoint in TLSExchange(obeying: endpoint.pins { $0.prefix(1) }) },
        .bad(
            "two-pins-at-most",
            "reads the first two pins of its list",
            foundBy: "every-backup-key",
            policies: leaf
        ) { endpoint in TLSExchange(obeying: endpoint.pins { $0.prefix(2) }) },
        .bad(
            "last-pin-only",
            "reads the last pin of its list",
            foundBy: "same-certificate",
            policies: leaf
        ) { endpoint in TLSExchange(obeying: endpoint.pins { $0.suffix(1) }) },
        .bad(
            "leaf-or-nothing",
            "compares the leaf where an authority is pinned",
            foundBy: "same-certificate",
            policies: authority
        ) { endpoint in .judging(endpoint) { policy, seen in seen.verified.first.map(policy.pinsKey(of:)) == true } },
        .bad(
            "root-only",
            "compares the root where an intermediate is pinned",
            foundBy: "same-certificate",
            policies: authority
        ) { endpoint in .judging(endpoint) { policy, seen in seen.verified.last.map(policy.pinsKey(of:)) == true } },
        .bad(
            "all-must-match",
            "asks for all of its pins at once",
            foundBy: "same-certificate",
            policies: leaf
        ) { endpoint in
            .judging(endpoint) { policy, seen in
                policy.requirements.flatMap(\.pins).allSatisfy { pin in seen.verified.contains { $0.pin == pin } }
            }
        },
        .bad(
            "refuses-rsa",
            "cannot hash RSA keys",
            foundBy: "rsa-to-ecdsa-pinned",
            policies: leaf
        ) { endpoint in
            .comparing(endpoint) { !$0.keyDescription.hasPrefix("RSA") && $0.pin == $1 }
        },
        .bad(
            "wants-a-tidy-chain",
            "rejects a chain that is out of order",
            foundBy: "unordered-chain"
        ) { endpoint in
            let policy = endpoint.policy
            return TLSExchange(trust: endpoint.store) { seen in
                let isTidy = zip(seen.presented, seen.presented.dropFirst()).allSatisfy { $0.issuer == $1.subject }
                return isTidy
                    ? policy.judgePins(presented: seen.presented, verified: seen.verified, in: endpoint.store)
                    : Decision(.reject, .systemRule("out of order"))
            }
        },
        .wayward(
            "remembers-the-certificate",
            "rejects a certificate that is not the one it saw first",
            foundBy: "renewed-same-key",
            policies: leaf
        ) { endpoint, memory in
            var exchange = TLSExchange(obeying: endpoint)
            let judge = exchange.judge
            exchange.judge = { seen in
                let fingerprint = seen.presented.first?.fingerprint.hex ?? ""
                if let known = memory.notes.first, known != fingerprint {
                    return Decision(.reject, .systemRule("another certificate"))
                }
                let decision = judge(seen)
                if decision.demand == .accept { memory.note(fingerprint) }
                return decision
            }
            return await exchange.report(endpoint)
        },
        .bad(
            "reads-pins-as-patterns",
            "takes a pin for a regular expression, in which a plus sign stands for something else",
            foundBy: "same-certificate",
            policies: leaf
        ) { endpoint in
            .comparing(endpoint) { certificate, pin in
                (try? Regex(pin.base64).wholeMatch(in: certificate.pin.base64)) != nil
            }
        },
        .bad(
            "reads-pins-as-parts-of-a-url",
            "takes the plus sign of a pin for a space",
            foundBy: "same-certificate",
            policies: leaf
        ) { endpoint in .comparing(endpoint) { $0.pin.base64 == $1.base64.replacing("+", with: " ") } },
        .bad(
            "cuts-pins-at-a-slash",
            "takes what follows the last slash for the pin",
            foundBy: "same-certificate",
            policies: leaf
        ) { endpoint in
            .comparing(endpoint) { certificate, pin in
                certificate.pin.base64
                    == pin.base64.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init)
            }
        },
        .wayward(
            "stays-away",
            "never connects again once it has met an attacker",
            foundBy: "attack-and-recovery"
        ) { endpoint, memory in
            guard memory.notes.isEmpty else { return ClientReport(.refused) }
            let report = await TLSExchange(obeying: endpoint).report(endpoint)
            if report.word == .refused { memory.note("compromised") }
            return report
        },
        .wayward(
            "writes-rejections-down",
            "reads at its start that it has met an attacker, and never asks that host again",
            foundBy: "recovery-after-a-restart"
        ) { endpoint, memory in
            guard !memory.notes.contains(endpoint.host) else { return ClientReport(.refused) }
            let report = await TLSExchange(obeying: endpoint).report(endpoint)
            if report.word == .refused { memory.note(endpoint.host) }
            return report
        },
        .bad(
            "never-accepts",
            "rejects whatever it is shown",
            foundBy: "same-certificate",
            policies: pinned + ["no-pins"]
        ) { endpoint in .judging(endpoint) { _, _ in false } },
    ]

    private static func old(_ name: String, _ version: TLSVersion) -> SeededClient {
        .bad(
            name,
            "still speaks \(version), and compares no pins in it",
            foundBy: "attacker-trusted-ca [\(version)]"
        ) { endpoint in
            var exchange = TLSExchange.sparing(endpoint) { $0.version == version }
            exchange.settings.versions = .tls1_0 ... .tls1_3
            return exchange
        }
    }

    private static func near(
        _ name: String,
        _ about: String,
        _ matches: @escaping @Sendable (Pin, Pin) -> Bool
    ) -> SeededClient {
        .bad(name, about, foundBy: "near-miss-pins") { .comparing($0) { matches($0.pin, $1) } }
    }
}

extension PinPolicy {
    /// Whether any requirement pins a certificate's key.
    func pinsKey(of certificate: Certificate) -> Bool { requirements.contains { $0.pins.contains(certificate.pin) } }
}

extension Endpoint {
    func pins(_ choose: ([Pin]) -> ArraySlice<Pin>) -> Endpoint {
        changing { policy in
            for index in policy.requirements.indices {
                policy.requirements[index].pins = Array(choose(policy.requirements[index].pins))
            }
        }
    }
}
