internal import CEmbedded
import TLSCore

/// Which ends of host names are open to the public: nobody owns `com` or `co.uk`, but somebody owns `example.com`.
///
/// Source: Mozilla's public suffix list (https://publicsuffix.org), both of its sections, as `Scripts/public-suffixes`
/// writes it.
/// The algorithm is the list's own, without its last resort: a top-level domain that the list does not know, as `test`
/// or `local`, is no suffix here, just as Google's `domain_registry` in TrustKit has it.
package struct PublicSuffixList: Sendable {
    static let shared = PublicSuffixList(text: embedded)

    private static var embedded: String {
        let file = CEmbeddedPublicSuffixes()
        return String(decoding: UnsafeBufferPointer(start: file.bytes, count: file.count), as: UTF8.self)
    }

    private let rules: Set<Substring>
    /// Those of companies that give names away below their own domain, as below `github.io`.
    private let companies: Set<Substring>

    /// - Parameter text: a rule on each line, in lower case and ASCII: `com`, `*.ck` or `!www.ck`; or a comment, behind `//`. One of
    ///   the comments is what parts the list's two sections.
    init(text: String) {
        let lines = text.split(separator: "\n")
        let border = lines.firstIndex(of: "// ===BEGIN PRIVATE DOMAINS===") ?? lines.endIndex
        rules = Set(lines.filter { !$0.hasPrefix("//") })
        companies = Set(lines[border...].filter { !$0.hasPrefix("//") })
    }

    /// Whether a public suffix is one of a registry of names, and no company's.
    func isOfRegistry(_ suffix: String) -> Bool {
        let name = SubjectName.relative(suffix).lowercased()
        let parent = name.drop { $0 != "." }.dropFirst()
        return !companies.contains(name[...]) && !companies.contains("*.\(parent)")
    }

    /// The length of a host's public suffix in bytes, as in 3 for `example.com`; 0 where there is none.
    func registryLength(_ host: String) -> Int {
        guard host.utf8.count <= 255, host.utf8.allSatisfy({ 0x01..<0x80 ~= $0 }) else { return 0 }
        let dotted = host.lowercased().drop { $0 == "." }
        let isAbsolute = dotted.hasSuffix(".")
        guard let suffix = suffix(of: isAbsolute ? dotted.dropLast() : dotted) else { return 0 }
        return suffix.utf8.count + (isAbsolute ? 1 : 0)
    }

    /// Whether two hosts are one owner's, as `www.example.com` and `api.example.com` are: their names end in the same
    /// registrable domain. Below a top-level domain that the list does not know, that has two labels.
    package static func haveOneOwner(_ one: String, _ other: String) -> Bool {
        shared.registrableDomain(one) == shared.registrableDomain(other)
    }

    /// Whether everybody may own names below it, as below `com`.
    package static func isPublic(_ name: String) -> Bool { shared.registryLength(name) == name.utf8.count }

    private func registrableDomain(_ host: String) -> String {
        let host = SubjectName.relative(host).lowercased()
        if case .ip = SubjectName(host) { return host }
        let suffix = max(1, host.dropFirst(host.utf8.count - registryLength(host)).split(separator: ".").count)
        return host.split(separator: ".").suffix(suffix + 1).joined(separator: ".")
    }

    /// The longest rule that matches, unless an exception does: that one wins, less its first label.
    private func suffix(of host: Substring) -> Substring? {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard !labels.contains("") else { return nil }
        for start in labels.indices {
            let name = host[labels[start].startIndex...]
            let parent = start + 1 < labels.count ? host[labels[start + 1].startIndex...] : nil
            if let parent, rules.contains("!" + name) { return parent }
            if rules.contains(name) { return name }
            if let parent, rules.contains("*." + parent) { return name }
        }
        return nil
    }
}
