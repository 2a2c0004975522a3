import MitmHarness
import Pinning
import Scenarios
import TLSCore
import TestSupport
import Testing
import Witness

@Suite struct `A scenario's variants` {
    private static let text = """
        version: 1
        host: api.acme.example
        keys: { leaf: {}, evil: { by: attacker } }
        authorities: { root: {}, mallory: { by: attacker } }
        stores: { attacked: { system: [root], user: [mallory] } }
        chains:
          today: { key: leaf, issuer: root }
          forged: { key: evil, issuer: mallory }
        policies: { pinned: { pins: [leaf] } }
        clients: { reference: { kind: reference } }
        scenarios:
          - name: attack
            variants: { attacker-keys: [rsa2048, ed25519], tls: [1.2, 1.1] }
            steps: [ { present: today }, { present: forged } ]
          - name: drill
            steps:
              - { present: today, tls: { groups: P-521 } }
              - { present: today, tls: { version: 1.2, alpn: none, client-certificate: asked } }
              - { present: today, tls: { ciphers: [ECDHE-ECDSA-AES128-GCM-SHA256] } }
        """

    @Test func `H6: attackers with keys of other types are met, and the control keeps its own`() async throws {
        let catalogue = try Catalogue(Self.text, file: "f.yaml")
        let endpoints = Record<Endpoint>()
        let trials = catalogue.file.trials.filter { $0.scenario.base == "attack" }

        let results = await catalogue.runner { _ in EventfulClient(onAttempt: {}, onEndpoint: endpoints.append) }
            .run(Array(trials.prefix(3)))

        #expect(
            trials.map(\.scenario.name) == [
                "attack", "attack [rsa2048]", "attack [ed25519]", "attack [TLS 1.2]", "attack [TLS 1.1]",
            ]
        )
        #expect(results.map(\.verdict) == [.pass, .pass, .pass])
        let stores = endpoints.all.map { Set($0.store.anchors.map(\.certificate.keyDescription)) }
        #expect(Set(stores) == [["EC 256"], ["EC 256", "RSA 2048"], ["EC 256", "ED25519"]])
    }

    @Test func `an owner with keys of other types is accepted, and the attackers keep theirs`() async throws {
        let text = Self.text.changing(
            "variants: { attacker-keys: [rsa2048, ed25519], tls: [1.2, 1.1] }",
            to: "variants: { owner-keys: [rsa2048, p384] }"
        )
        let catalogue = try Catalogue(text, file: "f.yaml")
        let trials = catalogue.file.trials.filter { $0.scenario.base == "attack" }
        let pins = Record<[String]>()
        let endpoints = Record<Endpoint>()

        let results = await catalogue.runner { _ in
            EventfulClient(
                onAttempt: {},
                onEndpoint: { endpoint in
                    endpoints.append(endpoint)
                    pins.append(endpoint.configuration.pins.map { "\($0)" })
                }
            )
        }.run(trials)

        #expect(trials.map(\.scenario.name) == ["attack", "attack [owner rsa2048]", "attack [owner p384]"])
        #expect(results.map(\.verdict) == [.pass, .pass, .pass])
        let stores = endpoints.all.map { Set($0.store.anchors.map(\.certificate.keyDescription)) }
        #expect(Set(stores) == [["EC 256"], ["EC 256", "RSA 2048"], ["EC 256", "EC 384"]])
        // Each is told the pin of its own key.
        #expect(Set(pins.all).count == 3)
    }

    @Test func `H8: an attacker who speaks an older version is refused beside a control`() async throws {
        let catalogue = try Catalogue(Self.text, file: "f.yaml")
        let trials = catalogue.file.trials.filter { $0.scenario.variant == .tls(.tls1_2) }

        let results = await catalogue.runner().run(trials)

        #expect(results.map(\.verdict) == [.pass])
        // The owner's own step keeps its TLS; the attacker's has a control in the same version.
        #expect(results[0].steps.map(\.planned.step.tls) == [nil, .tls1_2, .tls1_2])
        #expect(results[0].steps.map(\.planned.isControl) == [false, true, false])
        let versions = results[0].steps.map { $0.attempts.flatMap(\.observations).compactMap { $0.session?.version } }
        #expect(versions == [[.tls1_3], [.tls1_2], [.tls1_2]])
    }

    @Test func `H8: a client that speaks TLS 1.1 and has no pins there is found, and its twin passes`() async throws {
        let catalogue = try Catalogue(Self.text, file: "f.yaml")
        let trials = catalogue.file.trials.filter { $0.scenario.variant == .tls(.tls1_1) }
        func play(checksOld: Bool) async -> Verdict? {
            await catalogue.runner { _ in
                FaultyClient { endpoint in
                    var exchange = TLSExchange(obeying: endpoint)
                    exchange.settings.versions = .tls1_0 ... .tls1_3
                    let judge = exchange.judge
                    exchange.judge = { seen in
                        seen.version < .tls1_2 && !checksOld ? .init(.accept, .trusted) : judge(seen)
                    }
                    return await exchange.report(endpoint)
                }
            }.run(trials).first?.verdict
        }

        #expect(await play(checksOld: false) == .fail)
        #expect(await play(checksOld: true) == .pass)
    }

    @Test func `plays a step with limits to TLS`() async throws {
        let catalogue = try Catalogue(Self.text, file: "f.yaml")

        let results = await catalogue.runner().run(catalogue.file.trials.filter { $0.scenario.name == "drill" })

        #expect(results.map(\.verdict) == [.pass])
        let sessions = results[0].steps.flatMap { $0.attempts.flatMap(\.observations).compactMap { $0.session } }
        #expect(sessions.map(\.version) == [.tls1_3, .tls1_2, .tls1_2])
        #expect(sessions.map(\.applicationProtocol) == ["http/1.1", nil, "http/1.1"])
        #expect(sessions[2].cipherSuite == "ECDHE-ECDSA-AES128-GCM-SHA256")
    }
}

extension Observation {
    fileprivate var session: TLSSession? {
        for case .established(let session) in events { return session }
        return nil
    }
}
