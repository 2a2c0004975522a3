/// Callbacks of .NET and dio that do nothing but compare the digest of the server's certificate: their rules can be told.
///
/// The callback is one expression: comparisons, with `&&` between them and what the stack found. Anything else is no such
/// callback, and nothing is guessed of it.
struct ExactComparison {
    private let tree: SyntaxTree
    private let evaluator: Evaluator
    private let isOfDart: Bool
    private var certificate = ""
    private var errors: String?
    private var pins: [String] = []
    private var keepsChecks = false
    private var comparison: Case?

    /// How letters are compared: with those that the platform's digest has, or with either.
    private enum Case: String {
        case upper, lower, any
    }

    /// - Parameter evidence: the tokens by which the code was found; all of them must be the callback's.
    /// - Returns: `nil`: the code does something else as well.
    static func library(_ evidence: [Int], _ evaluator: Evaluator) -> LibraryPins? {
        var comparison = ExactComparison(evaluator)
        return comparison.read(evidence)
    }

    private init(_ evaluator: Evaluator) {
        self.evaluator = evaluator
        tree = evaluator.tree
        isOfDart = tree.language == .dart
    }

    private mutating func read(_ evidence: [Int]) -> LibraryPins? {
        guard tree.language == .cSharp || isOfDart, let (parameters, body) = callback(around: evidence) else {
            return nil
        }
        if isOfDart {
            guard parameters.count == 3 else { return nil }
            certificate = parameters[0]
            keepsChecks = true
        } else {
            guard parameters.count == 4 else { return nil }
            certificate = parameters[1]
            errors = parameters[3]
        }
        guard takes(body), !pins.isEmpty, let comparison else { return nil }
        var settings = ["library: \(isOfDart ? "dio" : "dotnet")", "case: \(comparison.rawValue)"]
        if !keepsChecks { settings.append("ordinaryChecks: dropped") }
        return LibraryPins(
            dialect: "fingerprint",
            hosts: [],
            pins: pins,
            what: "digests of the server's own certificate",
            key: "fingerprints",
            settings: settings
        )
    }

    // MARK: The callback

    /// What it is called with, and the only expression in it.
    private func callback(around evidence: [Int]) -> (parameters: [String], body: Expression)? {
        var found: (parameters: [String], body: Expression, size: Int)?
        func take(_ parameters: [String], _ body: Expression?, _ tokens: Range<Int>) {
            guard let body, evidence.allSatisfy(tokens.contains), tokens.count < found?.size ?? .max else { return }
            found = (parameters, body, tokens.count)
        }
        tree.visit { expression, _ in
            guard case .closure(let closure) = expression.kind, let statement = only(closure.block) else { return true }
            guard !isOfDart || isGivenToDio(expression) else { return true }
            take(closure.parameters, statement.expression, statement.tokens)
            return true
        }
        for block in tree.blocks where !isOfDart {
            for statement in block.statements {
                guard case .declaration(let declaration) = statement.kind, declaration.kind == .function else {
                    continue
                }
                let names = declaration.parameters.map(\.name)
                if let value = declaration.value {
                    take(names, value, statement.tokens)
                } else if let body = declaration.body, let own = only(body) {
                    take(names, own.expression, own.tokens)
                }
            }
        }
        return found.map { ($0.parameters, $0.body) }
    }

    private func only(_ block: Int) -> (expression: Expression?, tokens: Range<Int>)? {
        let statements = tree.blocks[block].statements
        guard statements.count == 1 else { return nil }
        switch statements[0].kind {
        case .returning(let value): return (value, statements[0].tokens)
        case .expression(let value): return (value, statements[0].tokens)
        default: return nil
        }
    }

    /// Whether it is dio's, beside whose ordinary checks nothing is switched off in this source.
    private func isGivenToDio(_ closure: Expression) -> Bool {
        let others: Set<String> = ["badCertificateCallback", "onBadCertificate", "withTrustedRoots"]
        guard closure.token > 1, !tree.tokens.contains(where: { $0.name.map(others.contains) ?? false }) else {
            return false
        }
        return tree.tokens[closure.token - 2].isName("validateCertificate")
    }

    // MARK: What it compares

