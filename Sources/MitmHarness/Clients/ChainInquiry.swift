import Foundation
package import MitmProxy
import NIOCore
import NIOPosix
package import TLSCore
import Witness

/// Asks a server which certificates it shows, and verifies none of them: whoever answers is believed.
package struct ChainInquiry: Sendable {
    /// Why no chain was seen, in words for the person who named the server.
    package struct Failure: Error, CustomStringConvertible, Sendable {
        package let description: String

        init(_ description: String) { self.description = description }
    }

    /// A name or an address, without brackets.
    package var host: String
    package var port: Int
    /// The name sent in the hello (SNI).
    package var serverName: String
    package var startTLS: StartTLS.Dialect?
    package var timeout: Duration
    /// Through whom the server is reached; `nil`: directly.
    package var proxy: UpstreamProxy?

    package init(
        host: String,
        port: Int,
        serverName: String? = nil,
        startTLS: StartTLS.Dialect? = nil,
        timeout: Duration = .seconds(10)
    ) {
        self.host = host
        self.port = port
        self.serverName = serverName ?? host
        self.startTLS = startTLS
        self.timeout = timeout
    }

    /// The chain as sent, leaf first; never empty. Ends after the timeout, whatever the server does.
    package func run() async throws(Failure) -> [Certificate] {
        let result = await withTaskGroup(of: Result<[Certificate], Failure>.self) { group in
            group.addTask { await asked() }
            group.addTask {
                try? await Task.sleep(for: timeout)
                return .failure(Failure("no answer within \(timeout.written)"))
            }
            defer { group.cancelAll() }
            return await group.next() ?? .failure(Failure("nothing happened"))
        }
        return try result.get()
    }

    private func asked() async -> Result<[Certificate], Failure> {
        do {
            return .success(try await ask())
        } catch let failure as Failure {
            return .failure(failure)
        } catch let error as NIOConnectionError {
            return .failure(Failure(Self.reason(error)))
        } catch let error as IOError where error.errnoCode == ECONNRESET || error.errnoCode == EPIPE {
            return .failure(Failure("the server broke the connection off before it showed a certificate"))
        } catch let error as IOError {
            return .failure(Failure(String(cString: strerror(error.errnoCode)).lowercased()))
        } catch {
            return .failure(Failure("\(error)"))
        }
    }

    private static func reason(_ error: NIOConnectionError) -> String {
        let numbers = error.connectionErrors.compactMap { ($0.error as? IOError)?.errnoCode }
        guard let number = numbers.last else {
            return error.connectionErrors.isEmpty ? "no such host" : "\(error)"
        }
        return switch number {
        case ECONNREFUSED: "connection refused: nothing listens there"
        case ETIMEDOUT: "no answer: the connection timed out"
        default: String(cString: strerror(number)).lowercased()
        }
    }

    private func connect() async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        let wrapped: @Sendable (any Channel) -> EventLoopFuture<NIOAsyncChannel<ByteBuffer, ByteBuffer>> = { channel in
            channel.eventLoop.submit { try NIOAsyncChannel(wrappingChannelSynchronously: channel) }
        }
        let group = MultiThreadedEventLoopGroup.singleton
        guard let proxy else {
            return try await ClientBootstrap(group: group).connectTimeout(.seconds(timeout.components.seconds + 1))
                .connect(host: host, port: port, channelInitializer: wrapped)
        }
        let way = Departure(reachable: AddressRange.everything, proxy: proxy)
        let channel = try await way.connect(to: host, port: port, on: group.next()).get()
        let asynchronous = try await wrapped(channel).get()
        try await channel.setOption(.autoRead, value: true).get()
        return asynchronous
    }

    private func ask() async throws -> [Certificate] {
        let engine = try TLSEngine(
            client: TLSContext(client: TLSSettings(versions: .tls1_0 ... .tls1_3), trust: nil),
            host: serverName,
            checksHost: false,
            at: nil
        )
        let channel = try await connect()
        return try await channel.executeThenClose { inbound, outbound in
            var inquiry = Inquiry(engine: engine, startTLS: startTLS)
            try await outbound.write(contentsOf: try inquiry.start())
            for try await bytes in inbound {
                let output = try inquiry.take(bytes)
                guard inquiry.chain.isEmpty else { return inquiry.chain }
                try await outbound.write(contentsOf: output)
            }
            throw Failure("the server closed the connection before it showed a certificate")
        }
    }
}

/// The part of an inquiry that needs no socket.
private struct Inquiry {
    let engine: TLSEngine
    private var talk: StartTLS?
    private var hasHeardTLS = false
    var chain: [Certificate] = []

    init(engine: TLSEngine, startTLS: StartTLS.Dialect?) {
        self.engine = engine
        talk = startTLS.map { StartTLS($0) }
    }

    mutating func start() throws -> [ByteBuffer] {
        guard let talk else { return try perform(engine.start()) }
        return try perform(talk.start())
    }

    mutating func take(_ bytes: ByteBuffer) throws -> [ByteBuffer] {
        if let actions = talk?.receive(bytes) { return try perform(actions) }
        if !hasHeardTLS, let first = bytes.readableBytesView.first {
            // Every TLS record begins with its type (RFC 8446 section 5.1).
            guard 20...24 ~= first else { throw plainText(bytes) }
            hasHeardTLS = true
        }
        return try perform(engine.receive(bytes))
    }

    private func plainText(_ bytes: ByteBuffer) -> ChainInquiry.Failure {
        let words = PlainText.shown(bytes.readableBytesView)
        let dialect: StartTLS.Dialect? =
            words.hasPrefix("'220") ? .smtp : words.hasPrefix("'* OK") ? .imap : words.hasPrefix("'+OK") ? .pop3 : nil
        let advice = dialect.map { "; it may start later: --starttls \($0.rawValue)" } ?? ""
        return ChainInquiry.Failure("no TLS there: the server answered plain text, \(words)\(advice)")
    }

    private mutating func perform(_ actions: [StartTLS.Action]) throws -> [ByteBuffer] {
        var output: [ByteBuffer] = []
        for action in actions {
            switch action {
            case .send(let bytes): output.append(bytes)
            case .begin:
                talk = nil
                output += try perform(engine.start())
            case .refuse(let words):
                throw ChainInquiry.Failure("the server does not start TLS" + (words.isEmpty ? "" : ": \(words)"))
            }
        }
        return output
    }

    private mutating func perform(_ actions: [TLSAction]) throws -> [ByteBuffer] {
        var output: [ByteBuffer] = []
        // A server that then demands a certificate of ours has shown its own all the same.
        chain = engine.presentedChain
        for action in actions {
            switch action {
            case .send(let bytes): output.append(bytes)
            case .record(.failed(let reason)) where chain.isEmpty:
                throw ChainInquiry.Failure("no TLS connection: \(reason)")
            case .record, .deliver, .chooseIdentity, .close: break
            }
        }
        return output
    }
}
