/// The `Public-Key-Pins` header in the code of a server.
extension DescribedForms {
    /// `response.setHeader("Public-Key-Pins", "pin-sha256=…")`, `Headers["Public-Key-Pins"] = "…"`, Spring's `addSha256Pins`
    /// and NWebsec's `Sha256Pins`.
    static func sentHeaders(_ tree: SyntaxTree) -> [SourceReader.Site] {
        let setters: Set<String> = [
            "setHeader", "addHeader", "header", "set", "add", "append", "put", "Add", "Append", "AddHeader",
            "AppendHeader", "Set", "TryAdd", "TryAddWithoutValidation",
        ]
        let headers = tree.calls(setters).compactMap { call, _, arguments -> SourceReader.Site? in
            // `request.header(NAME, "")` asks for it.
            if case .text(let pieces)? = arguments.last?.value.kind, pieces.isEmpty { return nil }
            return arguments.count == 2 && isHeader(arguments[0].value) ? header(call, arguments[1].value) : nil
        }
        let assigned = tree.blocks.flatMap(\.statements).compactMap { statement -> SourceReader.Site? in
            guard case .assignment(let target, "=", let value) = statement.kind, case .index(_, let name) = target.kind,
                isHeader(name)
            else { return nil }
            return header(target, value)
        }
        return headers + assigned
            + tree.calls(["addSha256Pins", "Sha256Pins"]).map { call, _, arguments in
                sent(call, arguments.map(\.value))
            }
    }

    /// The header's name, or a constant by that of the header.
    private static func isHeader(_ name: Expression) -> Bool {
        if case .text(let pieces) = name.kind, pieces.count == 1, case .plain(let text) = pieces[0] {
            return ["public-key-pins", "public-key-pins-report-only"].contains(text.lowercased())
        }
        return ["PUBLIC_KEY_PINS", "PUBLIC_KEY_PINS_REPORT_ONLY"].contains(name.finalName ?? "")
    }

    private static func header(_ call: Expression, _ value: Expression) -> SourceReader.Site {
        sent(call, [value]) { text in
            // Somebody took it from a file of XML.
            text.replacing("&quot;", with: "\"").split(separator: "pin-sha256").compactMap { part in
                // What stands before the first one is none.
                guard let sign = part.firstIndex(of: "="), part[..<sign].allSatisfy(\.isWhitespace) else { return nil }
                let value = part[part.index(after: sign)...].drop { " \"'".contains($0) }
                return String(value.prefix { !"\"'; ".contains($0) })
            }
        }
    }

    private static func sent(
        _ call: Expression,
        _ values: [Expression],
        _ pins: @escaping (String) -> [String] = { [$0] }
    ) -> SourceReader.Site {
        let what = "SPKI pins that a server sends to browsers, whatever its name; none of today looks at them"
        return SourceReader.Site(form: .publicKeyHeader, line: call.line, token: call.token) { evaluator in
            let value = Value.list(values.map { evaluator.value(of: $0) })
            if let unknown = value.firstUnknown {
                return .gaps([.init(line: call.line, reason: "a pin: \(unknown.reason)")], hosts: [])
            }
            let pins = value.texts.flatMap(pins).filter { !$0.isEmpty }.uniqued
            if pins.isEmpty { return .gaps([.init(line: call.line, reason: "the header has no pins")], hosts: []) }
            return .described(hosts: [], pins: pins, what: what)
        }
    }
}
