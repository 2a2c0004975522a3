import NIOCore
import TestSupport
import Testing

@testable import TLSCore

/// JA4 of ClientHellos, against values that others have published.
struct JA4Tests {
    /// A ClientHello with these parts, as RFC 8446 section 4.1.2 writes it.
    private static func hello(
        legacy: UInt16 = 0x0303,
        ciphers: [UInt16],
        extensions: [(UInt16, [UInt8])]?
    ) -> [UInt8] {
        func two(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }
        var body = two(Int(legacy)) + [UInt8](repeating: 7, count: 32) + [0]
        body += two(ciphers.count * 2) + ciphers.flatMap { two(Int($0)) } + [1, 0]
        if let extensions {
            let list = extensions.flatMap { two(Int($0.0)) + two($0.1.count) + $0.1 }
            body += two(list.count) + list
        }
        return [1, 0] + two(body.count) + body
    }

    private static func words(_ text: String) -> [UInt16] {
        text.split(separator: ",").compactMap { UInt16($0, radix: 16) }
    }

    private static func list(_ numbers: [UInt16], lengthBytes: Int) -> [UInt8] {
        let bytes = numbers.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        return (lengthBytes == 2 ? [UInt8(bytes.count >> 8)] : []) + [UInt8(bytes.count & 0xFF)] + bytes
    }

    private static func contents(_ type: UInt16, signatures: String, alpn: [UInt8]) -> [UInt8] {
        switch type {
        case 13: list(words(signatures), lengthBytes: 2)
        case 16: [0, UInt8(alpn.count + 1), UInt8(alpn.count)] + alpn
        case 43: list([0x2A2A, 0x0304, 0x0303], lengthBytes: 1)
        default: []
        }
    }

    private static let chromeCiphers =
        "0a0a,1301,1302,1303,c02b,c02f,c02c,c030,cca9,cca8,c013,c014,009c,009d,002f,0035"
    private static let chromeSignatures = "0403,0804,0401,0503,0805,0501,0806,0601"

    /// The first is the example of FoxIO's own page, the second what browserleaks.com says of Chrome 143.
    @Test(arguments: [
        (
            "1a1a,0000,0017,ff01,000a,000b,0023,0010,0005,000d,0012,0033,002d,002b,001b,4469,caca,0015",
            "t13d1516h2_8daaf6152771_e5627efa2ab1"
        ),
        (
            "002d,0033,0010,fe0d,0017,44cd,0000,000b,000a,002b,ff01,0023,0012,0005,000d,001b",
            "t13d1516h2_8daaf6152771_d8a2da3f94cd"
        ),
    ])
    func `a browser's hello has its published fingerprint`(extensions: String, fingerprint: String) throws {
        let message = Self.hello(
            ciphers: Self.words(Self.chromeCiphers),
            extensions: Self.words(extensions).map {
                ($0, Self.contents($0, signatures: Self.chromeSignatures, alpn: Array("h2".utf8)))
            }
        )

        #expect(JA4(message: message)?.text == fingerprint)
    }

    @Test(arguments: [
        ("h2", "h2"), ("http/1.1", "h1"), ("x", "xx"), ("", "00"), ("\u{1}b", "02"), ("a-", "6d"),
    ])
    func `a protocol is told by its ends`(name: String, ends: String) throws {
        let message = Self.hello(
            ciphers: [0x1301],
            extensions: [(16, Self.contents(16, signatures: "", alpn: Array(name.utf8)))]
        )

        #expect(try #require(JA4(message: message)).text.prefix(10) == "t12i0101\(ends)")
    }

    @Test func `a hello with nothing in it has a fingerprint, and what is none has not`() {
        let empty = Self.hello(legacy: 0x0301, ciphers: [], extensions: nil)

        #expect(JA4(message: empty)?.text == "t10i000000_000000000000_000000000000")
        for cut in 0..<empty.count { #expect(JA4(message: Array(empty[..<cut])) == nil) }
        #expect(JA4(message: [2] + empty.dropFirst()) == nil)
    }

    @Test func `a server knows the fingerprint of what it was sent`() throws {
        let pair = try EnginePair(.present(Sample.server))

        pair.shakeHands()

        let hello = try #require(pair.server.choices.first)
        // The record's own header is five bytes long.
        let sent = Array(pair.client.sent.dropFirst(5))
        let message = sent.prefix(4 + sent[1...3].reduce(0) { $0 << 8 | Int($1) })
        #expect(hello.fingerprint == JA4(message: Array(message)))
        #expect(hello.fingerprint?.text.hasPrefix("t13d") == true)
        #expect(hello.fingerprint?.text.contains("h1_") == true)
    }

    @Test func `padding and resumption do not make another stack`() throws {
        func fingerprint(_ types: String) throws -> JA4 {
            let message = Self.hello(
                ciphers: [0x1301],
                extensions: Self.words(types).map { ($0, Self.contents($0, signatures: "0403", alpn: [])) }
            )
            return try #require(JA4(message: message))
        }

        let plain = try fingerprint("0000,000a,000d,002b")
        let resumed = try fingerprint("0000,000a,000d,002b,0015,002a,0029")
        let other = try fingerprint("0000,000a,000d,002b,0017")

        #expect(plain.text != resumed.text)
        #expect(plain.stack == resumed.stack)
        #expect(plain.stack != other.stack)
    }

    @Test(arguments: 0..<DamagedInputs.count(of: 2000))
    func `a damaged hello does no harm`(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        var message = Self.hello(
            ciphers: [0x1301],
            extensions: [(13, [0, 2, 4, 3]), (43, [2, 3, 4]), (16, [0, 3, 2, 104, 50])]
        )
        for _ in 0..<4 {
            message[Int.random(in: message.indices, using: &random)] = .random(in: 0...255, using: &random)
        }

        if let text = JA4(message: message)?.text {
            #expect(text.wholeMatch(of: /t..[di][0-9]{4}.._[0-9a-f]{12}_[0-9a-f]{12}/) != nil, "\(text)")
        }
    }
}
