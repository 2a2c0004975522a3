import AsyncHTTPClient
import Foundation
import NIOCore
import NIOSSL

/// Asks a server with AsyncHTTPClient: async-http-client URL PORT TRUST. It has no way to pin but by what it trusts.
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
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
        // As an HTTP proxy, PinDrill takes any host's name.
        configuration.proxy = .server(host: "127.0.0.1", port: Int(words[2])!)
        // Else it asks for ten seconds before it says what was wrong.
        configuration.connectionPool.retryConnectionEstablishment = false
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let result: Result<Void, any Error>
        do {
            let response = try await client.execute(HTTPClientRequest(url: words[1]), timeout: .seconds(20))
            result = response.status == .ok ? .success(()) : .failure(Unexpected(status: response.status.code))
        } catch {
            result = .failure(error)
        }
        try await client.shutdown()
        try result.get()
    }
}

struct Unexpected: Error { var status: UInt }
