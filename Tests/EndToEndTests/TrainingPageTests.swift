import Foundation
import TestSupport
import Testing

/// What `docs/training.md` and `docs/qa.md` tell to do with a file of one's own.
struct TrainingPageTests {
    private static func page(_ name: String) throws -> String {
        try String(contentsOf: Places.package.appending(path: name), encoding: .utf8)
    }

    /// The file that the exercises begin with.
    private static func exercise() throws -> String {
        let text = try page("docs/training.md")
        return String(try #require(text.firstMatch(of: /```yaml\n(?<file>(?s).*?)```/)).output.file)
    }

    /// The same with the right guess.
    private static func solved() throws -> String {
        try exercise().replacing(
            "locks-out: []",
            with: "locks-out: [leaf-only, leaf-and-backup, leaf-certificate, leaf-and-ca]"
        )
    }

    private static func run(_ file: String, _ command: String) async throws -> Program.Ending {
        let text = try page("docs/training.md")
        #expect(text.contains("`pindrill \(command)`"), "the page has no such command: \(command)")
        return try await withTemporaryFolder { folder in
            let url = folder.appending(path: "my-scenarios.yaml")
            try file.write(to: url, atomically: true, encoding: .utf8)
            return try await Program.run(command.split(separator: " ").map(String.init), in: folder)
        }
    }

    @Test func `exercise 6: a wrong guess names the policies and the reason, and a right one loads`() async throws {
        let wrong = try await Self.run(try Self.exercise(), "list my-scenarios.yaml")
        let listed = try await Self.run(try Self.solved(), "list my-scenarios.yaml")
        let explained = try await Self.run(try Self.solved(), "explain my-rotation my-scenarios.yaml")

        #expect(wrong.status == 65)
        #expect(wrong.errors.contains("'locks-out' leaves out the policy 'leaf-and-backup'"), "\(wrong)")
        #expect(wrong.errors.contains("no pin matches"), "\(wrong)")
        #expect(listed.status == 0 && listed.output.contains("my-rotation"), "\(listed)")
        #expect(explained.status == 0 && explained.output.contains("leaf-mine"), "\(explained)")
    }

    @Test func `exercise 7: without the step, lint notices the chain that nobody shows`() async throws {
        let file = try Self.exercise().split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.contains("present: surprise") }.joined(separator: "\n")

        let ending = try await Self.run(file, "lint my-scenarios.yaml")

        #expect((ending.output + ending.errors).contains("no step shows the chain 'surprise'"), "\(ending)")
    }

    @Test(.enabled(if: Tool("curl") != nil, "curl is not installed"), arguments: [true, false])
    func `exercise 8: curl without its checks fails, and with them it passes`(isCareless: Bool) async throws {
        var file = try Self.solved()
        if isCareless {
            file = file.replacing("curl -sS", with: "curl -sS --insecure").replacing(
                "[--pinnedpubkey {pins}] ",
                with: ""
            )
        }

        let ending = try await Self.run(file, "run my-scenarios.yaml --client curl --scenario attacker-unknown-root")

        #expect(ending.status == (isCareless ? 1 : 0), "\(ending)")
    }

    /// Those in the text: `QAPageTests` runs the blocks.
    @Test(.enabled(if: Tool.openssl != nil, "openssl is not installed"))
    func `the commands in the text of the tester's page do something`() async throws {
        let commands = try Self.page("docs/qa.md").matches(of: /`pindrill (?<line>[^`\n]+)`/).map { $0.output.line }
        let file = """
            version: 1
            host: api.acme.example
            include: [shipped]
            play: quick
            clients: { my-app: { kind: reference, policies: [leaf-only] } }

            """
        try await withTemporaryFolder { folder in
            let openssl = try #require(Tool.openssl)
            for name in ["certificate.pem", "next.pem", "production.pem"] {
                let words = [
                    "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "9", "-subj", "/CN=api.acme.example",
                ]
                let made = try openssl.run(
                    words + [
                        "-addext", "subjectAltName=DNS:api.acme.example", "-keyout",
                        folder.appending(path: "server.key").path, "-out", folder.appending(path: name).path,
                    ]
                )
                #expect(made.status == 0, "\(made.output)")
            }
            try Self.page("Examples/policies/Info.plist")
                .write(to: folder.appending(path: "Info.plist"), atomically: true, encoding: .utf8)
            try file.write(to: folder.appending(path: "my-scenarios.yaml"), atomically: true, encoding: .utf8)
            _ = try await Program.run("certs", "init", "my-scenarios.yaml", in: folder)

            #expect(commands.count >= 7)
            for command in commands {
                // No public authority has signed what was made here.
                let trust = command.hasPrefix("audit") ? ["--trust", "production.pem"] : []
                let words = command.split(separator: " ").map(String.init)
                let ending = try await Program.run(words + trust, in: folder)

                // Some judge what they are given.
                #expect([0, 1].contains(ending.status), "pindrill \(command): \(ending)")
            }
        }
    }
}
