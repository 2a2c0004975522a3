import NIOCore
import TLSCore
import TestSupport
import Testing

/// How plaintext comes out of an engine.
struct DeliveryTests {
    @Test func `many records come out together, and before what came behind them`() throws {
        let pair = try EnginePair(.present(Sample.server))
        pair.shakeHands()
        let said = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        for start in stride(from: 0, to: said.count, by: 1000) {
            pair.send(Array(said[start..<(start + 1000)]), from: pair.server)
        }
        pair.close(pair.server)

        let actions = pair.client.engine.receive(ByteBuffer(bytes: pair.takeUnread(by: pair.client)))

        let pieces: [[UInt8]] = actions.prefix(2).map {
            if case .deliver(let plaintext) = $0 { Array(plaintext.readableBytesView) } else { [] }
        }
        #expect(pieces.map(\.count) == [65_536, 34_464])
        #expect(pieces.flatMap(\.self) == said)
        guard case .record(.alert(.inward, let alert))? = actions.dropFirst(2).first else {
            Issue.record("no alert behind them")
            return
        }
        #expect(alert.number == 0)
    }

    @Test(arguments: [1, 5, 6, 16_000, 16_405, 16_406, 70_000])
    func `it comes whole, in whatever pieces its records come`(chunk: Int) throws {
        let pair = try EnginePair(.present(Sample.server))
        pair.shakeHands()
        let said = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 / 3) }

        pair.send(said, from: pair.server)
        pair.send([1, 2, 3], from: pair.client)
        pair.pump(chunk: chunk)

        #expect(pair.client.delivered == said)
        #expect(pair.server.delivered == [1, 2, 3])
    }

    @Test func `nothing is made of what comes behind the end`() throws {
        let pair = try EnginePair(.present(Sample.server))
        pair.client.engine.keepsHalfOpen = true
        pair.shakeHands()
        pair.close(pair.server)
        pair.pump()

        let actions = pair.client.engine.receive(ByteBuffer(repeating: 0x17, count: 100_000))

        #expect(pair.client.engine.hasHeardAll)
        #expect(actions.isEmpty)
        pair.send([1], from: pair.client)
        #expect(!pair.takeUnread(by: pair.server).isEmpty)
    }
}
