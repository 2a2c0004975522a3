/// What the expressions of one source come to. Whatever it is not sure of is unknown, with the reason.
struct Evaluator {
    let module: SourceModule
    let tree: SyntaxTree
    let choices: Choices
    /// What parameters of closures, loops and functions stand for, by block.
    var bindings: [Int: [String: Value]] = [:]
    var depth = 0
    /// Constants of a library, which stand for themselves.
    static let ownPrefixes = ["kTSK", "TSK"]

    private static let deepest = 24
    /// Far above any list that a person writes.
    static let mostElements = 2000

    init(_ module: SourceModule, _ tree: SyntaxTree, _ choices: Choices) {
        self.module = module
        self.tree = tree
        self.choices = choices
    }

    func unknown(_ reason: String, _ line: Int) -> Value { .unknown(.init(reason, line: line)) }

    /// In another source, whose names are its own.
    private func within(_ other: SyntaxTree) -> Evaluator {
        var copy = Evaluator(module, other, choices)
        copy.depth = depth
        if other.path == tree.path { copy.bindings = bindings }
        return copy
    }

    func value(of expression: Expression) -> Value {
        guard depth < Self.deepest else { return unknown("its value leads too far", expression.line) }
        guard choices.step() else { return unknown("its value takes too long to find", expression.line) }
        var inner = self
        inner.depth += 1
        let value = inner.evaluate(expression)
        return value.isSmall ? value : unknown("its value is too large", expression.line)
    }

    private func evaluate(_ expression: Expression) -> Value {
        switch expression.kind {
        case .text(let pieces): return text(of: pieces, expression.line)
        case .number(let text):
            let digits = text.filter { $0 != "_" && $0 != "L" }
            let number = digits.lowercased().hasPrefix("0x") ? Int(digits.dropFirst(2), radix: 16) : Int(digits)
            return number.map(Value.number)
                ?? unknown("'\(text)' is no whole number", expression.line)
        case .name(let name): return lookUp(name, from: expression)
        case .member: return member(expression)
        case .call(let callee, let arguments): return call(callee, arguments, expression)
        case .index(let base, let key): return element(of: value(of: base), at: value(of: key), expression.line)
        case .list(let values): return list(values)
        case .table(let pairs):
            return table(pairs)
        case .binary(let mark, let left, let right): return combine(mark, left, right, expression.line)
        case .prefix(let mark, let inner): return prefixed(mark, inner, expression.line)
        case .conditional(let condition, let first, let second):
            let words = words(of: condition)
            guard !mentionsBinding(words) else {
                // Of a parameter or an element, and so not the same each time.
                guard case .flag(let flag) = value(of: condition) else {
                    return unknown("'\(words)' is decided for each element or call", expression.line)
                }
                return flag ? value(of: first) : value(of: second)
            }
            return choices.holds(words) ? value(of: first) : value(of: second)
        case .closure: return unknown("it is computed when the app runs", expression.line)
        case .opaque(let text): return unknown("'\(text)' is not understood", expression.line)
        }
    }

    private func table(_ pairs: [Expression.Pair]) -> Value {
        var entries: [Value.Entry] = []
        for pair in pairs {
            guard case .prefix("...", let inner) = pair.key.kind else {
                entries.append(.init(key: value(of: pair.key), value: value(of: pair.value), line: pair.key.line))
                continue
            }
            switch value(of: inner) {
            case .table(let more):
                let keys = Set(more.map(\.key))
                entries.removeAll { keys.contains($0.key) }
                entries += more
            case let other:
                let unknown = Value.unknown(other.firstUnknown ?? .init("it is no object", line: pair.key.line))
                entries.append(.init(key: unknown, value: unknown, line: pair.key.line))
            }
            if entries.count > Self.mostElements { return unknown("the table is too long", pair.key.line) }
        }
        return .table(entries)
    }

