import Foundation
import MitmProxy
import NIOCore
import TLSCore

/// The proxy as its users start it, with default settings, alone in a process that can be weighed:
///
///     bench-server cached     shows every client one identity
///     bench-server minting    makes an identity for every new name
///     bench-server relay PORT ROOT.pem    as the first, with a server of 127.0.0.1 behind it, of TLS, that the root vouches for
///     bench-server crowd      as the first, for as many connections at once as there are files, and in no hurry
///
/// Prints its port, and serves until its input ends.
@main
struct BenchServer {
    static func main() async throws {
        let words = Array(CommandLine.arguments.dropFirst())
        var configuration = ProxyConfiguration()
        if words.first == "crowd" {
            configuration.idleTimeout = .minutes(10)
            (configuration.connectionLimit, configuration.journalLimit) = (20_000, 20_000)
        }
        let proxy = try await InterceptingProxy.start(configuration, presenting: presentation(words))
        print(proxy.port)
        fflush(nil)
        while readLine() != nil {}
        await proxy.stop()
    }

    private static func presentation(_ words: [String]) throws -> Presentation {
        let now = Date()
        let authority = try Authority(rootNamed: "Benchmark Root", now: now)
        let key = try PrivateKey(.p256)
        let template = CertificateTemplate.leaf(names: [SubjectName("api.acme.example")], now: now)
        switch words.first {
        case "cached", "crowd": return Presentation(try authority.identity(template, key: key))
        case "relay" where words.count == 3:
            let roots = try PEM.certificates(in: String(contentsOfFile: words[2], encoding: .utf8))
            let trust = try TrustStore(roots.map { TrustAnchor($0) }, remembers: true)
            var presentation = Presentation(try authority.identity(template, key: key))
            presentation.relay = Upstream(
                host: "127.0.0.1",
                port: Int(words[1]) ?? 0,
                tls: .init(trust: trust, name: "api.acme.example")
            )
            return presentation
        case "minting":
            return Presentation(.always(.minted(by: Minter(authority, key: key, now: now))))
        default:
            FileHandle.standardError.write(Data("usage: bench-server cached|minting|crowd|relay PORT ROOT.pem\n".utf8))
            exit(64)
        }
    }
}
