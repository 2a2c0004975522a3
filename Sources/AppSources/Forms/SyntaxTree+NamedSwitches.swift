/// Switches of an app's own in scripts and Dart, whoever gives them: `options.enabled`, `process.env.PINNING === "off"`.
extension SyntaxTree {
    /// Parts of the names of what turns a comparison off, or keeps it from refusing.
    private static let ofSwitches = [
        "enabl", "disabl", "enforc", "strict", "bypass", "insecure", "selfsigned", "reportonly", "logonly", "warnonly",
        "auditonly", "failopen", "failclosed", "softfail", "dryrun", "isdev", "isprod", "isdebug", "production",
        "development", "sessionreused",
    ]

    /// What says of a name that it is about the connection, or about what was found.
    private static let ofResults = ["match", "valid", "found", "error", "trusted", "pinned", "hash", "digest"]

    /// What the build, or the system below it, has.
    private static let environments = ["process.env", "process.platform", "import.meta.env", "Platform.OS"]

    /// Whether a condition asks for one switch, and nothing else.
    func isNamedSwitch(_ condition: String) -> Bool {
        guard language == .script || language == .dart else { return false }
        var subject = condition.bareCondition
        var isCompared = false
        if let mark = [" === ", " !== ", " == ", " != "].lazy.compactMap({ subject.firstRange(of: $0) }).first {
            let label = subject[mark.upperBound...]
            guard label.first == "\"" || ["true", "false"].contains(label) || label.first?.isUppercase ?? false else {
                return false
            }
            // Which certificates Electron asks about.
            if label.hasPrefix("\"net::ERR_") { return true }
            subject = String(subject[..<mark.lowerBound])
            isCompared = true
        }
        if subject.hasSuffix("()") { subject = String(subject.dropLast(2)) }
        guard subject.allSatisfy({ $0.isLetter || $0.isNumber || "_.?$".contains($0) }) else { return false }
        if language == .script, Self.environments.contains(where: subject.hasPrefix) { return true }
        let last = (subject.split(separator: ".").last ?? "").lowercased().replacing("_", with: "")
        guard !Self.ofResults.contains(where: last.contains) else { return false }
        return Self.ofSwitches.contains(where: last.contains) || isCompared && last.hasSuffix("mode")
    }

    /// Of a condition with several parts those that are switches, where any is: `!matches && isStrict`.
    func switches(in condition: Condition) -> [Choices.Choice] {
        guard language == .script || language == .dart, let test = condition.test else { return [condition.choice] }
        let parts = test.parts(holds: condition.holds)
        // As it is written, where nothing is to be taken apart.
        if isOfApp(condition.choice), parts.count > 1 || parts[0].1 == condition.holds { return [condition.choice] }
        let switches = parts.map { Choices.choice($0.words, holds: $1) }.filter(isOfApp)
        return switches.isEmpty ? [condition.choice] : switches
    }

    /// What lets a certificate through beside the digest that is asked for: `isLocal || digest === pin`.
    func alternatives(to evidence: [Int]) -> [Expression] {
        guard language == .script || language == .dart, !evidence.isEmpty else { return [] }
        let places = evidence.map(start)
        var found: [Expression] = []
        lookAtAll { expression in
            guard case .binary("||", let first, let second) = expression.kind else { return }
            for (one, other) in [(first, second), (second, first)]
            where one.isEquality && places.contains(where: one.mentions) && !places.contains(where: other.mentions)
                && !other.words.asksForContents && !other.words.contains("null")
            {
                found.append(other)
            }
        }
        return found
    }

    /// Whether a text must be met beside a digest: `hostname === "localhost" && digest === pin`.
    func isAsked(_ place: Int, with evidence: [Int]) -> Bool {
        let places = evidence.map(start)
        var isFound = false
        lookAtAll { expression in
            guard case .binary("&&", let first, let second) = expression.kind else { return }
            isFound =
                isFound || first.mentions(place) && places.contains(where: second.mentions)
                || second.mentions(place) && places.contains(where: first.mentions)
        }
        return isFound
    }

    /// All expressions, those that branches ask for among them.
    private func lookAtAll(_ look: (Expression) -> Void) {
        func isEntered(_ expression: Expression) -> Bool {
            look(expression)
            return true
        }
        visit { expression, _ in isEntered(expression) }
        for case .branches(let branches, _) in blocks.flatMap(\.statements).map(\.kind) {
            for branch in branches { branch.test?.visit(isEntered) }
        }
    }
}

extension Expression {
    /// All that must hold where it does, or all that must not where it does not, and whether that is so.
    func parts(holds: Bool) -> [(Expression, Bool)] {
        switch kind {
        case .binary(let mark, let left, let right) where mark == (holds ? "&&" : "||"):
            left.parts(holds: holds) + right.parts(holds: holds)
        case .prefix("!", let value): value.parts(holds: !holds)
        case .tested(_, let value): value.parts(holds: holds)
        default: [(self, holds)]
        }
    }

    /// Whether it holds where two things are equal, or one is among others.
    fileprivate var isEquality: Bool {
        switch kind {
        case .binary(let mark, _, _): mark == "==" || mark == "==="
        case .call(let callee, _):
            ["includes", "contains", "some", "any", "has", "equals"].contains(callee.finalName ?? "")
        case .tested(_, let value): value.isEquality
        default: false
        }
    }
}
