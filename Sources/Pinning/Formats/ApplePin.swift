import Foundation
import TLSCore

/// A pin as Apple's and TrustKit's configurations write it: the Base64 of a SHA-256 digest and nothing else.
enum ApplePin {
    case pin(Pin)
    /// What is wrong with the text, in words.
    case flaw(String)

    init(_ text: String) {
        guard let digest = Data(base64Encoded: text), let pin = Pin(digest: digest) else {
            self = .flaw(ApplePin.flaw(in: text))
            return
        }
        self = .pin(pin)
    }

    private static func flaw(in text: String) -> String {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let found =
            if text.isEmpty {
                "an empty text"
            } else if let prefix = ["pin-sha256=", "sha256//", "sha256/", "sha1/"].first(where: text.hasPrefix) {
                "the prefix '\(prefix)' in '\(text)'"
            } else if text.contains(where: { "\"'".contains($0) }) {
                "quotes inside '\(text)'"
            } else if [40, 64].contains(text.filter { $0 != ":" }.count),
                text.allSatisfy({ $0.isHexDigit || $0 == ":" })
            {
                "hexadecimal, '\(text)'"
            } else if trimmed != text {
                "white space around '\(trimmed)'"
            } else if text.contains(where: { "-_".contains($0) }) {
                "URL-safe Base64, '\(text)'"
            } else if let bytes = Data(base64Encoded: text)?.count {
                "\(bytes) bytes in '\(text)'"
            } else if Data(base64Encoded: text + "=") != nil || Data(base64Encoded: text + "==") != nil {
                "Base64 without its padding, '\(text)'"
            } else {
                "'\(text)', which is not Base64"
            }
        return "found \(found), expected the Base64 of 32 bytes: 44 characters, the last of them '='"
    }
}
