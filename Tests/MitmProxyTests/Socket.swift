import TLSCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A blocking TCP connection to a port on loopback: as plain and as rude as a client can be.
final class Socket {
    enum Family: CaseIterable { case v4, v6 }

    struct Failure: Error { let call: String, number: Int32 }

    private var descriptor: Int32

    init(port: Int, family: Family = .v4, patience: Int = 5) throws {
        #if canImport(Darwin) || canImport(Musl)
        let stream = SOCK_STREAM
        #else
        let stream = Int32(SOCK_STREAM.rawValue)
        #endif
        descriptor = socket(family == .v4 ? AF_INET : AF_INET6, stream, 0)
        guard descriptor >= 0 else { throw Failure(call: "socket", number: errno) }
        // No test waits for ever: a silent proxy reads as one that hung up.
        set(SOL_SOCKET, SO_RCVTIMEO, timeval(tv_sec: patience, tv_usec: 0))
        set(SOL_SOCKET, SO_SNDTIMEO, timeval(tv_sec: patience, tv_usec: 0))
        set(Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
        #if canImport(Darwin)
        set(SOL_SOCKET, SO_NOSIGPIPE, Int32(1))
        #endif
        let status: Int32
        switch family {
        case .v4:
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = in_port_t(port).bigEndian
            address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
            status = connect(to: address)
        case .v6:
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = in_port_t(port).bigEndian
            address.sin6_addr = in6addr_loopback
            status = connect(to: address)
        }
        guard status == 0 else {
            let number = errno
            close()
            throw Failure(call: "connect", number: number)
        }
    }

    deinit { close() }

    /// Whether everything was taken.
    @discardableResult
    func write(_ bytes: some Collection<UInt8>) -> Bool {
        var rest = Array(bytes)[...]
        #if canImport(Darwin)
        let flags: Int32 = 0
        #else
        let flags = Int32(MSG_NOSIGNAL)
        #endif
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    @discardableResult
    func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    /// What comes next; empty at the end of the stream, after a reset, or after five seconds.
    func read() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return Array(bytes.prefix(max(0, count)))
    }

    func readToEnd() -> [UInt8] {
        var all: [UInt8] = []
        while case let bytes = read(), !bytes.isEmpty { all += bytes }
        return all
    }

    /// The error after which nothing more comes; 0 at the end of the stream.
    func errorAtEnd() -> Int32 {
        var bytes = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = recv(descriptor, &bytes, bytes.count, 0)
            if count <= 0 { return count < 0 ? errno : 0 }
        }
    }

    /// Says that no more will be written, and reads on.
    func shutWritingSide() { shutdown(descriptor, Int32(SHUT_WR)) }

    func close() {
        guard descriptor >= 0 else { return }
        #if canImport(Darwin)
        Darwin.close(descriptor)
        #elseif canImport(Glibc)
        Glibc.close(descriptor)
        #else
        Musl.close(descriptor)
        #endif
        descriptor = -1
    }

    /// Closes with a RST instead of a FIN.
    func reset() {
        set(SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
        close()
    }

    private func set<Value: BitwiseCopyable>(_ level: Int32, _ option: Int32, _ value: Value) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Value>.size))
    }

    private func connect<Address>(to address: Address) -> Int32 {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                #if canImport(Darwin)
                Darwin.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
                #elseif canImport(Glibc)
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
                #else
                Musl.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
                #endif
            }
        }
    }
}
