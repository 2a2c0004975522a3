import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Asks a server with URLSession: url-session URL. On Linux no delegate is asked about the server's certificate, so
/// nothing can be pinned, and what is trusted is the system's.
@main struct Main {
    static func main() async throws {
        let (_, response) = try await URLSession.shared.data(from: URL(string: CommandLine.arguments[1])!)
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
    }
}
