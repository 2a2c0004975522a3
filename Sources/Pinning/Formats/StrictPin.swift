import TLSCore

/// Why a text that stands where bare Base64 belongs is not a pin, in words that name the mistake.
struct PinMistake: Error, Hashable {
    let message: String
}

/// Reads a SHA-256 digest in padded Base64 and nothing else, as most pinning systems do.
func strictPin(_ text: String) -> Result<Pin, PinMistake> {
    if let pin = try? Pin(parsing: text), pin.base64 == text { return .success(pin) }
    return .failure(PinMistake(message: mistake(in: text)))
}

private func mistake(in text: String) -> String {
    let expected = "expected the Base64 of a SHA-256 digest: 44 characters"
    let compact = text.filter { $0 != ":" }
    if text.isEmpty { return "the pin is empty; \(expected)" }
    for prefix in ["sha256//", "sha256/", "sha1/"] where text.hasPrefix(prefix) {
        return "'\(text)' begins with '\(prefix)'; \(expected) and no prefix"
    }
    if text.contains(where: { "\"'".contains($0) }) { return "'\(text)' has quotes inside it; \(expected)" }
    if compact.count == 64, compact.allSatisfy(\.isHexDigit) { return "'\(text)' is hexadecimal; \(expected)" }
    if text.contains(where: { "-_".contains($0) }) { return "'\(text)' is URL-safe Base64 ('-', '_'); \(expected)" }
    do {
        _ = try Pin(parsing: text)
        return "'\(text)' is not in the usual form; \(expected)"
    } catch { return "\(error); \(expected)" }
}
