import Foundation
import MitmHarness
import Pinning
import TLSCore
import TestSupport
import Testing

@testable import Scenarios

/// What a command client is handed over, and what may become of it.
@Suite struct `What a command client is given` {
    private let curl = "curl --silent --show-error --fail --max-time 20 --connect-to ::\"$PINDRILL_ENDPOINT\""

    private func client(_ script: String, here: String = "/", pin: String? = nil) throws -> CommandClient {
        var command = scripted(script)
        command.refused = OutcomeRule(exit: [60, 90])
        command.refusedPin = pin.map { OutcomeRule(text: [$0]) } ?? OutcomeRule(exit: [90])
        return try CommandClient(command, here: here)
    }

    private let attack = "- { present: today, store: attacked }\n- { present: forged, store: attacked }"

    // MARK: Trust

    @Test(arguments: ["sed '/END/q'", "tac | sed '/BEGIN/q' | tac"])
    func `H1: who has no pins, and reads one root of the file, fails its control`(reading: String) async throws {
        let lazy = try await playSteps(
            attack,
            client("cat \"$PINDRILL_TRUST\" | \(reading) >one; \(curl) --cacert one \"$PINDRILL_URL\"")
        )
        // The twins: who reads the whole file is intercepted without pins, and protected by them.
        let whole = "\(curl) --cacert \"$PINDRILL_TRUST\""
        let unpinned = try await playSteps(attack, client("\(whole) \"$PINDRILL_URL\""))
        let pinned = try await playSteps(
            attack,
            client("\(whole) --pinnedpubkey \"$PINDRILL_PINS\" \"$PINDRILL_URL\"")
        )

        #expect(lazy.steps.map(\.judgement.verdict) == [.fail, .fail])
        #expect(unpinned.steps.map(\.judgement.verdict) == [.pass, .fail])
        #expect(pinned.steps.map(\.judgement.verdict) == [.pass, .pass])
    }

    @Test func `H26: who lives through a trial finds the roots of each step under one name`() async throws {
        var command = CommandDeclaration(
            run: #"sh -c 'while read -r url; do echo "failed, $(grep -c BEGIN "$1") of $1"; done' sh {trust}"#
        )
        command.lifetime = .trial

        let result = try await playSteps(
            "- { present: today }\n- { present: today, store: attacked }\n- { present: today }",
            CommandClient(command)
        )

        let accounts = result.steps.compactMap { $0.attempts.first?.report.account }
        #expect(accounts.map { $0.prefix(10) } == ["“failed, 1", "“failed, 3", "“failed, 1"])
        #expect(Set(accounts.map { $0.dropFirst(10) }).count == 1)
    }

    // MARK: Words

    private static let telling = "(?i)pin|forge|trust|refus|attack|evil|cert|expire|mallory|invalid|wrong|bad"

    @Test(arguments: [
        "$PINDRILL_TRUST", "$PINDRILL_TRUST_USER: no such file", "in $PINDRILL_DIR:", "step $PINDRILL_STEP",
        "$PWD/x.log",
        "PINDRILL_PINS is not set", "$PINDRILL_HERE/client.py, line 3", "$TMPDIR", "$HOME/.config",
        "hello from PinDrill",
    ])
    func `H2: no rule finds its words in what is ours`(text: String) async throws {
        func report(_ script: String) async throws -> ClientReport {
            let client = try client(script, here: "/srv/pinned/forged", pin: Self.telling)
            let result = try await playSteps("- { present: forged, store: attacked }", client)
            return try #require(result.steps.last?.attempts.first?.report)
        }

        let ours = try await report("echo \"error: \(text)\" >&2; exit 7")
        // The twin: the same beside the client's own word.
        let own = try await report("echo \"error: \(text) (wrong)\" >&2; exit 7")

        #expect(ours.blamesPin == false, "\(ours.output)")
        #expect(own.blamesPin == true)
    }

    @Test func `H2: neither files nor folders are named after what is tried`() async throws {
        let result = try await playSteps(
            "- { present: forged, store: attacked }",
            client("ls -a \"$PINDRILL_DIR\"; basename \"$PINDRILL_DIR\" | tr 0-9A-F x; exit 7")
        )

        let output = try #require(result.steps.last?.attempts.first?.report.output)
        #expect(output.contains("all.pem"))
        #expect(output.range(of: Self.telling, options: .regularExpression) == nil, "\(output)")
    }

    // MARK: Hosts

