import MitmHarness
import Pinning
import Scenarios
import TLSCore

extension SeededClient {
    /// Ordinary trust gone wrong: a pin cannot make up for it where the chain holds the pinned key, or none is pinned.
    static let badTrust: [SeededClient] = [
        .bad("trusts-anybody", "checks nothing at all", foundBy: "attacker-unknown-root") { _ in .trusting },
        .bad(
            "trusts-self-signed",
            "accepts a leaf that vouches for itself",
            foundBy: "self-signed-lookalike",
            policies: ["no-pins"]
        ) { .forgiving($0, .selfSigned) },
        .bad(
            "skips-the-chain",
            "looks at the name and the dates only",
            foundBy: "attacker-unknown-root",
            policies: ["no-pins"]
        ) { endpoint in
            TLSExchange(trust: nil) { seen in
                seen.presented.first?.failure(host: endpoint.host, at: endpoint.instant).map {
                    Decision(.reject, .untrusted($0))
                } ?? Decision(.accept, .trusted)
            }
        },
        .bad(
            "pins-replace-the-chain",
            "takes a pinned key for proof enough, whoever vouches for it",
            foundBy: "pinned-key-under-an-unknown-root",
            policies: leaf
        ) { .forgiving($0, .unknownAuthority, .selfSigned) },
        .bad("skips-the-end-of-validity", "accepts what has expired", foundBy: "expired-certificate", policies: leaf) {
            .forgiving($0, .expired)
        },
        .bad("skips-the-begin-of-validity", "accepts what is not valid yet", foundBy: "not-yet-valid-certificate") {
            .forgiving($0, .notYetValid)
        },
        .bad(
            "dates-the-leaf-only",
            "never asks whether an authority has expired",
            foundBy: "expired-intermediate"
        ) { .forgiving($0) { failure, _ in failure.reason == .expired && failure.depth > 0 } },
        .bad(
            "lets-anybody-issue",
            "takes an ordinary certificate for an authority",
            foundBy: "leaf-used-as-authority",
            policies: trusting
        ) { .forgiving($0, .notAnAuthority, .pathTooLong) },
        .bad(
            "ignores-path-length",
            "lets an authority vouch for authorities although it may not",
            foundBy: "path-length-exceeded",
            policies: ["no-pins"]
        ) { .forgiving($0, .pathTooLong) },
        .bad(
            "ignores-name-constraints",
            "lets an authority vouch for names it may not",
            foundBy: "name-constraints-violated",
            policies: trusting
        ) { .forgiving($0, .nameNotPermitted) },
        .bad(
            "ignores-purposes",
            "accepts a certificate for clients",
            foundBy: "certificate-for-clients",
            policies: trusting
        ) { .forgiving($0, .wrongPurpose) },
        .bad(
            "ignores-critical-extensions",
            "passes over a critical extension that it does not know",
            foundBy: "unknown-critical-extension",
            policies: trusting
        ) { .forgiving($0, .unknownCriticalExtension) },
        .bad(
            "skips-the-leafs-signature",
            "never checks that the issuer signed",
            foundBy: "corrupted-signature",
            policies: trusting
        ) { .forgiving($0, .badSignature) },
        .bad(
            "believes-issuers-names",
            "takes an issuer's name for its signature",
            foundBy: "forged-issuer",
            policies: trusting
        ) { endpoint in
            .forgiving(endpoint) { failure, chain in
                let subjects = Set(endpoint.store.anchors.map(\.certificate.subject) + chain.dropFirst().map(\.subject))
                return [.badSignature, .unknownAuthority].contains(failure.reason)
                    && chain.first.map { subjects.contains($0.issuer) } == true
            }
        },
        .bad(
            "keeps-the-users-roots-unpinned",
            "compares no pins where the user installed the root, as browsers do",
            foundBy: "attacker-installed-root"
        ) { endpoint in
            let users = Set(endpoint.store.anchors.filter { $0.origin == .user }.map(\.certificate))
            return .sparing(endpoint) { $0.verified.last.map(users.contains) == true }
        },
    ]

    /// Hosts compared in a way of the client's own. The authority is pinned or nothing is, so that only the name is wrong.
    static let badNames: [SeededClient] = [
        name("ignores-names", "never compares the host", foundBy: "pinned-ca-for-another-host") { _, _ in true },
        name(
            "host-begins",
            "is content with a name that begins like the host",
            foundBy: "name-that-begins-like-the-host"
        ) {
            $0.hasPrefix($1)
        },
        name("host-ends", "is content with a name that ends like the host", foundBy: "name-that-ends-like-the-host") {
            $0.hasSuffix($1)
        },
        name("same-domain", "is content with any name of the domain", foundBy: "misnamed-certificate") {
            $0.hasSuffix(parent(of: $1))
        },
        name("parent-domain", "is content with the name of the domain", foundBy: "name-of-the-parent-domain") {
            $0 == parent(of: $1)
        },
        name("any-wildcard", "lets a star stand for any number of labels", foundBy: "wildcard-over-two-labels") {
            $0.hasPrefix("*.") && $1.hasSuffix($0.dropFirst())
        },
        name("bare-star", "lets a star alone stand for every host", foundBy: "wildcard-alone") { name, _ in name == "*"
        },
        name("ends-at-nul", "reads a name as far as a zero byte", foundBy: "name-with-a-zero-byte") {
            $0.prefix { $0 != "\0" } == $1
        },
        .bad(
            "common-name-counts",
            "reads the common name beside other names",
            foundBy: "host-in-the-common-name-only",
            policies: trusting
        ) {
            .naming($0) { $0.subject.hasSuffix("CN=\($1)") || $0.subject.hasPrefix("CN=\($1)") }
        },
    ]

    private static func name(
        _ name: String,
        _ about: String,
        foundBy scenario: String,
        _ isGood: @escaping @Sendable (String, _ host: String) -> Bool
    ) -> SeededClient {
        .bad(name, about, foundBy: scenario, policies: trusting) {
            .naming($0) { certificate, host in certificate.names.contains { isGood($0.description, host) } }
        }
    }

    private static func parent(of host: String) -> String { String(host.drop { $0 != "." }.dropFirst()) }
}
