import Crypto
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Asks a server whose key must be pinned, with swift-nio-ssl: nio-ssl HOST PORT TRUST [PINS].
///
/// A custom verification callback stands in the place of the chain's verification, and is shown what was sent; the
/// host's name is still checked.
@main struct Main {
    static func main() async {
        do { try await ask() } catch {
            // Whoever throws out of main ends by a signal, which is no word about the server.
            print(error)
            exit(1)
        }
    }

    private static func ask() async throws {
        let words = CommandLine.arguments
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .file(words[3])
        let context = try NIOSSLContext(configuration: tls)
        // An address is no name to be told in a handshake: the one that it is connected to counts.
        let name = (try? SocketAddress(ipAddress: words[1], port: 0)) == nil ? words[1] : nil
        let pins = words.dropFirst(4).first
        let check: @Sendable ([NIOSSLCertificate], EventLoopPromise<NIOSSLVerificationResult>) -> Void = {
            sent,
            promise in
            let key = (try? sent.first?.extractPublicKey().toSPKIBytes()) ?? []
            let pin = "sha256//" + Data(SHA256.hash(data: key)).base64EncodedString()
            let isPinned = pins?.contains(pin) == true
            if !isPinned { print("pin mismatch") }
            promise.succeed(isPinned ? .certificateVerified : .failed)
        }
        let answer = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: Int(words[2])!) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler =
                        pins == nil
                        ? try NIOSSLClientHandler(context: context, serverHostname: name)
                        : try NIOSSLClientHandler(
                            context: context,
                            serverHostname: name,
                            customVerificationCallback: check
                        )
                    try channel.pipeline.syncOperations.addHandler(handler)
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
                        wrappingChannelSynchronously: channel
                    )
                }
            }
        try await answer.executeThenClose { inbound, outbound in
            let headers: HTTPHeaders = ["host": words[1], "connection": "close"]
            do {
                try await outbound.write(
                    .head(HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: headers))
                )
                try await outbound.write(.end(nil))
            } catch ChannelError.ioOnClosedChannel {
                // What closed it is told to who reads.
            }
            for try await case .head(let head) in inbound {
                guard head.status == .ok else { throw Unexpected(status: head.status.code) }
                return
            }
            throw ChannelError.inputClosed
        }
    }
}

struct Unexpected: Error { var status: UInt }
