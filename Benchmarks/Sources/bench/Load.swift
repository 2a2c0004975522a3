import Foundation

/// What `bench-load` does to a server.
struct Load {
    /// Whom the connections ask for.
    enum Names: String {
        /// All for one host, which every server has an identity for.
        case same
        /// Each for a name that was never asked for.
        case new
    }

    struct Outcome {
        let completed: Int
        let failed: Int

        init(parsing line: String?) throws {
            let counts = (line ?? "").split(separator: " ").compactMap { Int($0) }
            guard counts.count == 2 else { throw Failure("bench-load said nothing") }
            (completed, failed) = (counts[0], counts[1])
        }
    }

    /// Enough for a server to be always busy, or the generator's core.
    private static let threads = 24

    let workshop: Workshop

    /// That many handshakes, each with one request, to the end of the last.
    func handshakes(_ count: Int, _ names: Names, with server: Server) throws -> Outcome {
        try outcome(of: ["count", "\(server.port)", server.group, names.rawValue, "\(Load.threads)", "\(count)"])
    }

    /// That many requests of HTTP/2 on each connection.
    func streams(connections: Int, each requests: Int, with server: Server) throws -> Outcome {
        try outcome(of: ["http2", "\(server.port)", server.group, "\(connections)", "\(requests)"])
    }

    /// Opens connections, and asks on each when all are open.
    func crowd(_ count: Int, with server: Server) throws -> Outcome {
        try outcome(of: ["crowd", "\(server.port)", server.group, "\(count)"])
    }

    /// Reads so many bytes at most, and as fast as said: kB, and in how many milliseconds in place of what failed.
    func pull(_ bytes: Int, rate: Int = 0, with server: Server) throws -> Outcome {
        try outcome(of: ["pull", "\(server.port)", server.group, "\(rate)", "\(bytes)"])
    }

    private func outcome(of words: [String]) throws -> Outcome {
        let process = try start(words)
        defer { process.wait() }
        return try Outcome(parsing: try process.readLine())
    }

    /// Opens connections, and lets `body` look while they say nothing.
    func holding(_ count: Int, with server: Server, _ body: (Outcome) throws -> Void) throws {
        let process = try start(["idle", "\(server.port)", server.group, "\(count)"])
        defer { process.stop() }
        try body(try Outcome(parsing: try process.readLine()))
    }

    private func start(_ words: [String]) throws -> Child {
        try Child([workshop.program("bench-load")] + words, core: Server.otherCore, output: .captured)
    }
}
