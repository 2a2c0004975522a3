import Foundation
import TestSupport
import Testing

/// `lint`, `explain` and the list that is a page, from the outside.
struct LintCommandTests {
    @Test func `the shipped file lints clean`() async throws {
        let ending = try await Program.run("lint")

        #expect(ending.status == 0)
        #expect(ending.output.isEmpty)
        #expect(ending.errors.isEmpty)
    }

    @Test func `findings are printed and end lint with status 1, and a run goes on`() async throws {
        let text = Shipped.text.replacing(", allow: [report-only]", with: "")
        let message =
            "policy 'report-only' only reports that no pin matches and goes on: an attacker with a certificate from any "
            + "trusted root reads everything; use 'failure: block' [report-only]\n"

        let (lint, run) = try await withTemporaryFolder { folder in
            try text.write(to: folder.appending(path: "file.yaml"), atomically: false, encoding: .utf8)
            let brief = ["--scenario", "same-certificate", "--policy", "no-pins", "--client", "reference"]
            return (
                try await Program.run("lint", "file.yaml", in: folder),
                try await Program.run(["run", "file.yaml"] + brief, in: folder)
            )
        }

        #expect(lint.status == 1)
        #expect(lint.output.replacing(#/^file.yaml:\d+:\d+: warning: /#, with: "") == message)
        #expect(lint.errors.isEmpty)
        #expect(run.status == 0)
        #expect(run.errors == lint.output)
        #expect(!run.output.contains("report-only"))
    }

    @Test func `a bad file ends lint and explain with status 65`() async throws {
        let lint = try await Program.run("lint", "/dev/null")
        let explain = try await Program.run("explain", "any", "/dev/null")

        #expect((lint.status, explain.status) == (65, 65))
    }

    @Test func `explain takes patterns`() async throws {
        let ending = try await Program.run("explain", "*-subdomain", "--policy", "no-*", "--policy", "root-ca")

        #expect(ending.status == 0)
        #expect(ending.errors.isEmpty)
        #expect(ending.output.contains("one-label-subdomain\n"))
        #expect(ending.output.contains("two-label-subdomain\n"))
        #expect(ending.output.contains("\n  root-ca  yes      none             reject       LOCKED OUT: an outage\n"))
        #expect(!ending.output.contains("leaf-only"))
        #expect(!ending.output.contains("\u{1B}"))
    }

    @Test(arguments: [
        (
            ["new-trusted-cb"],
            "scenario 'new-trusted-cb' matches nothing; did you mean 'new-trusted-ca'?\n"
        ),
        (
            ["attacker"],
            "scenario 'attacker' matches nothing; did you mean 'attacker-installed-root', 'attacker-trusted-ca', 'attacker-unknown-root', 'attacker-first' or 'attacker-persists'?\n"
        ),
        (
            ["Quarter*"],
            "scenario 'Quarter*' matches nothing; did you mean 'a-quarter-in-production'?\n"
        ),
        (
            ["nothing-like-it"],
            "scenario 'nothing-like-it' matches nothing; 'pindrill list scenarios.yaml' shows all n\n"
        ),
        (
            ["new-trusted-ca", "--policy", "leaf_only"],
            "--policy 'leaf_only' matches nothing; did you mean 'leaf-only'?\n"
        ),
        (
            ["a-quarter-in-production", "--policy", "leaf-certificate"],
            "scenario 'a-quarter-in-production' is not played with such a policy\n"
        ),
    ])
    func `what cannot be explained is an error`(arguments: [String], complaint: String) async throws {
        let ending = try await Program.run(["explain"] + arguments)

        #expect(ending.status == 64)
        #expect(ending.output.isEmpty)
        #expect(ending.errors.replacing(/shows all \d+/, with: "shows all n") == complaint)
    }

    // newcomers C: 52 to 58 lines, of which a screen shows the end.
    @Test func `explain shows one step on 30 lines`() async throws {
        let all = try await Program.run("explain", "stuffed-chain")
        let second = try await Program.run("explain", "stuffed-chain", "--step", "2")
        let lines = second.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.first == "stuffed-chain, step 2 of 4, day 0" && lines.count <= 30, "\(second.output)")
        #expect(all.output.contains("Step 2 of 4, day 0\n" + lines.dropFirst().joined(separator: "\n")))
        let none = try await Program.run("explain", "stuffed-chain", "--step", "9")
        #expect((none.status, none.errors) == (64, "--step 9: 'stuffed-chain' has 4 steps\n"))
    }

    @Test func `explain takes a file`() async throws {
        let text = Shipped.text.replacing("name: new-trusted-ca", with: "name: of-my-own")

        let ending = try await withTemporaryFolder { folder in
            try text.write(to: folder.appending(path: "file.yaml"), atomically: false, encoding: .utf8)
            return try await Program.run("explain", "of-my-own", "file.yaml", in: folder)
        }

        #expect(ending.status == 0)
        #expect(ending.output.hasPrefix("of-my-own\n"))
    }

    @Test func `a run warns of ten findings at most, and of the worst first`() async throws {
        let unused = (1...12).map { "  spare-\($0): {}\n" }.joined()
        let text = Shipped.text.replacing("\nkeys:\n", with: "\nkeys:\n" + unused)
            .replacing(", allow: [report-only]", with: "")

        let ending = try await Shipped.run(
            text,
            "--scenario",
            "same-certificate",
            "--policy",
            "no-pins",
            "--client",
            "reference"
        )

        let lines = ending.errors.split(separator: "\n")
        #expect(ending.status == 0)
        #expect(lines.count == 11)
        #expect(lines.first?.hasSuffix("[report-only]") == true)
        #expect(lines.dropFirst().dropLast().allSatisfy { $0.hasSuffix("[never-used]") })
        #expect(lines.last == "(+3 more: pindrill lint file.yaml)")
    }

    @Test func `a list can be a page`() async throws {
        let ending = try await Program.run("list", "--format", "markdown")

        #expect(ending.status == 0)
        #expect(ending.output.hasPrefix("# Catalogue\n"))
    }

    @Test func `a list says what each scenario is about and costs, and can be of one tag`() async throws {
        let ending = try await Program.run("list", "--tag", "protocol")
        let page = try await Program.run("list", "--tag", "protocol", "--format", "markdown")
        let wrong = try await Program.run("list", "--tag", "protocl")

        #expect((ending.status, page.status, wrong.status) == (0, 0, 64))
        #expect(
            ending.output.contains(
                "\n  old-tls-version  (protocol, MASVS-NETWORK-1, MASTG-TEST-0218, CWE-327, CWE-757; 3 connections, 3 starts)\n"
            )
        )
        #expect(!ending.output.contains("same-certificate"))
        #expect(page.output.contains("\n## old-tls-version\n"))
        #expect(!page.output.contains("same-certificate"))
        #expect(wrong.errors == "--tag 'protocl' matches nothing; did you mean 'protocol'?\n")
    }
}
