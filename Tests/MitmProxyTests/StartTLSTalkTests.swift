import NIOCore
import TestSupport
import Testing
import Witness

@testable import MitmProxy

/// The talk in the clear before TLS, and what is said inside.
struct StartTLSTalkTests {
    @Test(arguments: [
        (StartTLSDialect.smtp, "EHLO me\r\nSTARTTLS\r\n"), (.imap, "a CAPABILITY\r\nb STARTTLS\r\n"),
        (.pop3, "CAPA\r\nSTLS\r\n"),
    ])
    func `TLS begins when it is asked for`(dialect: StartTLSDialect, question: String) throws {
        let steps = try steps(dialect, Array(question.utf8))

        #expect(steps.count == 2)
        guard case .answer(let offer)? = steps.first, case .begin? = steps.last else {
            Issue.record("\(steps)")
            return
        }
        #expect(String(decoding: offer, as: UTF8.self).contains(dialect == .pop3 ? "STLS" : "STARTTLS"))
    }

    @Test(arguments: [
        (StartTLSDialect.smtp, "MAIL FROM:<me@example.org>\r\n"), (.smtp, "AUTH PLAIN AG1lAHNlY3JldA==\r\n"),
        (.imap, "a LOGIN me secret\r\n"), (.imap, "a AUTHENTICATE PLAIN\r\n"), (.pop3, "USER me\r\n"),
        (.pop3, "PASS secret\r\n"),
    ])
    func `who goes on in the clear is known`(dialect: StartTLSDialect, question: String) throws {
        guard case .downgrade? = try steps(dialect, Array(question.utf8)).first else {
            Issue.record("\(question)")
            return
        }
    }

    @Test func `PostgreSQL asks for TLS, for GSSAPI, or goes on in the clear`() throws {
        let ssl: [UInt8] = [0, 0, 0, 8, 4, 0xD2, 0x16, 0x2F]
        let gss: [UInt8] = [0, 0, 0, 8, 4, 0xD2, 0x16, 0x30]
        let startup: [UInt8] = [0, 0, 0, 16, 0, 3, 0, 0] + Array("user\0me\0".utf8)

        #expect(try steps(.postgres, gss + ssl) == [.answer([UInt8(ascii: "N")]), .begin([UInt8(ascii: "S")])])
        guard case .downgrade? = try steps(.postgres, startup).first else {
            Issue.record("a StartupMessage")
            return
        }
        #expect(throws: StartTLSTalk.Malformed.self) { try steps(.postgres, [0, 0, 0, 8, 1, 2, 3, 4]) }
    }

    @Test(arguments: StartTLSDialect.allCases)
    func `damaged bytes end in an answer or in one fault`(dialect: StartTLSDialect) {
        let samples: [StartTLSDialect: [UInt8]] = [
            .smtp: Array("EHLO me\r\nMAIL FROM:<a@b>\r\nDATA\r\nx\r\n.\r\nSTARTTLS\r\nQUIT\r\n".utf8),
            .imap: Array("a CAPABILITY\r\nb LOGIN me secret\r\nc SELECT INBOX\r\nd STARTTLS\r\ne LOGOUT\r\n".utf8),
            .pop3: Array("CAPA\r\nUSER me\r\nPASS x\r\nLIST 1\r\nSTLS\r\nQUIT\r\n".utf8),
            .postgres: [0, 0, 0, 8, 4, 0xD2, 0x16, 0x2F, 0, 0, 0, 16, 0, 3, 0, 0] + Array("user\0me\0Q".utf8)
                + [0, 0, 0, 5, 0],
        ]
        var random = SplitMix64(seed: 11)
        let good = samples[dialect] ?? []

        for _ in 0..<DamagedInputs.count(of: 100_000) {
            var damaged = Array(good.prefix(Int.random(in: 0...good.count, using: &random)))
            for _ in 0..<Int.random(in: 0...3, using: &random) where !damaged.isEmpty {
                damaged[Int.random(in: damaged.indices, using: &random)] = .random(in: .min ... .max, using: &random)
            }
            let steps = (try? steps(dialect, damaged)) ?? []
            #expect(steps.count <= damaged.count)
            var inside = LineOrigin(dialect)
            _ = inside.receive(ByteBuffer(bytes: damaged))
        }
    }

    private func steps(_ dialect: StartTLSDialect, _ bytes: [UInt8]) throws -> [StartTLSTalk.Step] {
        var talk = StartTLSTalk(dialect)
        var buffer = ByteBuffer(bytes: bytes)
        var steps: [StartTLSTalk.Step] = []
        while let step = try talk.next(&buffer) { steps.append(step) }
        return steps
    }
}