    private func text(of pieces: [Expression.TextPiece], _ line: Int) -> Value {
        var text = ""
        for piece in pieces {
            switch piece {
            case .plain(let plain): text += plain
            case .value(let inner):
                guard text.utf8.count <= Value.longest else { return unknown("the text is too long", line) }
                switch value(of: inner) {
                case .text(let part): text += part
                case .number(let number): text += "\(number)"
                case .unknown(let unknown): return .unknown(unknown)
                case let other:
                    return .unknown(other.firstUnknown ?? .init("what is put into the text is no text", line: line))
                }
            }
        }
        return .text(text)
    }

    private func list(_ values: [Expression]) -> Value {
        var found: [Value] = []
        for expression in values {
            if case .prefix("...", let inner) = expression.kind {
                switch value(of: inner) {
                case .list(let more): found += more
                case let other:
                    found.append(.unknown(other.firstUnknown ?? .init("it is no list", line: expression.line)))
                }
            } else {
                found.append(value(of: expression))
            }
        }
        return found.count > Self.mostElements ? unknown("the list is too long", values[0].line) : .list(found)
    }

    private func prefixed(_ mark: String, _ inner: Expression, _ line: Int) -> Value {
        let value = value(of: inner)
        switch (mark, value) {
        case ("!", .flag(let flag)): return .flag(!flag)
        case ("-", .number(let number)): return .number(-number)
        case ("&", _), ("+", .number): return value
        case (_, .unknown): return value
        default: return unknown("'\(mark)' is not understood here", line)
        }
    }

    private func combine(_ mark: String, _ left: Expression, _ right: Expression, _ line: Int) -> Value {
        let first = value(of: left)
        switch mark {
        case "to": return .list([first, value(of: right)])
        case "??", "?:":
            if case .nothing = first { return value(of: right) }
            // A value that may be missing: what stands in for it may be in force, or not.
            return first
        case "+", "plus":
            let second = value(of: right)
            switch (first, second) {
            case (.text(let a), .text(let b)): return .text(a + b)
            case (.text(let a), .number(let b)): return .text(a + "\(b)")
            case (.list(let a), .list(let b)): return .list(a + b)
            case (.list(let a), .text):
                return tree.language == .kotlin ? .list(a + [second]) : unknown("'+' is not understood here", line)
            case (.number(let a), .number(let b)):
                let (sum, overflow) = a.addingReportingOverflow(b)
                return overflow ? unknown("the sum is too large", line) : .number(sum)
            case (.unknown(let unknown), _), (_, .unknown(let unknown)): return .unknown(unknown)
            default:
                return .unknown(
                    first.firstUnknown ?? second.firstUnknown ?? .init("'+' is not understood here", line: line)
                )
            }
        case "..<", "...", "..", "until":
            guard case .number(let a) = first, case .number(let b) = value(of: right), a <= b, b - a < Self.mostElements
            else {
                return unknown("the range is not known", line)
            }
            let isOpen = mark == "..<" || mark == "until"
            return .list((isOpen ? Array(a..<b) : Array(a...b)).map(Value.number))
        case "==", "!=", "===", "!==":
            let second = value(of: right)
            guard first.isPlain, second.isPlain else { return unknown("'\(mark)' is decided when the app runs", line) }
            return .flag((first == second) == mark.hasPrefix("="))
        default: return unknown("'\(mark)' is decided when the app runs", line)
        }
    }

