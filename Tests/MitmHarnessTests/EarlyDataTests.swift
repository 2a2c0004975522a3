import MitmHarness
import Scenarios
import TestSupport
import Testing

/// Requests that go out with the hello (RFC 8446 section 2.3), by a real client: `openssl s_client`.
@Suite(.enabled(if: Tool("openssl") != nil, "openssl is not installed")) struct `G: Early data` {
    /// Keeps its session in a file. The first time it asks in an ordinary way, or where its first step is to be refused waits
    /// for a ticket only; from then on its request is early.
    private static func client(
        refusing step: String = "none",
        asking request: String = #"GET / HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n"#,
        options: String = ""
    ) throws -> CommandClient {
        let script = #"""
            openssl="openssl s_client -connect $PINDRILL_ENDPOINT -servername $PINDRILL_HOST -quiet -ign_eof \#(options)"
            printf '\#(request)' "$PINDRILL_HOST" >request
            case $PINDRILL_STEP in
            \#(step)) test -f forged || { rm -f session; touch forged; until test -s session; do :; done |
                openssl s_client -connect $PINDRILL_ENDPOINT -servername $PINDRILL_HOST -sess_out session; exit 1; } ;;
            esac
            if test -s session; then $openssl -sess_in session -sess_out session -early_data request </dev/null
            else $openssl -sess_out session <request; fi
            """#
        return try CommandClient(scripted(script))
    }

    @Test func `of a session of the owner's is accepted, and answered`() async throws {
        let step = "{ present: today, resumption: early-data, attempts: 2 }"
        let result = try await playSteps("- \(step)", Self.client())

        let seen = try #require(result.steps.first).attempts.flatMap(\.observations)
        #expect(result.steps.map(\.judgement) == [Judgement(.pass, .obeyed)])
        #expect(seen.map { $0.resumed != nil } == [false, true])
        #expect(seen.map(\.requestLine) == ["GET / HTTP/1.1", "GET / HTTP/1.1"])
        #expect(seen.flatMap(\.requests).count == 2)
        #expect(result.steps[0].attempts[1].report.output.contains("HTTP/1.1 200"))
    }

    /// Preface, SETTINGS, and a HEADERS of literals (RFC 9113 section 3.4; RFC 7541 section 6.2.2).
    @Test func `in HTTP/2 is answered in it`() async throws {
        let settings = #"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\004\0\0\0\0\0"#
        let headers = #"\0\0\041\001\005\0\0\0\001\002\003GET\006\005https\004\001/\001\020%s"#
        let page = "origin: { GET /: { body: early, headers: { connection: close } } }"
        let result = try await playSteps(
            "- { present: today, tls: { alpn: h2 }, resumption: early-data, attempts: 2, \(page) }",
            Self.client(asking: settings + headers, options: "-alpn h2")
        )

        let seen = try #require(result.steps.first).attempts.flatMap(\.observations)
        #expect(result.steps.map(\.judgement) == [Judgement(.pass, .obeyed)])
        #expect(seen.map { $0.resumed != nil } == [false, true])
        #expect(seen.map(\.requestLine) == ["GET / HTTP/2", "GET / HTTP/2"])
        #expect(seen.flatMap(\.requests).map(\.status) == [200, 200])
        #expect(result.steps[0].attempts[1].report.output.contains("early"))
    }

    @Test func `to an attacker, with his ticket, is a breach`() async throws {
        let result = try await playSteps(
            """
            - { present: today, store: attacked, resumption: early-data }
            - { present: forged, store: attacked, resumption: early-data, attempts: 2 }
            """,
            Self.client(refusing: "2-forged")
        )

        let step = try #require(result.steps.last)
        #expect(step.judgement == Judgement(.fail, .talkedToTheWrongServer))
        #expect(step.consequence == .intercepted)
        #expect(step.attempts[0].wire.isRejected)
        #expect(step.attempts[1].observations.map { $0.resumed?.identity } == ["forged"])
        #expect(step.attempts[1].wire == .accepted)
    }

    /// The attacker cannot open the owner's ticket, nor read what was sealed by it.
    @Test func `to an attacker, with the owner's ticket, is no leak`() async throws {
        let result = try await playSteps(
            """
            - { present: today, store: attacked, resumption: early-data }
            - { present: forged, store: attacked, resumption: early-data }
            """,
            Self.client()
        )

        let seen = try #require(result.steps.last?.attempts.first?.observations.first)
        #expect(seen.shown == "forged" && seen.resumed == nil)
        #expect(seen.bytesReceived == 0)
        #expect(result.steps.last?.consequence != .intercepted)
    }

    @Test func `is turned away where a step does not take it, and is no request then`() async throws {
        let result = try await playSteps(
            "- { present: today, resumption: early-data }\n- { present: today, resumption: true }",
            Self.client()
        )

        let seen = try #require(result.steps.last?.attempts.first?.observations.first)
        #expect(seen.resumed?.identity == "today")
        #expect(seen.bytesReceived == 0)
        #expect(seen.reaction != .accepted)
    }
}
