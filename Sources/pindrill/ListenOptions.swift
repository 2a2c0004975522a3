import ArgumentParser
import Foundation
import MitmHarness
import MitmProxy
import Witness

/// Where PinDrill listens beside loopback, and who may come there.
struct ListenOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Listens there, too, for a device, an emulator or a container (default port: 8443). Needs --allow or --proxy-user, and "
                + "plays one trial after the other.",
            valueName: "address[:port]"
        ),
        transform: Place.init(parsing:)
    )
    var listen: Place?

    @Option(
        help: ArgumentHelp(
            "Who may come to --listen, by the address of the socket, as in 192.168.1.0/24. May be given repeatedly.",
            valueName: "range"
        ),
        transform: AddressRange.init(parsing:)
    )
    var allow: [AddressRange] = []

    @Option(
        help: ArgumentHelp(
            "What those who come to --listen must tell the proxy: a name, and a file with a password in its first line.",
            valueName: "name:file"
        ),
        completion: .file(),
        transform: Exposure.Credentials.init(parsing:)
    )
    var proxyUser: Exposure.Credentials?

    @Option(
        help: ArgumentHelp(
            "Load balancers that say for whom they connect, by the PROXY protocol, as in 127.0.0.1. May be given repeatedly.",
            valueName: "range"
        ),
        transform: AddressRange.init(parsing:)
    )
    var proxyProtocolFrom: [AddressRange] = []

    struct Place: Sendable {
        var address: String
        var port: Int

        /// Whether it is no address that a device can go to.
        var isUnspecified: Bool { AddressRange(address)?.isUnspecified ?? false }

        /// As a URL has it.
        var written: String { address.contains(":") ? "[\(address)]" : address }
    }

    func validate() throws {
        if listen == nil, !allow.isEmpty || proxyUser != nil {
            throw ValidationError("--allow and --proxy-user mean nothing without --listen")
        }
        if listen != nil, exposure == nil {
            throw ValidationError(
                "--listen needs --allow, or --proxy-user: nobody else may use this machine as a proxy"
            )
        }
    }

    var exposure: Exposure? {
        listen.flatMap { Exposure(address: $0.address, port: $0.port, allowed: allow, credentials: proxyUser) }
    }

    /// Listens there for a moment: a trial may come hours later, and would fail for it.
    ///
    /// - Parameter others: the ports of the file's other listeners.
    /// - Throws: status 64 where the address is not this machine's, and 2 where a port cannot be had.
    func check(others: [Int]) async throws(ExitCode) {
        guard let exposure else { return }
        do throws(ProxyError) {
            try await InterceptingProxy.probe(exposure, others: others)
        } catch {
            Terminal.complain("--listen: \(error)")
            throw ExitCode(error.isAboutAddress ? 64 : 2)
        }
    }

    /// Who can now reach it.
    var remark: String? {
        guard let listen, let exposure else { return nil }
        let who = allow.isEmpty ? "everybody who has the password" : allow.map(\.description).joined(separator: ", ")
        let also = exposure.credentials != nil && !allow.isEmpty ? " with the password" : ""
        return
            "listening on \(listen.written):\(listen.port): \(who)\(also) can reach PinDrill, and is shown its "
            + "certificates"
    }
}

extension ListenOptions.Place {
    init(parsing text: String) throws {
        var (host, port) = (text[...], 8443)
        if let colon = text.lastIndex(of: ":"), !text[..<colon].contains(":") || text[..<colon].hasSuffix("]") {
            guard let number = UInt16(text[colon...].dropFirst()), number > 0 else {
                throw ValidationError("'\(text[colon...].dropFirst())' is no port")
            }
            (host, port) = (text[..<colon], Int(number))
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard AddressRange(String(host)) != nil, !host.contains("/") else {
            throw ValidationError("'\(host)' is no address, as 192.168.1.5 or 0.0.0.0 is")
        }
        self.init(address: String(host), port: port)
    }
}

extension AddressRange {
    fileprivate init(parsing text: String) throws {
        guard let range = AddressRange(text) else {
            throw ValidationError("'\(text)' is no range of addresses, as 192.168.1.0/24 is")
        }
        self = range
    }
}

extension Exposure.Credentials {
    /// The password stays out of the command line, which everybody on the machine can read.
    fileprivate init(parsing text: String) throws {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { throw ValidationError("write NAME:FILE, with the password in the file") }
        let contents: String
        do {
            contents = String(decoding: try InputFile.read(parts[1]), as: UTF8.self)
        } catch {
            throw ValidationError("\(parts[1]): \(error)")
        }
        guard let password = contents.split(whereSeparator: \.isNewline).first.map(String.init) else {
            throw ValidationError("\(parts[1]): there is no password in it")
        }
        self.init(name: parts[0], password: password)
    }
}
