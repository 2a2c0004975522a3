/// Android's network security configuration in a text of something else, which writes or shows it.
package enum WrittenConfigurations {
    package struct Found: Hashable, Sendable {
        package var line: Int
        package var parts: [FoundPins.Part]
        package var what: String
        /// What is put in when it is written; `nil` where all is known.
        package var gap: String?
    }

    /// What a text of one is, in words.
    static func what(_ text: String) -> String {
        let what = "pins of keys in the network security configuration that this writes for Android"
        let (all, wide) = (parts(of: text, line: 1), parts(of: text, line: 1, areWide: true))
        let broken = all.flatMap(\.pins).uniqued.filter {
            !PinText.isDigest($0) && !$0.contains { "${}%".contains($0) }
        }
        .map { "; '\($0)' is no digest, and Android reads no configuration with it" }.joined()
        if wide.isEmpty { return what + broken }
        if wide.count == all.count { return "\(what); for their subdomains as well\(broken)" }
        let hosts = wide.map { $0.host ?? "a host that is not known" }
        return "\(what); for the subdomains of \(hosts.joined(separator: " and ")) as well\(broken)"
    }

    /// Stands for what is not known.
    static let unknown = "\u{0}"

    package static func read(_ text: String) -> [Found] {
        var found: [Found] = []
        var rest = text[...]
        var line = 1
        while let start = rest.firstRange(of: "<network-security-config"), found.count < 20 {
            line += rest[..<start.lowerBound].count { $0.isNewline }
            rest = rest[start.lowerBound...]
            let end = rest.firstRange(of: "</network-security-config>")?.upperBound ?? rest.endIndex
            let own = String(rest[..<end]).replacing("\\\"", with: "\"")
            let all = parts(of: own, line: line)
            // `$NAME`, `{{ name }}`, `%s`, `#{name}`
            func isLate(_ text: String) -> Bool { text.contains { "${}%".contains($0) } }
            let late = all.compactMap { part in
                part.host.flatMap { isLate($0) ? $0 : nil } ?? part.pins.first(where: isLate)
            }
            let known = all.map { part in
                var known = part
                known.host = part.host.flatMap { isLate($0) ? nil : $0 }
                known.pins = part.pins.filter { !isLate($0) }
                return known
            }
            let gap = late.first.map { "'\($0)' is known only when the configuration is written" }
            if !all.isEmpty {
                let parts = known.filter { !$0.pins.isEmpty }
                found.append(.init(line: line, parts: parts, what: what(own), gap: gap))
            }
            line += rest[..<end].count { $0.isNewline }
            rest = rest[end...]
        }
        return found
    }

    /// What stands in a file of such a configuration that is no XML.
    package static func readBroken(_ text: String) -> [FoundPins.Part] {
        guard text.contains("<network-security-config") else { return [] }
        return parts(of: text, line: 1).map { part in
            var part = part
            if let host = part.host, let place = text.firstRange(of: host) {
                part.line = text[..<place.lowerBound].count { $0.isNewline } + 1
            }
            return part
        }
    }

    /// Its hosts with their pins, of those that have any.
    ///
    /// - Parameter areWide: whether only those are meant whose subdomains count as well.
    static func parts(of text: String, line: Int, areWide: Bool = false) -> [FoundPins.Part] {
        let text = text.uncommented.replacing("<domain>", with: "<domain >").replacing("<pin>", with: "<pin >")
        return text.pieces(from: "<domain-config", to: "</domain-config>").flatMap { element -> [FoundPins.Part] in
            let pins = element.pieces(from: "<pin ", to: "</pin>").map(\.contents)
                .filter { !$0.isEmpty && !$0.contains(unknown) }
            let hosts = element.pieces(from: "<domain ", to: "</domain>")
                .filter { !areWide || $0.prefix { $0 != ">" }.contains("includeSubdomains=\"true\"") }.map(\.contents)
            guard !pins.isEmpty else { return [] }
            let set = element.pieces(from: "<pin-set", to: ">").first?.pieces(from: "expiration=\"", to: "\"").first
            return hosts.map { host in
                var part = FoundPins.Part(host: host.contains(unknown) ? nil : host, pins: pins, line: line)
                part.end = set.flatMap { $0.contains(unknown) || $0.contains { "${}%".contains($0) } ? nil : $0 }
                return part
            }
        }
    }
}

extension String {
    /// What stands between two texts, each time; to the end where the second is missing.
    fileprivate func pieces(from start: String, to end: String) -> [String] {
        components(of: start).dropFirst().map { piece in
            String(piece.firstRange(of: end).map { piece[..<$0.lowerBound] } ?? piece[...])
        }
    }

    private func components(of mark: String) -> [String] {
        split(separator: mark, omittingEmptySubsequences: false).map(String.init)
    }

    /// Of `digest="SHA-256">AAAA`, what stands behind the tag.
    fileprivate var contents: String {
        guard let close = firstIndex(of: ">") else { return "" }
        return self[index(after: close)...].trimmed
    }

    /// Without the comments of XML.
    fileprivate var uncommented: String {
        let parts = components(of: "<!--")
        return (parts.first ?? "")
            + parts.dropFirst().map { part in part.firstRange(of: "-->").map { String(part[$0.upperBound...]) } ?? "" }
            .joined()
    }
}

extension Substring {
    fileprivate var trimmed: String {
        var text = self
        while text.first?.isWhitespace ?? false { text.removeFirst() }
        while text.last?.isWhitespace ?? false { text.removeLast() }
        return String(text)
    }
}
