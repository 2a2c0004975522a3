package import TLSCore

/// A digest that an app compares, of any kind: what is left of a pin when only identity and matching count.
package struct PinnedDigest: Sendable {
    package var digest: [UInt8]
    package var algorithm: FingerprintDigest
    package var match: PinRequirement.Match
    /// As the configuration writes it, so that a message can be looked for there; no part of its identity. `nil`: in the
    /// usual form.
    package var written: String?
    /// Whether it is known to be of a certificate that vouches for itself; no part of its identity.
    package var isOfRoot = false

    package init(
        _ digest: [UInt8],
        _ algorithm: FingerprintDigest,
        of match: PinRequirement.Match,
        written: String? = nil
    ) {
        self.digest = digest
        self.algorithm = algorithm
        self.match = match
        self.written = written
    }

    package init(_ pin: Pin, of match: PinRequirement.Match = .key) {
        self.init(pin.digest, .sha256, of: match, written: pin.written)
    }

    /// Whether it has the length of its kind: else no key and no certificate has it.
    package var canMatch: Bool { digest.count == algorithm.count }

    package func matches(_ certificate: Certificate) -> Bool {
        switch (match, algorithm) {
        case (.certificate, _): certificate.fingerprint(algorithm) == digest
        case (.key, .sha256): certificate.pin.digest == digest
        case (.key, .sha1): FingerprintDigest.sha1.hash(certificate.publicKey) == digest
        case (.key, .md5): false
        }
    }

    /// What stands for it where there is room for SHA-256 only: the digest itself, or one of it, which is nobody's.
    package var pin: Pin {
        guard var pin = Pin(digest: digest) else { return Pin(hashing: Array(algorithm.rawValue.utf8) + digest) }
        if match == .key { pin.written = written }
        return pin
    }
}

extension PinnedDigest: Hashable {
    package static func == (left: PinnedDigest, right: PinnedDigest) -> Bool {
        left.digest == right.digest && left.algorithm == right.algorithm && left.match == right.match
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(digest)
        hasher.combine(algorithm)
        hasher.combine(match)
    }
}

extension PinnedDigest: CustomStringConvertible {
    /// As the configuration writes it; else keys in Base64, certificates in hexadecimal.
    package var description: String {
        if let written { return written.asOneLine }
        return switch match {
        case .key: Pin(digest: digest)?.base64 ?? "\(algorithm.rawValue)/\(hexadecimal)"
        case .certificate: hexadecimal
        }
    }

    var hexadecimal: String {
        digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
