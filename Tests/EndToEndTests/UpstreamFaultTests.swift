import Foundation
import MitmProxy
import NIOCore
import TLSCore
import TestSupport
import Testing

/// What is the fault of a real server is said to be, and no client is accused of it.
@Suite(.enabled(if: Shipped.hasCurl, "curl is not installed")) struct UpstreamFaultTests {
    enum Fault: String, CaseIterable, Sendable {
        case none, absent, stranger, ended

        /// What the report says of it.
        var words: String {
            switch self {
            case .none: "2 passed, 0 failed, 0 inconclusive"
            case .absent: "connection refused"
            case .stranger, .ended: "its certificate is not trusted"
            }
        }
    }

    private static let host = "api.acme.example"

    @Test(arguments: Fault.allCases)
    func `an upstream with a fault is named, and the client has rejected nobody`(fault: Fault) async throws {
        let ending = try await Self.relay(to: fault)

        #expect(ending.status == (fault == .none ? 0 : 2), "\(ending.output)\(ending.errors)")
        #expect(ending.output.contains(fault.words), "\(ending.output)")
        guard fault != .none else { return }
        #expect(ending.output.contains("0 passed, 0 failed, 2 inconclusive"), "\(ending.output)")
        #expect(ending.output.contains("the server behind us"), "\(ending.output)")
    }

    /// A chain of the owner and an attacker's, both with the upstream behind them, shown to curl, which has the pin.
    private static func relay(to fault: Fault) async throws -> Program.Ending {
        let now = Date()
        var template = CertificateTemplate.authority(named: "Staging Root", now: now)
        if fault == .ended { (template.notBefore, template.notAfter) = (now - 20 * 86_400, now - 10 * 86_400) }
        let authority = try Authority(root: template, key: PrivateKey())
        let trusted = fault == .stranger ? try Authority(rootNamed: "Staging Root", now: now) : authority
        let presentation = Presentation(
            try authority.identity(.leaf(names: [SubjectName(host)], now: now), key: PrivateKey())
        )
        let server = try await InterceptingProxy.start(presenting: presentation)
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
                          curl:
                            run: curl -sS --fail --cacert {trust} --pinnedpubkey {pins} --proxy {proxy} {url}
                            refused: { exit: 60 }
                            refused-pin: { exit: 90 }
                        scenarios:
                          - name: relayed
                            steps: [ { present: today }, { present: forged } ]
                        """
                    try text.write(to: folder.appending(path: "f.yaml"), atomically: true, encoding: .utf8)
                    return try await Program.run(["run", "f.yaml", "--timeout", "3s"], in: folder)
                }
            )
        } catch {
            ending = .failure(error)
        }
        await server.stop()
        return try ending.get()
    }
}
