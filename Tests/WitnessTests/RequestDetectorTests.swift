import TLSCore
import TestSupport
import Testing
import Witness

private let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

@Suite struct `A request detector` {
    @Test(
        arguments: [
            "GET / HTTP/1.1\r\n\r\n", "G", "get / http/1.1", "POST", "PUT", "PRIX", "PRI * HTTP/2.0\r\n\r\nSX",
            "PRI * HTTP/1.1\r\n\r\n", "!method", "~", "0",
            "\r\nGET / HTTP/1.1\r\n\r\n", "\n\r\nG",
        ]
    )
    func `sees a request from its first bytes`(text: String) {
        #expect(kind(Array(text.utf8)) == .request)
    }

    @Test(
        arguments: [
            [0], [0x16, 0x03, 0x01], [0xFF], [0x20], Array("\r\n{}".utf8), Array("{}".utf8), [0x80],
            preface, preface + [0, 0, 0, 4, 0, 0, 0, 0, 0],
        ] as [[UInt8]]
    )
    func `sees something else`(bytes: [UInt8]) {
        #expect(kind(bytes) == .somethingElse)
    }

    @Test func `F: sees a request of HTTP/2 in the first HEADERS, and in no other frame`() {
        let settings: [UInt8] = [0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 100]
        let ping: [UInt8] = [0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]
        let headers: [UInt8] = [0, 0, 1, 1, 5, 0, 0, 0, 1, 0x82]

        #expect(kind(preface + settings + ping) == .somethingElse)
        #expect(kind(preface + settings + ping + headers.prefix(8)) == .somethingElse)
        #expect(kind(preface + settings + ping + headers) == .request)
        #expect(kind(preface + settings + headers, piecewise: true) == .request)
    }

    @Test(arguments: 0..<preface.count)
    func `does not decide while it may be the preface of HTTP/2`(count: Int) {
        var detector = RequestDetector()

        detector.receive(preface[..<count])
        let early = detector.kind
        detector.receive(preface[count...])

        #expect(early == .undecided)
        #expect(detector.kind == .somethingElse)
    }

    @Test(arguments: 1..<preface.count)
    func `sees a request where the preface breaks off`(count: Int) {
        var bytes = Array(preface[..<count])
        bytes.append(preface[count] == 0x51 ? 0x52 : 0x51)

        #expect(kind(bytes) == .request)
        #expect(kind(bytes, piecewise: true) == .request)
    }

    @Test func `never changes its mind`() {
        var detector = RequestDetector()

        detector.receive([0])
        detector.receive(Array("GET / HTTP/1.1".utf8))

        #expect(detector.kind == .somethingElse)
    }

    @Test func `decides the same however the bytes are cut`() {
        var random = SplitMix64(seed: 3)

        for _ in 0..<500 {
            var bytes = Array(preface.prefix(Int.random(in: 0...preface.count, using: &random)))
            bytes += random.bytes(Int.random(in: 0..<30, using: &random))
            #expect(kind(bytes) == kind(bytes, piecewise: true))
        }
    }

    private func kind(_ bytes: [UInt8], piecewise: Bool = false) -> RequestDetector.Kind {
        var detector = RequestDetector()
        if piecewise {
            for byte in bytes { detector.receive([byte]) }
        } else {
            detector.receive(bytes)
        }
        return detector.kind
    }
}
