/// What a program wrote to one stream: all of it, or its head and its tail if it wrote too much.
///
/// A program's usage error stands at the beginning and its last words at the end; a hundred megabytes of noise between
/// them must cost neither our memory nor those words. So half of the limit is kept from the front, half from the back.
package struct CapturedOutput: Sendable, Equatable {
    /// How many bytes are kept at most.
    package let limit: Int

    /// How many bytes the program wrote, kept or not.
    package private(set) var totalCount = 0

    private var head: [UInt8] = []
    /// May hold up to twice its share: trimming at every chunk would move the bytes again and again.
    private var tail: [UInt8] = []

    package init(limit: Int) {
        self.limit = max(0, limit)
    }

    /// How many bytes were thrown away between head and tail.
    package var omittedCount: Int { totalCount - bytes.count }

    /// The bytes that are kept, at most `limit`: head, then tail.
    package var bytes: [UInt8] { head + tail.suffix(tailLimit) }

    /// The kept bytes as UTF-8 (malformed bytes replaced), with a line that says what is missing where it is missing.
    package var text: String {
        guard omittedCount > 0 else { return String(decoding: bytes, as: UTF8.self) }
        return String(decoding: head, as: UTF8.self)
            + "\n[... \(omittedCount) bytes left out ...]\n"
            + String(decoding: tail.suffix(tailLimit), as: UTF8.self)
    }

    package static func == (one: Self, other: Self) -> Bool {
        one.limit == other.limit && one.totalCount == other.totalCount && one.bytes == other.bytes
    }

    mutating func append(_ chunk: UnsafeRawBufferPointer) {
        totalCount += chunk.count
        let toHead = min(chunk.count, headLimit - head.count)
        head.append(contentsOf: chunk.prefix(toHead))
        tail.append(contentsOf: chunk.dropFirst(toHead).suffix(tailLimit))
        if tail.count > 2 * tailLimit {
            tail.removeFirst(tail.count - tailLimit)
        }
    }

    private var headLimit: Int { limit / 2 }
    private var tailLimit: Int { limit - headLimit }
}
