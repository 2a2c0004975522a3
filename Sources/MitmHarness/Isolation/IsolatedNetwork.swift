import CIsolation
import Foundation
import MitmProxy
import NIOCore
import NIOPosix
import Synchronization
import TLSCore
import Witness

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A network of a client's own, in which all that it sends ends at us: user, network and mount namespaces that a process of
/// ours keeps. Every address is local there; connections are redirected to our listeners, names are answered with an
/// address for each, and other datagrams are seen and refused.
package final class IsolatedNetwork: Sendable {
    /// Why there is none, and what to do.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private let keeper: Keeper
    private let raw: [(socket: CInt, isV6: Bool)]
    private let names: NameServer
    private let canary: Canary?
    private let tools: (nsenter: String, unshare: String)
    let listeners: OpenedListeners
    let collector: OpenedListeners

    /// - Parameter folder: for the files that name servers and hosts are looked up in.
    static func open(in folder: URL, canary: Canary? = nil) async throws -> IsolatedNetwork {
        let network = try await NIOThreadPool.singleton.runIfActive { try IsolatedNetwork(folder, canary) }
        try await network.names.start()
        return network
    }

    /// Why clients cannot be isolated here; `nil`: they can.
    package static func obstacle() async -> String? {
        do {
            let folder = try TrialFolder()
            defer { folder.remove() }
            try await open(in: folder.url).close()
            return nil
        } catch {
            return "\(error)"
        }
    }

    private init(_ folder: URL, _ canary: Canary?) throws {
        let nft = try Self.tool("nft", package: "nftables")
        tools = (try Self.tool("nsenter", package: "util-linux"), try Self.tool("unshare", package: "util-linux"))
        var mounts = try Self.mounts(in: folder).map {
            pd_mount(source: UnsafePointer(strdup($0.source)), target: UnsafePointer(strdup($0.target)))
        }
        defer {
            for mount in mounts {
                free(UnsafeMutableRawPointer(mutating: mount.source))
                free(UnsafeMutableRawPointer(mutating: mount.target))
            }
        }
        var room = pd_room()
        guard pd_room_open(&room, nft, &mounts, CInt(mounts.count)) == 0 else { throw Failure(room) }
        let sockets = withUnsafeBytes(of: room.sockets) { Array($0.bindMemory(to: CInt.self)) }
        let keeper = Keeper(process: room.keeper, line: room.line)
        self.keeper = keeper
        listeners = OpenedListeners(sockets[..<2].filter { $0 >= 0 }) { try keeper.connect(to: pd_to_listeners) }
        collector = OpenedListeners([sockets[2]]) { try keeper.connect(to: pd_to_collector) }
        names = NameServer(socket: sockets[3])
        raw = [(sockets[4], false), (sockets[5], true)].filter { $0.0 >= 0 }
        self.canary = canary
    }

    /// What a client has looked up to get to an address.
    func name(of address: String) -> String? { names.name(of: address) }

    /// The same command, in this network and with no rights in it.
    func entering(_ command: ChildCommand) -> ChildCommand {
        var command = command
        let kept = "/proc/\(keeper.process)/ns"
        command.arguments =
            [
                tools.nsenter, "--user=\(kept)/user", "--net=\(kept)/net", "--mount=\(kept)/mnt",
                "--preserve-credentials",
            ]
            + ["--", tools.unshare, "--user", "--map-user=\(geteuid())", "--map-group=\(getegid())"]
            + ["--wd=\(command.workingDirectory)", "--"] + command.arguments
        return command
    }

    /// What went past connections since this was last asked: datagrams, and tokens of ours in names that were looked up.
    func takeBypasses() -> [Observation] {
        var flows: [String: DatagramFlow] = [:]
        var order: [String] = []
        var datagram = pd_datagram()
        for (socket, isV6) in raw {
            while pd_datagram_next(socket, isV6 ? 1 : 0, &datagram) == 1 {
                let address = withUnsafeBytes(of: datagram.address) { Array($0.prefix(Int(datagram.address_length))) }
                // The name server's, and what programs of the client tell each other.
                guard datagram.source_port != 53, !Self.isLoopback(address) else { continue }
                let text = (try? SocketAddress(packedIPAddress: ByteBuffer(bytes: address), port: 0))?.ipAddress ?? ""
                let place = Routing.Place(host: name(of: text) ?? text, port: Int(datagram.port)).text
                let bytes = withUnsafeBytes(of: datagram.bytes) { Array($0.prefix(Int(datagram.length))) }
                if flows[place] == nil { order.append(place) }
                flows[place, default: DatagramFlow()].add(bytes)
            }
        }
        for bytes in names.takeUnreadable() {
            let place = "its-name-server:53"
            if flows[place] == nil { order.append(place) }
            flows[place, default: DatagramFlow()].add(bytes)
        }
        return order.compactMap { place in flows[place]?.observation(.redirected(to: place), canary) }
            + names.takeNames(with: canary)
    }

    private static func isLoopback(_ address: [UInt8]) -> Bool {
        address.count == 4 ? address[0] == 127 : address.dropLast().allSatisfy { $0 == 0 } && address.last == 1
    }

    func close() async {
        await names.stop()
        _ = try? await NIOThreadPool.singleton.runIfActive { [keeper, raw] in
            guard keeper.end() else { return }
            for (socket, _) in raw { _ = systemClose(socket) }
        }
    }

    // MARK: What it needs

    static func tool(
        _ name: String,
        package: String,
        path: String = (ProcessInfo.processInfo.environment["PATH"] ?? "") + ":/usr/sbin:/sbin:/usr/bin:/bin"
    ) throws(Failure) -> String {
        guard let place = ChildCommand.place(of: name, path: path) else {
            throw Failure(description: "clients cannot be isolated: '\(name)' is not installed (package \(package))")
        }
        return place
    }

    /// Whom names are asked of, and what would answer past us: an empty source hides what is there.
    private static func mounts(in folder: URL) throws -> [(source: String, target: String)] {
        let files = folder.appending(path: "net")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        let services = (try? String(contentsOfFile: "/etc/nsswitch.conf", encoding: .utf8)) ?? ""
        let others = services.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("hosts:") }
        let contents = [
            "resolv.conf": "nameserver 127.0.0.1\nsearch .\n",
            "hosts": "127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n",
            "nsswitch.conf": (others + ["hosts: files dns"]).joined(separator: "\n") + "\n",
        ]
        let hidden =
            [
                "nscd", "systemd/resolve", "avahi-daemon", "dbus", "docker.sock", "containerd", "podman", "libvirt",
                "snapd.socket", "snapd-snap.socket",
            ].map { "/run/\($0)" } + ["bus", "podman", "docker.sock"].map { "/run/user/\(getuid())/\($0)" }
        return try hidden.map { ("", $0) }
            + contents.sorted { $0.key < $1.key }.map { name, text in
                let file = files.appending(path: name)
                try text.write(to: file, atomically: false, encoding: .utf8)
                return (file.path, "/etc/\(name)")
            }
    }
}