    @Test func `H14: is told the host as it is written, and judged as ever`() async throws {
        let steps = attack.changing("store:", to: "host: API.Acme.Example., store:")
        let pinned = "\(curl) --cacert \"$PINDRILL_TRUST\" --pinnedpubkey \"$PINDRILL_PINS\" \"$PINDRILL_URL\""

        let told = try await playSteps(steps, client("echo \"$PINDRILL_HOST $PINDRILL_URL\"; exit 1"))
        let careful = try await playSteps(steps, client(pinned))
        let model = try await playSteps(steps, ReferenceClient())
        // The twin: who pins the usual spelling only.
        let careless = try await playSteps(
            steps,
            client(
                "[ \"$PINDRILL_HOST\" = api.acme.example ] || unset PINDRILL_PINS; \(pinned.changing("--pinnedpubkey \"$PINDRILL_PINS\"", to: "${PINDRILL_PINS:+--pinnedpubkey \"$PINDRILL_PINS\"}"))"
            )
        )

        let output = try #require(told.steps.first?.attempts.first?.report.output)
        #expect(output.hasPrefix("API.Acme.Example. https://API.Acme.Example.:"))
        #expect(careful.steps.map(\.judgement.verdict) == [.pass, .pass])
        #expect(model.steps.map(\.judgement.verdict) == [.pass, .pass])
        #expect(careless.steps.map(\.judgement.verdict) == [.pass, .fail])
        #expect(careless.steps.last?.consequence == .intercepted)
    }

    @Test func `H15: an attacker has a certificate for whoever is asked for`() async throws {
        let pinned = "\(curl) --cacert \"$PINDRILL_TRUST\" --pinnedpubkey \"$PINDRILL_PINS\" \"$PINDRILL_URL\""
        let fallback = "\(curl) --cacert \"$PINDRILL_TRUST\" https://backup.example/"

        let result = try await playSteps(attack, client("\(pinned) || { code=$?; \(fallback); exit $code; }"))
        // The twin: its fallback is pinned, too.
        let careful = try await playSteps(
            attack,
            client("\(pinned) || { code=$?; \(fallback) --pinnedpubkey \"$PINDRILL_PINS\"; exit $code; }")
        )

        #expect(result.steps.last?.attempts.first?.elsewhere.map(\.reaction) == [.accepted])
        #expect(result.steps.last?.judgement.verdict != .pass)
        #expect(careful.steps.map(\.judgement.verdict) == [.pass, .pass])
    }

    // MARK: Pins of certificates

    @Test func `H29: who pins certificates is told their fingerprints, and no pins of keys`() async throws {
        let text = Catalogue.storyText("- { present: today }").changing(
            "  leaf-only: { pins: [leaf-1], position: leaf }",
            to:
                "  leaf-only: { pins: [leaf-1], position: leaf }\n  whole: { pins: [today, rotated], match: certificate }"
        )
        let catalogue = try Catalogue(text, file: "story.yaml")
        func play(_ words: String) async -> [String] {
            let client = ClientDeclaration(name: "client", kind: .command(CommandDeclaration(run: "echo \(words)")))
            let trials = ["leaf-only", "whole"].map { catalogue.trial("story", policy: $0, client: client) }
            return await catalogue.runner().run(trials).map { result in
                result.steps[0].attempts.first?.report.output.trimmingCharacters(in: .newlines)
                    ?? result.steps[0].judgement.grounds.description
            }
        }
        let leaves = try ["today", "rotated"].map {
            try catalogue.oracle.pki.identity(chain: $0, at: .zero, host: "api.acme.example").leaf
        }
        let sha256 = leaves.map { $0.fingerprint.hex }
        let advice = "; name the policy in the client's 'policies' if it has it built in"

        #expect(
            await play("{fingerprints}") == [
                "{fingerprints} cannot express pins of keys" + advice, sha256.joined(separator: ";"),
            ]
        )
        #expect(
            await play("[-f {fingerprint} -s {cert.sha1}]") == [
                "{fingerprints} cannot express pins of keys" + advice,
                zip(sha256, leaves).map { "-f \($0) -s \($1.sha1)" }.joined(separator: " "),
            ]
        )
        #expect(await play("[-f {fingerprints}] {pin}")[0].hasPrefix("sha256//"))
        #expect(await play("{pins}")[1] == "{pins} cannot express pins of certificates" + advice)
    }

    // MARK: What it leaves running

    @Test(arguments: ["sleep 60 &", "setsid sleep 60 &", "setsid sh -c 'sleep 60 & exit 0' <&- >&- 2>&- & wait;"])
    func `H4: whose refusal leaves something running that could still connect proves nothing`(
        leaving: String
    ) async throws {
        let pinned = "\(curl) --cacert \"$PINDRILL_TRUST\" --pinnedpubkey \"$PINDRILL_PINS\" \"$PINDRILL_URL\""
        let script = { (leaving: String) in "\(pinned); code=$?; \(leaving) exit $code" }

        let result = try await playSteps(attack, client(script(leaving)))
        // The twins: what ends by itself, and what was started and waited for.
        let brief = try await playSteps(attack, client(script("sleep 0.1 &")))

        #expect(result.steps.map(\.judgement.verdict) == [.pass, .inconclusive])
        #expect(result.steps.map(\.consequence) == [.served, .unknown])
        let grounds = try #require(result.steps.last?.judgement.grounds)
        guard case .leftRunning(let processes) = grounds else { return #expect(Bool(false), "\(grounds)") }
        #expect(processes.allSatisfy { $0.hasPrefix("'sleep' (process ") } && processes.count == 1)
        let number = try #require(processes.first?.split(separator: " ").last?.dropLast())
        #expect(await isGone(try #require(pid_t(number))))
        #expect(brief.steps.map(\.judgement.verdict) == [.pass, .pass])
    }

    @Test func `H4: what it leaves behind and connects later is part of the attempt`() async throws {
        let pinned = "\(curl) --cacert \"$PINDRILL_TRUST\" --pinnedpubkey \"$PINDRILL_PINS\" \"$PINDRILL_URL\""
        let late = "(sleep 0.5; \(curl) --cacert \"$PINDRILL_TRUST\" \"$PINDRILL_URL\") >/dev/null 2>&1 &"

        let result = try await playSteps(attack, client("\(pinned); code=$?; \(late) exit $code"))

        #expect(result.steps.map(\.judgement.verdict) == [.pass, .fail])
        #expect(result.steps.last?.consequence == .intercepted)
    }
}
