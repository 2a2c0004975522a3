import Foundation

/// Which hosts a pin of OkHttp is for: `example.com`, `*.example.com` (one label more, and not the domain itself) or
/// `**.example.com` (the domain itself, and everything below it).
package struct OkHttpPattern: Hashable, Sendable {
    /// As written.
    package let text: String
    /// In OkHttp's normal form: lower case, international names in Punycode.
    package let canonical: String

    /// Why OkHttp throws, in its own words.
    package struct ParseError: Error, CustomStringConvertible, Sendable {
        package let description: String
    }

    package init(_ text: String) throws(ParseError) {
        let stars = text.prefix { $0 == "*" }.count
        let isPlaced = stars == 0 || (1...2 ~= stars && text.dropFirst(stars).hasPrefix("."))
        guard isPlaced, !text.dropFirst(stars).contains("*") else {
            throw ParseError(
                description: "Unexpected pattern: \(text): expected '*' only in a leading '*.' or '**.'"
            )
        }
        guard let canonical = canonicalHost(text) else {
            throw ParseError(description: "Invalid pattern: \(text): expected a host name\(Self.older(text))")
        }
        self.text = text
        self.canonical = canonical
    }

    /// What is said of the release that reads a pattern as an address: `HttpUrl.get("http://" + pattern).host()` in OkHttp 3.
    private static func older(_ text: String) -> String {
        if let scheme = ["https", "http"].first(where: { text.hasPrefix($0 + "://") }) {
            return " (OkHttp 4 and later; OkHttp 3 pins a host '\(scheme)', which nobody asks)"
        }
        let host = text.prefix { !"/?#:".contains($0) }
        let rest = text[host.endIndex...]
        let port = rest.first == ":" ? rest.dropFirst().prefix { $0 != "/" } : "80"
        guard let only = canonicalHost(String(host)), only.contains("."), Int(port).map({ 1...65535 ~= $0 }) ?? false
        else {
            return ""
        }
        return " (OkHttp 4 and later; OkHttp 3 pins '\(only)')"
    }

    /// Whether a host in normal form is meant.
    package func matches(_ host: String, in release: OkHttp.Release = .current) -> Bool {
        guard release == .current else { return matchesAsOnce(host) }
        if canonical.hasPrefix("**.") {
            let domain = canonical.dropFirst(3)
            return host == domain || host.hasSuffix("." + domain)
        }
        guard canonical.hasPrefix("*.") else { return host == canonical }
        let suffix = canonical.dropFirst(1)
        return host.hasSuffix(suffix) && !host.dropLast(suffix.count).contains(".")
    }

    /// Old releases looked up the text itself, knew no `**.`, and tried `*.` only for hosts of three labels and more.
    private func matchesAsOnce(_ host: String) -> Bool {
        if text == host { return true }
        guard let first = host.firstIndex(of: "."), first != host.lastIndex(of: ".") else { return false }
        return text == "*" + host[first...]
    }
}

/// A host as OkHttp compares it (`toCanonicalHost`): lower case, Punycode; `nil` when it is none.
func canonicalHost(_ text: String) -> String? {
    // An address in brackets is passed through: no certificate pattern in use has one.
    let folded = text.precomposedStringWithCompatibilityMapping.lowercased()
    guard !folded.isEmpty else { return nil }
    var labels: [String] = []
    for label in folded.split(separator: ".", omittingEmptySubsequences: false) {
        guard let ascii = label.utf8.allSatisfy({ $0 < 0x80 }) ? String(label) : punycode(label) else { return nil }
        labels.append(ascii)
    }
    let host = labels.joined(separator: ".")
    let isWellFormed = host.utf8.allSatisfy { 0x21..<0x7F ~= $0 && !"#%/:?@[\\]".utf8.contains($0) }
    let inner = labels.last?.isEmpty == true ? labels.dropLast() : labels[...]
    guard isWellFormed, host.utf8.count <= 253, inner.allSatisfy({ 1...63 ~= $0.utf8.count }), !inner.isEmpty else {
        return nil
    }
    return host
}

/// `xn--` and a label's letters in ASCII (RFC 3492 section 6.3); `nil` when a number grows too large.
private func punycode(_ label: Substring) -> String? {
    let input = label.unicodeScalars.map(\.value)
    // It becomes longer, and longer than a label may be.
    guard input.count <= 63 else { return nil }
    var output = input.filter { $0 < 0x80 }.compactMap { UnicodeScalar($0).map(Character.init) }
    let basic = output.count
    if basic > 0 { output.append("-") }
    var (code, delta, bias, handled): (UInt32, UInt32, UInt32, UInt32) = (128, 0, 72, UInt32(basic))
    while handled < input.count {
        guard let next = input.filter({ $0 >= code }).min() else { return nil }
        let (step, isTooLarge) = (next - code).multipliedReportingOverflow(by: handled + 1)
        guard !isTooLarge, delta <= UInt32.max - step else { return nil }
        delta += step
        code = next
        for scalar in input {
            if scalar < code { delta += 1 }
            guard scalar == code else { continue }
            var rest = delta
            var place: UInt32 = 36
            while true {
                let threshold = place <= bias ? 1 : min(26, place - bias)
                if rest < threshold { break }
                output.append(punycodeDigit(threshold + (rest - threshold) % (36 - threshold)))
                rest = (rest - threshold) / (36 - threshold)
                place += 36
            }
            output.append(punycodeDigit(rest))
            bias = adapted(delta, handled + 1, isFirst: handled == basic)
            delta = 0
            handled += 1
        }
        delta += 1
        code += 1
    }
    return "xn--" + String(output)
}

private func punycodeDigit(_ digit: UInt32) -> Character {
    Character(UnicodeScalar(UInt8(digit < 26 ? 97 + digit : 22 + digit)))
}

private func adapted(_ delta: UInt32, _ count: UInt32, isFirst: Bool) -> UInt32 {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / count
    var bias: UInt32 = 0
    while delta > 455 {
        delta /= 35
        bias += 36
    }
    return bias + 36 * delta / (delta + 38)
}