    private mutating func takes(_ expression: Expression) -> Bool {
        switch expression.kind {
        case .binary("&&", let left, let right): return takes(left) && takes(right)
        case .binary("==", let left, let right):
            if isErrors(left), right.finalName == "None" {
                keepsChecks = true
                return true
            }
            return takesPair(left, right, .exact) || takesPair(right, left, .exact)
        case .binary("!=", let left, let right):
            return isCertificate(left) && isName(right, "null")
        case .call(let callee, let arguments):
            let values = arguments.map(\.value)
            guard case .member(let base, let name) = callee.kind else { return false }
            switch (name, values.count) {
            case ("Contains", 1), ("contains", 1): return takesPair(values[0], base, .exact, isList: true)
            case ("Equals", 1): return takesPair(base, values[0], .exact) || takesPair(values[0], base, .exact)
            case ("Equals", 2):
                if let rule = rule(values[1]) {
                    return takesPair(base, values[0], rule) || takesPair(values[0], base, rule)
                }
                return takesPair(values[0], values[1], .exact) || takesPair(values[1], values[0], .exact)
            case ("Equals", 3):
                guard let rule = rule(values[2]) else { return false }
                return takesPair(values[0], values[1], rule) || takesPair(values[1], values[0], rule)
            default: return false
            }
        default: return false
        }
    }

    private enum Rule {
        case exact, ignoringCase
    }

    private func rule(_ expression: Expression) -> Rule? {
        switch expression.finalName {
        case "OrdinalIgnoreCase", "InvariantCultureIgnoreCase", "CurrentCultureIgnoreCase": .ignoringCase
        case "Ordinal", "InvariantCulture", "CurrentCulture": .exact
        default: nil
        }
    }

    /// A digest of the certificate, and what it is held against.
    ///
    /// - Parameter isList: whether that must be a list; a text that holds the digest may hold anything.
    private mutating func takesPair(
        _ digest: Expression,
        _ other: Expression,
        _ rule: Rule,
        isList: Bool = false
    ) -> Bool {
        // Two comparisons that must both hold are more than a list of which one must.
        guard comparison == nil, let letters = letters(of: digest) else { return false }
        let value = evaluator.value(of: other)
        let found = value.texts
        guard value.firstUnknown == nil, !found.isEmpty else { return false }
        if case .list = value { guard isList else { return false } } else if isList { return false }
        pins = found
        comparison = rule == .exact ? letters : .any
        return true
    }

    /// In which letters an expression is the digest of the certificate; `nil`: it is something else.
    private func letters(of expression: Expression) -> Case? {
        if isOfDart {
            // `sha256.convert(certificate.der).toString()`
            guard case .call(let callee, let none) = expression.kind, none.isEmpty,
                case .member(let digest, "toString") = callee.kind, case .call(let convert, let bytes) = digest.kind,
                bytes.count == 1, case .member(let hash, "convert") = convert.kind,
                isName(hash, "sha256") || isName(hash, "sha1"), case .member(let base, "der") = bytes[0].value.kind,
                isCertificate(base)
            else { return nil }
            return .lower
        }
        switch expression.kind {
        case .member(let base, "Thumbprint"): return isCertificate(base) ? .upper : nil
        case .call(let callee, let arguments):
            guard case .member(let base, let name) = callee.kind else { return nil }
            switch name {
            case "GetCertHashString":
                let isKnown = arguments.isEmpty || ["SHA1", "SHA256"].contains(arguments[0].value.finalName)
                return isCertificate(base) && isKnown && arguments.count < 2 ? .upper : nil
            case "ToUpper", "ToUpperInvariant": return arguments.isEmpty && letters(of: base) != nil ? .upper : nil
            case "ToLower", "ToLowerInvariant": return arguments.isEmpty && letters(of: base) != nil ? .lower : nil
            default: return nil
            }
        default: return nil
        }
    }

    private func isCertificate(_ expression: Expression) -> Bool { isName(expression, certificate) }

    private func isErrors(_ expression: Expression) -> Bool { errors.map { isName(expression, $0) } ?? false }

    private func isName(_ expression: Expression, _ name: String) -> Bool {
        if case .name(name) = expression.kind { true } else { false }
    }
}
