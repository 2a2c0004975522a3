package import Foundation
import Synchronization
package import TLSCore

/// Makes an identity for any name, on the spot, and remembers the last ones.
///
/// All of them share one leaf key, which is not the authority's: where a proxy gives its leaves the authority's own
/// key, pins on the leaf and pins on the authority cannot be told apart.
package final class Minter: Sendable {
    private let authority: Authority
    private let key: PrivateKey
    private let now: Date
    private let capacity: Int
    private let cache = Mutex(Cache())

    private struct Cache {
        var identities: [String: Identity] = [:]
        /// Names in the order they were minted: the oldest makes room.
        var order: [String] = []
    }

    /// - Parameters:
    ///   - now: certificates are valid from a day before.
    ///   - capacity: how many identities are remembered.
    package init(_ authority: Authority, key: PrivateKey, now: Date, capacity: Int = 1024) {
        self.authority = authority
        self.key = key
        self.now = now
        self.capacity = max(1, capacity)
    }

    /// How many identities are remembered now.
    package var count: Int { cache.withLock(\.identities.count) }

    /// The identity for a name; the same one while it is remembered.
    package func identity(for name: String) throws -> Identity {
        if let known = cache.withLock({ $0.identities[name] }) { return known }
        let minted = try authority.identity(.leaf(names: [SubjectName(name)], now: now), key: key)
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
