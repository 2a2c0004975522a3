import CommonCrypto

// A digest behind the header of a key; who asks for it stands in another source.
final class F15Header {
    private let rsa2048Asn1Header: [UInt8] = [0x30, 0x82, 0x01, 0x22, 0x30, 0x0d, 0x06, 0x09]
    let own = "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="

    private func digest(_ key: Data) -> String {
        var hash = [UInt8](repeating: 0, count: Int(CC_SHA256_DIGEST_LENGTH))
        let bytes = Data(rsa2048Asn1Header) + key
        bytes.withUnsafeBytes { _ = CC_SHA256($0.baseAddress, CC_LONG(bytes.count), &hash) }
        return Data(hash).base64EncodedString()
    }

    func takes(_ key: Data) -> Bool { digest(key) == own }
}
