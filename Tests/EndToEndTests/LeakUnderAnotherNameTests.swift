import Foundation
import TestSupport
import Testing

/// A client that refuses our host, and then sends its secret to the same attacker under another name.
@Suite(.enabled(if: Tool("python3") != nil, "python3 is not installed"))
struct LeakUnderAnotherNameTests {
    @Test func `J1: is seen where the client may do either`() async throws {
        let run = try await play(chain: "weak", names: ["backup.other.example"])

        #expect(run.status == 1, "\(run.output)")
        #expect(run.step.verdict == "inconclusive")
        #expect(run.step.consequence == "intercepted")
        #expect(run.step.demands("either"))
        #expect(run.output.contains("rejected here, and sent a request to the same server under another name"))
        #expect(run.output.contains("For their users: 1 served, 0 protected, 0 locked out, 1 intercepted, 0 unknown"))
        #expect(run.junit.contains("<failure type=\"intercepted\""), "\(run.junit)")
    }

    @Test func `J2: is seen where the client must refuse`() async throws {
        let run = try await play(chain: "forged", names: ["backup.other.example"])

        #expect(run.status == 1, "\(run.output)")
        #expect(run.step.verdict == "inconclusive")
        #expect(run.step.consequence == "intercepted")
        #expect(run.step.demands("reject"))
    }

    @Test(arguments: ["weak", "forged"])
    func `J1, J2: is not held against a client that asks nobody else`(chain: String) async throws {
        let run = try await play(chain: chain, names: [])

        #expect(run.status == 0, "\(run.output)")
        #expect(run.step.verdict == "pass")
        #expect(run.step.consequence == "protected")
        // J6: nothing is pinned, so no refusal is the pins' doing or anybody else's instead.
        #expect(run.step.attribution == nil)
        #expect(!run.output.contains("by the pin"), "\(run.output)")
        #expect(!run.junit.contains("attribution"), "\(run.junit)")
    }

    private struct Run {
        var status: Int32
        var output: String
        var step: WrittenReport.Step
        var junit: String
    }

    /// - Parameter names: whom the client asks, and does not check, once it has refused.
    private func play(chain: String, names: [String]) async throws -> Run {
        try await withTemporaryFolder { folder in
            try Self.client.write(to: folder.appending(path: "client.py"), atomically: false, encoding: .utf8)
            let file = """
                version: 1
                host: api.acme.example
                keys: { leaf-1: {}, short: { by: attacker, type: rsa1024 }, evil: { by: attacker } }
                authorities: { root: {}, mallory: { by: attacker }, stranger: { by: attacker } }
                stores: { phone: { system: [root], user: [mallory] } }
                chains:
                  today: { key: leaf-1, issuer: root }
                  weak: { key: short, issuer: mallory }
                  forged: { key: evil, issuer: stranger }
                policies: { no-pins: {} }
                clients:
                  app:
                    run: "python3 {here}/client.py {host} {port} {trust} \(names.joined(separator: " "))"
                    refused: { exit: 60 }
                scenarios: [ { name: story, steps: [ { present: today }, { present: \(chain) } ] } ]
                """
            try file.write(to: folder.appending(path: "file.yaml"), atomically: false, encoding: .utf8)
            let reports = [
                "json": folder.appending(path: "report.json"), "junit": folder.appending(path: "report.xml"),
            ]

            let ending = try await Program.run(
                ["run", "file.yaml"] + reports.flatMap { ["--report", "\($0)=\($1.path)"] },
                in: folder
            )

            let report = try WrittenReport(at: reports["json"]!)
            return Run(
                status: ending.status,
                output: ending.output,
                step: try report.step("story", "no-pins", "app", chain),
                junit: try String(contentsOf: reports["junit"]!, encoding: .utf8)
            )
        }
    }

    private static let client = """
        import socket, ssl, sys

        host, port, trust, others = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4:]

        def ask(context, name):
            with socket.create_connection(("127.0.0.1", port)) as plain:
                with context.wrap_socket(plain, server_hostname=name) as connection:
                    connection.sendall(b"GET / HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n")
                    connection.recv(1000)

        try:
            checking = ssl.create_default_context(cafile=trust)
            checking.set_ciphers("DEFAULT:@SECLEVEL=2")
            ask(checking, host)
        except ssl.SSLError:
            trusting = ssl.create_default_context()
            trusting.check_hostname = False
            trusting.verify_mode = ssl.CERT_NONE
            trusting.set_ciphers("DEFAULT:@SECLEVEL=0")
            for name in others:
                ask(trusting, name)
            sys.exit(60)
        """
}
