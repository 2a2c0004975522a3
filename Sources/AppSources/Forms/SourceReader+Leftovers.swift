/// Pins in a source that no form made anything of.
package struct Leftovers: Hashable, Sendable {
    package var line: Int
    /// Those that their tables give them.
    package var hosts: [String]
    package var pins: [String]
    /// The pins of which a table says the host.
    package var known: [FoundPins.Part]
    /// Whether the source lets every certificate through beside them, in any build.
    package var areBypassed = false
}

extension SourceReader {
    /// Whether a source has texts that look like pins, whatever they are for.
    package func hasPinTexts(_ file: SourceModule.File) -> Bool { !file.pinTexts(in: module.tokens(of: file)).isEmpty }

    /// - Parameter used: the digests that forms made something of.
    package func leftovers(of file: SourceModule.File, used: Set<String>) -> Leftovers? {
        let rest = file.pinTexts(in: module.tokens(of: file)).filter { !used.contains(FoundPins.digest(of: $0.text)) }
        guard let first = rest.first else { return nil }
        let wanted = Set(rest.map(\.text))
        let tree = module.tree(of: file)
        let ways = Choices.explore { parts(in: tree, with: Evaluator(module, tree, $0), of: wanted) } ?? []
        var seen: Set<[String]> = []
        let known = ways.flatMap(\.result).filter { seen.insert([$0.host ?? ""] + $0.pins).inserted }
        return Leftovers(
            line: first.line,
            hosts: known.compactMap(\.host).uniqued,
            pins: rest.map(\.text).uniqued,
            known: known.filter { !$0.pins.isEmpty },
            areBypassed: tree.letsAllThrough
        )
    }

    private func parts(in tree: SyntaxTree, with evaluator: Evaluator, of pins: Set<String>) -> [FoundPins.Part] {
        var parts: [FoundPins.Part] = []
        var guesses: [FoundPins.Part] = []
        // Constants that are a pin, or a list of pins: where they stand in a table, it says whose they are.
        let names = Set(
            tree.blocks.flatMap { $0.declarations.values.joined() }.filter { $0.value?.holdsOne(of: pins) ?? false }
                .map(\.name)
        )
        for block in tree.blocks {
            for statement in block.statements {
                let tokens = statement.tokens.clamped(to: 0..<tree.tokens.count)
                let holdsPin = tokens.contains { tree.tokens[$0].isOne(of: pins) }
                guard holdsPin || tokens.contains(where: { tree.tokens[$0].name.map(names.contains) ?? false }),
                    let value = statement.values(with: evaluator)
                else { continue }
                let own = value.parts(of: pins, statement.line, evaluator)
                guard own.isEmpty else {
                    parts += own
                    continue
                }
                guard holdsPin else { continue }
                let beside = hosts(beside: statement, in: block, of: pins, with: evaluator)
                let pins = value.texts.filter(pins.contains).uniqued
                // Which one of several they are for, no table says.
                guesses += beside.map { .init(host: $0, pins: beside.count == 1 ? pins : [], line: statement.line) }
            }
        }
        let told = Set(parts.flatMap(\.pins))
        let found = parts + guesses.filter { $0.pins.isEmpty || told.isDisjoint(with: $0.pins) }
        guard found.isEmpty, let host = onlyHost(in: tree, with: evaluator) else { return found }
        let line = tree.tokens.first { $0.isOne(of: pins) }?.line ?? 0
        let all = tree.tokens.compactMap(\.plainText).filter(pins.contains).uniqued
        return all.isEmpty ? [] : [.init(host: host, pins: all, line: line)]
    }

