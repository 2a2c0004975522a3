import Foundation
import MitmProxy
import NIOCore
import TLSCore
import TestSupport
import Testing

/// What is the fault of a real server is said to be, and no client is accused of it.
@Suite(.enabled(if: Shipped.hasCurl, "curl is not installed")) struct UpstreamFaultTests {
    enum Fault: String, CaseIterable, Sendable {
        case none, slow
        case absent, stranger, ended, resets, closes, silent
        case cut, mute, waiting

        /// What the report says of it.
        var words: String {
            switch self {
            case .none, .slow: ""
            case .absent: "connection refused"
            case .stranger, .ended: "its certificate is not trusted"
            case .resets, .closes: "it broke the connection off"
            case .silent, .waiting: "it had not answered when the client gave up"
            case .cut, .mute: "it broke its answer off"
            }
        }

        /// What the pinned client and the naive one come to at their own server, and at the attacker's.
        var verdicts: [String: [String]] {
            switch self {
            case .none, .slow: ["pinned": ["pass", "pass"], "naive": ["pass", "fail"]]
            // The attacker has the request, whatever becomes of the answer.
            case .cut, .mute, .waiting:
                ["pinned": ["inconclusive", "inconclusive"], "naive": ["inconclusive", "fail"]]
            default: ["pinned": ["inconclusive", "inconclusive"], "naive": ["inconclusive", "inconclusive"]]
            }
        }

        /// What its handshakes lack.
        var handshake: HandshakeFault? {
            switch self {
            case .resets: HandshakeFault(.stop(.reset, after: .clientHello))
            case .closes: HandshakeFault(.stop(.close, after: .serverHello))
            case .silent: HandshakeFault(.stop(.hang, after: .clientHello))
            case .slow: HandshakeFault(.delay(.milliseconds(300)))
            default: nil
            }
        }

        /// What its answers lack.
        var route: Route? {
            switch self {
            case .cut: Route(path: "/*", body: Array(repeating: 0x78, count: 100_000), failure: .truncated)
            case .mute: Route(path: "/*", failure: .silence)
            case .waiting: Route(path: "/*", delay: .minutes(10))
            default: nil
            }
        }
    }

    private struct Document: Decodable {
        struct Trial: Decodable {
            var client: String
            var steps: [Step]
        }
        struct Step: Decodable {
            var verdict: String
            var grounds: String
        }
        var trials: [Trial]
    }

    private static let host = "api.acme.example"

    @Test(arguments: Fault.allCases)
    func `an upstream with a fault is named, nobody has rejected it, and no leak is hidden by it`(fault: Fault)
        async throws
    {
        let ending = try await Self.relay(to: fault)

        let trials = try JSONDecoder().decode(Document.self, from: Data(ending.output.utf8)).trials
        let verdicts = Dictionary(uniqueKeysWithValues: trials.map { ($0.client, $0.steps.map(\.verdict)) })
        #expect(verdicts == fault.verdicts, "\(ending.output)\(ending.errors)")
        guard fault != .none, fault != .slow else { return }
        for step in trials.compactMap(\.steps.first) {
            #expect(step.grounds.contains("the server behind us failed"), "\(ending.output)")
            #expect(step.grounds.contains(fault.words), "\(ending.output)")
        }
    }

    /// A chain of the owner and an attacker's, both with the upstream behind them, shown to curl with the pin and without.
    private static func relay(to fault: Fault) async throws -> Program.Ending {
        let now = Date()
        var template = CertificateTemplate.authority(named: "Staging Root", now: now)
        if fault == .ended { (template.notBefore, template.notAfter) = (now - 20 * 86_400, now - 10 * 86_400) }
        let authority = try Authority(root: template, key: PrivateKey())
        let trusted = fault == .stranger ? try Authority(rootNamed: "Staging Root", now: now) : authority
        let identity = try authority.identity(.leaf(names: [SubjectName(host)], now: now), key: PrivateKey())
        var presentation = Presentation(rules: [(.meaning(host), .always(.identity(identity)))])
        presentation.fault = fault.handshake
        var origin = Origin()
        origin.routes = [fault.route].compactMap(\.self)
        let server = try await InterceptingProxy.start(ProxyConfiguration(origin: origin), presenting: presentation)
        if fault == .absent { await server.stop() }
        let ending: Result<Program.Ending, any Error>
        do {
            ending = .success(
                try await withTemporaryFolder { folder in
                    try PEM.encode(trusted.certificate)
                        .write(to: folder.appending(path: "roots.pem"), atomically: true, encoding: .utf8)
                    let text = """
                        version: 1
                        host: \(host)
                        upstream: { url: "https://127.0.0.1:\(server.port)", trust: roots.pem }
                        origin: relay
                        keys: { leaf: {}, evil: { by: attacker } }
                        authorities: { root: {}, mallory: { by: attacker, key: evil } }
                        stores: { phone: { system: [root, mallory] } }
                        chains: { today: { key: leaf, issuer: root }, forged: { key: evil, issuer: mallory } }
                        policies: { pinned: { pins: [leaf] } }
                        clients:
                          pinned:
                            run: curl -sS --fail --max-time 5 --cacert {trust} --pinnedpubkey {pins} --proxy {proxy} {url}
                            refused: { exit: 60 }
                            refused-pin: { exit: 90 }
                          naive:
                            run: curl -sS --fail --max-time 5 --cacert {trust} --proxy {proxy} {url}
                            refused: { exit: 60 }
                        scenarios:
                          - name: relayed
                            steps: [ { present: today }, { present: forged } ]
                        """
                    try text.write(to: folder.appending(path: "f.yaml"), atomically: true, encoding: .utf8)
                    return try await Program.run(["run", "f.yaml", "--json"], in: folder)
                }
            )
        } catch {
            ending = .failure(error)
        }
        await server.stop()
        return try ending.get()
    }
}
