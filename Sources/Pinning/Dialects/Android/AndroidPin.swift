import Foundation
package import TLSCore

/// A pin as a file spells it.
///
/// Android's decoder passes over every byte that is not Base64, and needs no padding, so one pin has many spellings.
/// The system compares digests; TrustKit-Android compares spellings, so that an odd one never matches there.
package struct AndroidPin: Hashable, Sendable {
    package let pin: Pin
    /// As written, trimmed; `nil` where that is the usual, padded Base64.
    package let spelling: String?
    /// The name of the digest as written, which Android compares without regard to case, and TrustKit-Android with it.
    package let digestName: String

    static let usualDigestName = "SHA-256"

    package init(_ pin: Pin) {
        self.pin = pin
        spelling = nil
        digestName = AndroidPin.usualDigestName
    }

    /// As `android.util.Base64` reads it with its default flags.
    package init(parsing text: String, digestName: String = "SHA-256") throws(ParseError) {
        guard let bytes = AndroidPin.decode(text) else { throw ParseError(.undecodable, text) }
        guard var pin = Pin(digest: bytes) else { throw ParseError(.length(bytes.count), text) }
        spelling = text == pin.base64 ? nil : text
        pin.written = spelling
        self.pin = pin
        self.digestName = digestName
    }

    /// As it stands, or would stand, in a file.
    package var text: String { spelling ?? pin.base64 }

    /// Why Android refuses a pin, and what the text seems to be instead.
    package struct ParseError: Error, CustomStringConvertible, Sendable {
        enum Reason { case undecodable, length(Int) }
        let reason: Reason
        let text: String

        init(_ reason: Reason, _ text: String) {
            self.reason = reason
            self.text = text
        }

        package var description: String {
            let hint = PinMistake(in: text).hint.map { " (\($0))" } ?? ""
            return switch reason {
            case .undecodable: "Invalid pin digest: found '\(text)'\(hint), expected a SHA-256 digest in Base64"
            case .length(let count):
                "digest length \(count) does not match expected length for SHA-256 of 32: found '\(text)'\(hint)"
            }
        }
    }

    /// The state machine of `android.util.Base64.Decoder`.
    static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var group: UInt32 = 0
        var digits = 0
        var padding = 0
        for byte in text.utf8 {
            if byte == UInt8(ascii: "=") {
                padding += 1
                guard digits >= 2, padding <= 4 - digits else { return nil }
            } else if let value = sextet(byte) {
                guard padding == 0 else { return nil }
                group = group << 6 | UInt32(value)
                digits += 1
                if digits == 4 {
                    bytes += [UInt8(group >> 16 & 255), UInt8(group >> 8 & 255), UInt8(group & 255)]
                    (group, digits) = (0, 0)
                }
            }
        }
        switch (digits, padding) {
        case (0, 0): return bytes
        case (2, 0), (2, 2): return bytes + [UInt8(group >> 4 & 255)]
        case (3, _): return bytes + [UInt8(group >> 10 & 255), UInt8(group >> 2 & 255)]
        default: return nil
        }
    }

    static func sextet(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
