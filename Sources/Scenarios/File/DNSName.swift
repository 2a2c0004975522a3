import TLSCore

/// The host names that a certificate can carry, in lower case.
package enum DNSName {
    /// A name as a client asks for it (RFC 1123 section 2.1); `nil` for an address, which certificates write differently.
    package static func host(_ text: String) -> String? {
        let labels = text.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= 253, labels.allSatisfy(isLabel), let last = labels.last else { return nil }
        return last.allSatisfy(\.isNumber) ? nil : labels.joined(separator: ".")
    }

    /// As `host`, with a dot at its end or without.
    static func isAsked(_ text: String) -> Bool { host(SubjectName.relative(text)) != nil }

    /// A name as a certificate writes it: `*` may stand for the first label (RFC 9525 section 6.3).
    static func pattern(_ text: String) -> String? {
        guard text.hasPrefix("*.") else { return host(text) }
        return host(String(text.dropFirst(2))).map { "*.\($0)" }
    }

    /// Whether somebody meant an IPv4 or IPv6 address, with or without brackets and port.
    static func isAddress(_ text: String) -> Bool {
        let isNumeric = text.allSatisfy { $0.isHexDigit || ".:[]".contains($0) }
        return isNumeric && (text.contains(":") || text.split(separator: ".").last?.allSatisfy(\.isNumber) == true)
    }

    /// The host in `https://host:port/path`, or in `host:port`.
    static func host(ofURL text: String) -> String? {
        let authority = text.firstRange(of: "://").map { text[$0.upperBound...] } ?? text[...]
        guard let name = authority.prefix(while: { !"/?#".contains($0) }).split(separator: "@").last else { return nil }
        let host = String(name.prefix { $0 != ":" })
        return host.contains(".") && isAsked(host) ? host : nil
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
            && label.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
