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
    /// Whether what came last only keeps a connection of HTTP/2: whole frames, and no part of a request or of what nobody
    /// knows.
    package private(set) var isUpkeep = false
    private var beginning: [UInt8] = []
    /// Of a frame: its beginning, the length of the rest, and whether it may carry what a client has to say (RFC 9113
    /// section 4.1).
    private var frameHead: [UInt8] = []
    private var frameLeft = 0
    private var isCarrier = false
    private var isBehindPreface = false

    package init() {}

    package mutating func receive(_ bytes: some RandomAccessCollection<UInt8>) {
        isUpkeep = false
        var index = bytes.startIndex
        while !isBehindPreface, index < bytes.endIndex {
            guard kind == .undecided else { return }
            let byte = bytes[index]
            bytes.formIndex(after: &index)
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
        if isBehindPreface { readFrames(bytes[index...]) }
    }

    private mutating func readFrames(_ bytes: some RandomAccessCollection<UInt8>) {
        var index = bytes.startIndex
        var hasCarried = false
        while index < bytes.endIndex {
            if frameLeft > 0 {
                let next = bytes.index(index, offsetBy: frameLeft, limitedBy: bytes.endIndex) ?? bytes.endIndex
                frameLeft -= bytes.distance(from: index, to: next)
                index = next
                hasCarried = hasCarried || isCarrier
                continue
            }
            frameHead.append(bytes[index])
            bytes.formIndex(after: &index)
            guard frameHead.count == 9 else { continue }
            frameLeft = frameHead[..<3].reduce(0) { $0 << 8 | Int($1) }
            isCarrier = !RequestDetector.upkeepFrames.contains(frameHead[3])
            hasCarried = hasCarried || isCarrier
            if frameHead[3] == RequestDetector.headersFrame { kind = .request }
            frameHead.removeAll(keepingCapacity: true)
        }
        isUpkeep = !hasCarried && frameHead.isEmpty
    }

    private static let headersFrame: UInt8 = 1
    /// PRIORITY, RST_STREAM, SETTINGS, PING, GOAWAY and WINDOW_UPDATE (RFC 9113 section 6), and PRIORITY_UPDATE (RFC 9218
    /// section 7.1).
    private static let upkeepFrames: Set<UInt8> = [2, 3, 4, 6, 7, 8, 16]
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
