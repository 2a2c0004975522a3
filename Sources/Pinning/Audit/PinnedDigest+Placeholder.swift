import TLSCore

extension PinnedDigest {
    /// Why nobody computed it from a key or a certificate, in words; `nil` where it may well be one.
    ///
    /// A digest looks random: 43 characters of Base64 have about 31 different ones.
    package var placeholder: String? {
        if Self.ofNothing.contains(digest) {
            return "it is the digest of nothing, as of a command that was given no key"
        }
        // One of 10^13 true digests of SHA-256 is a text by chance.
        if digest.count >= 32, digest.allSatisfy({ 0x20..<0x7F ~= $0 }) {
            return "it is a text in Base64, '\(String(decoding: digest, as: UTF8.self))', and no digest"
        }
        let text = Array(Pin(digest: digest)?.base64.utf8.dropLast() ?? [])
        // The last character has bits of nothing, and a text that was padded to its length may have others there.
        let letters = Array(text.dropLast())
        if [digest, letters].contains(where: Self.isRegular) { return "its characters follow a pattern" }
        return Self.wordOfPlaceholder(in: String(decoding: letters, as: UTF8.self)).map {
            "it has the word '\($0)' in it"
        }
    }

    /// The word in a text that says that a pin is yet to be written there: `YOUR_PIN_HERE`.
    static func wordOfPlaceholder(in text: String) -> String? {
        let letters = text.lowercased().filter { !"-_ ".contains($0) }
        return words.first(where: letters.contains)
    }

    private static let ofNothing: Set<[UInt8]> = [
        Pin(hashing: []).digest, FingerprintDigest.sha1.hash([]), FingerprintDigest.md5.hash([]),
    ]

    /// Six letters and more: that one of them is in a true digest by chance happens to one of ten million pins.
    private static let words = [
        "backup", "example", "replace", "primary", "changeme", "placeholder", "certificate", "yourpin", "yourhash",
    ]

    /// Few different values, the same ones again and again, each beside the last, or one of them eight times in a row, which
    /// happens to one of 10^11 true digests.
    private static func isRegular(_ values: [UInt8]) -> Bool {
        guard values.count >= 16 else { return false }
        let same = zip(values, values.dropFirst()).split { $0 != $1 }.map(\.count).max() ?? 0
        if same >= 7 { return true }
        if Set(values).count <= 4 { return true }
        if (1...10).contains(where: { values.dropFirst($0).elementsEqual(values.dropLast($0)) }) { return true }
        let neighbours = zip(values, values.dropFirst()).count { $1 == $0 &+ 1 || $0 == $1 &+ 1 || $0 == $1 }
        return neighbours * 4 > values.count * 3
    }
}
