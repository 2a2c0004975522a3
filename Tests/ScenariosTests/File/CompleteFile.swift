import Scenarios

/// A file that uses every setting there is.
enum CompleteFile {
    static let text = """
        version: 1
        host: API.acme.example
        keys:
          leaf: {}
          rsa: { type: rsa2048 }
          evil: { by: attacker, type: ed25519 }
        authorities:
          root: { type: p384, valid: [-3650d, 3650d] }
          issuing: { issuer: root }
          crossed: { issuer: other, subject: issuing, key: issuing }
          other: { subject: Other Root CA }
          mallory: { subject: root, key: evil, by: attacker }
        stores:
          phone: { system: [root, other] }
          lab: { user: [mallory], system: [root], app: [other] }
        chains:
          today: { key: leaf, issuer: issuing, valid: [-30d, 60d] }
          bare: { key: rsa, issuer: self, names: [] }
          odd:
            key: evil
            issuer: crossed
            valid: [-90m, +12h]
            names: [shop.other.example, "*.Other.example"]
            append: [today, bare]
            omit: [crossed]
            order: reversed
        policies:
          none: { unclaimed: true }
          short: { pins: [leaf, root, sha256/r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E=], position: leaf, stack: go }
          lax:
            require:
              - { pins: [today, root], match: certificate, position: any, search: presented-chain }
              - { pins: [issuing], position: authority }
            checks: [path, validity]
            failure: report
            exempt: [user, app]
        clients:
          reference: { kind: reference, alpn: h2 }
          tool:
            kind: command
            run: tool --port 8080 {url}
            stdin: "{step}"
            env: { TOOL_PINS: "{pins}", DEBUG: 1 }
            lifetime: trial
            refused: { exit: [60, 90], text: ["refused", "bad (pin|host)"] }
            refused-pin: { exit: 90, text: pin }
            timeout: 2m
            policies: [none, short]
          mute: { run: mute, silent: true, version: "{here}/mute -V", deviates: [ { scenarios: [bri*], policies: [none], verdict: inconclusive, because: Dumb. }, { scenarios: ["long [TLS 1.2]"], sometimes: true, because: Old. } ] }
        scenarios:
          - name: long
            about: A story.
            store: lab
            policies: [short, lax]
            clients: [reference, tool]
            steps:
              - { present: today }
              - { at: 1d, present: [today, odd], attempts: 3, note: twice, locks-out: all, intercepts: [], budget: { requests: 2 }, reports: true }
              - { present: bare, store: phone, host: shop.acme.example, intercepts: [short], also: { other.example: odd }, origin: { GET /: {} } }
            hurts: Its readers.
            prevented-by: Another story.
            references: [CVE-2016-2402, RFC 8446 section 4.4.2, "https://example.org/a?b=c"]
            tags: [rotation, quick, MASVS-NETWORK-2, MASTG-TEST-0244, CWE-295]
          - name: brief
            except-clients: [mute, stranger]
            steps: [ { at: -5d, present: today }, { present: odd } ]
        play: quick
        include: []
        collector: trustkit
        routes: { "*.maps.example": pass, ":8883": refuse }
        others: pass
        reachable: [127.0.0.1, 10.0.0.0/8]
        upstream: { url: "http://[::1]:8080" }
        tls: { alpn: [h2, http/1.1], client-certificate: asked }
        listeners: { mqtt: "mqtt.acme.example:8883" }
        """

    static func parsed() throws -> ScenarioFile { try ScenarioFile(parsing: text, file: "f.yaml") }
}
