package import NIOCore

/// Cuts a stream of bytes at the borders of TLS records (RFC 8446 section 5.1), and keeps nothing back: an unfinished
/// record is handed on in as many pieces as it comes in.
package struct RecordSplitter {
    private var headerSeen = 0
    private var bodyLeft = 0

    package init() {}

    /// Takes out the bytes up to the end of the record that they begin with, or all of them; `nil` when there are none.
    package mutating func next(_ bytes: inout ByteBuffer) -> ByteBuffer? {
        let view = bytes.readableBytesView
        guard !view.isEmpty else { return nil }
        var count = 0
        for byte in view.prefix(RecordSplitter.headerLength - headerSeen) {
            // The last two bytes of the header are the length of the body.
            if headerSeen >= RecordSplitter.headerLength - 2 { bodyLeft = bodyLeft << 8 | Int(byte) }
            headerSeen += 1
            count += 1
        }
        guard headerSeen == RecordSplitter.headerLength else { return bytes.readSlice(length: count) }
        let body = min(bodyLeft, view.count - count)
        bodyLeft -= body
        if bodyLeft == 0 { headerSeen = 0 }
        return bytes.readSlice(length: count + body)
    }

    private static let headerLength = 5
}
