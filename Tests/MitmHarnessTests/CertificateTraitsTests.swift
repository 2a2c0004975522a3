import MitmHarness
import Pinning
import Scenarios
import TLSCore
import TestSupport
import Testing

/// Every particular that a certificate can have: what must be done with it, and that the reference client does it to a
/// real server.
@Suite struct `A certificate's particulars` {
    struct Case: CustomTestStringConvertible, Sendable {
        var chain: String
        var demand: Decision.Demand
        var words: String
        var testDescription: String { chain }

        init(_ chain: String, _ demand: Decision.Demand, _ words: String = "it is trusted") {
            (self.chain, self.demand, self.words) = (chain, demand, words)
        }
    }

    private static let wrongHost = "it does not name the host"

    static let cases: [Case] = [
        // Names.
        Case("issuer: root", .accept),
        Case("issuer: root, names: ['*.{parent}']", .accept),
        Case("issuer: root, names: ['dns:*.*.example']", .reject, wrongHost),
        Case("issuer: root, names: ['{parent}']", .reject, wrongHost),
        Case("issuer: root, names: ['{host}.shop.example']", .reject, wrongHost),
        Case("issuer: root, names: ['evil-{host}']", .reject, wrongHost),
        Case("issuer: root, names: ['*.example']", .reject, wrongHost),
        Case(#"issuer: root, names: ["dns:{host}\0.shop.example"]"#, .reject, wrongHost),
        Case(#"issuer: root, names: [shop.example], cn: "{host}""#, .reject, wrongHost),
        Case(#"issuer: root, names: [shop.example], cn: "{host}\0.shop.example""#, .reject, wrongHost),
        Case("issuer: root, names: [], cn: '{host}'", .either, wrongHost),
        Case("issuer: root, names: [], cn: shop.example", .reject, wrongHost),
        Case("issuer: root, cn: ''", .accept),
        Case("issuer: root, names: ['dns:API.ACME.EXAMPLE']", .accept),
        Case("issuer: root, names: ['dns:{host}.']", .either, wrongHost),
        Case("issuer: root, names: ['dns:a*.{parent}']", .either, wrongHost),
        Case("issuer: root, names: ['ip:127.0.0.1']", .reject, wrongHost),
        Case("issuer: root, names: ['email:{host}', 'uri:https://{host}/']", .reject, wrongHost),
        Case("issuer: root, names: [xn--80ak6aa92e.example]", .reject, wrongHost),
        Case("issuer: root, names: ['{host}', 'node-{1..999}.acme.example']", .accept),
        Case("issuer: root, names: ['{host}', 'node-{1..3200}.acme.example']", .either, "very long in bytes"),
        // Uses.
        Case("issuer: root, extended-usage: [client]", .reject, "it is not meant for servers"),
        Case("issuer: root, extended-usage: [code, server]", .accept),
        Case("issuer: root, extended-usage: [any]", .either, "it is not meant for servers"),
        Case("issuer: root, extended-usage: none", .accept),
        Case("issuer: root, usage: [key-encipherment]", .either, "not for signatures"),
        Case("issuer: root, usage: [crl-sign]", .either, "it is not meant for servers"),
        Case("issuer: root, usage: none", .accept),
        Case("issuer: root, ca: true, usage: [digital-signature, key-cert-sign]", .either, "an authority's"),
        // Signatures and digests.
        Case("issuer: root, digest: sha384", .accept),
        Case("issuer: root, digest: sha1", .either, "too weak"),
        Case("issuer: rsa, digest: md5", .either, "too weak"),
        Case("issuer: root, signature: corrupt", .reject, "a signature is forged"),
        Case("issuer: root, signature: mislabelled", .reject, "a signature is forged"),
        Case("issuer: rsa, signature: mislabelled", .reject, "a signature is forged"),
        Case("issuer: forged-twin", .reject, ""),
        Case("issuer: corrupt-issuing", .reject, "a signature is forged"),
        // Fields.
        Case("issuer: root, serial: zero", .either, "serial number"),
        Case("issuer: root, serial: negative", .either, "serial number"),
        Case("issuer: root, serial: huge", .either, "serial number"),
        Case("issuer: root, version: 1", .either, wrongHost),
        Case("issuer: root, extensions: [{ id: 1.3.6.1.4.1.55555.1 }]", .accept),
        Case("issuer: root, extensions: [{ id: 1.3.6.1.4.1.55555.1, critical: true }]", .reject, "critical extension"),
        Case("issuer: root, issuer-url: 'http://127.0.0.1:9/none.cer'", .accept),
        Case("issuer: issuing, omit: [issuing], issuer-url: 'http://127.0.0.1:9/none.cer'", .reject, "not trusted"),
        // Authorities.
        Case("issuer: plain", .reject, "its issuer is no authority"),
        Case("issuer: unmarked", .reject, "its issuer is no authority"),
        Case("issuer: old", .reject, "its issuer is no authority"),
        Case("issuer: no-signer", .reject, ""),
        Case("issuer: below-short", .reject, "its path is longer"),
        Case("issuer: elsewhere", .reject, "may not vouch for this name"),
        Case("issuer: barred", .reject, "may not vouch for this name"),
        Case("issuer: here", .accept),
        Case("issuer: for-clients", .either, "it is not meant for servers"),
        Case("issuer: expired", .reject, "an authority above it has expired"),
        Case("issuer: five", .accept),
        Case("issuer: six", .either, "very many authorities"),
        Case("issuer: twenty", .either, "very many authorities"),
        // A loop of two roots that nobody trusts, each of which has certified the other.
        Case("issuer: loop-a, send: [loop-a-by-b, loop-b-by-a, loop-a-by-b]", .reject, "its issuer is not trusted"),
        // What is sent, and who has the key.
        Case("issuer: issuing, send: [root, today, issuing, issuing]", .accept),
        Case("leaf: today, key: evil", .reject, "the server does not have its key"),
        Case("leaf: today-rsa, key: evil", .reject, "the server does not have its key"),
        Case("leaf: today-ed, key: evil", .reject, "the server does not have its key"),
        // Stapled responses.
        Case("issuer: issuing, ocsp: good, must-staple: true", .accept),
        Case("leaf: today, ocsp: revoked", .either, "OCSP response is not good (revoked)"),
        Case("issuer: rsa, ocsp: unknown", .either, "OCSP response is not good (unknown)"),
        Case("issuer: ed, ocsp: expired", .either, "OCSP response is not good (expired)"),
        Case("issuer: root, must-staple: true", .either, "must have a stapled OCSP response"),
    ]

    @Test(arguments: cases) func `say what must be done, and the reference client does it`(_ one: Case) async throws {
        let key = one.chain.contains("key: evil") ? "" : "key: leaf, "
        let catalogue = try Catalogue(
            """
            version: 1
            host: api.acme.example
            keys: { leaf: {}, leaf-rsa: { type: rsa2048 }, leaf-ed: { type: ed25519 }, evil: { by: attacker } }
            authorities:
              root: {}
              rsa: { issuer: root, type: rsa2048 }
              ed: { issuer: root, type: ed25519 }
              issuing: { issuer: root }
              forged-twin: { subject: issuing, key-identifier: issuing, issuer: forged-root, by: attacker }
              forged-root: { subject: root, key-identifier: root, by: attacker }
              corrupt-issuing: { issuer: root, signature: corrupt }
              plain: { issuer: root, ca: false }
              unmarked: { issuer: root, ca: absent }
              old: { issuer: root, version: 1 }
              no-signer: { issuer: root, usage: [crl-sign] }
              short: { issuer: root, path-length: 0 }
              below-short: { issuer: short }
              elsewhere: { issuer: root, permitted: [shop.example] }
              barred: { issuer: root, excluded: [acme.example] }
              here: { issuer: root, permitted: [acme.example] }
              for-clients: { issuer: root, extended-usage: [client] }
              expired: { issuer: root, valid: [-90d, -1d] }
              five: { issuer: root, levels: 5 }
              six: { issuer: root, levels: 6 }
              twenty: { issuer: root, levels: 20 }
              loop-a: {}
              loop-b: {}
              loop-a-by-b: { issuer: loop-b, key: loop-a, subject: loop-a }
              loop-b-by-a: { issuer: loop-a, key: loop-b, subject: loop-b }
            stores: { phone: { system: [root] } }
            chains:
              today: { key: leaf, issuer: root }
              today-rsa: { key: leaf-rsa, issuer: root }
              today-ed: { key: leaf-ed, issuer: root }
              odd: { \(one.chain.hasPrefix("leaf") ? "" : key)\(one.chain) }
            policies: { no-pins: {} }
            clients: { reference: { kind: reference } }
            scenarios: [ { name: story, steps: [ { present: today }, { present: odd } ] } ]
            """,
            file: "f.yaml"
        )

        let result = try #require(await catalogue.runner().run(catalogue.file.trials).first)

        let step = try #require(result.steps.last)
        let decision = try #require(step.planned.shownChains.first?.decision)
        #expect(decision.demand == one.demand, "\(decision)")
        #expect("\(decision)".contains(one.words), "\(decision)")
        #expect(step.attempts.count == 1)
        #expect(step.judgement.verdict == .pass, "\(step.judgement) \(step.attempts.map(\.report))")
        if one.demand != .either { #expect(step.attempts.map(\.isRefusal) == [one.demand == .reject]) }
    }
}
