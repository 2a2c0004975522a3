import NIOCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Why a proxy cannot listen.
public struct ProxyError: Error, Equatable, CustomStringConvertible, Sendable {
    private enum Reason: Equatable {
        case portInUse
        case portNotAllowed
        case addressOfOthers
        case other(String)
    }

    private let reason: Reason
    private let address: String
    private let port: Int

    init(_ error: any Error, address: String, port: Int) {
        self.address = address
        self.port = port
        reason =
            switch (error as? IOError)?.errnoCode {
            case EADDRINUSE: .portInUse
            case EACCES, EPERM: .portNotAllowed
            case EADDRNOTAVAIL: .addressOfOthers
            default: .other("\(error)")
            }
    }

    /// Whether no other port would help: the address is not this machine's.
    package var isAboutAddress: Bool { reason == .addressOfOthers }

    public var description: String {
        switch reason {
        case .portInUse: "port \(port) on \(address) is in use; choose another, or 0 for any free one"
        case .portNotAllowed: "this user may not listen on port \(port); choose one above 1023, or 0 for any free one"
        case .addressOfOthers:
            "this machine has no address \(address), so it cannot listen there; its network settings show those that it has"
        case .other(let error): "cannot listen on \(address), port \(port): \(error)"
        }
    }
}
