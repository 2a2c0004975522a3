import NIOCore
import NIOPosix
import Synchronization
import TLSCore
import Witness

/// Answers every name with an address of its own (RFC 1035), so that it is known who goes there.
///
/// The addresses are those of 198.18.0.0/15, which belong to nobody (RFC 2544).
final class NameServer: Sendable {
    private struct State {
        var addresses: [String: UInt32] = [:]
        var names: [String] = []
        /// What was asked for since that was last wanted to be known.
        var asked: Set<String> = []
        /// What came that is no question.
        var unreadable: [[UInt8]] = []
        var channel: (any Channel)?
    }

    private let state = Mutex(State())
    private let socket: CInt

    init(socket: CInt) { self.socket = socket }

    private static let first: UInt32 = 198 << 24 | 18 << 16 | 1
    /// As many as there are addresses, but for the last.
    private static let limit = (1 << 17) - 2

    func start() async throws {
        let channel = try await DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NameServerHandler(self))
                }
            }
            .withBoundSocket(socket).get()
        state.withLock { $0.channel = channel }
    }

    func stop() async { try? await state.withLock { $0.channel }?.close().get() }

    /// The name for which an address was given.
    func name(of address: String) -> String? {
        guard case .ip(let bytes) = SubjectName(address), bytes.count == 4 else { return nil }
        let number = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return state.withLock { state in
            guard number >= Self.first, Int(number - Self.first) < state.names.count else { return nil }
            return state.names[Int(number - Self.first)]
        }
    }

    /// The address of a name; `nil` where there is no room for another.
    private func address(of name: String) -> UInt32? {
        if name == "localhost" || name.hasSuffix(".localhost") { return 127 << 24 | 1 }
        return state.withLock { state in
            if let known = state.addresses[name] { return known }
            guard state.names.count < Self.limit else { return nil }
            let address = Self.first + UInt32(state.names.count)
            state.names.append(name)
            state.addresses[name] = address
            return address
        }
    }

    /// The names with a token in them that were asked for since this was last asked: whoever answers for them has it.
    func takeNames(with canary: Canary?) -> [Observation] {
        let asked = state.withLock { state in
            defer { state.asked = [] }
            return state.asked
        }
        return asked.sorted().compactMap { name in
            guard let offset = canary?.places(in: Array(name.utf8)).first else { return nil }
            var observation = Observation([.cleartext(host: name)], firstBytes: Array(name.utf8))
            observation.leaks = [Leak(.lookup, offset: offset)]
            return observation
        }
    }

    /// What came since this was last asked that is no question: datagrams like any other.
    func takeUnreadable() -> [[UInt8]] {
        state.withLock { state in
            defer { state.unreadable = [] }
            return state.unreadable
        }
    }

    private static let mostUnreadable = 64

    private func keep(unreadable query: ByteBuffer) {
        state.withLock { state in
            if state.unreadable.count < Self.mostUnreadable { state.unreadable.append(Array(query.readableBytesView)) }
        }
    }

    private enum Code {
        static let (none, malformed, failed, noSuchName): (UInt16, UInt16, UInt16, UInt16) = (0, 1, 2, 3)
    }

    /// `nil` where nothing is to be said.
    func answer(to query: ByteBuffer) -> ByteBuffer? {
        let whole = query
        var query = query
        guard
            let (id, flags, questions, _, _, _) = query.readMultipleIntegers(
                as: (UInt16, UInt16, UInt16, UInt16, UInt16, UInt16).self
            ), flags & 0x8000 == 0
        else {
            keep(unreadable: whole)
            return nil
        }
        var answer = ByteBuffer()
        func begin(_ code: UInt16, questions: UInt16 = 0, answers: UInt16 = 0) {
            // An answer, recursion wanted as before and to be had.
            let flags = 0x8080 | flags & 0x0100 | code
            answer.writeMultipleIntegers(id, flags, questions, answers, UInt16(0), UInt16(0))
        }
        let rest = query
        guard questions == 1, let labels = Self.labels(&query),
            let (type, kind) = query.readMultipleIntegers(as: (UInt16, UInt16).self),
            var question = rest.getSlice(at: rest.readerIndex, length: query.readerIndex - rest.readerIndex)
        else {
            keep(unreadable: whole)
            begin(Code.malformed)
            return answer
        }
        let name = labels.joined(separator: ".").lowercased()
        state.withLock { _ = $0.asked.insert(name) }
        let isAddress = kind == 1 && type == 1 && !name.isEmpty
        guard isAddress, let address = address(of: name) else {
            // There are names, but no other facts about them.
            begin(isAddress ? Code.failed : name.hasSuffix(".arpa") ? Code.noSuchName : Code.none, questions: 1)
            answer.writeBuffer(&question)
            return answer
        }
        begin(Code.none, questions: 1, answers: 1)
        answer.writeBuffer(&question)
        // The name of the question, once more; A, IN, for a minute.
        answer.writeMultipleIntegers(UInt16(0xC00C), UInt16(1), UInt16(1), UInt32(60), UInt16(4), address)
        return answer
    }

    private static func labels(_ bytes: inout ByteBuffer) -> [String]? {
        var labels: [String] = []
        while let length: UInt8 = bytes.readInteger() {
            if length == 0 { return labels }
            guard length < 64, let label = bytes.readBytes(length: Int(length)) else { return nil }
            labels.append(String(decoding: label, as: UTF8.self))
        }
        return nil
    }
}

private final class NameServerHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>
    typealias OutboundOut = AddressedEnvelope<ByteBuffer>

    private let names: NameServer

    init(_ names: NameServer) { self.names = names }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let query = unwrapInboundIn(data)
        guard let answer = names.answer(to: query.data) else { return }
        let envelope = AddressedEnvelope(remoteAddress: query.remoteAddress, data: answer)
        context.writeAndFlush(wrapOutboundOut(envelope), promise: nil)
    }

    /// One that cannot be answered harms nobody else.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}