    /// Whether a condition is about what a parameter or an element stands for.
    func mentionsBinding(_ condition: String) -> Bool {
        let words = Set(condition.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "$") }.map(String.init))
        return bindings.values.contains { names in names.keys.contains { words.contains($0) } }
    }

    func element(of value: Value, at key: Value, _ line: Int) -> Value {
        switch (value, key) {
        case (.list(let values), .number(let index)):
            return values.indices.contains(index) ? values[index] : unknown("the list has no element \(index)", line)
        case (.table(let entries), _):
            if let unknown = key.firstUnknown { return .unknown(unknown) }
            if let found = entries.last(where: { $0.key == key }) { return found.value }
            return unknown("the table has no such key", line)
        case (.object(_, let fields), .text(let name)): return fields[name] ?? unknown("it has no '\(name)'", line)
        case (.unknown(let unknown), _), (_, .unknown(let unknown)): return .unknown(unknown)
        default: return unknown("an element is taken of what is no list", line)
        }
    }

    /// A condition as it is written, without spaces.
    func words(of expression: Expression) -> String {
        switch expression.kind {
        case .name(let name): name
        case .member(let base, let name): "\(words(of: base)).\(name)"
        case .prefix(let mark, let value): mark + words(of: value)
        case .binary(let mark, let left, let right): "\(words(of: left)) \(mark) \(words(of: right))"
        case .call(let callee, let arguments):
            "\(words(of: callee))(\(arguments.map { words(of: $0.value) }.joined(separator: ", ")))"
        case .index(let base, let key): "\(words(of: base))[\(words(of: key))]"
        case .number(let text): text
        case .text(let pieces):
            "\"" + pieces.map { if case .plain(let text) = $0 { text } else { "…" } }.joined() + "\""
        case .opaque(let text): text
        case .list, .table, .closure, .conditional: "the condition on line \(expression.line)"
        }
    }

    // MARK: Names

    func lookUp(_ name: String, from expression: Expression) -> Value {
        lookUp(name, block: expression.block, line: expression.line, before: expression.token)
    }

    func lookUp(_ name: String, block: Int, line: Int, before token: Int = .max) -> Value {
        switch name {
        case "true", "YES", "kCFBooleanTrue": return .flag(true)
        case "false", "NO", "kCFBooleanFalse": return .flag(false)
        case "null", "nil", "undefined", "None": return .nothing
        default: break
        }
        if let prefix = Self.ownPrefixes.first(where: name.hasPrefix), declarations(of: name, block: block) == nil {
            return .text(prefix == "kTSK" ? String(name.dropFirst()) : name)
        }
        var place: Int? = block
        while let current = place {
            if let value = bindings[current]?[name] { return value }
            if let value = declared(name, in: current, line: line) { return value }
            place = tree.blocks[current].parent
        }
        if let text = module.definitions[name] { return .text(text) }
        return lookUpElsewhere(name, line)
    }

    private func declarations(of name: String, block: Int) -> [Declaration]? {
        var place: Int? = block
        while let current = place {
            if let found = tree.blocks[current].declarations[name] { return found }
            place = tree.blocks[current].parent
        }
        return nil
    }

    /// What a name stands for in one block; `nil` where it is not declared there.
    private func declared(_ name: String, in block: Int, line: Int) -> Value? {
        if let found = tree.blocks[block].declarations[name]?.filter({ $0.kind != .function && $0.kind != .type }),
            !found.isEmpty
        {
            return value(of: found, line)
        }
        // What a companion holds can be named without it.
        for companion in tree.blocks[block].declarations.values.joined() where companion.typeName == "companion" {
            guard let body = companion.body,
                let found = tree.blocks[body].declarations[name]?.filter({ $0.kind == .value }), !found.isEmpty
            else { continue }
            return value(of: found, line)
        }
        return nil
    }

    private func value(of declarations: [Declaration], _ line: Int) -> Value {
        let values = declarations.map { value(of: $0) }
        guard let first = values.first else { return unknown("it is not declared", line) }
        if values.allSatisfy({ $0 == first }) { return first }
        let lines = declarations.map { "\($0.line)" }.joined(separator: " and ")
        return unknown("'\(declarations[0].name)' is declared on lines \(lines)", line)
    }

    func value(of declaration: Declaration) -> Value {
        guard depth < Self.deepest else { return unknown("its value leads too far", declaration.line) }
        var inner = self
        inner.depth += 1
        switch declaration.kind {
        case .parameter:
            if let text = module.definitions[declaration.name] { return .text(text) }
            let function = function(around: declaration.block).map { " of \($0)()" } ?? ""
            return unknown(
                "'\(declaration.name)' is a parameter\(function), whose value this source does not tell",
                declaration.line
            )
        case .entry: return inner.entry(declaration)
        case .type, .function: return unknown("'\(declaration.name)' is no value", declaration.line)
        case .value: break
        }
        if let change = change(of: declaration) {
            return unknown("'\(declaration.name)' is changed on line \(change)", declaration.line)
        }
        if let body = declaration.body { return inner.result(of: body, line: declaration.line) }
        guard let value = declaration.value else {
            if let text = module.definitions[declaration.name] { return .text(text) }
            return unknown("'\(declaration.name)' has no value where it is declared", declaration.line)
        }
        return inner.value(of: value)
    }

    private func entry(_ declaration: Declaration) -> Value {
        var fields: [String: Value] = [:]
        if let value = declaration.value {
            let raw = value.kind.isEmptyText ? .text(declaration.name) : self.value(of: value)
            fields = ["rawValue": raw, "value": raw]
        }
        if let type = declaration.typeName, let parent = tree.blocks[declaration.block].parent,
            let parameters = tree.blocks[parent].declarations[type]?.first(where: { $0.kind == .type })?.parameters
        {
            fields.merge(bind(declaration.arguments, to: parameters, declaration.line)) { $1 }
        }
        fields["name"] = fields["name"] ?? .text(declaration.name)
        return .object(declaration.typeName ?? "", fields)
    }

    private func function(around block: Int) -> String? {
        var place: Int? = block
        while let current = place {
            if case .function(let name) = tree.blocks[current].owner { return name }
            place = tree.blocks[current].parent
        }
        return nil
    }

    /// The line on which what a name stands for is changed.
    func change(of declaration: Declaration) -> Int? {
        tree.changes[declaration.name]?.first { change in
            if change.isMember, !change.isOwn {
                guard case .type = tree.blocks[declaration.block].owner else { return false }
                return true
            }
            // Which of the names is meant: that of the nearest block around.
            var place: Int? = change.block
            while let current = place {
                if let found = tree.blocks[current].declarations[declaration.name] {
                    guard change.isOwn, found.allSatisfy({ $0.kind == .parameter }) else {
                        return current == declaration.block
                    }
                }
                place = tree.blocks[current].parent
            }
            return true
        }?.line
    }

    /// In other sources of the module.
    private func lookUpElsewhere(_ name: String, _ line: Int) -> Value {
        var found: [(Value, String)] = []
        let imports = importedNames
        for file in module.others(mentioning: name, than: tree.path, in: tree.language).prefix(200) {
            guard imports.contains(name) || sees(file.path) else { continue }
            let other = module.tree(of: file)
            let evaluator = within(other)
            var declarations = other.blocks.first?.declarations[name]?.filter { $0.kind == .value } ?? []
            if declarations.isEmpty, imports.contains(name) {
                declarations = other.blocks.flatMap { block -> [Declaration] in
                    guard case .type = block.owner else { return [] }
                    return block.declarations[name]?.filter { $0.kind == .value || $0.kind == .entry } ?? []
                }
            }
            for declaration in declarations {
                found.append((evaluator.value(of: declaration), "\(file.path):\(declaration.line)"))
            }
        }
        return single(found, name, line)
    }

    /// Whether the names of another source are seen without being imported one by one.
    private func sees(_ path: String) -> Bool {
        switch tree.language {
        case .kotlin, .java: path.folder == tree.path.folder
        case .script: false
        case .swift, .objectiveC, .dart, .cSharp, .groovy: true
        }
    }

    /// One value, however often it is declared; unknown where there are several.
    private func single(_ found: [(value: Value, place: String)], _ name: String, _ line: Int) -> Value {
        guard let first = found.first else { return unknown("'\(name)' is declared nowhere in what was read", line) }
        if found.allSatisfy({ $0.value == first.value }) { return first.value }
        // A header declares what another source gives a value.
        let known = found.filter { $0.value.firstUnknown == nil }
        if tree.language == .objectiveC, let value = known.first?.value, known.allSatisfy({ $0.value == value }) {
            return value
        }
        let places = found.map(\.place).prefix(3).joined(separator: " and ")
        return unknown("'\(name)' has more than one value: \(places)", line)
    }

    /// What is imported by name: the last words, and in scripts all of what stands in brackets.
    private var importedNames: Set<String> {
        var names: Set<String> = []
        for (index, token) in tree.tokens.enumerated() where token.isName("import") {
            var last: String?
            for next in tree.tokens[(index + 1)...].prefix(24) where !next.isMark("*") {
                if next.isMark(";") || next.startsLine && tree.language != .script { break }
                if let name = next.name {
                    if name == "from" { break }
                    if tree.language == .script { names.insert(name) }
                    last = name
                }
            }
            if let last { names.insert(last) }
        }
        return names
    }

    // MARK: Types

    /// The bodies of a type of the app's own, in this source or in another one, with what reads them.
    func bodies(ofType name: String, from block: Int) -> [(evaluator: Evaluator, body: Int)] {
        var place: Int? = block
        while let current = place {
            let found = tree.blocks[current].declarations[name]?.filter { $0.kind == .type && $0.body != nil } ?? []
            if !found.isEmpty { return found.map { (self, $0.body ?? 0) } }
            place = tree.blocks[current].parent
        }
        // Types within types are named by their own name, too.
        let inner = tree.blocks.flatMap { $0.declarations[name] ?? [] }.filter { $0.kind == .type && $0.body != nil }
        if !inner.isEmpty { return inner.map { (self, $0.body ?? 0) } }
        return module.others(mentioning: name, than: tree.path, in: tree.language).prefix(200).flatMap { file in
            let other = module.tree(of: file)
            let evaluator = within(other)
            return other.blocks.flatMap { $0.declarations[name] ?? [] }
                .filter { $0.kind == .type && $0.body != nil }
                .map { (evaluator, $0.body ?? 0) }
        }
    }

    /// A member of a type by its name; `nil` where no such type is known.
    func member(_ name: String, ofType type: String, _ expression: Expression) -> Value? {
        let bodies = bodies(ofType: type, from: expression.block)
        guard !bodies.isEmpty else { return nil }
        let found = bodies.flatMap { evaluator, body -> [(Value, String)] in
            var blocks = [body]
            for declaration in evaluator.tree.blocks[body].declarations.values.joined()
            where declaration.typeName == "companion" {
                if let body = declaration.body { blocks.append(body) }
            }
            return blocks.flatMap { block in
                (evaluator.tree.blocks[block].declarations[name] ?? [])
                    .filter { $0.kind == .value || $0.kind == .entry }
                    .map { (evaluator.value(of: $0), "\(evaluator.tree.path):\($0.line)") }
            }
        }
        return found.isEmpty ? nil : single(found, "\(type).\(name)", expression.line)
    }
}

extension String {
    /// The path of what it lies in.
    fileprivate var folder: Substring { lastIndex(of: "/").map { self[..<$0] } ?? "" }
}

extension Value {
    /// A text, a number or a truth value: what can be compared.
    fileprivate var isPlain: Bool {
        switch self {
        case .text, .number, .flag, .nothing: true
        case .list, .table, .object, .made, .unknown: false
        }
    }
}

extension Expression.Kind {
    /// A case of an enum without a value of its own.
    fileprivate var isEmptyText: Bool {
        if case .text(let pieces) = self { pieces.isEmpty } else { false }
    }
}
