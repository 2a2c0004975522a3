/// What values tell of pins, hosts and files.
extension GroupReading {
    mutating func take(_ value: Value) {
        switch value {
        case .text(let text):
            if PinText.isDigest(text) { pins.append(text) } else if PinText.isBroken(text) { broken.append(text) }
            if PinText.isCertificateFile(text) { files.append(text) }
        case .list(let values):
            if let digest = PinText.digest(ofBytes: values) { return pins.append(digest) }
            for value in values { take(value) }
            let texts = values.compactMap(\.text)
            // What stands beside digests is compared as they are.
            if texts.contains(where: { PinText.isDigest($0) || PinText.isBroken($0) }) {
                broken += texts.filter(PinText.isOfNoForm)
            }
        case .table(let entries):
            let all = pins.count + broken.count
            let first = pins.count
            for entry in entries {
                let before = pins.count
                let isBroken = broken.count
                take(entry.value)
                if pins.count > before || broken.count > isBroken, let host = entry.key.text, PinText.isKeyOfPins(host)
                {
                    hosts.append(host)
                    note([host], since: before, entry.line)
                }
            }
            guard pins.count + broken.count > all else { return }
            if pins.count > first { misfits += entries.compactMap(misfit) }
            let fields = entries.compactMap { entry in entry.key.text.map { (name: $0, value: entry.value) } }
            for field in fields where ["host", "hostname", "domain", "pattern"].contains(field.name.lowercased()) {
                let names = field.value.texts.filter { PinText.isHostOrEnd($0) || $0 == "localhost" }
                hosts += names
                note(names, since: first, entries.first?.line ?? 0)
            }
        case .object(_, let fields): take(fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        case .made(let made): take(made.arguments.map { ($0.label, $0.value) })
        case .number, .flag, .nothing, .unknown: break
        }
    }

    /// What the build may give beside pins that are named: `[first, second, given]`, of which one is
    /// `String.fromEnvironment("PIN")`.
    mutating func takeGivenByBuild() {
        guard evaluator.tree.language == .dart, !pins.isEmpty else { return }
        let variables = variablesOfBuild
        guard !variables.isEmpty else { return }
        for elements in evaluator.tree.elementsOfLists {
            let names = elements.flatMap(\.ownNames).compactMap { variables[$0] }
            guard !names.isEmpty, holdsPin(elements) else { continue }
            additions += names.uniqued.map { "where the build gives '\($0)', that counts beside these" }
        }
        additions = additions.uniqued
    }

    private func holdsPin(_ elements: [Expression]) -> Bool {
        elements.contains { element in evaluator.value(of: element).texts.contains { pins.contains($0) } }
    }

    /// Constants that the build may give and nothing else does, and by which name.
    private var variablesOfBuild: [String: String] {
        var found: [String: String] = [:]
        for block in evaluator.tree.blocks {
            for declaration in block.declarations.values.joined() where declaration.kind == .value {
                guard case .call(let callee, let arguments)? = declaration.value?.kind, callee.words == Self.ofBuild,
                    let first = arguments.first, let variable = evaluator.value(of: first.value).text,
                    evaluator.value(of: declaration).text?.isEmpty ?? true
                else { continue }
                found[declaration.name] = variable
            }
        }
        return found
    }

    private static let ofBuild = "String.fromEnvironment"

    /// A host beside others that have digests, and what stands there for it.
    private func misfit(_ entry: Value.Entry) -> FoundPins.Part? {
        let texts = entry.value.texts.filter { !$0.isEmpty }
        guard let host = entry.key.text, PinText.isHost(host), !texts.isEmpty,
            !texts.contains(where: { PinText.isDigest($0) || PinText.isBroken($0) || PinText.isCertificateFile($0) }),
            !texts.contains(where: { PinText.isHostOrEnd($0) || $0.contains("://") })
        else { return nil }
        return .init(host: host, pins: texts, line: entry.line)
    }

    /// The fields of an object: beside pins, those that say so name hosts.
    mutating func take(_ fields: [(name: String?, value: Value)]) {
        let before = pins.count
        for field in fields { take(field.value) }
        guard pins.count > before else { return }
        for field in fields {
            let name = field.name?.lowercased() ?? "host"
            guard ["host", "domain", "url", "server", "endpoint"].contains(where: name.contains),
                !name.contains("report"), let text = field.value.text
            else { continue }
            if let host = evaluator.host(of: text)?.text ?? (PinText.isHost(text) ? text : nil) {
                hosts.append(host)
                note([host], since: before, 0)
            }
        }
    }

    /// Hosts that have the pins which were found since.
    mutating func note(_ names: [String], since before: Int, _ line: Int) {
        guard pins.count > before else { return }
        tables += names.map { .init(host: $0, pins: Array(pins[before...]), line: line) }
    }

    /// `pins.clear()`, `pins = other`: where what a name begins with is given up, or what functions fill it with is by another one.
    ///
    /// - Parameter filling: where it is filled.
    func replacement(of declaration: Declaration, besides filling: [Int] = []) -> FoundPins.Gap? {
        let tree = evaluator.tree
        let own = filling.compactMap { tree.functions(around: $0).last?.tokens }
        let changes = evaluator.changes(of: declaration).filter { change in
            !filling.contains(change.token) && !own.contains { $0.contains(change.token) }
                // `setPinsForTesting`: no app calls it.
                && !(tree.functions(around: change.token).last?.name.lowercased().contains("fortest") ?? false)
        }
        for block in tree.blocks {
            for statement in block.statements
            where changes.contains(where: { $0.token == statement.tokens.lowerBound }) {
                var isReplaced = false
                switch statement.kind {
                case .assignment(let target, "=", _):
                    if case .index = target.kind {} else { isReplaced = true }
                case .expression(let expression):
                    guard case .call(let callee, _) = expression.kind else { continue }
                    let word = callee.finalName?.lowercased() ?? ""
                    isReplaced = ["clear", "removeall", "retain"].contains(where: word.hasPrefix)
                default: continue
                }
                let reason = "'\(declaration.name)' is changed on line \(statement.line)"
                if isReplaced { return .init(line: statement.line, reason: reason) }
            }
        }
        return nil
    }

    /// What statements anywhere in the source give a name: as a whole, by a key, or one more element.
    ///
    /// - Returns: where it is given pins.
    mutating func takeFilled(_ name: String) -> [Int] {
        var filling: [Int] = []
        func isIt(_ expression: Expression) -> Bool { expression.isOwn(name) }
        func take(_ key: Expression, _ value: Expression) {
            let entry = Value.Entry(key: evaluator.value(of: key), value: evaluator.value(of: value), line: key.line)
            self.take(.table([entry]))
        }
        let changes = evaluator.tree.changes[name] ?? []
        for block in evaluator.tree.blocks {
            for statement in block.statements
            where changes.contains(where: { $0.token == statement.tokens.lowerBound }) {
                let before = pins.count
                defer { if pins.count > before { filling.append(statement.tokens.lowerBound) } }
                switch statement.kind {
                case .assignment(let target, _, let value):
                    if case .index(let base, let key) = target.kind, isIt(base) { take(key, value) }
                    if isIt(target) { self.take(evaluator.value(of: value)) }
                case .expression(let expression):
                    guard case .call(let callee, let arguments) = expression.kind,
                        case .member(let base, _) = callee.kind, isIt(base)
                    else { continue }
                    if arguments.count == 2 {
                        take(arguments[0].value, arguments[1].value)
                    } else {
                        for argument in arguments { self.take(evaluator.value(of: argument.value)) }
                    }
                default: continue
                }
            }
        }
        return filling
    }
}

extension Expression {
    /// Names and members in it.
    var ownNames: [String] {
        var found: [String] = []
        visit { part in
            if let name = part.finalName { found.append(name) }
            return true
        }
        return found
    }

    /// Whether it is a name, or the object's own member by it.
    func isOwn(_ name: String) -> Bool {
        switch kind {
        case .name(name): true
        case .member(let base, name): base.finalName == "self" || base.finalName == "this"
        default: false
        }
    }
}

extension SyntaxTree {
    fileprivate var elementsOfLists: [[Expression]] {
        var found: [[Expression]] = []
        visit { expression, _ in
            if case .list(let elements) = expression.kind { found.append(elements) }
            return true
        }
        return found
    }
}

extension Value {
    var isListOfTexts: Bool { if case .list(let values) = self { values.allSatisfy { $0.text != nil } } else { false } }
}
