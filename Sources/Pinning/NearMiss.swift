import Foundation
package import TLSCore

/// A way in which a pin can be nearly right: a client that is given one must refuse what the true pin matches.
///
/// Most give 32 other bytes, so that a client that reads its pins with care takes them for a pin like any other. The rest
/// are damaged: they decode to no pin.
package enum NearMiss: String, CaseIterable, Sendable {
    /// Of its Base64, another first character.
    case firstCharacter = "first-character"
    case middleCharacter = "middle-character"
    /// The last one before the padding; its unused bits stay zero.
    case lastCharacter = "last-character"
    /// Of its Base64, small letters for capitals and capitals for small letters.
    case letterCase = "case"
    /// Of its Base64, another digit; in one of 1,200 pins there is none, and then the middle character.
    case digit
    /// Two bytes that have changed places.
    case order
    /// The hash of the certificate where the key's is pinned, or the other way round.
    case otherHash = "other-hash"
    /// A byte is missing at its end.
    case tooShort = "too-short"
    /// A character of it belongs to no Base64, and to no hexadecimal number.
    case strayCharacter = "stray-character"

    /// Whether it decodes to no pin, so that a client may well refuse to work with it.
    package var isDamaged: Bool { self == .tooShort || self == .strayCharacter }

    /// A pin's texts and how they are damaged; empty where they are not.
    package func damage(to pin: Pin) -> [String: String] {
        switch self {
        case .tooShort:
            [pin.base64: Data(pin.digest.dropLast()).base64EncodedString(), pin.hex: String(pin.hex.dropLast(2))]
        case .strayCharacter:
            Dictionary(
                uniqueKeysWithValues: [pin.base64, pin.hex].map { ($0, "\($0.prefix(20))!\($0.dropFirst(21))") }
            )
        default: [:]
        }
    }

    /// - Parameter certificate: what the pin matches.
    /// - Returns: never `pin` itself.
    func miss(_ pin: Pin, matching certificate: Certificate) -> Pin {
        var digest = pin.digest
        switch self {
        // A character holds six bits.
        case .firstCharacter: digest[0] ^= 0b100
        case .middleCharacter: digest[15] ^= 1
        case .lastCharacter: digest[31] ^= 1
        case .order:
            let places = digest.indices.dropFirst(8)
            guard let place = places.dropLast().first(where: { digest[$0] != digest[$0 + 1] }) else { return pin }
            digest.swapAt(place, place + 1)
        case .letterCase:
            return rewriting(pin) { character, place in
                // The last one has bits that must stay zero.
                guard place < 42, character.isLetter else { return character }
                return character.isLowercase ? Character(character.uppercased()) : Character(character.lowercased())
            }
        case .digit:
            var isDone = false
            let near = rewriting(pin) { character, place in
                guard !isDone, place < 42, let digit = character.wholeNumberValue else { return character }
                isDone = true
                return Character(String((digit + 1) % 10))
            }
            return isDone ? near : Self.middleCharacter.miss(pin, matching: certificate)
        case .otherHash: return pin == certificate.pin ? certificate.fingerprint : certificate.pin
        // It stands for the damaged one, and matches nothing.
        case .tooShort, .strayCharacter: return Pin(hashing: digest + Array(rawValue.utf8))
        }
        return Pin(digest: digest) ?? pin
    }

    private func rewriting(_ pin: Pin, _ change: (Character, Int) -> Character) -> Pin {
        let text = String(zip(pin.base64, 0...).map { change($0, $1) })
        return (try? Pin(parsing: text)) ?? pin
    }
}

extension PinRules {
    /// The same rules, in which each pin that matches a certificate of the chain, sent or on its path, is nearly that pin.
    package func missing(_ situation: Situation, by nearMiss: NearMiss) -> Self {
        let path = situation.store.on(stack).path(of: situation.chain, host: situation.host, at: situation.instant)
        let certificates = situation.chain + path
        return mapPins { pin in
            let match = certificates.first { $0.pin == pin || $0.fingerprint == pin }
            return match.map { nearMiss.miss(pin, matching: $0) } ?? pin
        }
    }
}
