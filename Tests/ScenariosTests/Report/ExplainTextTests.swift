import Foundation
import Scenarios
import TestSupport
import Testing

@Suite struct `An explanation` {
    @Test func `draws who vouches for whom, and says what each policy makes of it`() throws {
        let text = try explain("forgery")

        #expect(
            text == """
                forgery
                Somebody was talked into installing a root, and now an attacker on the network uses it to read
                along.
                Hurts: Whoever is on that network.
                Prevented by: A pin that blocks.
                References: CVE-2016-2402, RFC 5280 section 6.1
                Tags: attack, CWE-295

                Step 1 of 1, day 0
                  Device: 'attacked' trusts root (came with it) and mallory (installed by its user).
                  Note: the pinned leaf is sent along.
                  Shown: 'stuffed', for api.acme.example. Its key is held by an attacker.

                    mallory · root authority · calls itself root · trusted: installed by its user · not sent
                    │    key mallory (EC 256), held by an attacker
                    │    valid: 3650 days to go
                    └─ api.acme.example · the server's certificate · sent
                            key evil (EC 256), held by an attacker
                            made for this step: 198 days to go

                    Sent besides, and part of no path:
                    + api.acme.example · the server's certificate · sent
                           key leaf (EC 256), held by the owner
                           pinned by stale, fooled
                    + issuing · authority · sent
                           key issuing (EC 256), held by the owner

                  Policy  Trusted  Pins that match            Client must  Its users are
                  loose   yes      no pins                    accept       INTERCEPTED: a breach
                  strict  yes      none                       reject       protected
                  both    yes      none                       reject       protected
                  stale   yes      leaf                       accept       INTERCEPTED: a breach
                  fooled  yes      leaf                       accept       INTERCEPTED: a breach
                  quiet   yes      none, and only reports it  accept       INTERCEPTED: a breach

                """
        )
    }

    @Test func `tells what happens in time`() throws {
        let text = try explain("neglect", policies: ["strict"])

        #expect(
            text == """
                neglect

                Step 1 of 4, 12h
                  Device: 'phone' trusts root (came with it).
                  Shown: 'rotated', for api.acme.example. Its key is held by the owner of the service.

                    root · root authority · trusted: came with it · not sent
                    │    key root (EC 256), held by the owner
                    │    valid: 3650 days to go
                    └─ issuing · authority · sent
                       │    key issuing (EC 256), held by the owner
                       │    valid: 3650 days to go
                       └─ api.acme.example · the server's certificate · sent
                               key spare (RSA 2048), held by the owner
                               made for this step: 198 days to go
                               pinned by strict

                  Policy  Trusted  Pins that match  Client must  Its users are
                  strict  yes      spare            accept       served

                Step 2 of 4, day 61
                  Device: 'phone' trusts root (came with it).
                  Shown: 'today', for api.acme.example. Its key is held by the owner of the service.

                    root · root authority · trusted: came with it · not sent
                    │    key root (EC 256), held by the owner
                    │    valid: 3650 days to go
                    └─ issuing · authority · sent
                       │    key issuing (EC 256), held by the owner
                       │    valid: 3650 days to go
                       └─ api.acme.example · the server's certificate · sent
                               key leaf (EC 256), held by the owner
                               valid from day -30 to day 60: expired 1 day ago
                               pinned by strict

                  Policy  Trusted             Pins that match  Client must  Its users are
                  strict  no: it has expired  leaf             reject       LOCKED OUT: an outage

                Step 3 of 4, day 61
                  Device: 'phone' trusts root (came with it).
                  Shown: 'bare', for api.acme.example. Its key is held by the owner of the service.

                    root · root authority · trusted: came with it · not sent
                    │    key root (EC 256), held by the owner
                    │    valid: 3650 days to go
                    └─ issuing · authority · not sent: the client cannot know it
                       │    key issuing (EC 256), held by the owner
                       │    valid: 3650 days to go
                       └─ api.acme.example · the server's certificate · sent
                               key leaf (EC 256), held by the owner
                               valid from day -30 to day 60: expired 1 day ago
                               pinned by strict

                  Policy  Trusted                        Pins that match  Client must  Its users are
                  strict  no: its issuer is not trusted  leaf             reject       LOCKED OUT: an outage

                Step 4 of 4, day 61
                  Device: 'phone' trusts root (came with it).
                  Server: TLS 1.1 only.
                  Shown: 'elsewhere', for api.acme.example. Its key is held by the owner of the service.

                    root · root authority · trusted: came with it · not sent
                    │    key root (EC 256), held by the owner
                    │    valid: 3650 days to go
                    └─ issuing · authority · sent
                       │    key issuing (EC 256), held by the owner
                       │    valid: 3650 days to go
                       └─ a.example · the server's certificate · sent
                               key leaf (EC 256), held by the owner
                               made for this step: 198 days to go
                               for a.example, *.b.example
                               pinned by strict

                  Policy  Trusted                        Pins that match  Client must  Its users are
                  strict  no: it does not name the host  leaf             reject       LOCKED OUT: an outage

                """
        )
    }

    @Test func `shows what comes to several connections`() throws {
        let text = try explain("edges", policies: ["strict"], width: 60)

        #expect(
            text == """
                edges

                Step 1 of 1, day 0
                  Device: 'phone' trusts root (came with it).
                  Shown, to connection 1: 'today', for api.acme.example. Its
                  key is held by the owner of the service.

                    root · root authority · trusted: came with it · not sent
                    │    key root (EC 256), held by the owner
                    │    valid: 3650 days to go
                    └─ issuing · authority · sent
                       │    key issuing (EC 256), held by the owner
                       │    valid: 3650 days to go
                       └─ api.acme.example · the server's certificate · sent
                               key leaf (EC 256), held by the owner
                               valid from day -30 to day 60: 60 days to go
                               pinned by strict

                  Policy  Trusted  Pins that match  Client must  Its users are
                  strict  yes      leaf             accept       served

                  Shown, to connection 2: 'rotated', for api.acme.example.
                  Its key is held by the owner of the service.

                    root · root authority · trusted: came with it · not sent
                    │    key root (EC 256), held by the owner
                    │    valid: 3650 days to go
                    └─ issuing · authority · sent
                       │    key issuing (EC 256), held by the owner
                       │    valid: 3650 days to go
                       └─ api.acme.example · the server's certificate · sent
                               key spare (RSA 2048), held by the owner
                               made for this step: 198 days to go
                               pinned by strict

                  Policy  Trusted  Pins that match  Client must  Its users are
                  strict  yes      spare            accept       served

                  Shown, to every later connection: 'lookalike', for
                  api.acme.example. Its key is held by an attacker.

                    api.acme.example · the server's certificate · signed by itself · sent
                         key evil (EC 256), held by an attacker
                         made for this step: 198 days to go

                  Policy  Trusted                         Pins that match  Client must  Its users are
                  strict  no: it vouches only for itself  none             reject       protected

                """
        )
    }

    @Test func `shows pins only when asked`() throws {
        #expect(try !explain("forgery").contains("sha256/"))
        #expect(try explain("forgery", isVerbose: true).contains("│    pin sha256/"))
    }

    @Test(arguments: try! ShippedFile.parsed().scenarios.map(\.name))
    func `of a shipped scenario fits a screen's width but for its table`(name: String) throws {
        let (file, oracle) = try Self.shipped.get()
        let scenario = try #require(file.scenario(named: name))

        let explanation = try Explanation(scenario, policies: file.policies, oracle: oracle, instant: Sample.now)

        let lines = ExplainText().render(explanation).split(separator: "\n")
        let table = ["Policy"] + file.policies.map(\.name)
        let outside = lines.filter { line in !table.contains { line.hasPrefix("  \($0) ") } }
        #expect(outside.filter { $0.count > 120 } == [])
    }

    /// Read and minted once for all its scenarios.
    private static let shipped = Result {
        let file = try ShippedFile.parsed()
        return (file, Oracle(try PKI(file.blueprint, now: Sample.now)))
    }

    private func explain(
        _ name: String,
        policies: [String]? = nil,
        width: Int = 100,
        isVerbose: Bool = false
    ) throws -> String {
        let file = try ScenarioFile(parsing: Self.text, file: "f.yaml")
        let oracle = Oracle(try PKI(file.blueprint, now: Sample.now))
        let scenario = try #require(file.scenario(named: name))
        let chosen = file.policies.filter { policies?.contains($0.name) ?? true }
        let explanation = try Explanation(scenario, policies: chosen, oracle: oracle, instant: Sample.now)
        return ExplainText(width: width, isVerbose: isVerbose).render(explanation)
    }

    private static let text = """
        version: 1
        host: api.acme.example
        keys: { leaf: {}, spare: { type: rsa2048 }, evil: { by: attacker } }
        authorities:
          root: {}
          issuing: { issuer: root }
          mallory: { subject: root, by: attacker }
        stores: { phone: { system: [root] }, attacked: { system: [root], user: [mallory] } }
        chains:
          today: { key: leaf, issuer: issuing, valid: [-30d, 60d] }
          rotated: { key: spare, issuer: issuing }
          bare: { leaf: today, omit: [issuing] }
          stuffed: { key: evil, issuer: mallory, append: [today] }
          elsewhere: { key: leaf, issuer: issuing, names: [a.example, "*.b.example"] }
          lookalike: { key: evil, issuer: self }
        policies:
          loose: {}
          strict: { pins: [leaf, spare], position: leaf }
          both: { require: [ { pins: [leaf, spare] }, { pins: [issuing], position: authority } ] }
          stale: { pins: [leaf], search: presented-chain, exempt: [user] }
          fooled: { pins: [leaf], search: presented-chain }
          quiet: { pins: [leaf], failure: report }
        clients: { reference: { kind: reference } }
        scenarios:
          - name: forgery
            about: Somebody was talked into installing a root, and now an attacker on the network uses it to read along.
            hurts: Whoever is on that network.
            prevented-by: A pin that blocks.
            references: [CVE-2016-2402, RFC 5280 section 6.1]
            tags: [attack, CWE-295]
            store: attacked
            steps: [ { present: stuffed, note: the pinned leaf is sent along } ]
          - name: neglect
            steps:
              - { present: rotated, at: 12h }
              - { present: today, at: 61d }
              - { present: bare, at: 61d }
              - { present: elsewhere, at: 61d, tls: 1.1 }
          - name: edges
            steps: [ { present: [today, rotated, lookalike] } ]
        """
}
