import Foundation
import Synchronization

/// The TCP streams of clients as packets, with the secrets that decrypt them, in the form pcapng
/// (draft-ietf-opsawg-pcapng). The packets are rebuilt from what was read and written: no network was listened to.
package final class PacketCapture: Sendable {
    /// One trial's packets: a network interface with its name.
    package final class Interface: Sendable {
        private let capture: PacketCapture
        private let number: UInt32
        private let room: Mutex<Int>

        fileprivate init(_ capture: PacketCapture, number: UInt32) {
            (self.capture, self.number) = (capture, number)
            room = Mutex(capture.limit)
        }

        /// Writes one packet, unless the trial has had its share.
        func write(_ packet: [UInt8], at time: Date) {
            let block = Block(type: 6) { [number] body in
                let microseconds = UInt64(max(0, time.timeIntervalSince1970) * 1_000_000)
                body.add(number)
                body.add(UInt32(microseconds >> 32))
                body.add(UInt32(truncatingIfNeeded: microseconds))
                body.add(UInt32(packet.count))
                body.add(UInt32(packet.count))
                body.pad(packet)
            }
            let (fits, isFirst) = room.withLock { room in
                defer { room -= block.bytes.count }
                return (room >= block.bytes.count, room >= 0)
            }
            if fits { return capture.write(block.bytes) }
            if isFirst { capture.state.withLock { $0.full += 1 } }
            // Nothing behind a gap either.
            room.withLock { $0 = -1 }
        }
    }

    private struct State {
        var interfaces: UInt32 = 0
        var full = 0
    }

    private let state = Mutex(State())
    private let limit: Int
    private let write: @Sendable ([UInt8]) -> Void

    /// - Parameters:
    ///   - comment: what the file says of itself, where `commentOffset` tells.
    ///   - limit: how many bytes each trial may write.
    ///   - write: takes one block after the other, from any thread.
    package init(comment: String, limit: Int = 64 << 20, write: @escaping @Sendable ([UInt8]) -> Void) {
        self.limit = limit
        self.write = write
        let header = Block(type: 0x0A0D_0D0A) { body in
            body.add(0x1A2B_3C4D as UInt32)
            body.add(1 as UInt16)
            body.add(0 as UInt16)
            // The length of the section is not known.
            body.add(UInt64.max)
            body.add(option: 1, comment)
            body.endOptions()
        }
        write(header.bytes)
    }

    /// Where a file's comment begins, behind the fixed fields of its first block and the option's own header.
    package static let commentOffset = 28

    /// How many trials carried more than was written of them.
    package var fullTrials: Int { state.withLock { $0.full } }

    package func interface(named name: String) -> Interface {
        state.withLock { state in
            defer { state.interfaces += 1 }
            let block = Block(type: 1) { body in
                // Packets begin with the header of IP (LINKTYPE_RAW), and none is cut.
                body.add(101 as UInt16)
                body.add(0 as UInt16)
                body.add(0 as UInt32)
                body.add(option: 2, name)
                body.endOptions()
            }
            // Its number is its place in the file.
            write(block.bytes)
            return Interface(self, number: state.interfaces)
        }
    }

    /// - Parameter line: of the NSS key log format. It stands before the packets that it decrypts.
    package func add(secret line: String) {
        let block = Block(type: 10) { body in
            body.add(0x544C_534B as UInt32)
            body.add(UInt32(line.utf8.count + 1))
            body.pad(Array("\(line)\n".utf8))
        }
        write(block.bytes)
    }
}

/// One block, whose length stands before its body and behind it. Numbers are in little-endian order.
private struct Block {
    private(set) var bytes: [UInt8] = []

    init(type: UInt32, _ body: (inout Block) -> Void) {
        add(type)
        add(0 as UInt32)
        body(&self)
        add(UInt32(bytes.count + 4))
        bytes.replaceSubrange(4..<8, with: bytes.suffix(4))
    }

    mutating func add(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Up to a border of 32 bits.
    mutating func pad(_ content: [UInt8]) {
        bytes += content
        bytes += [UInt8](repeating: 0, count: -content.count & 3)
    }

    mutating func add(option: UInt16, _ text: String) {
        let content = Array(text.utf8.prefix(Int(UInt16.max)))
        add(option)
        add(UInt16(content.count))
        pad(content)
    }

    mutating func endOptions() { add(0 as UInt32) }
}
