import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Asks a server with URLSession: url-session URL. On Linux no delegate is asked about the server's certificate, so
/// nothing can be pinned, and what is trusted is the system's.
@main struct Main {
    static func main() async {
        do { try await ask() } catch {
            // Whoever throws out of main ends by a signal, which is no word about the server.
            print(error)
            exit(1)
        }
    }

    private static func ask() async throws {
        let (_, response) = try await URLSession.shared.data(from: URL(string: CommandLine.arguments[1])!)
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
    }
}
