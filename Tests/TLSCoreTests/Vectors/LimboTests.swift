import Foundation
import TLSCore
import TestSupport
import Testing

private let file = "limbo-subset.json"

/// Path-validation cases of x509-limbo, chosen for a verifier that is OpenSSL's.
@Suite(.enabled(if: Places.hasVectors(file), "the shared test vectors are not beside this checkout"))
struct `The cases of x509-limbo` {
    @Test(arguments: LimboCase.load().filter { $0.tier != "openssl-differs" && !$0.isAboutAnchor })
    func `agree`(limbo: LimboCase) throws {
        let result = try limbo.evaluate()

        #expect(result.isTrusted == limbo.isExpectedToPass, "\(result)")
    }

    /// A root whose own authority key identifier points elsewhere: a verifier that must find a certificate vouching for
    /// itself refuses it. Ours, like current curl, ends a path at whatever the store holds.
    @Test(arguments: LimboCase.load().filter(\.isAboutAnchor))
    func `about an anchor's own issuer are of no concern`(limbo: LimboCase) throws {
        let result = try limbo.evaluate()

        #expect(result.isTrusted)
    }

    @Test func `include acceptances and refusals`() {
        let cases = LimboCase.load().filter { $0.tier == "core" }

        #expect(cases.count { $0.isExpectedToPass } >= 10)
        #expect(cases.count { !$0.isExpectedToPass } >= 20)
    }

    /// What OpenSSL 3.0 decides otherwise, and we with it: uncommon certificates that it takes, and names of its own.
    private static let differing: Set = [
        "pathlen::validation-ignores-pathlen-in-leaf", "rfc5280::ca-as-leaf", "rfc5280::leaf-ku-keycertsign",
        "rfc5280::nc::invalid-dnsname-leading-period", "rfc5280::nc::nc-forbids-alternate-chain-ica",
        "rfc5280::nc::not-allowed-in-ee-critical", "rfc5280::nc::not-allowed-in-ee-noncritical",
        "rfc5280::san::noncritical-with-empty-subject", "rfc5280::san::underscore-dns",
        "rfc5280::validity::notafter-exact", "rfc5280::validity::notafter-fractional",
        "webpki::cn::ipv4-hex-mismatch", "webpki::cn::ipv6-uppercase-mismatch", "webpki::cn::not-in-san",
        "webpki::cn::utf8-vs-punycode-mismatch", "webpki::ee-basicconstraints-ca", "webpki::malformed-aia",
        "webpki::nc::intermediate-permitted-excluded-subtrees-both-empty-sequences",
        "webpki::nc::intermediate-permitted-excluded-subtrees-both-null",
    ]

    @Test func `where OpenSSL differs are those that are listed by name`() throws {
        let differing = LimboCase.load().filter { $0.tier == "openssl-differs" }

        let ours = try differing.filter { try $0.evaluate().isTrusted != $0.isExpectedToPass }.map(\.id)

        #expect(Set(ours) == Self.differing)
    }
}

struct LimboCase: Sendable, CustomTestStringConvertible {
    let id: String
    let tier: String
    let isExpectedToPass: Bool
    let instant: Date
    let host: String?
    let peer: String
    let intermediates: [String]
    let anchors: [String]

    var testDescription: String { id }
    var isAboutAnchor: Bool { id.hasPrefix("webpki::aki::root-with-aki-") }

    func evaluate() throws -> TrustResult {
        let chain = try ([peer] + intermediates).flatMap { try PEM.certificates(in: $0) }
        let store = try TrustStore(anchors.flatMap { try PEM.certificates(in: $0) }.map { TrustAnchor($0) })
        return store.evaluate(chain, host: host, at: instant)
    }

    /// Every case; none where the file is absent.
    static func load() -> [LimboCase] {
        struct File: Decodable {
            let testcases: [Case]
        }
        struct Case: Decodable {
            struct Name: Decodable {
                let value: String
            }
            let id: String
            let x_tier: String
            let expected_result: String
            let validation_time: String?
            let expected_peer_name: Name?
            let peer_certificate: String
            let untrusted_intermediates: [String]
            let trusted_certs: [String]
        }
        guard let data = try? Data(contentsOf: Places.vectors.appending(path: file)),
            let contents = try? JSONDecoder().decode(File.self, from: data)
        else { return [] }
        return contents.testcases.map {
            LimboCase(
                id: $0.id,
                tier: $0.x_tier,
                isExpectedToPass: $0.expected_result == "SUCCESS",
                instant: $0.validation_time.flatMap(date) ?? Sample.now,
                host: $0.expected_peer_name?.value,
                peer: $0.peer_certificate,
                intermediates: $0.untrusted_intermediates,
                anchors: $0.trusted_certs
            )
        }
    }

    /// As in `2024-03-01T00:00:00+00:00`, with or without a fraction of a second.
    private static func date(_ text: String) -> Date? {
        let whole = try? Date(String(text.prefix(19)) + "Z", strategy: .iso8601)
        let fraction = text.contains(".") ? Double("0" + text.dropFirst(19).prefix { $0 != "+" }) : 0
        return whole.flatMap { whole in fraction.map { whole + $0 } }
    }
}
