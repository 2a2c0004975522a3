/// Texts that code compares, and that have no digest's length.
extension ComparisonForm {
    /// What is said of such texts: of those that were found, or else of what C# holds a certificate's text against.
    static func describedTexts(
        _ what: String,
        _ group: CodeGroup,
        _ reading: GroupReading,
        _ hosts: [String],
        _ evaluator: Evaluator
    ) -> FoundPins.Content? {
        let tree = evaluator.tree
        var texts = reading.broken
        if texts.isEmpty, !reading.rejectsSome { texts = GroupReading.compared(in: group, evaluator) }
        var length = texts.contains(where: PinText.isOfWords) ? "is no digest" : "has no digest's length"
        if texts.isEmpty, tree.language == .cSharp, !reading.rejectsSome {
            let compared = ComparedTexts(group, evaluator)
            (texts, length) = (compared.texts, compared.length)
        }
        guard !texts.isEmpty else { return nil }
        var what = "\(what); what stands there \(length)" + ofConnection(evidence(in: group, tree), tree)
        if tree.language == .dart, !hosts.isEmpty { what += others(group, evaluator) }
        if tree.language == .cSharp { what += unmade(at: group.tokens, evaluator) }
        what += unheeded(group, tree)
        return .described(hosts: hosts, pins: texts, what: what, known: reading.placeholders)
    }
}

/// What C# holds a text of the server's certificate against, whatever its length: `certificate.GetPublicKeyString() == Key`.
private struct ComparedTexts {
    private(set) var texts: [String] = []
    /// Whether a part of what is taken may be compared.
    private var isOfPart = false
    private let evaluator: Evaluator

    private static let taking: Set<String> = [
        "GetPublicKeyString", "GetRawCertDataString", "GetCertHashString", "Thumbprint",
    ]
    private static let rewriting: Set<String> = [
        "ToLower", "ToUpper", "ToLowerInvariant", "ToUpperInvariant", "Trim", "Replace", "ToString", "Normalize",
    ]
    private static let cutting: Set<String> = ["Substring", "Remove"]
    private static let equal: Set<String> = ["Equals", "Compare", "CompareTo", "CompareOrdinal"]
    private static let within: Set<String> = ["StartsWith", "EndsWith", "Contains"]

    init(_ group: CodeGroup, _ evaluator: Evaluator) {
        self.evaluator = evaluator
        var found: [Expression] = []
        func collect(_ expression: Expression) -> Bool {
            if group.holds(expression.token) { found.append(expression) }
            return true
        }
        evaluator.tree.visit { expression, _ in collect(expression) }
        for case .branches(let branches, _) in evaluator.tree.blocks.flatMap(\.statements).map(\.kind) {
            for branch in branches { branch.test?.visit(collect) }
        }
        for expression in found.prefix(2000) { take(expression) }
        texts = texts.uniqued
    }

    private mutating func take(_ expression: Expression) {
        switch expression.kind {
        case .binary(let mark, let left, let right) where ["==", "!="].contains(mark): take(left, right)
        case .call(let callee, let arguments):
            guard case .member(let base, let name) = callee.kind else { return }
            if Self.equal.contains(name) {
                // `pin.Equals(text)`, `string.Equals(pin, text)`
                let sides = [base] + arguments.prefix(2).map(\.value)
                for first in sides.indices {
                    for second in sides.indices.dropFirst(first + 1) { take(sides[first], sides[second]) }
                }
            } else if Self.within.contains(name), let part = arguments.first?.value, isTaken(base) {
                take(base, part)
                isOfPart = true
            }
        default: break
        }
    }

    private mutating func take(_ left: Expression, _ right: Expression) {
        for (own, other) in [(left, right), (right, left)] where isTaken(own) {
            var other = other
            while let base = base(of: other, Self.rewriting) { other = base }
            guard let text = evaluator.value(of: other).text, text.utf8.count > 5, !text.contains(where: \.isNewline)
            else { continue }
            texts.append(text)
        }
    }

    /// Whether an expression is a text of a certificate, or a name that stands for one.
    private mutating func isTaken(_ expression: Expression, depth: Int = 0) -> Bool {
        guard depth < 8 else { return false }
        if let base = base(of: expression, Self.rewriting) { return isTaken(base, depth: depth + 1) }
        if let base = base(of: expression, Self.cutting) {
            guard isTaken(base, depth: depth + 1) else { return false }
            isOfPart = true
            return true
        }
        switch expression.kind {
        case .call(let callee, _): return isTaken(callee, depth: depth + 1)
        case .member(_, let name): return Self.taking.contains(name)
        case .name(let name):
            guard let block = evaluator.tree.block(declaring: name, from: expression.block),
                let declared = evaluator.tree.blocks[block].declarations[name], declared.count == 1,
                let value = declared[0].value
            else { return false }
            return isTaken(value, depth: depth + 1)
        default: return false
        }
    }

    /// What a function by one of some names is asked of.
    private func base(of expression: Expression, _ names: Set<String>) -> Expression? {
        guard case .call(let callee, _) = expression.kind, case .member(let base, let name) = callee.kind,
            names.contains(name)
        else { return nil }
        return base
    }

    /// What is said of their length.
    var length: String {
        let isHex = texts.allSatisfy { $0.allSatisfy { $0.isHexDigit || ": -".contains($0) } }
        let counts = texts.map { $0.count(where: \.isHexDigit) }
        let tokens = evaluator.tree.tokens
        if isHex, counts.allSatisfy({ $0 == 32 }),
            tokens.contains(where: { $0.name?.lowercased().contains("md5") ?? false })
        {
            return "has the length of MD5"
        }
        if isOfPart { return "is compared with a part of the certificate's text alone" }
        if !isHex { return "is no digest, and no certificate has it: nothing is equal to it" }
        // The shortest key that a certificate has is a point of 25 bytes.
        return counts.allSatisfy { $0 < 50 || !$0.isMultiple(of: 2) }
            ? "has the length of no digest and no key: nothing is equal to it" : "has no digest's length"
    }
}
