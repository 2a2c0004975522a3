import MitmHarness
import MitmProxy
import NIOCore
import Pinning
import TestSupport
import Testing
import Witness

@testable import Scenarios

@Suite struct `The leak meter` {
    private static let canary = Canary()

    private static func leaks(_ text: String, in pieces: Int) throws -> [Leak] {
        var reader = RequestReader(canary: canary)
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            var buffer = ByteBuffer(bytes: bytes[start..<min(start + pieces, bytes.count)])
            do {
                while try reader.next(&buffer) != nil {}
            } catch {
                reader.search(unreadable: buffer)
                break
            }
        }
        return reader.leaks
    }

    @Test(arguments: [1, 7, 1000])
    func `says where a canary stands, in whatever pieces it comes`(pieces: Int) throws {
        let token = Self.canary.token()
        let text =
            "POST /a?t=\(token) HTTP/1.1\r\nX-Token: \(token)\r\nContent-Length: 40\r\n\r\n[[[[\(token)]]]]GET / HTTP/1.1\r\n\r\n"

        let leaks = try Self.leaks(text, in: pieces)

        #expect(leaks.map(\.place) == [.requestLine, .header("X-Token"), .body])
        #expect(leaks.map(\.offset) == text.utf8.indices(of: token))
    }

    @Test(arguments: [("GET /a?", Leak.Place.requestLine), ("GET / HTTP/1.1\r\nCookie: ", .header("Cookie"))])
    func `knows what a line holds that never ends`(beginning: String, place: Leak.Place) throws {
        let text = beginning + Self.canary.token()

        #expect(try Self.leaks(text, in: 5).map(\.place) == [place])
        #expect(try Self.leaks(beginning + "nothing", in: 5).isEmpty)
    }

    @Test(arguments: ["", "\n"]) func `finds what is in bytes that are no request`(end: String) throws {
        let leaks = try Self.leaks("\u{1}\u{2} \(Self.canary.token())\(end)", in: 1000)

        #expect(leaks == [Leak(.elsewhere, offset: 3)])
    }

    private static func command(_ options: String) -> CommandDeclaration {
        CommandDeclaration(
            run:
                "curl --silent --fail --max-time 60 --cacert {trust} --connect-to ::{endpoint} \(options) {url}?t={canary}",
            refused: OutcomeRule(exit: [60, 90])
        )
    }

    @Test(.enabled(if: Tool("curl") != nil, "curl is not installed"))
    func `names what reached an attacker and never says it`() async throws {
        let steps = "- { present: today, store: attacked }\n- { present: forged, store: attacked }"
        let options = "--user me:{canary} --cookie a=b --data x={canary}"

        let naive = try await playSteps(steps, CommandClient(Self.command(options)))
        let pinned = try await playSteps(steps, CommandClient(Self.command("--pinnedpubkey {pins} \(options)")))

        let connection = try #require(naive.steps[1].attempts[0].observations.first)
        #expect(connection.leaks.map(\.place) == [.requestLine, .header("Authorization"), .body])
        #expect(connection.requestLine == "POST /?t={canary} HTTP/1.1")
        let text = TextReport(width: 1000, isVerbose: true).render(naive)
        #expect(
            text.contains(
                "the canary of the request line reached an attacker ('evil') in connection 1, 9 bytes after the handshake"
            ),
            "\(text)"
        )
        #expect(text.contains("the canary of header Authorization reached an attacker ('evil') in connection 1, "))
        #expect(text.contains(" reached an attacker ('evil') in connection 1, with the header Cookie"))
        #expect(text.matches(of: /[0-9a-f]{32}/).isEmpty)
        #expect(!TextReport().render(pinned).contains("canary"))
        #expect(pinned.steps[1].attempts[0].observations.allSatisfy { $0.leaks.isEmpty })
    }
}

extension Sequence<UInt8> {
    /// Where a text stands in these bytes.
    fileprivate func indices(of text: String) -> [Int] {
        let (bytes, wanted) = (Array(self), Array(text.utf8))
        return bytes.indices.filter { bytes[$0...].starts(with: wanted) }
    }
}
