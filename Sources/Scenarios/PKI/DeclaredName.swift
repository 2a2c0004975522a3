import Foundation
import TLSCore

/// A name as the file writes it for a certificate: `api.acme.example`, `*.{parent}`, `ip:192.0.2.1`,
/// `node-{1..9999}.acme.example`.
///
/// `{host}` is the name that the client asks for, `{parent}` the same without its first label. What is no DNS name is
/// written with its kind: `dns:`, `ip:`, `email:` or `uri:`.
enum DeclaredName {
    private static let kinds = ["dns:", "ip:", "email:", "uri:"]
    private static let mostNames = 20_000

    /// What is wrong with it, in words; `nil` when nothing is.
    static func problem(_ text: String) -> String? {
        guard let range = range(in: text) else { return "is no range: two numbers that rise, as in {1..500}" }
        guard range.numbers.count <= mostNames else { return "makes more than \(mostNames) names" }
        let one = filled(expanded(text, range, range.numbers.lowerBound), host: "a.host.example")
        let kind = kind(of: one)
        let rest = one.dropFirst(kind?.count ?? 0)
        switch kind {
        case nil where DNSName.pattern(one) == nil: return "is not a DNS name; write 'dns:' before it if it is meant"
        case "ip:" where !SubjectName(String(rest)).isAddress: return "is not an address"
        case .some where rest.isEmpty: return "names nothing"
        default: return nil
        }
    }

    /// The names that it stands for.
    static func names(_ text: String, host: String) -> [SubjectName] {
        // Filled before it is expanded: it may stand for thousands.
        let text = filled(text, host: host)
        guard let range = range(in: text) else { return [] }
        return range.numbers.map { name(expanded(text, range, $0)) }
    }

    /// All of them as one pattern: a name constraint that covers it covers each.
    static func pattern(_ text: String, host: String) -> SubjectName {
        let place = range(in: text)?.place
        return name(filled(place.map { text.replacingCharacters(in: $0, with: "*") } ?? text, host: host))
    }

    static func filled(_ text: String, host: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
        let parent = host.split(separator: ".", maxSplits: 1).last.map(String.init) ?? host
        return text.replacing("{host}", with: host).replacing("{parent}", with: parent)
    }

    private static func kind(of text: String) -> String? { kinds.first(where: text.hasPrefix) }

    private static func name(_ text: String) -> SubjectName {
        guard let kind = kind(of: text) else { return SubjectName(DNSName.pattern(text) ?? text) }
        let rest = String(text.dropFirst(kind.count))
        // RFC 5280 section 4.2.1.6: the tags of `rfc822Name` and `uniformResourceIdentifier`.
        return switch kind {
        case "ip:": SubjectName(rest)
        case "email:": .other(tag: 1, contents: Array(rest.utf8))
        case "uri:": .other(tag: 6, contents: Array(rest.utf8))
        default: .dns(rest)
        }
    }

    /// The `{1..500}` of a name; one number and no place where there is none.
    private static func range(in text: String) -> (place: Range<String.Index>?, numbers: ClosedRange<Int>)? {
        // A file has thousands of names, few of them ranges, and an expression takes long to make.
        guard text.utf8.contains(UInt8(ascii: "{")), text.contains(".."),
            let match = text.firstMatch(of: /\{(\d{1,9})\.\.(\d{1,9})\}/)
        else { return (nil, 1...1) }
        guard let first = Int(match.1), let last = Int(match.2), first <= last else { return nil }
        return (match.range, first...last)
    }

    private static func expanded(
        _ text: String,
        _ range: (place: Range<String.Index>?, numbers: ClosedRange<Int>),
        _ number: Int
    ) -> String {
        range.place.map { text.replacingCharacters(in: $0, with: "\(number)") } ?? text
    }
}

extension SubjectName {
    fileprivate var isAddress: Bool { if case .ip = self { true } else { false } }
}
