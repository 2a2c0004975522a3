/// Android's network security configuration as a script writes it: the plugins of Expo do.
extension DescribedForms {
    static func templates(_ tree: SyntaxTree) -> [SourceReader.Site] {
        guard tree.language == .script else { return [] }
        var sites: [SourceReader.Site] = []
        tree.visit { expression, _ in
            guard let pieces = pieces(of: expression, in: tree) else { return true }
            let plain = pieces.map { if case .plain(let text) = $0 { text } else { "" } }.joined()
            // With pins, or with something in the place of them.
            guard plain.contains("<network-security-config"),
                ["<pin-set", "<pin "].contains(where: plain.contains) || tree.joinsPins(expression)
            else {
                return true
            }
            sites.append(site(ofTemplate: expression, in: tree))
            return false
        }
        return sites
    }

    /// The pieces of a text, and of texts that are put together with `+` or as lines: `['<pin-set>', …].join('')`.
    private static func pieces(of expression: Expression, in tree: SyntaxTree) -> [Expression.TextPiece]? {
        switch expression.kind {
        case .text(let pieces): return pieces
        case .binary("+", let left, let right):
            let second = pieces(of: right, in: tree)
            guard let first = pieces(of: left, in: tree) ?? (second == nil ? nil : [.value(left)]) else { return nil }
            return first + (second ?? [.value(right)])
        case .call(let callee, let arguments):
            guard case .member(let base, "join") = callee.kind, let lines = tree.elements(of: base),
                case .text(let between)? = arguments.first?.value.kind
            else { return nil }
            return Array(lines.map { pieces(of: $0, in: tree) ?? [.value($0)] }.joined(separator: between))
        default: return nil
        }
    }

    private static func site(ofTemplate template: Expression, in tree: SyntaxTree) -> SourceReader.Site {
        SourceReader.Site(form: .networkSecurity, line: template.line, token: template.token) { evaluator in
            guard let pieces = pieces(of: template, in: tree) else { return .gaps([], hosts: []) }
            var gaps: [FoundPins.Gap] = []
            let text = pieces.map { piece -> String in
                switch piece {
                case .plain(let text): return text
                case .value(let expression):
                    let value = evaluator.value(of: expression)
                    if let text = value.text { return text }
                    let reason = value.firstUnknown?.reason ?? "'\(expression.words)' is no text"
                    gaps.append(.init(line: expression.line, reason: reason))
                    return WrittenConfigurations.unknown
                }
            }.joined()
            let parts = WrittenConfigurations.parts(of: text, line: template.line)
            if !gaps.isEmpty { return .gaps(gaps.uniqued, hosts: parts.compactMap(\.host), known: parts) }
            let pins = parts.flatMap(\.pins).uniqued
            return .described(
                hosts: parts.compactMap(\.host),
                pins: pins,
                what: WrittenConfigurations.what(text),
                known: parts
            )
        }
    }
}

extension SyntaxTree {
    /// Whether lines are joined, and a part of the source that is not read with them writes pins.
    fileprivate func joinsPins(_ expression: Expression) -> Bool {
        guard case .call = expression.kind else { return false }
        return tokens.contains { token in
            guard case .text(let pieces) = token.kind else { return false }
            return pieces.contains { if case .plain(let text) = $0 { text.contains("<pin-set") } else { false } }
        }
    }
}