    /// The host of which a source speaks, where it is the only one among all its texts, and a constant or a field says by its
    /// name that it is one.
    private func onlyHost(in tree: SyntaxTree, with evaluator: Evaluator) -> String? {
        func host(_ text: String) -> String? {
            if let host = evaluator.host(of: text)?.text { return host }
            return PinText.isKeyOfPins(text) ? text : nil
        }
        let all = Set(tree.tokens.flatMap(\.texts).compactMap(host))
        guard all.count == 1, let only = all.first, PinText.isHost(only) || PinText.isAddress(only) else { return nil }
        func isNamed(_ name: String, _ value: Value, _ depth: Int) -> Bool {
            let word = name.lowercased()
            let others = ["report", "log", "proxy", "doc", "help", "privacy", "terms", "support", "redirect", "store"]
            switch value {
            case .text(let text):
                return (Self.namesHosts(name) || text.contains("://") && Self.namesAddresses(name))
                    && !others.contains(where: word.contains) && host(text) == only
            case .list(let values): return values.contains { isNamed(name, $0, depth) }
            case .table(let entries):
                return depth < 4 && entries.contains { isNamed($0.key.text ?? "", $0.value, depth + 1) }
            case .object, .made, .number, .flag, .nothing, .unknown: return false
            }
        }
        let isSaid = tree.blocks.contains { block in
            block.declarations.contains { name, declared in
                declared.contains { $0.kind == .value && isNamed(name, evaluator.value(of: $0), 0) }
            }
                // What is computed, and stands within.
                || block.statements.contains { statement in
                    guard case .declaration(let declaration) = statement.kind, declaration.kind == .value else {
                        return false
                    }
                    return statement.tokens.clamped(to: 0..<tree.tokens.count).contains {
                        isNamed(declaration.name, .text(tree.tokens[$0].plainText ?? ""), 0)
                    }
                }
        }
        return isSaid ? only : nil
    }
}

extension SourceReader {
    /// The hosts that constants beside pins are named as: those of the same name but for the words for hosts and pins, else all
    /// but those that are another pin's so.
    private func hosts(
        beside statement: Statement,
        in block: Block,
        of pins: Set<String>,
        with evaluator: Evaluator
    ) -> [String] {
        let values = block.declarations.sorted { $0.key < $1.key }.compactMap { name, declared -> (String, [String])? in
            let texts = declared.filter { $0.kind == .value }.flatMap { evaluator.value(of: $0).texts }
            return texts.isEmpty ? nil : (name, texts)
        }
        let own: String? = if case .declaration(let declaration) = statement.kind { declaration.name } else { nil }
        func hosts(_ texts: [String]) -> [String] {
            texts.compactMap { evaluator.host(of: $0)?.text ?? (PinText.isHost($0) ? $0 : nil) }
        }
        let subject = own.map(Self.subject(of:)) ?? []
        let same = values.filter { Self.namesHosts($0.0) && Self.subject(of: $0.0) == subject }.flatMap { hosts($0.1) }
        if !subject.isEmpty, !same.isEmpty { return same.uniqued }
        let others = Set(values.filter { !pins.isDisjoint(with: $0.1) && $0.0 != own }.map { Self.subject(of: $0.0) })
        return values.filter { name, _ in
            let subject = Self.subject(of: name)
            return GroupReading.namesPinnedHosts(name) && (subject.isEmpty || !others.contains(subject))
        }
        .flatMap { $0.1.filter(PinText.isHost) }.uniqued
    }

    /// Of a URL, less says whose it is: `apiBase`.
    private static func namesAddresses(_ name: String) -> Bool {
        !["base", "backend", "origin"].filter(name.partsOfName.contains).isEmpty
    }

    private static func namesHosts(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["host", "domain", "url", "server", "endpoint"].contains(where: name.contains)
    }

