package import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// nginx on loopback, with keys that PinDrill never sees.
package enum Nginx {
    private static let tool = Tool("nginx")

    /// Whether it is here, and what makes keys for it and asks it.
    package static let canServe = tool != nil && Tool.openssl != nil && Tool("curl") != nil

    private struct NoPort: Error {}

    /// Serves for as long as the body takes. Who made the folder removes it.
    ///
    /// - Parameter server: the directives of its one server, beside `listen`.
    package static func with<Value>(
        _ server: String,
        listening how: String = "ssl",
        in folder: URL,
        _ body: (_ port: Int) async throws -> Value
    ) async throws -> Value {
        guard let tool else { throw NoPort() }
        // A port that was free may be another's by the time that nginx has it.
        for _ in 0..<16 {
            let port = freePort()
            let places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
                "\($0)_temp_path '\(folder.path)/\($0)';"
            }
            let text = """
                daemon off; master_process off; pid '\(folder.path)/nginx.pid'; error_log stderr notice;
                events {}
                http { access_log off; \(places.joined()) server { listen 127.0.0.1:\(port) \(how); \(server) } }
                """
            let file = folder.appending(path: "nginx.conf")
            try text.write(to: file, atomically: true, encoding: .utf8)
            let pipe = Pipe()
            let arguments = ["-e", "stderr", "-c", file.path]
            let program = try ChildProgram(tool.url, arguments, environment: [:], errors: .pipe(pipe))
            guard isListening(pipe.fileHandleForReading) else { continue }
            // What it says later is not to fill the pipe.
            pipe.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
            defer {
                pipe.fileHandleForReading.readabilityHandler = nil
                program.signal(SIGKILL)
                program.waitUntilExit()
            }
            return try await body(port)
        }
        throw NoPort()
    }

    /// It tells how it polls once its sockets are open.
    private static func isListening(_ errors: FileHandle) -> Bool {
        var said = ""
        while case let more = errors.availableData, !more.isEmpty {
            said += String(decoding: more, as: UTF8.self)
            if said.contains("event method") { return true }
        }
        return false
    }

    private static func freePort() -> Int {
        #if canImport(Glibc)
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let socket = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(socket, $0, length)
                _ = getsockname(socket, $0, &length)
            }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
