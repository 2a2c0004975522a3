package import Foundation
import Synchronization
package import TLSCore
package import Witness

/// What a device under test is given in the clear, before it trusts anything of ours: the roots, and how it installs them.
package final class DevicePage: Sendable {
    /// Nobody's name (RFC 6761 section 6.2): only who comes to us as his proxy gets there.
    package static let host = "pindrill.test"

    package struct File: Sendable {
        package var type: String
        package var bytes: [UInt8]

        package init(_ type: String, _ bytes: [UInt8]) { (self.type, self.bytes) = (type, bytes) }
    }

    /// A host with a certificate of one root's: who gets there trusts that root.
    package struct Check: Sendable {
        package var host: String
        package var root: String
        package var identity: Identity

        package init(host: String, root: String, identity: Identity) {
            (self.host, self.root, self.identity) = (host, root, identity)
        }
    }

    private struct State {
        var files: [String: File] = [:]
        var clockError: TimeInterval?
    }

    package let checks: [Check]
    /// The hosts under test: whoever asks for one of them asks no page of ours.
    private let tested: [String]
    /// What is said at each of the hosts that check a root.
    let answers = Answers(
        Origin(headers: [("content-type", "image/svg+xml"), ("cache-control", "no-store")], body: badge, pages: [:])
    )
    private let state = Mutex(State())

    package init(checks: [Check], tested: [String]) { (self.checks, self.tested) = (checks, tested) }

    /// - Parameter files: by their path.
    package func show(_ files: [String: File]) { state.withLock { $0.files = files } }

    /// By how much the device's clock is ahead, as its browser told; `nil`: it told nothing.
    package var clockError: TimeInterval? { state.withLock(\.clockError) }

    /// Whether a connection was about the page, and none of the app's.
    package func concerns(_ seen: Observation) -> Bool {
        seen.target.map(knows) == true && seen.leaks.isEmpty && !tested.contains(where: seen.names)
    }

    func knows(_ host: String) -> Bool { Observation.isSame(host, Self.host) || check(at: host) != nil }

    func check(at host: String) -> Check? { checks.first { Observation.isSame(host, $0.host) } }

    /// The file that a request in the clear asks for; `nil`: it asks for none of ours.
    ///
    /// - Parameter isDirect: whether it came here by itself, and asks no proxy.
    func file(for request: RequestReader.Request, isDirect: Bool) -> File? {
        guard ["GET", "HEAD"].contains(request.method), let authority = request.authority else { return nil }
        let host = Observation.host(of: authority)
        let isOurAddress =
            isDirect && request.target.hasPrefix("/") && AddressRange(host) != nil
            && !tested.contains { Observation.isSame($0, host) || Observation.isLoopback($0) }
        guard Observation.isSame(host, Self.host) || isOurAddress else { return nil }
        guard let parts = URLComponents(string: request.target) else { return nil }
        let told = parts.queryItems?.first { $0.name == "now" }?.value.flatMap(Double.init)
        if let told { note(clock: Date(timeIntervalSince1970: told / 1000), at: Date()) }
        return state.withLock { $0.files[parts.path.isEmpty ? "/" : parts.path] }
    }

    /// - Parameter clock: what a browser told; `nil`: what one told before counts no more.
    package func note(clock: Date?, at now: Date) {
        state.withLock { $0.clockError = clock?.timeIntervalSince(now) }
    }

    private static let badge = Array(
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="90" height="24"><rect width="90" height="24" rx="4" fill="#176b2c"/>\
        <text x="45" y="17" font-family="sans-serif" font-size="14" text-anchor="middle" fill="#fff">trusted</text></svg>

        """.utf8
    )
}
