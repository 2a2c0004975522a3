/// Pins in a source that no form made anything of.
package struct Leftovers: Hashable, Sendable {
    package var line: Int
    /// Those that their tables give them.
    package var hosts: [String]
    package var pins: [String]
    /// The pins of which a table says the host.
    package var known: [FoundPins.Part]
}

extension SourceReader {
    /// - Parameter used: the digests that forms made something of.
    package func leftovers(of file: SourceModule.File, used: Set<String>) -> Leftovers? {
        let rest = file.pinTexts.filter { !used.contains(FoundPins.digest(of: $0.text)) }
        guard let first = rest.first else { return nil }
        let wanted = Set(rest.map(\.text))
        let tree = module.tree(of: file)
        let ways = Choices.explore { parts(in: tree, with: Evaluator(module, tree, $0), of: wanted) } ?? []
        let known = ways.flatMap(\.result).uniqued
        return Leftovers(
            line: first.line,
            hosts: known.compactMap(\.host).uniqued,
            pins: rest.map(\.text).uniqued,
            known: known.filter { !$0.pins.isEmpty }
        )
    }

    private func parts(in tree: SyntaxTree, with evaluator: Evaluator, of pins: Set<String>) -> [FoundPins.Part] {
        var parts: [FoundPins.Part] = []
        for block in tree.blocks {
            for statement in block.statements {
                guard
                    statement.tokens.clamped(to: 0..<tree.tokens.count).contains(where: {
                        tree.tokens[$0].isOne(of: pins)
                    }),
                    let value = statement.values(with: evaluator)
                else { continue }
                let own = value.parts(of: pins, statement.line, evaluator)
                guard own.isEmpty else {
                    parts += own
                    continue
                }
                // Constants beside them that are named as their hosts are.
                let beside = block.declarations.sorted { $0.key < $1.key }
                    .filter { GroupReading.namesPinnedHosts($0.key) }
                    .flatMap { $0.value.filter { $0.kind == .value }.flatMap { evaluator.value(of: $0).texts } }
                    .filter(PinText.isHost).uniqued
                let pins = value.texts.filter(pins.contains).uniqued
                // Which one of several they are for, no table says.
                parts += beside.map { .init(host: $0, pins: beside.count == 1 ? pins : [], line: statement.line) }
            }
        }
        return parts
    }
}

extension Statement {
    /// What it declares, assigns, returns or hands on; `nil` where it is made of other statements.
    fileprivate func values(with evaluator: Evaluator) -> Value? {
        switch kind {
        case .declaration(let declaration) where declaration.kind == .value:
            if let value = declaration.value { return evaluator.value(of: value) }
            return declaration.body == nil ? nil : evaluator.value(of: declaration)
        case .assignment(_, _, let value): return evaluator.value(of: value)
        case .returning(let value): return value.map { evaluator.value(of: $0) }
        case .expression(let expression):
            guard case .call(_, let arguments) = expression.kind else { return evaluator.value(of: expression) }
            return .list(arguments.map { evaluator.value(of: $0.value) })
        default: return nil
        }
    }
}

extension Token {
    fileprivate func isOne(of texts: Set<String>) -> Bool {
        guard case .text(let pieces) = kind, pieces.count == 1, case .plain(let text) = pieces[0] else { return false }
        return texts.contains(text)
    }
}

extension Value {
    /// Some of the pins with the host that a table, or an object beside them, gives them.
    fileprivate func parts(of pins: Set<String>, _ line: Int, _ evaluator: Evaluator) -> [FoundPins.Part] {
        func host(_ value: Value) -> String? {
            guard let text = value.text else { return nil }
            return evaluator.host(of: text)?.text ?? (PinText.isHost(text) || PinText.isAddress(text) ? text : nil)
        }
        func part(_ host: String, _ value: Value, _ line: Int) -> FoundPins.Part {
            .init(host: host, pins: value.texts.filter(pins.contains).uniqued, line: line)
        }
        /// Where a part of the object has hosts of its own, they are those of its pins.
        func object(_ hosts: [String], _ values: [Value]) -> [FoundPins.Part] {
            let inner = values.flatMap { $0.parts(of: pins, line, evaluator) }
            return inner.isEmpty ? hosts.map { part($0, self, line) } : inner
        }
        switch self {
        case .table(let entries):
            let named = entries.filter { entry in
                // A link to a document is a URL, too.
                let name = entry.key.text?.lowercased().filter { $0 != "_" } ?? ""
                return ["host", "domain", "server", "endpoint", "baseur"].contains(where: name.contains)
                    && !name.contains("report") || ["url", "uri", "apiurl"].contains(name)
            }
            let pinned = entries.filter { !pins.isDisjoint(with: $0.value.texts) }
            if pinned.allSatisfy({ host($0.key) == nil }), !named.isEmpty, !pinned.isEmpty {
                return object(named.compactMap { host($0.value) }, pinned.map(\.value))
            }
            return pinned.flatMap { entry in
                host(entry.key).map { [part($0, entry.value, entry.line)] }
                    ?? entry.value.parts(of: pins, entry.line, evaluator)
            }
        case .list(let values): return values.flatMap { $0.parts(of: pins, line, evaluator) }
        case .object(_, let fields):
            guard !pins.isDisjoint(with: texts) else { return [] }
            let values = fields.sorted { $0.key < $1.key }.map(\.value)
            return object(values.compactMap(host), values)
        case .made(let made):
            guard !pins.isDisjoint(with: texts) else { return [] }
            return object(made.arguments.compactMap { host($0.value) }, made.arguments.map(\.value))
        case .text, .number, .flag, .nothing, .unknown: return []
        }
    }
}
