/// Callbacks of .NET and dio that do nothing but compare the digest of the server's certificate: their rules can be told.
///
/// The callback is one expression: comparisons, with `&&` between them and what the stack found. In .NET it may refuse before
/// that where there is no certificate, or where the stack found errors, and give the digest a name. Anything else is no
/// such callback, and nothing is guessed of it.
struct ExactComparison {
    private let tree: SyntaxTree
    private let evaluator: Evaluator
    private let isOfDart: Bool
    /// Names of the server's certificate.
    private var certificates: Set<String> = []
    /// Names that stand for its digest.
    private var digests: [String: Case] = [:]
    /// Of these, which have as many digits as .NET writes of SHA-256.
    private var long: Set<String> = []
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
            guard parameters.count == 3, body.before.isEmpty else { return nil }
            certificates = [parameters[0]]
            keepsChecks = true
        } else {
            guard parameters.count == 4 else { return nil }
            certificates = [parameters[1]]
            errors = parameters[3]
        }
        for statement in body.before {
            guard takes(statement) else { return nil }
        }
        guard let answer = body.answer, takes(answer), !pins.isEmpty, let comparison else { return nil }
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

    private struct Body {
        /// What it does before it answers.
        var before: ArraySlice<Statement>
        var answer: Expression?
        var tokens: Range<Int>
    }

    /// What it is called with, and what it does.
    private func callback(around evidence: [Int]) -> (parameters: [String], body: Body)? {
        var found: (parameters: [String], body: Body)?
        func take(_ parameters: [String], _ body: Body?) {
            guard let body, body.answer != nil, evidence.allSatisfy(body.tokens.contains),
                body.tokens.count < found?.body.tokens.count ?? .max
            else { return }
            found = (parameters, body)
        }
        tree.visit { expression, _ in
            guard case .closure(let closure) = expression.kind, let body = body(closure.block) else { return true }
            guard !isOfDart || isGivenToDio(expression) else { return true }
            take(closure.parameters, body)
            return true
        }
        for block in tree.blocks where !isOfDart {
            for statement in block.statements {
                guard case .declaration(let declaration) = statement.kind, declaration.kind == .function else {
                    continue
                }
                let names = declaration.parameters.map(\.name)
                if let value = declaration.value {
                    take(names, Body(before: [], answer: value, tokens: statement.tokens))
                } else if let own = declaration.body {
                    take(names, body(own))
                }
            }
        }
        return found
    }

    private func body(_ block: Int) -> Body? {
        let statements = tree.blocks[block].statements
        guard let first = statements.first, let last = statements.last else { return nil }
        let tokens = first.tokens.lowerBound..<max(first.tokens.upperBound, last.tokens.upperBound)
        switch last.kind {
        case .returning(let value): return Body(before: statements.dropLast(), answer: value, tokens: tokens)
        case .expression(let value) where statements.count == 1: return Body(before: [], answer: value, tokens: tokens)
        default: return nil
        }
    }

    /// Whether a statement refuses what has no certificate, or what the stack refuses; or gives the digest a name.
    private mutating func takes(_ statement: Statement) -> Bool {
        switch statement.kind {
        case .branches(let branches, _):
            guard branches.count == 1, let test = branches[0].test, refuses(branches[0].block) else { return false }
            return refusal(test)
        case .declaration(let declaration):
            guard declaration.kind == .value, let value = declaration.value, tree.changes[declaration.name] == nil
            else {
                return false
            }
            if let letters = letters(of: value) {
                digests[declaration.name] = letters
                if isLong(value) { long.insert(declaration.name) }
                return true
            }
            // `var own = new X509Certificate2(certificate)`
            guard case .call(let callee, let arguments) = value.kind, callee.finalName == "X509Certificate2",
                arguments.count == 1, isCertificate(arguments[0].value)
            else { return false }
            certificates.insert(declaration.name)
            return true
        default: return false
        }
    }

    private func refuses(_ block: Int) -> Bool {
        guard tree.blocks[block].statements.count == 1 else { return false }
        switch tree.blocks[block].statements[0].kind {
        case .returning(let value?): return value.names("false")
        default: return false
        }
    }

    /// Whether a condition is one of those under which such a callback may refuse.
    private mutating func refusal(_ condition: Expression) -> Bool {
        switch condition.kind {
        case .tested(_, let value): return refusal(value)
        case .binary("||", let left, let right): return refusal(left) && refusal(right)
        case .binary("==", let left, let right):
            return isCertificate(left) && isName(right, "null") || isCertificate(right) && isName(left, "null")
        case .binary("!=", let left, let right):
            guard isErrors(left), right.finalName == "None" else { return false }
            keepsChecks = true
            return true
        default: return false
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
        // What has the length of another digest is told as that.
        let other = isLong(digest) ? 40 : 64
        if !isOfDart, found.contains(where: { $0.count(where: \.isHexDigit) == other }) { return false }
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
        case .name(let name): return digests[name]
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

    /// Whether .NET is asked for the digest of SHA-256: `certificate.GetCertHashString(HashAlgorithmName.SHA256)`.
    private func isLong(_ expression: Expression) -> Bool {
        switch expression.kind {
        case .name(let name): return long.contains(name)
        case .call(let callee, let arguments):
            guard case .member(let base, let name) = callee.kind else { return false }
            return name == "GetCertHashString" ? arguments.first?.value.finalName == "SHA256" : isLong(base)
        default: return false
        }
    }

    private func isCertificate(_ expression: Expression) -> Bool {
        if case .name(let name) = expression.kind { certificates.contains(name) } else { false }
    }

    private func isErrors(_ expression: Expression) -> Bool { errors.map { isName(expression, $0) } ?? false }

    private func isName(_ expression: Expression, _ name: String) -> Bool {
        if case .name(name) = expression.kind { true } else { false }
    }
}
