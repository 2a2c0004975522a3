import Foundation
package import TLSCore

/// A pin as OkHttp takes it: a digest over the public key, of any length, because OkHttp does not count.
package enum OkHttpPin: Hashable, Sendable, CustomStringConvertible {
    case sha256([UInt8])
    case sha1([UInt8])

    /// Why OkHttp throws, in its own words.
    package struct ParseError: Error, CustomStringConvertible, Sendable {
        package let description: String
    }

    package init(_ pin: Pin) { self = .sha256(pin.digest) }

    /// As in `sha256/AAAA…=`; the Base64 is read as Okio reads it.
    package init(parsing text: String) throws(ParseError) {
        let make: ([UInt8]) -> OkHttpPin
        if text.hasPrefix("sha256/") {
            make = OkHttpPin.sha256
        } else if text.hasPrefix("sha1/") {
            make = OkHttpPin.sha1
        } else {
            let hint = PinMistake(in: text).hint.map { " (\($0))" } ?? ""
            throw ParseError(description: "pins must start with 'sha256/' or 'sha1/': found '\(text)'\(hint)")
        }
        let body = text.drop { $0 != "/" }.dropFirst()
        guard let digest = OkHttpPin.decode(body) else {
            let hint = PinMistake(in: String(body)).hint.map { " (\($0))" } ?? ""
            throw ParseError(description: "Invalid pin hash: found '\(text)'\(hint), expected Base64 behind the '/'")
        }
        self = make(digest)
    }

    /// As a pin of 32 bytes; `nil` for SHA-1, and for digests that no key can have.
    package var pin: Pin? { if case .sha256(let digest) = self { Pin(digest: digest) } else { nil } }

    package func matches(_ certificate: Certificate) -> Bool {
        switch self {
        case .sha256(let digest): certificate.pin.digest == digest
        case .sha1(let digest): digest == FingerprintDigest.sha1.hash(certificate.publicKey)
        }
    }

    /// Whether a key could have it at all.
    var canMatch: Bool {
        switch self {
        case .sha256(let digest): digest.count == 32
        case .sha1(let digest): digest.count == 20
        }
    }

    package var description: String {
        switch self {
        case .sha256(let digest): "sha256/" + Data(digest).base64EncodedString()
        case .sha1(let digest): "sha1/" + Data(digest).base64EncodedString()
        }
    }

    /// `okio.ByteString.decodeBase64`: both alphabets, white space anywhere, padding or none.
    private static func decode(_ text: Substring) -> [UInt8]? {
        var digits = Array(text.utf8)
        let white = Array("\n\r \t".utf8)
        while let last = digits.last, last == UInt8(ascii: "=") || white.contains(last) { digits.removeLast() }
        var bytes: [UInt8] = []
        var group: UInt32 = 0
        var count = 0
        for digit in digits where !white.contains(digit) {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "-"): value = 62
            case UInt8(ascii: "_"): value = 63
            default:
                guard let sextet = AndroidPin.sextet(digit) else { return nil }
                value = sextet
            }
            group = group << 6 | UInt32(value)
            count += 1
            if count % 4 == 0 { bytes += [UInt8(group >> 16 & 255), UInt8(group >> 8 & 255), UInt8(group & 255)] }
        }
        switch count % 4 {
        case 1: return nil
        case 2: return bytes + [UInt8(group >> 4 & 255)]
        case 3: return bytes + [UInt8(group >> 10 & 255), UInt8(group >> 2 & 255)]
        default: return bytes
        }
    }
}