/// The process in which the namespaces are made, and that lives for as long as they do. One at a time talks to it.
private final class Keeper: Sendable {
    let process: pid_t
    private let line: CInt
    private let isGone = Mutex(false)

    init(process: pid_t, line: CInt) { (self.process, self.line) = (process, line) }

    func connect(to whom: some BinaryInteger) throws -> [CInt] {
        try isGone.withLock { isGone in
            var ends: [CInt] = [-1, -1]
            let count = isGone ? 0 : pd_room_connect(line, CChar(whom), &ends)
            guard count > 0 else { throw IsolatedNetwork.Failure(description: "the network of the client has gone") }
            return Array(ends.prefix(Int(count)))
        }
    }

    /// Whether it was there.
    func end() -> Bool {
        isGone.withLock { isGone in
            guard !isGone else { return false }
            isGone = true
            pd_room_close(process, line)
            return true
        }
    }
}

private func systemClose(_ descriptor: CInt) -> CInt { close(descriptor) }

extension IsolatedNetwork.Failure {
    /// Which right is missing, and who grants it.
    fileprivate init(_ room: pd_room) {
        var room = room
        func text<Bytes>(_ bytes: inout Bytes) -> String {
            withUnsafeBytes(of: &bytes) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
        let (stage, said) = (text(&room.stage), text(&room.said))
        let reason = room.error == 0 ? "" : ": \(String(cString: strerror(room.error)).lowercased())"
        let grant =
            "a container grants it by '--security-opt seccomp=unconfined --security-opt apparmor=unconfined', "
            + "Ubuntu 24.04 by 'sysctl kernel.apparmor_restrict_unprivileged_userns=0'"
        let (what, remedy) =
            switch stage {
            case "system": ("only Linux has namespaces", "")
            case "nft":
                (
                    "nft could not redirect connections: "
                        + (said.split(whereSeparator: \.isNewline).first.map(String.init) ?? "it does not say why"),
                    "; the kernel needs nf_tables with NAT"
                )
            case "unshare": ("this user may not make namespaces\(reason)", "; \(grant)")
            default: ("no rights in a namespace of its own (\(stage)\(reason))", "; \(grant)")
            }
        self.init(description: "clients cannot be isolated: \(what)\(remedy)")
    }
}
