import Foundation
import MitmHarness
import TLSCore
import TestSupport
import Testing
import Witness

@testable import Scenarios

/// Real curl, alone and in scripts.
@Suite(.enabled(if: Tool("curl") != nil, "curl is not installed")) struct `Real curl` {
    private static let curl = "curl --silent --show-error --fail --max-time 60"
    /// As a script calls it.
    private static let ask = """
        \(curl) --cacert "$PINDRILL_TRUST" --pinnedpubkey "$PINDRILL_PINS" \
        --connect-to "::$PINDRILL_ENDPOINT" "$PINDRILL_URL"
        """
    private static let goodThenForged = """
        - { present: today, store: attacked }
        - { present: forged, store: attacked }
        - { present: rotated, store: attacked }
        """

    @Test func `that pins is protected, and locked out, by its pin`() async throws {
        let result = try await playSteps(Self.goodThenForged, CommandClient(Self.pinning))

        #expect(result.steps.map(\.judgement) == [.obeyed, .obeyed, .obeyed])
        #expect(result.steps.map(\.consequence) == [.served, .protected, .lockedOut])
        #expect(result.steps.map(\.attribution) == [nil, .pin, .pin])
    }

    @Test func `that cannot trust a server refuses it for another reason than the pin`() async throws {
        let result = try await playSteps("- { present: today }\n- { present: forged }", CommandClient(Self.pinning))

        #expect(result.steps.map(\.judgement) == [.obeyed, .obeyed])
        #expect(result.steps.map(\.attribution) == [nil, .other])
    }

    @Test func `that has no way to blame its pin is found out by its pinned twin`() async throws {
        var command = Self.pinning
        command.refusedPin = nil

        let result = try await playSteps(Self.goodThenForged, CommandClient(command))

        #expect(result.steps.map(\.attribution) == [nil, .pin, .pin])
        #expect(result.steps.map { $0.twin?.wire } == [nil, .accepted, .accepted])
    }

    @Test func `that refuses its pinned twin as well had another reason`() async throws {
        // Its pin is right and its trust file is empty, so it rejects whatever it is shown.
        var command = Self.pinning
        command.refusedPin = nil
        command.run = command.run.changing("--cacert {trust}", to: "--cacert /dev/null")

        let result = try await playSteps(Self.goodThenForged, CommandClient(command))

        #expect(result.steps.last?.attribution == .other)
        #expect(result.steps.last?.twin?.wire.isRejected == true)
    }

    @Test func `that cannot be given pins leaves the reason unproven`() async throws {
        var command = Self.pinning
        command.refusedPin = nil
        command.run = command.run.changing("{pins}", to: "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")
            .changing("[", to: "").changing("]", to: "")

        let result = try await playSteps(Self.goodThenForged, CommandClient(command))

        #expect(result.steps.map(\.attribution).last == .unproven)
        #expect(result.steps.allSatisfy { $0.twin == nil })
    }

    @Test func `that checks nothing is intercepted`() async throws {
        let careless = CommandDeclaration(run: "\(Self.curl) --insecure --connect-to ::{endpoint} {url}")

        let result = try await playSteps(Self.goodThenForged, CommandClient(careless))

        #expect(
            result.steps.map(\.judgement) == [
                .obeyed, Judgement(.fail, .talkedToTheWrongServer), Judgement(.fail, .acceptedWhatItsPolicyForbids),
            ]
        )
        #expect(result.steps.map(\.consequence) == [.served, .intercepted, .served])
    }

    @Test func `that connects twice is judged by both connections`() async throws {
        let twice = scripted("\(Self.ask) && \(Self.ask)")

        let result = try await playSteps("- { present: today }", CommandClient(twice))

        #expect(result.verdict == .pass)
        #expect(result.steps[0].attempts[0].observations.map(\.reaction) == [.accepted, .accepted])
    }

    @Test func `that fails open on its second try is caught`() async throws {
        let script = scripted(
            "\(Self.ask) || \(Self.curl) --insecure --connect-to \"::$PINDRILL_ENDPOINT\" \"$PINDRILL_URL\""
        )

        let result = try await playSteps("- { present: today }\n- { present: forged }", CommandClient(script))

        #expect(result.steps.map(\.judgement) == [.obeyed, Judgement(.fail, .talkedToTheWrongServer)])
    }

    @Test func `that talks to another host proves nothing`() async throws {
        let script = scripted(
            "\(Self.curl) --insecure --connect-to \"::$PINDRILL_ENDPOINT\" https://other.example/"
        )

        let result = try await playSteps("- { present: today }\n- { present: forged }", CommandClient(script))

        let elsewhere = Judgement(.inconclusive, .wireProvesNothing(.onlyElsewhere))
        #expect(result.steps.map(\.judgement) == [elsewhere, elsewhere])
        #expect(result.steps.map { $0.attempts[0].elsewhere.map(\.target) } == [["other.example"], ["other.example"]])
        #expect(result.steps.map { $0.attempts[0].observations } == [[], []])
    }

    @Test func `that lets go of a child which holds a connection proves nothing`() async throws {
        let script = scripted(
            """
            sleep 600 | curl --verbose --max-time 600 "telnet://$PINDRILL_ENDPOINT" > /dev/null 2> log &
            until grep -q Connected log; do sleep 0.05; done
            exit 0
            """
        )

        // It would not come to rest before the child does.
        let result = try await playSteps("- { present: forged }", CommandClient(script), patience: .seconds(1))

        #expect(result.steps.map(\.judgement.verdict) == [.inconclusive, .inconclusive])
        #if os(Linux)
        for step in result.steps { #expect("\(step.judgement.grounds)".hasPrefix("left 'sleep'")) }
        #endif
        #expect(result.duration < .seconds(300))
    }

    /// A background process finishes a handshake that it does not check, and waits, or goes on when it is its turn.
    @Test(
        arguments: [
            ("sleep 60", .seconds(1), .inconclusive, "left 'sleep'"),
            ("echo 'GET / HTTP/1.1'", RunnerOptions.quick.patience, .fail, "a leak"),
        ] as [(String, Duration, Verdict, String)]
    )
    func `that leaves an unchecked connection behind has not refused`(
        input: String,
        patience: Duration,
        verdict: Verdict,
        words: String
    ) async throws {
        let script = scripted(
            """
            openssl version > /dev/null || exit 3
            rm -f gone log
            (until [ -e gone ]; do :; done; \(input)) | openssl s_client -brief -connect "$PINDRILL_ENDPOINT" \
            -servername api.acme.example > /dev/null 2> log &
            until grep -qs ESTABLISHED log; do :; done
            : > gone
            exit 90
            """
        )

        let steps = "- { present: forged, store: attacked }"
        let result = try await playSteps(steps, CommandClient(script), patience: patience)

        let judgement = try #require(result.steps.last?.judgement)
        #expect(judgement.verdict == verdict)
        #if os(Linux)
        #expect("\(judgement.grounds)".hasPrefix(words))
        #endif
    }

    @Test(arguments: [false, true])
    func `does not read our own .curlrc, but would obey it`(reads: Bool) async throws {
        let home = FileManager.default.temporaryDirectory.appending(path: "pindrill-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: home) }
        try Data("insecure\n".utf8).write(to: home.appending(path: ".curlrc"))
        var command = CommandDeclaration(run: "\(Self.curl) --cacert {trust} --connect-to ::{endpoint} {url}")
        // The twin, which shows that the file has teeth.
        if reads { command.env = ["HOME": home.path, "CURL_HOME": home.path, "XDG_CONFIG_HOME": home.path] }
        var inherited = ProcessInfo.processInfo.environment
        for name in ["HOME", "CURL_HOME", "XDG_CONFIG_HOME"] { inherited[name] = home.path }

        let result = try await playSteps(
            "- { present: today }\n- { present: forged }",
            CommandClient(command, inherited: inherited)
        )

        let expected: Judgement = reads ? Judgement(.fail, .talkedToTheWrongServer) : .obeyed
        #expect(result.steps.map(\.judgement) == [.obeyed, expected])
    }

    @Test func `that is silent is believed when the wire saw its alert, and only then`() async throws {
        var command = Self.pinning
        (command.refused, command.refusedPin, command.isSilent) = (nil, nil, true)

        let result = try await playSteps(
            "- { present: today }\n- { present: forged }\n- { present: rotated }",
            CommandClient(command)
        )

        #expect(
            result.steps.map(\.judgement) == [.obeyed, .obeyed, Judgement(.inconclusive, .turnedAwayInSilence)]
        )
    }

    @Test func `that lives through a trial is told of every attempt on its standard input`() async throws {
        let script = scripted(
            """
            while read -r url; do
                echo "asked for $url" >&2
                \(Self.curl) --cacert "$PINDRILL_TRUST" --pinnedpubkey "$PINDRILL_PINS" \
                    --connect-to "::$PINDRILL_ENDPOINT" "$url" > /dev/null 2>&1
                case $? in
                    0) echo succeeded ;;
                    60) echo refused ;;
                    90) echo refused-pin ;;
                    *) echo failed ;;
                esac
            done
            """
        )
        var command = script
        command.lifetime = .trial
        command.refusedPin = OutcomeRule(text: ["refused-pin"])

        let result = try await playSteps(
            "- { present: today, attempts: 2 }\n- { present: rotated }\n- { present: forged }",
            CommandClient(command)
        )

        #expect(result.steps.map(\.judgement) == [.obeyed, .obeyed, .obeyed])
        #expect(result.steps.map(\.attribution) == [nil, .pin, .other])
        #expect(result.steps.map(\.attempts.count) == [2, 1, 1])
    }

    @Test func `that lives through a trial and dies in it says nothing from then on`() async throws {
        let script = scripted("read -r url; \(Self.ask) > /dev/null; echo succeeded; exit 0")
        var command = script
        command.lifetime = .trial

        let result = try await playSteps("- { present: today }\n- { present: forged }", CommandClient(command))

        let nobody = Judgement(.inconclusive, .wireProvesNothing(.nobodyConnected))
        #expect(result.steps.map(\.judgement) == [.obeyed, nobody])
    }

    private static let pinning = CommandDeclaration(
        run: "\(curl) --cacert {trust} [--pinnedpubkey {pins}] --connect-to ::{endpoint} {url}",
        refused: OutcomeRule(exit: [60, 90]),
        refusedPin: OutcomeRule(exit: [90])
    )
}

extension Judgement {
    fileprivate static let obeyed = Judgement(.pass, .obeyed)
}
