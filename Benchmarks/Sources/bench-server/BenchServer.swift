import Foundation
import MitmProxy
import TLSCore

/// The proxy as its users start it, with default settings, alone in a process that can be weighed:
///
///     bench-server cached     shows every client one identity
///     bench-server minting    makes an identity for every new name
///
/// Prints its port, and serves until its input ends.
@main
struct BenchServer {
    static func main() async throws {
        let proxy = try await InterceptingProxy.start(presenting: presentation(CommandLine.arguments.dropFirst().first))
        print(proxy.port)
        fflush(nil)
        while readLine() != nil {}
        await proxy.stop()
    }

    private static func presentation(_ kind: String?) throws -> Presentation {
        let now = Date()
        let authority = try Authority(rootNamed: "Benchmark Root", now: now)
        let key = try PrivateKey(.p256)
        switch kind {
        case "cached":
            let template = CertificateTemplate.leaf(names: [SubjectName("api.acme.example")], now: now)
            return Presentation(try authority.identity(template, key: key))
        case "minting":
            return Presentation(.always(.minted(by: Minter(authority, key: key, now: now))))
        default:
            FileHandle.standardError.write(Data("usage: bench-server cached|minting\n".utf8))
            exit(64)
        }
    }
}
