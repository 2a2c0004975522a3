import MitmHarness
import Testing

@Suite struct PinningTests {
    @Test func `the app knows its server from an attacker whom the device trusts`() async throws {
        let pki = try PKI.standard(host: "localhost")
        try await withMitmProxy(presenting: pki.today) { proxy in
            let app = APIClient(url: proxy.url, trust: pki.trustPEM, pins: [pki.today.pin])
            #expect(await proxy.watch { try await app.ping() }.wire == .accepted)
            proxy.present(pki.attacker)
            #expect(await proxy.watch { try await app.ping() }.wire.isRejected)
        }
    }

    @Test func `the app passes a scenario`() async throws {
        let runner = try Runner(ScenarioFile(parsing: Self.story, file: "story.yaml"))

        for scenario in runner.file.scenarios {
            let result = try await runner.play(scenario, policy: "pinned") { endpoint in
                try await APIClient(endpoint).ping()
            } answer: { result in
                switch result {
                case .success: .succeeded
                case .failure(let error as APIClient.Refused): error.isByPin ? .refusedPin : .refused
                case .failure: .failed
                }
            }

            #expect(result.verdict == .pass)
            #expect(result.steps.map(\.consequence) == [.served, .protected])
            #expect(result.steps.last?.attribution == .pin)
        }
    }

    private static let story = """
        version: 1
        host: api.acme.example
        keys: { leaf: {}, evil: { by: attacker } }
        authorities: { root: {}, mallory: { by: attacker } }
        stores: { phone: { system: [root], user: [mallory] } }
        chains:
          today:  { key: leaf, issuer: root }
          forged: { key: evil, issuer: mallory }
        policies:
          pinned: { pins: [leaf] }
        clients:
          reference: { kind: reference }
        scenarios:
          - name: attack
            steps:
              - { present: today }
              - { present: forged }
        """
}
