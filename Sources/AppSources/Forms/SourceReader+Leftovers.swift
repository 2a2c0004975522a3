/// Pins in a source that no form made anything of.
package struct Leftovers: Sendable {
    package var line: Int
    /// Those that their tables give them.
    package var hosts: [String]
    package var pins: [String]
}

extension SourceReader {
    /// - Parameter used: the digests that forms made something of.
    package func leftovers(of file: SourceModule.File, used: Set<String>) -> Leftovers? {
        let rest = file.pinTexts.filter { !used.contains(FoundPins.digest(of: $0.text)) }
        guard let first = rest.first else { return nil }
        let wanted = Set(rest.map(\.text))
        let tree = module.tree(of: file)
        let ways = Choices.explore { hosts(in: tree, with: Evaluator(module, tree, $0), of: wanted) } ?? []
        return Leftovers(line: first.line, hosts: ways.flatMap(\.result).uniqued, pins: rest.map(\.text).uniqued)
    }

    private func hosts(in tree: SyntaxTree, with evaluator: Evaluator, of pins: Set<String>) -> [String] {
        var hosts: [String] = []
        for block in tree.blocks {
            for statement in block.statements {
                guard case .declaration(let declaration) = statement.kind, declaration.kind == .value,
                    declaration.value != nil || declaration.body != nil,
                    statement.tokens.clamped(to: 0..<tree.tokens.count).contains(where: {
                        tree.tokens[$0].isOne(of: pins)
                    })
                else { continue }
                let value =
                    declaration.value.map { evaluator.value(of: $0) } ?? evaluator.value(of: declaration)
                value.collectHosts(of: pins, evaluator, into: &hosts)
                // Constants beside them that are named as their hosts are.
                for (name, beside) in block.declarations.sorted(by: { $0.key < $1.key })
                where GroupReading.namesPinnedHosts(name) {
                    let texts = beside.filter { $0.kind == .value }.flatMap { evaluator.value(of: $0).texts }
                    hosts += texts.filter(PinText.isHost)
                }
            }
        }
        return hosts
    }
}

extension Token {
    fileprivate func isOne(of texts: Set<String>) -> Bool {
        guard case .text(let pieces) = kind, pieces.count == 1, case .plain(let text) = pieces[0] else { return false }
        return texts.contains(text)
    }
}

extension Value {
    fileprivate func collectHosts(of pins: Set<String>, _ evaluator: Evaluator, into hosts: inout [String]) {
        func host(_ value: Value) -> String? {
            guard let text = value.text else { return nil }
            return evaluator.host(of: text)?.text ?? (PinText.isHost(text) || PinText.isAddress(text) ? text : nil)
        }
        switch self {
        case .table(let entries):
            for entry in entries where !pins.isDisjoint(with: entry.value.texts) {
                if let host = host(entry.key) { hosts.append(host) }
                entry.value.collectHosts(of: pins, evaluator, into: &hosts)
            }
        case .list(let values): for value in values { value.collectHosts(of: pins, evaluator, into: &hosts) }
        case .object(_, let fields):
            guard !pins.isDisjoint(with: texts) else { return }
            hosts += fields.sorted { $0.key < $1.key }.compactMap { host($0.value) }
        case .made(let made):
            guard !pins.isDisjoint(with: texts) else { return }
            for argument in made.arguments {
                if let host = host(argument.value) { hosts.append(host) }
                argument.value.collectHosts(of: pins, evaluator, into: &hosts)
            }
        case .text, .number, .flag, .nothing, .unknown: break
        }
    }
}
