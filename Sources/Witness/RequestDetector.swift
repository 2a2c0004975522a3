/// Says whether a client's plaintext is a request, as opposed to bytes that merely open a connection.
///
/// An HTTP/1 request counts from its first byte: whatever left the client, left it. Empty lines before it are passed
/// over, as servers do (RFC 9112 section 2.2). The preface of HTTP/2
/// (RFC 9113 section 3.4) does not count, because clients send it before they have judged the server; behind it the first
/// HEADERS does, and no other frame.
package struct RequestDetector: Sendable {
    /// What the bytes so far are.
    package enum Kind: Hashable, Sendable {
        case undecided
        case request
        case somethingElse
    }

    package private(set) var kind = Kind.undecided
    private var beginning: [UInt8] = []
    /// Of a frame: the length of the rest, and its type (RFC 9113 section 4.1).
    private var frameHead: [UInt8] = []
    private var frameLeft = 0
    private var isBehindPreface = false

    package init() {}

    package mutating func receive(_ bytes: some Sequence<UInt8>) {
        guard kind == .undecided || isBehindPreface else { return }
        for byte in bytes {
            if isBehindPreface {
                readFrame(byte)
                if kind == .request { return }
                continue
            }
            if beginning.isEmpty, byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") { continue }
            beginning.append(byte)
            guard RequestDetector.preface.starts(with: beginning) else {
                kind = RequestDetector.isToken(beginning[0]) ? .request : .somethingElse
                return
            }
            if beginning.count == RequestDetector.preface.count {
                kind = .somethingElse
                isBehindPreface = true
            }
        }
    }

    private mutating func readFrame(_ byte: UInt8) {
        guard frameLeft == 0 else { return frameLeft -= 1 }
        frameHead.append(byte)
        guard frameHead.count == 9 else { return }
        frameLeft = frameHead[..<3].reduce(0) { $0 << 8 | Int($1) }
        let headers: UInt8 = 1
        if frameHead[3] == headers { (kind, isBehindPreface) = (.request, false) }
        frameHead = []
    }

    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    /// `tchar` (RFC 9110 section 5.6.2): what a method, and the name of a field, may consist of.
    package static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            true
        default: "!#$%&'*+.^_`|~".utf8.contains(byte)
        }
    }
}
