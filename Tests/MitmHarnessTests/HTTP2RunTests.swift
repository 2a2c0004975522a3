import Foundation
import MitmHarness
import TestSupport
import Testing
import Witness

@testable import Scenarios

/// Real clients that speak HTTP/2, and a server that does.
@Suite struct `F: A client of HTTP/2` {
    private static func steps(_ alpn: String) -> String {
        "- { present: today, store: attacked, tls: { alpn: \(alpn) } }\n"
            + "- { present: forged, store: attacked, tls: { alpn: \(alpn) } }"
    }

    private static let refusals = OutcomeRule(exit: [60, 90])

    private static func curl(_ options: String) throws -> CommandClient {
        let run =
            "curl --http2 --silent --show-error --fail --max-time 60 --cacert {trust} \(options) --connect-to ::{endpoint} {url}"
        return try CommandClient(CommandDeclaration(run: run, refused: refusals, refusedPin: OutcomeRule(exit: [90])))
    }

    private func protocols(of trial: TrialResult) -> Set<String?> {
        let connections = trial.steps.flatMap(\.attempts).flatMap(\.observations)
        return Set(
            connections.compactMap {
                $0.events.lazy.compactMap { if case .established(let session) = $0 { session } else { nil } }.first
            }
            .map(\.applicationProtocol)
        )
    }

