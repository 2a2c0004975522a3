import ArgumentParser
import MitmHarness
import MitmProxy
import TLSCore
import Witness

/// Servers that are asked for the chain they show now.
struct ServerSet: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A server, which is asked for the chain that it shows now. May be given repeatedly.",
            valueName: "host:port"
        )
    )
    var server: [String] = []

    @Option(
        name: [.customLong("sni"), .customLong("servername")],
        help: ArgumentHelp("The name to ask servers for (default: their host).", valueName: "name")
    )
    var serverName: String?

    @Option(
        name: .customLong("starttls"),
        help: ArgumentHelp("Start TLS as this protocol does.", valueName: "protocol")
    )
    var startTLS: StartTLS.Dialect?

    @Option(
        help: ArgumentHelp("How long a server may take, as in 500ms, 10s or 2m (default: 10s).", valueName: "time"),
        transform: Duration.init(limit:)
    )
    var timeout: Duration?

    func validate() throws {
        guard server.isEmpty, let option = given else { return }
        throw ValidationError("\(option) means nothing without --server")
    }

    private var given: String? {
        if serverName != nil { return "--sni" }
        if startTLS != nil { return "--starttls" }
        return timeout == nil ? nil : "--timeout"
    }

    /// One of them.
    struct Server: Sendable {
        /// As it was written.
        var name: String
        var host: String
        var port: Int
        /// The name that it is asked for.
        var asked: String
    }

    /// - Throws: `ValidationError` for what is no server.
    func servers() throws -> [Server] {
        try server.map { text in
            let place: (host: String, port: Int)?
            do {
                place = try PinsSource.server(text)
            } catch {
                throw ValidationError("--server '\(text)': \(error)")
            }
            guard let place else { throw ValidationError("--server '\(text)' is no server; write host:port") }
            return Server(name: text, host: place.host, port: place.port, asked: serverName ?? place.host)
        }
    }

    /// Each server with its chain, leaf first, or why it shows none; all are asked at once.
    ///
    /// - Parameter host: the name to ask for where none was said.
    func chains(host: String?) async throws -> [(server: Server, chain: Result<[Certificate], InputError>)] {
        var servers = try servers()
        if let host, serverName == nil { for index in servers.indices { servers[index].asked = host } }
        return await asked(servers.map { ($0, $0.host) }).map { ($0.server, $0.chain) }
    }

    /// - Parameter places: servers, each with the address or name to connect to.
    func asked(
        _ places: [(server: Server, address: String)]
    ) async -> [(server: Server, address: String, chain: Result<[Certificate], InputError>)] {
        await withTaskGroup(of: (Int, Result<[Certificate], InputError>).self) { group in
            for (index, place) in places.enumerated() {
                let inquiry = ChainInquiry(
                    host: place.address,
                    port: place.server.port,
                    serverName: place.server.asked,
                    startTLS: startTLS,
                    timeout: timeout ?? .seconds(10)
                )
                group.addTask {
                    do {
                        return (index, .success(try await inquiry.run()))
                    } catch {
                        let at = place.address == place.server.host ? "" : " (\(place.address))"
                        return (index, .failure(InputError("\(place.server.name)\(at): \(error)")))
                    }
                }
            }
            return await group.reduce(into: [Int: Result<[Certificate], InputError>]()) { $0[$1.0] = $1.1 }
                .sorted { $0.key < $1.key }.map { (places[$0.key].server, places[$0.key].address, $0.value) }
        }
    }
}
