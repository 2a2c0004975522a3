package import Foundation
import Synchronization
package import TLSCore

/// Makes an identity for any name, on the spot, and remembers the last ones.
package final class Minter: Sendable {
    private let mint: @Sendable (_ name: String) throws -> Identity
    private let capacity: Int
    private let cache = Mutex(Cache())

    private struct Cache {
        var identities: [String: Identity] = [:]
        /// Names in the order they were minted: the oldest makes room.
        var order: [String] = []
    }

    /// - Parameter capacity: how many identities are remembered.
    package init(capacity: Int = 1024, _ mint: @escaping @Sendable (_ name: String) throws -> Identity) {
        self.mint = mint
        self.capacity = max(1, capacity)
    }

    /// All identities share one leaf key, which is not the authority's: where a proxy gives its leaves the authority's own
    /// key, pins on the leaf and pins on the authority cannot be told apart.
    ///
    /// - Parameter now: certificates are valid from a day before.
    package convenience init(_ authority: Authority, key: PrivateKey, now: Date, capacity: Int = 1024) {
        self.init(capacity: capacity) { try authority.identity(.leaf(names: [SubjectName($0)], now: now), key: key) }
    }

    /// How many identities are remembered now.
    package var count: Int { cache.withLock(\.identities.count) }

    /// The identity for a name; the same one while it is remembered.
    package func identity(for name: String) throws -> Identity {
        if let known = cache.withLock({ $0.identities[name] }) { return known }
        let minted = try mint(name)
        return cache.withLock { cache in
            // Somebody may have minted it meanwhile.
            if let known = cache.identities[name] { return known }
            cache.identities[name] = minted
            cache.order.append(name)
            if cache.order.count > capacity { cache.identities[cache.order.removeFirst()] = nil }
            return minted
        }
    }
}
