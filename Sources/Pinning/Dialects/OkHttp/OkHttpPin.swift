import Foundation
package import TLSCore

/// A pin as OkHttp takes it: a digest over the public key, of any length, because OkHttp does not count.
package struct OkHttpPin: Sendable {
    package let algorithm: FingerprintDigest
    package let digest: [UInt8]
    /// Behind the prefix, where that is not the usual Base64; no part of its identity.
    private var written: String?

    private init(_ algorithm: FingerprintDigest, _ digest: [UInt8]) {
        self.algorithm = algorithm
        self.digest = digest
    }

    package static func sha256(_ digest: [UInt8]) -> OkHttpPin { OkHttpPin(.sha256, digest) }
    package static func sha1(_ digest: [UInt8]) -> OkHttpPin { OkHttpPin(.sha1, digest) }

    /// Why OkHttp throws, in its own words.
    package struct ParseError: Error, CustomStringConvertible, Sendable {
        package let description: String
    }

    package init(_ pin: Pin) {
        self = .sha256(pin.digest)
        written = pin.written
    }

    /// As in `sha256/AAAA…=`; the Base64 is read as Okio reads it.
    package init(parsing text: String) throws(ParseError) {
        let algorithm: FingerprintDigest
        if text.hasPrefix("sha256/") {
            algorithm = .sha256
        } else if text.hasPrefix("sha1/") {
            algorithm = .sha1
        } else {
            let hint = PinMistake(in: text).hint.map { " (\($0))" } ?? ""
            throw ParseError(description: "pins must start with 'sha256/' or 'sha1/': found '\(text)'\(hint)")
        }
        let body = text.drop { $0 != "/" }.dropFirst()
        guard let digest = OkHttpPin.decode(body) else {
            let hint = PinMistake(in: String(body)).hint.map { " (\($0))" } ?? ""
            throw ParseError(description: "Invalid pin hash: found '\(text)'\(hint), expected Base64 behind the '/'")
        }
        self.init(algorithm, digest)
        if body != Data(digest).base64EncodedString() { written = String(body) }
    }

    /// As a pin of 32 bytes; `nil` for SHA-1, and for digests that no key can have.
    package var pin: Pin? {
        guard algorithm == .sha256, var pin = Pin(digest: digest) else { return nil }
        pin.written = written
        return pin
    }

    package func matches(_ certificate: Certificate) -> Bool {
        PinnedDigest(digest, algorithm, of: .key).matches(certificate)
    }

    /// Whether a key could have it at all.
    var canMatch: Bool { audited.canMatch }

    /// What an audit asks about.
    var audited: PinnedDigest {
        PinnedDigest(digest, algorithm, of: .key, written: pin.map(\.written) ?? description)
    }

    /// A key of ours stands for one of production's by its SHA-256, whatever the digest of that one.
    func mapped(by transform: (Pin) -> Pin) -> OkHttpPin {
        guard canMatch else { return self }
        let own = pin ?? audited.pin
        let other = transform(own)
        return algorithm == .sha1 && other == own ? self : OkHttpPin(other)
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

extension OkHttpPin: Hashable {
    package static func == (left: OkHttpPin, right: OkHttpPin) -> Bool {
        left.digest == right.digest && left.algorithm == right.algorithm
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(algorithm)
        hasher.combine(digest)
    }
}

extension OkHttpPin: CustomStringConvertible {
    package var description: String { "\(algorithm.rawValue)/\(written ?? Data(digest).base64EncodedString())" }
}
