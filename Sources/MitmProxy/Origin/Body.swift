import NIOCore

/// The body of an answer, piece by piece, so that a long one is never whole in memory.
struct Body {
    private enum Rest {
        case bytes(ArraySlice<UInt8>)
        case download(Int)
        case events(ArraySlice<Route.Event>)
    }

    private var rest: Rest

    init(_ bytes: [UInt8] = []) { rest = .bytes(bytes[...]) }
    init(download count: Int) { rest = .download(count) }
    init(_ events: [Route.Event]) { rest = .events(events[...]) }

    var isOver: Bool {
        switch rest {
        case .bytes(let bytes): bytes.isEmpty
        case .download(let count): count == 0
        case .events(let events): events.isEmpty
        }
    }

    /// All of it, where it is there at once.
    var whole: ArraySlice<UInt8>? { if case .bytes(let bytes) = rest { bytes } else { nil } }

    /// Whether only its end tells how long it is.
    var isOpenEnded: Bool { if case .events = rest { true } else { false } }

    /// How long the next piece is to be held back.
    var delay: TimeAmount {
        if case .events(let events) = rest, let first = events.first { first.delay } else { .zero }
    }

    /// As much of it as comes where it breaks off.
    var half: Body {
        var half = self
        switch rest {
        case .bytes(let bytes): half.rest = .bytes(bytes.prefix(bytes.count / 2))
        case .download(let count): half.rest = .download(count / 2)
        case .events(let events): half.rest = .events(events.prefix(events.count / 2))
        }
        return half
    }

    mutating func next() -> ByteBuffer {
        switch rest {
        case .bytes(let bytes):
            rest = .bytes([])
            return ByteBuffer(bytes: bytes)
        case .download(let count):
            let piece = min(count, Body.filling.readableBytes)
            rest = .download(count - piece)
            return Body.filling.getSlice(at: 0, length: piece) ?? ByteBuffer()
        case .events(let events):
            rest = .events(events.dropFirst())
            return ByteBuffer(string: events.first?.text ?? "")
        }
    }

    private static let filling = ByteBuffer(repeating: UInt8(ascii: "p"), count: 1 << 16)
}
