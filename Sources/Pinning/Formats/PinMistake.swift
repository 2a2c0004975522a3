import Foundation
import TLSCore

/// What is wrong with a text that stands where a pin belongs, the padded Base64 of a SHA-256 digest and nothing else.
struct PinMistake {
    private enum Kind {
        case empty, variable, placeholder, quoted, hexadecimal, spaced, urlSafe, unpadded, other
        case prefix(String)
        case length(Int)
    }

    private let text: String
    private let kind: Kind

    init(in text: String) {
        self.text = text
        let compact = text.filter { $0 != ":" }
        let lowercased = text.lowercased()
        let prefixes = ["pin-sha256=", "sha256//", "sha256/", "sha1/", "sha512/", "md5/"]
        kind =
            if text.isEmpty {
                .empty
            } else if PinMistake.isSetByBuild(text) {
                .variable
            } else if let prefix = prefixes.first(where: lowercased.hasPrefix) {
                .prefix(prefix)
            } else if text.contains(where: { "\"'".contains($0) }) {
                .quoted
            } else if [40, 64].contains(compact.count), compact.allSatisfy({ $0.isASCII && $0.isHexDigit }) {
                .hexadecimal
            } else if text != text.trimmingCharacters(in: .whitespacesAndNewlines) {
                .spaced
            } else if PinnedDigest.wordOfPlaceholder(in: text) != nil {
                .placeholder
            } else if text.contains(where: { "-_".contains($0) }), 43...44 ~= text.utf8.count {
                .urlSafe
            } else if let bytes = Data(base64Encoded: text)?.count {
                .length(bytes)
            } else if Data(base64Encoded: text + "=") != nil || Data(base64Encoded: text + "==") != nil {
                .unpadded
            } else {
                .other
            }
    }

    /// Whether a text holds a variable that is filled in when an app is built: `$(NAME)` of Xcode, `${name}` of Gradle.
    static func isSetByBuild(_ text: String) -> Bool { text.contains(#/\$(?:\([^)]+\)|\{[^}]+\})/#) }

    /// Whether a pin was yet to be written there.
    var isPlaceholder: Bool { if case .placeholder = kind { true } else { false } }

    /// Beside another complaint: what it seems to be; `nil` when nothing comes to mind.
    var hint: String? {
        switch kind {
        case .prefix(let prefix): "it has the prefix '\(prefix)'"
        case .placeholder: "it is a placeholder"
        case .quoted: "it is quoted"
        case .variable: "it is filled in when the app is built"
        case .hexadecimal: "it is hexadecimal"
        case .spaced: "it has white space around it"
        case .urlSafe: "it is URL-safe Base64"
        case .unpadded: text.utf8.count == 43 ? "its padding '=' is missing" : nil
        case .empty, .length, .other: nil
        }
    }

    /// As the whole complaint: found what, and what was expected.
    var complaint: String {
        let found =
            switch kind {
            case .empty: "an empty text"
            case .variable: "'\(text)', which is filled in when the app is built (audit takes --define NAME=VALUE)"
            case .prefix(let prefix): "the prefix '\(prefix)' in '\(text)'"
            case .placeholder: "the placeholder '\(text)'"
            case .quoted: "quotes inside '\(text)'"
            case .hexadecimal: "hexadecimal, '\(text)'"
            case .spaced: "white space around '\(text.trimmingCharacters(in: .whitespacesAndNewlines))'"
            case .urlSafe: "URL-safe Base64, '\(text)'"
            case .length(let count): "\(count) bytes in '\(text)'"
            case .unpadded: "Base64 without its padding, '\(text)'"
            case .other: "'\(text)', which is not Base64"
            }
        return "found \(found), expected the Base64 of 32 bytes: 44 characters, the last of them '='"
    }
}

extension Pin {
    /// As Apple's systems read one: Base64 with its padding, and nothing else.
    init?(base64 text: String) {
        guard let digest = Data(base64Encoded: text) else { return nil }
        self.init(digest: digest)
        if text != base64 { written = text }
    }
}
