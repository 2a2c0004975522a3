/// Android's network security configuration as a script writes it: the plugins of Expo do.
extension DescribedForms {
    static func templates(_ tree: SyntaxTree) -> [SourceReader.Site] {
        guard tree.language == .script else { return [] }
        var sites: [SourceReader.Site] = []
        tree.visit { expression, _ in
            guard case .text(let pieces) = expression.kind else { return true }
            let plain = pieces.map { if case .plain(let text) = $0 { text } else { "" } }.joined()
            // With pins, or with something in the place of them.
            guard plain.contains("<network-security-config"), plain.contains("<pin-set") || plain.contains("<pin ")
            else {
                return true
            }
            sites.append(site(ofTemplate: expression))
            return false
        }
        return sites
    }

    /// Stands for what is not known.
    private static let unknown = "\u{0}"

    private static func site(ofTemplate template: Expression) -> SourceReader.Site {
        // A text counts by its last line.
        var line = template.line
        if case .text(let pieces) = template.kind {
            for case .plain(let text) in pieces { line -= text.count { $0.isNewline } }
        }
        return SourceReader.Site(form: .networkSecurity, line: line, token: template.token) { [line] evaluator in
            guard case .text(let pieces) = template.kind else { return .gaps([], hosts: []) }
            var gaps: [FoundPins.Gap] = []
            let text = pieces.map { piece -> String in
                switch piece {
                case .plain(let text): return text
                case .value(let expression):
                    let value = evaluator.value(of: expression)
                    if let text = value.text { return text }
                    let reason = value.firstUnknown?.reason ?? "'\(expression.words)' is no text"
                    gaps.append(.init(line: expression.line, reason: reason))
                    return Self.unknown
                }
            }.joined()
            let parts = text.uncommented.pieces(from: "<domain-config", to: "</domain-config>")
                .flatMap { element -> [FoundPins.Part] in
                    let pins = element.pieces(from: "<pin ", to: "</pin>").map(\.contents)
                        .filter { !$0.isEmpty && !$0.contains(Self.unknown) }
                    let hosts = element.pieces(from: "<domain ", to: "</domain>").map(\.contents)
                    return pins.isEmpty
                        ? []
                        : hosts.map { host in
                            .init(host: host.contains(Self.unknown) ? nil : host, pins: pins, line: line)
                        }
                }
            if !gaps.isEmpty { return .gaps(gaps.uniqued, hosts: parts.compactMap(\.host), known: parts) }
            let what = "pins of keys in the network security configuration that this writes for Android"
            let pins = parts.flatMap(\.pins).uniqued
            return .described(hosts: parts.compactMap(\.host), pins: pins, what: what, known: parts)
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
