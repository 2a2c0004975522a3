import Foundation
import MitmProxy
import NIOCore
import Synchronization
import TLSCore
import Testing

/// What is written of connections, without the programs that read it.
struct CaptureTests {
    /// What was written, block by block.
    private final class Blocks: Sendable {
        let all = Mutex<[[UInt8]]>([])

        /// The types of the blocks, in their order.
        var types: [UInt8] { all.withLock { $0.map { $0[0] } } }
    }

    private func capture(limit: Int = 1 << 20) async throws -> (Blocks, PacketCapture) {
        let blocks = Blocks()
        let capture = PacketCapture(comment: "c", limit: limit) { block in blocks.all.withLock { $0.append(block) } }
        var configuration = ProxyConfiguration()
        configuration.capture = capture.interface(named: "trial")
        configuration.tls.secrets = SecretLog { capture.add(secret: $0) }
        try await Fixture.withProxy(configuration) { proxy in
            let client = try TLSClient(proxy.port, trust: Fixture.trust)
            #expect(client.shakeHands())
            _ = client.ask(until: Fixture.bodyEnd)
            client.close()
            // Its own connections carry nothing, and leave nothing.
            _ = try await proxy.settle()
        }
        return (blocks, capture)
    }

    @Test func `each block has its length at both ends, and every secret stands before what it decrypts`() async throws
    {
        let (blocks, capture) = try await capture()

        for block in blocks.all.withLock({ $0 }) {
            #expect(block.count % 4 == 0)
            #expect(block[4..<8] == block.suffix(4))
            #expect(block[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) } == block.count)
        }
        // A section, an interface, secrets, and only then the hello that brought them about.
        #expect(blocks.types.prefix(3) == [0x0A, 1, 0x0A])
        #expect(blocks.types.last == 6)
        #expect(capture.fullTrials == 0)
    }

    @Test func `a trial that has had its share says so, and nothing of it stands behind the gap`() async throws {
        let (all, _) = try await capture()
        let (some, capture) = try await capture(limit: 600)

        #expect(capture.fullTrials == 1)
        #expect(some.all.withLock { $0.filter { $0[0] == 6 }.reduce(0) { $0 + $1.count } } <= 600)
        #expect(some.types.count < all.types.count)
    }
}
