package import TLSCore

/// A digest that an app compares, of any kind: what is left of a pin when only identity and matching count.
package struct PinnedDigest: Hashable, Sendable {
    package var digest: [UInt8]
    package var algorithm: FingerprintDigest
    package var match: PinRequirement.Match

    package init(_ digest: [UInt8], _ algorithm: FingerprintDigest, of match: PinRequirement.Match) {
        self.digest = digest
        self.algorithm = algorithm
        self.match = match
    }

    package init(_ pin: Pin, of match: PinRequirement.Match = .key) { self.init(pin.digest, .sha256, of: match) }

    package func matches(_ certificate: Certificate) -> Bool {
        switch (match, algorithm) {
        case (.certificate, _): certificate.fingerprint(algorithm) == digest
        case (.key, .sha256): certificate.pin.digest == digest
        case (.key, .sha1): FingerprintDigest.sha1.hash(certificate.publicKey) == digest
        case (.key, .md5): false
        }
    }
}

extension PinnedDigest: CustomStringConvertible {
    /// As configurations write it: keys in Base64, certificates in hexadecimal.
    package var description: String {
        switch match {
        case .key: Pin(digest: digest)?.base64 ?? "\(algorithm.rawValue)/\(hexadecimal)"
        case .certificate: hexadecimal
        }
    }

    private var hexadecimal: String {
        digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
