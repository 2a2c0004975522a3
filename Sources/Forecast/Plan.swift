package import Foundation
package import Pinning
package import TLSCore

/// What a server will show, and when.
package struct Plan: Sendable {
    /// The key of a server. Where production's own is known, it is by its pin.
    package struct Key: Sendable {
        package var name: String
        package var pin: Pin?
        package var type: KeyType
    }

    /// Somebody who signs. Where production's own is known, it is by the pin of its key or by its certificate.
    package struct Authority: Sendable {
        package var name: String
        /// `nil` for a root, which signs its own certificate.
        package var issuer: String?
        /// The authority whose key it has as well: one of two certificates of the same authority.
        package var key: String?
        package var pin: Pin?
        package var certificate: Certificate?
        package var type: KeyType
        /// The chain whose root it stands for, which the chain itself does not hold; devices know it.
        var rootOf: [Certificate]?
    }

    /// What is shown from an event on.
    package enum Shown: Sendable {
        /// Certificates that exist already, leaf first.
        case chain([Certificate])
        /// A key, with a certificate of this authority's; `sent` behind it, or else the authorities up to the root.
        case minted(key: String, issuer: String, sent: [String]?)
    }

    package struct Event: Sendable {
        package var name: String
        package var instant: Date
        package var shown: Shown
        /// The authorities that devices trust; `nil`: every root of the plan. Says nothing about a chain that exists.
        package var trusted: [String]?

        package var day: Day { Day(instant) }
    }

    package var keys: [Key]
    package var authorities: [Authority]
    /// By time. Rules have been written out.
    package var events: [Event]
    /// The file with what devices trust, for chains that exist; `nil`: the machine's own roots.
    package var roots: String?

    /// More than anybody shows, in more time than anybody plans.
    static let mostEvents = 1000
    static let mostDays = 3000
}

extension KeyType {
    /// The type that OpenSSL describes so, as in `EC 256`; of those that pins do not tell apart, one that is made fast.
    init?(describedAs text: String) {
        switch text {
        case "EC 256": self = .p256
        case "EC 384": self = .p384
        case "EC 521": self = .p521
        case "RSA 4096": self = .rsa2048
        default: self.init(rawValue: text.lowercased().replacing(" ", with: ""))
        }
    }
}
