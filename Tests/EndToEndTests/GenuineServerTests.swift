import Foundation
import MitmProxy
import TLSCore
import TestSupport
import Testing

/// `present: upstream`: an app with production's pins, whose keys nobody here has.
@Suite(.enabled(if: Shipped.hasCurl, "curl is not installed")) struct GenuineServerTests {
    private static let host = "api.acme.example"

    /// Plays one client to a genuine server and then to an attacker.
    ///
    /// - Parameter policy: the pin that its policy has, by production's.
    private static func play(
        _ client: String,
        steps: String = "{ present: upstream }, { present: forged }",
        policy: (Pin) throws -> Pin = { $0 }
    ) async throws -> Program.Ending {
        let authority = try Authority(rootNamed: "Production Root", now: Date())
        let genuine = try authority.identity(.leaf(names: [SubjectName(host)], now: Date()), key: PrivateKey())
        let server = try await InterceptingProxy.start(presenting: Presentation(genuine))
        let ending: Result<Program.Ending, any Error>
        do {
            ending = .success(
                try await withTemporaryFolder { folder in
                    let roots = folder.appending(path: "roots.pem")
                    try PEM.encode(authority.certificate).write(to: roots, atomically: true, encoding: .utf8)
                    let text = """
                        version: 1
                        host: \(host)
                        upstream: { url: "https://127.0.0.1:\(server.port)", trust: roots.pem }
                        keys: { leaf: {}, evil: { by: attacker } }
                        authorities: { root: {}, mallory: { by: attacker, key: evil } }
                        stores: { phone: { system: [root, mallory] } }
                        chains: { today: { key: leaf, issuer: root }, forged: { key: evil, issuer: mallory } }
                        policies: { production: { pins: ["sha256/\(try policy(genuine.pin).base64)"] } }
                        clients:
                          app:
                            policies: [production]
                            run: curl -sS --fail --cacert {trust} \(client.replacing("PIN", with: genuine.pin.curl))
                        scenarios:
                          - name: production
                            steps: [ \(steps) ]
                        """
                    let file = folder.appending(path: "f.yaml")
                    try text.write(to: file, atomically: true, encoding: .utf8)
                    return try await Program.run(["run", "f.yaml"], in: folder)
                }
            )
        } catch {
            ending = .failure(error)
        }
        await server.stop()
        return try ending.get()
    }

    private static let says = "{url}\n    refused: { exit: 60 }\n    refused-pin: { exit: 90 }"

    @Test(arguments: ["--connect-to ::{endpoint}", "--proxy {proxy}", "--proxy {socks}"])
    func `B: an app pinned to production passes its control there, and rejects every attack`(way: String) async throws {
        let ending = try await Self.play("--pinnedpubkey PIN \(way) \(Self.says)")

        #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
        #expect(ending.output.contains("2 passed, 0 failed, 0 inconclusive"), "\(ending.output)")
        #expect(ending.output.contains("protected by the pin"))
    }

    @Test func `B: its twin without pins accepts the attack, and fails`() async throws {
        let ending = try await Self.play("--proxy {proxy} \(Self.says)")

        #expect(ending.status == 1)
        #expect(ending.output.contains("talked to the wrong server"), "\(ending.output)")
    }

    @Test func `B: who does not say that it was the pin may only distrust our root`() async throws {
        let mute = "{url}\n    refused: { exit: [60, 90] }"
        let pinned = try await Self.play("--pinnedpubkey PIN --proxy {proxy} \(mute)")
        let distrusting = try await Self.play("--proxy {proxy} --cacert {here}/roots.pem \(mute)")

        for ending in [pinned, distrusting] {
            #expect(ending.status == 2)
            #expect(ending.output.contains("does the app trust our root?"), "\(ending.output)")
        }
    }

    @Test func `B: a control at the genuine server is inserted where the file has none`() async throws {
        let ending = try await Self.play(
            "--pinnedpubkey PIN --proxy {proxy} \(Self.says)",
            steps: "{ present: forged }"
        )

        #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
        #expect(ending.output.contains("upstream (control)"), "\(ending.output)")
    }

    @Test func `B: a policy that does not have the genuine server's pin has no control there`() async throws {
        let ending = try await Self.play("--proxy {proxy} \(Self.says)", policy: { _ in try PrivateKey().pin })

        #expect(ending.status != 0)
        #expect(!ending.output.contains("protected by the pin"), "\(ending.output)")
    }
}
