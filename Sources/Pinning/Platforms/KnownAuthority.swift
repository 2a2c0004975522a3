internal import CEmbedded
package import Foundation
package import TLSCore

/// A public root that browsers and systems trust, or did, told by its public key.
///
/// Source: the releases of certifi since 2015, which carry Mozilla's list, and NSS's `certdata.txt`, as `Scripts/authorities` writes
/// them. No maintained list of intermediates can be had there, so an intermediate is nobody known.
package struct KnownAuthority: Hashable, Sendable {
    /// The common name; where there is none, the unit or the organisation.
    package var name: String
    /// The organisation; empty where the certificate names none.
    package var owner: String
    /// Of the certificate that ends last, of those of this key.
    package var end: Date
    /// Mozilla trusts no certificate below it that is newer; `nil`: it may issue.
    package var endsIssuing: Date?
    /// Of the first list without it; `nil`: the last one has it.
    package var removedBefore: Date?

    /// - Returns: `nil` for a key of nobody known.
    package static func of(_ key: Pin) -> KnownAuthority? { all[key] }

    /// Whether the last list has it, and takes what it issues.
    package func isTrusted(at instant: Date) -> Bool {
        removedBefore == nil && endsIssuing.map { $0 > instant } ?? true
    }

    package func hasEnded(at instant: Date) -> Bool { end < instant }

    static let all: [Pin: KnownAuthority] = {
        let file = CEmbeddedAuthorities()
        return parse(String(decoding: UnsafeBufferPointer(start: file.bytes, count: file.count), as: UTF8.self))
    }()

    /// - Parameter text: comments behind `#`, and lines of pin, name, owner, end, end of issuing and removal, with tabs between.
    static func parse(_ text: String) -> [Pin: KnownAuthority] {
        var found: [Pin: KnownAuthority] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 6, let pin = try? Pin(parsing: fields[0]), let end = day(fields[3]) else { continue }
            found[pin] = KnownAuthority(
                name: fields[1],
                owner: fields[2],
                end: end,
                endsIssuing: day(fields[4]),
                removedBefore: day(fields[5])
            )
        }
        return found
    }

    private static func day(_ text: String) -> Date? {
        try? Date(text, strategy: .iso8601.year().month().day())
    }
}

extension KnownAuthority: CustomStringConvertible {
    package var description: String { owner.isEmpty || name.hasPrefix(owner) ? name : "\(name) (\(owner))" }
}

extension PinnedDigest {
    /// The public root whose key it is the digest of.
    var authority: KnownAuthority? {
        guard match == .key, algorithm == .sha256 else { return nil }
        return Pin(digest: digest).flatMap(KnownAuthority.of)
    }
}
