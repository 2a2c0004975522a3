import Foundation
import MitmProxy
import TLSCore
import TestSupport
import Testing
import Witness

/// `present: upstream`: an app with production's pins, whose keys nobody here has.
@Suite(.enabled(if: Shipped.hasCurl, "curl is not installed")) struct GenuineServerTests {
    private static let host = "api.acme.example"

    /// Plays one client to a genuine server and then to an attacker.
    ///
    /// - Parameters:
    ///   - policy: the pin that its policy has, by production's.
    ///   - options: are given the genuine server's port, for `run`.
    private static func play(
        _ client: String,
        steps: String = "{ present: upstream }, { present: forged }",
        policy: (Pin) throws -> Pin = { $0 },
        options: (Int) -> [String] = { _ in [] }
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
                    return try await Program.run(["run", "f.yaml"] + options(server.port), in: folder)
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

    /// A company's proxy, and the hosts that it was asked for.
    private static func throughProxy(
        passing others: Routing.Treatment,
        _ body: (_ url: String) async throws -> Program.Ending
    ) async throws -> (ending: Program.Ending, asked: Set<String>) {
        var company = Presentation(rules: [])
        company.routing = Routing(others: others, reachable: [try #require(AddressRange("127.0.0.1"))])
        company.routing.routes = [.init(try #require(HostPattern("127.0.0.1")), others)]
        let gate = try await InterceptingProxy.start(presenting: company)
        let ending: Result<Program.Ending, any Error>
        do { ending = .success(try await body("http://127.0.0.1:\(gate.port)")) } catch { ending = .failure(error) }
        let asked = Set(try await gate.settle().compactMap(\.target))
        await gate.stop()
        return (try ending.get(), asked)
    }

    @Test func `B: the control at the genuine server is reached through a company's proxy`() async throws {
        let (ending, asked) = try await Self.throughProxy(passing: .pass) { url in
            try await Self.play(
                "--pinnedpubkey PIN --proxy {proxy} \(Self.says)",
                options: { _ in ["--upstream-proxy", url] }
            )
        }

        #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
        #expect(ending.output.contains("2 passed, 0 failed, 0 inconclusive"), "\(ending.output)")
        #expect(asked == ["127.0.0.1"])
    }

    @Test func `B: a company's proxy that lets nobody through is named, and nobody accused`() async throws {
        let (ending, _) = try await Self.throughProxy(passing: .refuse) { url in
            try await Self.play(
                "--pinnedpubkey PIN --proxy {proxy} \(Self.says)",
                options: { _ in ["--upstream-proxy", url] }
            )
        }

        #expect(ending.status == 2, "\(ending.output)\(ending.errors)")
        #expect(ending.output.contains("403 Forbidden"), "\(ending.output)")
        #expect(ending.output.contains(" 0 failed"), "\(ending.output)")
    }

    /// The proxy looks the name up, and knows it as little as anybody: it is asked all the same, and nobody else.
    @Test func `others: what is passed through goes by the company's proxy`() async throws {
        let other = "https://elsewhere.invalid/"
        let (ending, asked) = try await Self.throughProxy(passing: .pass) { url in
            try await Self.play(
                "--pinnedpubkey PIN --proxy {proxy} \(other) --next -sS --fail --cacert {trust} --pinnedpubkey PIN --proxy {proxy} \(Self.says)",
                options: { _ in ["--upstream-proxy", url, "--others", "pass"] }
            )
        }

        #expect(asked == ["127.0.0.1", "elsewhere.invalid"], "\(ending.output)")
        #expect(ending.output.contains(" 0 failed"), "\(ending.output)")
    }
}
