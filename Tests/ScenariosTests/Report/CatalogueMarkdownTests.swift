import Foundation
import Scenarios
import TestSupport
import Testing

@Suite struct `The catalogue as a page` {
    @Test func `has the steps of a scenario and what they mean to each policy's users`() throws {
        let file = try ScenarioFile(parsing: Self.text, file: "f.yaml")

        let page = try page(of: file)

        #expect(
            page == """
                # Catalogue

                <!-- Generated from the scenario file by `make docs`; do not edit. -->

                What each scenario shows, and what a client that obeys its policy does to its users. **locked out** is an
                outage, **intercepted** a breach, *either* is left to the client's TLS library, and a dash means that the
                scenario is not played with that policy.

                - [v1.story](#v1story)
                - [brief](#brief)

                ## v1.story

                Two &lt;servers> \\| one name.

                **Hurts:** Readers.

                **Prevented by:** Rest.

                **References:** CVE-2016-2402, RFC 5280

                **Tags:** rotation, quick

                **Cost:** 7 connections, 7 starts a trial

                | Step | At | Shown | Key | Device | Remarks |
                | --- | --- | --- | --- | --- | --- |
                | 1 | 0d | today, then rotated | leaf, owner's; spare, owner's | phone | at \\| once; tried 2 times |
                | 2 | 12h | forged | evil, attacker's | attacked | |
                | 3 | 1d | today | leaf, owner's | phone | asked for `eu.api.acme.example`; TLS 1.1 only |

                | Policy | 1: today, rotated | 2: forged | 3: today |
                | --- | --- | --- | --- |
                | loose | served | **intercepted** | *either* |
                | strict | served, then **locked out** | protected | *either* |

                ## brief

                **Cost:** 2 connections, 2 starts a trial

                | Step | At | Shown | Key | Device | Remarks |
                | --- | --- | --- | --- | --- | --- |
                | 1 | 0d | short | weak, owner's | phone | |

                | Policy | 1: short |
                | --- | --- |
                | loose | *either* |
                | strict | – |

                """
        )
    }

    @Test func `is what docs/catalogue.md says`() throws {
        let url = Places.package.appending(path: "docs/catalogue.md")

        let page = try page(of: ShippedFile.parsed())

        #expect(try String(contentsOf: url, encoding: .utf8) == page, "out of date: run `make docs`")
    }

    private func page(of file: ScenarioFile) throws -> String {
        let oracle = Oracle(try PKI(file.blueprint, now: Sample.now))
        return try CatalogueMarkdown(file, oracle: oracle, instant: Sample.now).render()
    }

    private static let text = """
        version: 1
        host: api.acme.example
        keys: { leaf: {}, spare: {}, weak: { type: rsa1024 }, evil: { by: attacker } }
        authorities: { root: {}, mallory: { by: attacker } }
        stores: { phone: { system: [root] }, attacked: { system: [root], user: [mallory] } }
        chains:
          today: { key: leaf, issuer: root }
          rotated: { key: spare, issuer: root }
          short: { key: weak, issuer: root }
          forged: { key: evil, issuer: mallory }
        policies: { loose: {}, strict: { pins: [leaf], position: leaf } }
        clients: { reference: { kind: reference } }
        scenarios:
          - name: v1.story
            about: Two <servers> | one name.
            hurts: Readers.
            prevented-by: Rest.
            references: [CVE-2016-2402, RFC 5280]
            tags: [rotation, quick]
            steps:
              - { present: [today, rotated], attempts: 2, note: "at | once" }
              - { present: forged, at: 12h, store: attacked }
              - { present: today, at: 1d, host: eu.api.acme.example, tls: 1.1 }
          - name: brief
            policies: [loose]
            steps: [ { present: short } ]
        """
}