    @Test(.enabled(if: Tool("curl") != nil, "curl is not installed"))
    func `such as curl obeys its pins, and leaks without`() async throws {
        let steps = Self.steps("[h2, http/1.1]")

        let pinned = try await playSteps(steps, try Self.curl("--pinnedpubkey {pins}"))
        let careless = try await playSteps(steps, try Self.curl(""))

        #expect(pinned.steps.map(\.judgement) == [Judgement(.pass, .obeyed), Judgement(.pass, .obeyed)])
        #expect(careless.steps.map(\.judgement.verdict) == [.pass, .fail])
        #expect(careless.steps.last?.consequence == .intercepted)
        #expect(protocols(of: careless) == ["h2"])
        #expect(
            careless.steps.flatMap(\.attempts).flatMap(\.observations).map(\.requestLine) == [
                "GET / HTTP/2", "GET / HTTP/2",
            ]
        )
    }

    @Test(.enabled(if: Tool("curl") != nil, "curl is not installed"))
    func `finds HTTP/1.1 where nothing is said, and HTTP/2 where the file wants it`() async throws {
        let file = try Catalogue.story("- { present: today }").file

        #expect(file.applicationProtocols == nil)
        let plain = try await playSteps("- { present: today }", try Self.curl("--pinnedpubkey {pins}"))
        #expect(protocols(of: plain) == ["http/1.1"])

        let text = Catalogue.storyText("- { present: today }").changing(
            "version: 1",
            to: "version: 1\ntls: { alpn: [h2, http/1.1] }"
        )
        let catalogue = try Catalogue(text, file: "story.yaml")
        let trials = await catalogue.runner(.quick) { _ in try Self.curl("--pinnedpubkey {pins}") }.run(
            catalogue.file.trials
        )
        #expect(trials.map(\.verdict) == [.pass])
        #expect(protocols(of: try #require(trials.first)) == ["h2"])
    }

    @Test(.enabled(if: Tool("curl") != nil, "curl is not installed"))
    func `finds what is said of it alone, unless the step says otherwise`() async throws {
        let steps = "- { present: today }\n- { present: today, tls: { alpn: http/1.1 } }"
        let text = Catalogue.storyText(steps).changing("clients:", to: "clients:\n  another: { kind: reference }")
            .changing("kind: reference }", to: "kind: reference, alpn: [h2, http/1.1] }", first: true)
        let catalogue = try Catalogue(text, file: "story.yaml")

        let trials = await catalogue.runner(.quick) { _ in try Self.curl("--pinnedpubkey {pins}") }.run(
            catalogue.file.trials
        )

        #expect(trials.map(\.verdict) == [.pass, .pass])
        #expect(trials.map { protocols(of: $0) } == [["h2", "http/1.1"], ["http/1.1"]])
    }

    /// Asks for each of these hosts on its one connection.
    private struct Coalescing: ClientUnderTest {
        var hosts: [String]
        var takesPins: Bool { true }

        func attempt(
            _ endpoint: Endpoint,
            beforeEnding: @escaping BeforeEnding
        ) async throws(CancellationError) -> ClientReport {
            var exchange = TLSExchange(obeying: endpoint)
            exchange.settings.applicationProtocols = ["h2"]
            exchange.authorities = { [hosts] _ in hosts }
            return ClientReport(await exchange.run(endpoint), duration: .zero)
        }
    }

    @Test(arguments: [("today", Verdict.fail), ("wide", .pass)])
    func `may ask for another host on its connection only where the certificate is good for both`(
        chain: String,
        verdict: Verdict
    ) async throws {
        let hosts = ["api.acme.example", "www.acme.example"]
        let step = "- { present: \(chain), tls: { alpn: h2 }, also: { www.acme.example: today } }"
        let wide = "wide: { key: leaf-1, issuer: acme-root, names: [\(hosts.joined(separator: ", "))] }"
        let text = Catalogue.storyText(step).changing("chains:", to: "chains:\n  \(wide)")
        let catalogue = try Catalogue(text, file: "story.yaml")

        let trial = try #require(
            await catalogue.runner(.quick) { _ in Coalescing(hosts: hosts) }.run(catalogue.file.trials).first
        )

        #expect(trial.verdict == verdict, "\(trial.steps.map(\.judgement))")
        #expect(trial.steps.flatMap(\.attempts).flatMap(\.observations).count == 1)
    }

    @Test(.enabled(if: Tool("curl") != nil, "curl is not installed"))
    func `leaks its canary in Huffman's code, too`() async throws {
        let trial = try await playSteps(
            Self.steps("h2"),
            try Self.curl("-H 'Authorization: Bearer {canary}' --data {canary} --user-agent {canary}")
        )

        #expect(trial.steps.last?.leakage.count == 4, "\(trial.steps.last?.leakage ?? [])")
        for place in ["header authorization", "header user-agent", "the body"] {
            #expect(
                trial.steps.last?.leakage.contains { $0.hasPrefix("the canary of \(place) reached an attacker") }
                    == true
            )
        }
    }

    /// Compares its pins once the connection stands and HTTP/2's preface is on its way, or never.
    private static func node(_ habit: String, in folder: URL) throws -> CommandClient {
        let file = folder.appending(path: "\(habit).js")
        let script = """
            const [fs, tls, http2, crypto] = ["fs", "tls", "http2", "crypto"].map(name => require(name));
            const env = process.env, url = new URL(env.PINDRILL_URL), port = env.PINDRILL_ENDPOINT.split(":")[1];
            const pins = env.PINDRILL_PINS.split(";").map(pin => pin.replace("sha256//", ""));
            const options = { host: "127.0.0.1", port, servername: url.hostname, ca: fs.readFileSync(env.PINDRILL_TRUST),
                ALPNProtocols: ["h2"] };
            const session = http2.connect(url.origin, { createConnection: () => tls.connect(options) });
            session.on("error", error => { console.error(error.message); process.exit(60); });
            session.on("remoteSettings", () => {
                const key = new crypto.X509Certificate(session.socket.getPeerCertificate().raw).publicKey;
                const hash = crypto.createHash("sha256").update(key.export({ type: "spki", format: "der" })).digest("base64");
                if ("\(habit)" === "late" && !pins.includes(hash)) { session.destroy(); process.exitCode = 90; return; }
                const request = session.request({ ":path": "/" });
                request.on("end", () => session.close()).resume();
            });
            """
        try script.write(to: file, atomically: true, encoding: .utf8)
        return try CommandClient(
            CommandDeclaration(
                run: "node \(file.path)",
                refused: refusals,
                refusedPin: OutcomeRule(exit: [90])
            )
        )
    }

    @Test(.enabled(if: Tool("node") != nil, "node is not installed"))
    func `such as Node's has withheld its request where it checks behind the preface, and leaks where it never does`()
        async throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: "node-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        let late = try await playSteps(Self.steps("[http/1.1, h2]"), Self.node("late", in: folder))
        let careless = try await playSteps(Self.steps("h2"), Self.node("careless", in: folder))

        #expect(late.steps.map(\.judgement) == [Judgement(.pass, .obeyed), Judgement(.pass, .obeyed)])
        #expect(late.steps.last?.attempts.first?.wire == .rejected(.withheldRequest))
        #expect(careless.steps.map(\.judgement.verdict) == [.pass, .fail])
        #expect(careless.steps.last?.consequence == .intercepted)
    }
}
