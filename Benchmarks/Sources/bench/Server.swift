import Foundation

/// A server that is being measured, running on a core of its own.
final class Server {
    /// The core that servers run on; the load, and what stands behind a server, run on the other.
    static let core = 0
    static let otherCore = 1

    let name: String
    let port: Int
    /// The key-exchange group that it can be asked for.
    let group: String
    /// What a reader must know to compare it with the others.
    let remark: String
    private let process: Child
    /// What it needs to run, stopped with it.
    private let background: [Child]

    init(
        _ name: String,
        port: Int,
        group: String = "X25519",
        remark: String = "",
        process: Child,
        background: [Child] = []
    ) {
        self.name = name
        self.port = port
        self.group = group
        self.remark = remark
        self.process = process
        self.background = background
    }

    deinit { stop() }

    func stop() {
        process.stop()
        for child in background { child.stop() }
    }

    var id: pid_t { process.id }

    var usage: ProcessUsage { ProcessUsage(of: id) }

    /// Waits until somebody listens on a port of loopback.
    static func awaitListener(_ port: Int) throws {
        for _ in 0..<300 {
            if Loopback.accepts(port) { return }
            usleep(100_000)
        }
        throw Failure("nobody listens on port \(port) after 30 s")
    }
}

/// Ports of 127.0.0.1.
enum Loopback {
    /// A port that nobody uses now.
    static func freePort() throws -> Int {
        try withSocket { socket in
            var address = address(0)
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isBound = withGeneric(&address) { pointer in
                bind(socket, pointer, length) == 0 && getsockname(socket, pointer, &length) == 0
            }
            guard isBound else { throw Failure("no free port on 127.0.0.1") }
            return Int(UInt16(bigEndian: address.sin_port))
        }
    }

    static func accepts(_ port: Int) -> Bool {
        withSocket { socket in
            var address = address(port)
            return withGeneric(&address) { connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 }
        }
    }

    private static func withSocket<Result>(_ body: (Int32) throws -> Result) rethrows -> Result {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        return try body(descriptor)
    }

    private static func address(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func withGeneric<Result>(
        _ address: inout sockaddr_in,
        _ body: (UnsafeMutablePointer<sockaddr>) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0) }
        }
    }
}