    /// The words of a name that say neither that it is a host nor that it is a pin: `prod` of `prodHost` and `PROD_PINS`.
    static func subject(of name: String) -> [String] {
        let general: Set<String> = [
            "pin", "pins", "pinned", "pinning", "ssl", "tls", "hash", "hashes", "sha", "sha256", "cert", "certs",
            "certificate", "certificates", "fingerprint", "fingerprints", "key", "keys", "public", "spki", "leaf",
            "backup", "primary", "secondary", "intermediate", "root", "ca", "current", "next", "old", "new", "first",
            "second", "host", "hosts", "hostname", "hostnames", "domain", "domains", "url", "uri", "base", "server",
            "endpoint", "name", "k", "list", "pattern", "base64", "b",
        ]
        return name.partsOfName.filter { !general.contains($0) }
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
        case .loop(_, let list, _): return evaluator.value(of: list)
        case .expression(let expression):
            guard case .call(_, let arguments) = expression.kind else { return evaluator.value(of: expression) }
            // Where its arguments have names, they say which of them is the host.
            guard arguments.contains(where: { $0.label == nil }) || evaluator.tree.language == .swift else {
                return .table(
                    arguments.map {
                        .init(key: .text($0.label ?? ""), value: evaluator.value(of: $0.value), line: $0.value.line)
                    }
                )
            }
            return .list(arguments.map { evaluator.value(of: $0.value) })
        default: return nil
        }
    }
}

extension Expression {
    /// Whether it is one of the texts, or a list with one.
    fileprivate func holdsOne(of texts: Set<String>) -> Bool {
        switch kind {
        case .text(let pieces):
            if pieces.count == 1, case .plain(let text) = pieces[0] { texts.contains(text) } else { false }
        case .list(let values): values.prefix(64).contains { $0.holdsOne(of: texts) }
        case .call(_, let arguments): arguments.prefix(64).contains { $0.value.holdsOne(of: texts) }
        default: false
        }
    }
}

extension Token {
    fileprivate func isOne(of texts: Set<String>) -> Bool { plainText.map(texts.contains) ?? false }

    /// The parts of a text that are written as they are.
    fileprivate var texts: [String] {
        guard case .text(let pieces) = kind else { return [] }
        return pieces.compactMap { if case .plain(let text) = $0 { text } else { nil } }
    }
}

extension Value {
    /// Some of the pins with the host that a table, or an object beside them, gives them.
    fileprivate func parts(of pins: Set<String>, _ line: Int, _ evaluator: Evaluator) -> [FoundPins.Part] {
        func host(_ value: Value) -> String? {
            guard let text = value.text else { return nil }
            return evaluator.host(of: text)?.text ?? (PinText.isKeyOfPins(text) ? text : nil)
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
                    && !name.contains("report") || ["url", "uri", "apiurl", "pattern"].contains(name)
            }
            let pinned = entries.filter { !pins.isDisjoint(with: $0.value.texts) }
            if pinned.allSatisfy({ host($0.key) == nil }), !named.isEmpty, !pinned.isEmpty {
                return object(named.compactMap { host($0.value) }, pinned.map(\.value))
            }
            return pinned.flatMap { entry in
                host(entry.key).map { [part($0, entry.value, entry.line)] }
                    ?? entry.value.parts(of: pins, entry.line, evaluator)
            }
        case .list(let values):
            // `{ "api.acme.example", "sha256/…" }`
            if let first = values.first, let name = host(first), values.dropFirst().allSatisfy({ host($0) == nil }),
                !pins.isDisjoint(with: texts)
            {
                return [part(name, self, line)]
            }
            return values.flatMap { $0.parts(of: pins, line, evaluator) }
        case .object(_, let fields):
            guard !pins.isDisjoint(with: texts) else { return [] }
            let values = fields.sorted { $0.key < $1.key }.map(\.value)
            return object(values.compactMap(host), values)
        case .made(let made):
            guard !pins.isDisjoint(with: texts) else { return [] }
            // `packageName: 'com.acme.app'` is no host.
            let named = made.arguments.filter { argument in
                let name = argument.label?.lowercased() ?? ""
                return !["package", "bundle", "application", "appid", "store"].contains(where: name.contains)
            }
            return object(named.compactMap { host($0.value) }, made.arguments.map(\.value))
        case .text, .number, .flag, .nothing, .unknown: return []
        }
    }
}
