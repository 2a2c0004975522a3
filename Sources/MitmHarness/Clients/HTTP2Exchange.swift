import NIOCore
import NIOHPACK

/// As much of HTTP/2 (RFC 9113) as one question and its answer need.
enum HTTP2Exchange {
    private static let preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
    private static let headers: UInt8 = 1
    private static let settings: UInt8 = 4
    /// END_STREAM and END_HEADERS.
    private static let whole: UInt8 = 5

    /// What opens a connection, with a request for each of some hosts.
    static func requests(for hosts: [String]) -> ByteBuffer {
        var bytes = ByteBuffer(string: preface)
        write(ByteBuffer(), settings, flags: 0, stream: 0, to: &bytes)
        var encoder = HPACKEncoder(allocator: ByteBufferAllocator())
        for (index, host) in hosts.enumerated() {
            let fields: HPACKHeaders = [
                ":method": "GET", ":scheme": "https", ":path": "/", ":authority": host, "user-agent": "pindrill",
            ]
            var block = ByteBuffer()
            // It fails only between two blocks that were not ended.
            try? encoder.encode(headers: fields, to: &block)
            write(block, headers, flags: whole, stream: UInt32(index * 2 + 1), to: &bytes)
        }
        return bytes
    }

    /// The head of the first answer, as HTTP/1.1 writes it; `nil`: it is not there yet.
    static func head(in answer: ByteBuffer) -> String? {
        var bytes = answer
        while let start = bytes.readMultipleIntegers(as: (UInt8, UInt16, UInt8, UInt8, UInt32).self) {
            guard var content = bytes.readSlice(length: Int(start.0) << 16 | Int(start.1)) else { return nil }
            guard start.2 == headers else { continue }
            var decoder = HPACKDecoder(allocator: ByteBufferAllocator())
            guard let fields = try? decoder.decodeHeaders(from: &content) else { return nil }
            let others = fields.filter { !$0.name.hasPrefix(":") }.map { "\r\n\($0.name): \($0.value)" }
            return "HTTP/2 \(fields.first(name: ":status") ?? "") " + others.joined()
        }
        return nil
    }

    private static func write(
        _ content: ByteBuffer,
        _ type: UInt8,
        flags: UInt8,
        stream: UInt32,
        to bytes: inout ByteBuffer
    ) {
        let count = content.readableBytes
        bytes.writeMultipleIntegers(UInt8(count >> 16), UInt16(truncatingIfNeeded: count), type, flags, stream)
        bytes.writeImmutableBuffer(content)
    }
}
