import Testing

/// Options that are given more than once.
struct RepeatedOptionTests {
    /// Each subcommand with each of its options for one value.
    private static let single = [
        "run": [
            "--policy-file", "--dialect", "--host", "--chain", "--trust", "--jobs", "--timeout", "--shard",
            "--durations", "--color",
        ],
        "list": ["--format"],
        "explain": ["--width", "--color"],
        "audit": ["--dialect", "--host", "--chain", "--trust", "--format", "--fail-on", "--today", "--color"],
        "check": [
            "--dialect", "--sni", "--starttls", "--trust", "--app-trust", "--user-trust", "--host", "--at", "--format",
        ],
        "forecast": ["--tolerate", "--fail-on", "--today", "--ahead", "--format"],
        "monitor": ["--sni", "--starttls", "--warn-days", "--at", "--format"],
        "pins": ["--as", "--password", "--password-file", "--servername", "--starttls", "--timeout"],
    ].flatMap { command, options in options.map { (command, $0) } }

    @Test(arguments: single)
    func `F2: an option for one value is refused a second one`(command: String, option: String) async throws {
        let apart = try await Program.run(command, option, "a", "x", option, "b")
        let joined = try await Program.run(command, "\(option)=a", option, "a", "x")
        let once = try await Program.run(command, option, "a", "x", "--", option, "b")

        for ending in [apart, joined] {
            #expect(ending.status == 64)
            #expect(ending.output == "")
            #expect(ending.errors == "Error: \(option) is given more than once, and takes one value\n")
        }
        #expect(!once.errors.contains("more than once"))
    }

    @Test func `F2: options that may be repeated are`() async throws {
        let globs = ["--scenario", "same-*", "--scenario", "same-certificate", "--policy", "no-pins", "--policy=no-*"]

        let ending = try await Program.run(["run", "--client", "reference"] + globs + ["--verbose", "--verbose"])

        #expect(ending.status == 0, "\(ending.errors)")
        #expect(ending.errors == "")
    }
}
