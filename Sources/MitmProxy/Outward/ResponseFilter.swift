package import NIOCore

/// Takes `Alt-Svc` (RFC 7838 section 3) out of the answers of a real server in HTTP/1.1, and hands on every other byte as it
/// came: a client that is told of HTTP/3 leaves by QUIC, where nobody sees it. What it cannot read it lets through.
package struct ResponseFilter {
    private enum Place {
        case statusLine
        case fields
        case body(left: Int)
        case chunkSize
        case chunk(left: Int)
        case chunkEnd
        case trailers
        case unread
    }

    /// What a head says of what follows it.
    private struct Framing {
        var status = 0
        var length: Int?
        var isChunked = false
    }

    private var place = Place.statusLine
    private var framing = Framing()
    /// The beginning of a line whose end has not come.
    private var held = ByteBuffer()
    /// Whether the field before was taken out, with which a line that goes on goes, too.
    private var isTakenOut = false
    /// The methods of requests whose answers have not come.
    private var methods = CircularBuffer<String>()

    package init() {}

    /// What is answered next, as it was asked.
    package mutating func expectAnswer(to method: String) { methods.append(method) }

    /// A line that is longer is let through, with all that follows.
    private static let longestLine = 1 << 16

    /// What is let through of the next bytes; it lies where they lay, unless something was taken out of their middle.
    package mutating func pass(_ bytes: ByteBuffer) -> ByteBuffer {
        var input = bytes
        if held.readableBytes > 0 {
            held.writeBuffer(&input)
            (input, held) = (held, ByteBuffer())
        }
        let all = input
        var output = ByteBuffer()
        // Where what is let through begins, as far as it is not in `output`.
        var start = input.readerIndex
        reading: while input.readableBytes > 0 {
            switch place {
            case .unread: input.moveReaderIndex(to: input.writerIndex)
            case .body(let left):
                let count = skip(left, of: &input)
                if count == left { finish() } else { place = .body(left: left - count) }
            case .chunk(let left):
                let count = skip(left, of: &input)
                place = count == left ? .chunkEnd : .chunk(left: left - count)
            case .statusLine where !zip(input.readableBytesView, "HTTP/1.".utf8).allSatisfy({ $0 == $1 }):
                place = .unread
            case .statusLine, .fields, .chunkSize, .chunkEnd, .trailers:
                let line = input.readerIndex
                guard let end = input.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) else {
                    guard input.readableBytes <= Self.longestLine else {
                        place = .unread
                        continue
                    }
                    held = input.slice()
                    break reading
                }
                let isTakenOut = takesOut(input.readableBytesView[line..<end])
                input.moveReaderIndex(to: end + 1)
                guard isTakenOut else { continue }
                if let piece = all.getSlice(at: start, length: line - start) { output.writeImmutableBuffer(piece) }
                start = input.readerIndex
            }
        }
        let rest = all.getSlice(at: start, length: input.readerIndex - start) ?? ByteBuffer()
        guard output.readableBytes > 0 else { return rest }
        output.writeImmutableBuffer(rest)
        return output
    }

    /// What is held back, once no more comes.
    package mutating func rest() -> ByteBuffer {
        defer { held = ByteBuffer() }
        return held
    }

    /// Whether it could end here: as far as it was read nothing is owed.
    package var isWhole: Bool {
        switch place {
        case .statusLine: methods.isEmpty && held.readableBytes == 0
        case .unread: true
        case .fields, .body, .chunkSize, .chunk, .chunkEnd, .trailers: false
        }
    }

    private func skip(_ most: Int, of input: inout ByteBuffer) -> Int {
        let count = min(most, input.readableBytes)
        input.moveReaderIndex(forwardBy: count)
        return count
    }

    /// Reads a line without its LF, and says whether it is taken out.
    private mutating func takesOut(_ line: ByteBufferView) -> Bool {
        let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        switch place {
        case .statusLine:
            guard let status = Self.status(of: text) else {
                place = .unread
                return false
            }
            (framing, place, isTakenOut) = (Framing(status: status), .fields, false)
        case .fields:
            guard let first = text.first else {
                begin()
                return false
            }
            // Such a line goes on with the one before (RFC 9112 section 5.2).
            if first.isBlank { return isTakenOut }
            let colon = text.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
            let (name, value) = (text[..<colon].trimmed, text[colon...].dropFirst().trimmed)
            isTakenOut = false
            switch name.count {
            case 7 where name.isWord("alt-svc"): isTakenOut = true
            case 14 where name.isWord("content-length"):
                framing.length = Int(String(decoding: value, as: UTF8.self))
            case 17 where name.isWord("transfer-encoding"): framing.isChunked = value.suffix(7).isWord("chunked")
            default: break
            }
            return isTakenOut
        case .chunkSize:
            let digits = String(decoding: text, as: UTF8.self).prefix { $0.isHexDigit }
            guard let count = Int(digits, radix: 16) else {
                place = .unread
                return false
            }
            place = count == 0 ? .trailers : .chunk(left: count)
        case .chunkEnd: place = .chunkSize
        case .trailers: if text.isEmpty { finish() }
        case .body, .chunk, .unread: break
        }
        return false
    }

    /// The status of HTTP/1.0 or HTTP/1.1. A regular expression would be made anew for each answer, at a twentieth of what its
    /// connection costs.
    private static func status(of line: ByteBufferView) -> Int? {
        let bytes = Array(line.prefix(12))
        guard bytes.count == 12, bytes.starts(with: "HTTP/1.".utf8), bytes[7] == 0x30 || bytes[7] == 0x31,
            bytes[8] == 0x20,
            bytes[9...].allSatisfy({ 0x30...0x39 ~= $0 })
        else { return nil }
        return Int(String(decoding: bytes[9...], as: UTF8.self))
    }

    /// What follows a head (RFC 9112 section 6.3).
    private mutating func begin() {
        if framing.status == 101 { return place = .unread }
        if 100..<200 ~= framing.status { return place = .statusLine }
        let method = methods.first
        let isBare = method == "HEAD" || [204, 304].contains(framing.status)
        if isBare {
            finish()
        } else if method == "CONNECT", 200..<300 ~= framing.status {
            place = .unread
        } else if framing.isChunked {
            place = .chunkSize
        } else if let length = framing.length {
            if length > 0 { place = .body(left: length) } else { finish() }
        } else {
            // To the end of the connection.
            place = .unread
        }
    }

    private mutating func finish() {
        _ = methods.popFirst()
        place = .statusLine
    }
}
