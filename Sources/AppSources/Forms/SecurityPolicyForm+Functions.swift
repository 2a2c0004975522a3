/// What the function around a policy of AFNetworking's says of it.
extension SecurityPolicyForm {
    /// The function that returns a policy and that nothing calls; `nil` where something may.
    static func unusedMaker(around token: Int, _ tree: SyntaxTree, _ module: SourceModule) -> String? {
        guard let function = tree.functions(around: token).last else { return nil }
        let name = function.name.ofCalls
        let head = tree.tokens[function.tokens.clamped(to: 0..<tree.tokens.count)].prefix { !$0.isMark("{") }
        // A manager asks for its own.
        guard name != "securityPolicy", head.contains(where: { $0.isName("AFSecurityPolicy") }),
            tree.tokens.indices.allSatisfy({ place in
                function.tokens.contains(place) || !tree.tokens[place].names.contains(name)
                    // `if (0) { policy = [client createPolicy]; }`
                    || tree.conditions(around: place).contains(where: \.isNever)
            }),
            module.others(mentioning: name, than: tree.path, in: tree.language).isEmpty
        else { return nil }
        return name
    }

    /// The code around a policy, without what it tells other policies.
    static func own(_ call: Expression, _ tree: SyntaxTree) -> CodeGroup? {
        guard let group = CodeGroup.groups(of: tree, { $0 == call.token }).first else { return nil }
        let names = names(of: call, tree)
        guard !names.isEmpty else { return group }
        let function = tree.functions(around: call.token).last?.tokens
        let scope = scope(of: call, tree)
        let conditions = tree.conditions(around: call.token)
        let others = group.tokens.filter { place in
            guard settings.contains(where: { tree.tokens[place].name?.hasPrefix($0) ?? false }),
                let owner = owner(before: place, tree)
            else { return false }
            guard function?.contains(place) ?? true else {
                // Another function may have a variable by the same name.
                return tree.functions(around: place).last.map { isDeclared(owner, in: $0.tokens, tree) } ?? false
            }
            // Of two branches, one is run.
            let behind = tree.conditions(around: place)
            return !names.contains(owner) || !(scope?.contains(place) ?? true)
                || conditions.contains { one in behind.contains { $0.condition == one.condition && $0 != one } }
        }
        return group.without(others.map { $0..<($0 + 1) })
    }

    private static let settings = [
        "allowInvalidCertificates", "setAllowInvalidCertificates", "validatesDomainName", "setValidatesDomainName",
        "pinnedCertificates", "setPinnedCertificates", "SSLPinningMode", "setSSLPinningMode",
    ]

    /// `policy` of `policy.validatesDomainName`, and of `[policy setValidatesDomainName:…]`.
    private static func owner(before place: Int, _ tree: SyntaxTree) -> String? {
        guard place > 1 else { return nil }
        return tree.tokens[tree.tokens[place - 1].isMark(".") ? place - 2 : place - 1].name?.ofPolicy
    }

    /// By which names a policy is told what it does: that of its variable, and `securityPolicy` where a manager has it.
    private static func names(of call: Expression, _ tree: SyntaxTree) -> Set<String> {
        switch call.kind {
        case .member(let base, _): return base.finalName.map { [$0.ofPolicy] } ?? []
        case .call(let callee, _):
            if case .member(let base, "setSSLPinningMode:") = callee.kind {
                return base.finalName.map { [$0.ofPolicy] } ?? []
            }
        default: return []
        }
        for block in tree.blocks {
            for statement in block.statements {
                switch statement.kind {
                case .declaration(let declaration) where declaration.value?.token == call.token:
                    return [declaration.name.ofPolicy, "securityPolicy"]
                case .assignment(let target, "=", let value) where value.token == call.token:
                    return target.finalName.map { [$0.ofPolicy, "securityPolicy"] } ?? []
                default: continue
                }
            }
        }
        return []
    }

    /// The block that declares the variable of a policy as it makes it.
    private static func scope(of call: Expression, _ tree: SyntaxTree) -> Range<Int>? {
        tree.blocks.indices.lazy.filter { number in
            tree.blocks[number].declarations.values.joined().contains { $0.value?.token == call.token }
        }
        .compactMap { tree.range(of: $0) }.first
    }

    private static func isDeclared(_ name: String, in range: Range<Int>, _ tree: SyntaxTree) -> Bool {
        tree.blocks.contains { block in
            block.statements.contains { statement in
                guard case .declaration(let declaration) = statement.kind else { return false }
                return declaration.kind == .value && declaration.name.ofPolicy == name
                    && range.contains(statement.tokens.lowerBound)
            }
        }
    }

    /// The class of a policy that is not AFNetworking's own: `AFSecurityPolicy *policy = [[StrictPolicy alloc] init]`.
    static func otherClass(of call: Expression, _ tree: SyntaxTree) -> String? {
        func isOther(_ name: String?) -> String? {
            guard let name, name.first?.isUppercase ?? false, name != "AFSecurityPolicy" else { return nil }
            return name
        }
        if case .call(let callee, _) = call.kind, case .member(let base, let word) = callee.kind,
            word.hasPrefix("policyWithPinningMode:")
        {
            return isOther(base.finalName)
        }
        let names = names(of: call, tree)
        guard let function = tree.functions(around: call.token).last?.tokens else { return nil }
        for block in tree.blocks {
            for statement in block.statements where function.contains(statement.tokens.lowerBound) {
                guard case .declaration(let declaration) = statement.kind, names.contains(declaration.name.ofPolicy),
                    case .call(let callee, _)? = declaration.value?.kind
                else { continue }
                // `[[StrictPolicy alloc] init]`, `[StrictPolicy new]`, `StrictPolicy()`
                guard case .member(let base, let word) = callee.kind, word == "new" || word.hasPrefix("init") else {
                    return tree.language == .swift ? isOther(callee.finalName) : nil
                }
                guard case .call(let inner, _) = base.kind, case .member(let type, "alloc") = inner.kind else {
                    return isOther(base.finalName)
                }
                return isOther(type.finalName)
            }
        }
        return nil
    }

    /// What is said of a policy that a function makes, changes and gives nobody.
    static func ungiven(_ call: Expression, _ tree: SyntaxTree) -> String {
        var name = tree.blocks.filter { !$0.isOutside }.flatMap { $0.declarations.values.joined() }
            .first { $0.kind == .value && $0.value?.token == call.token }?.name
        // `[policy setSSLPinningMode:AFSSLPinningModeCertificate]`
        if name == nil, case .call(let callee, _) = call.kind, case .member(let base, let word) = callee.kind,
            word.hasPrefix("setSSLPinningMode"), case .name(let own) = base.kind
        {
            name =
                tree.blocks.contains { !$0.isOutside && $0.declarations[own]?.contains { $0.kind == .value } ?? false }
                ? own : nil
        }
        guard let name, let function = tree.functions(around: call.token).last else { return "" }
        let own = function.tokens.clamped(to: 0..<tree.tokens.count)
        // `manager.securityPolicy` is another one.
        let uses = own.filter { tree.tokens[$0].names.contains(name) && !tree.tokens[max(0, $0 - 1)].isMark(".") }
        func isGiven(_ place: Int) -> Bool {
            guard place > 0, place + 3 < tree.tokens.count, tree.tokens[place].isName(name) else { return true }
            let next = tree.tokens[place + 1]
            // Where it is declared.
            if next.isMark("=") { return false }
            if next.isMark(":"), tree.tokens[place - 1].isName("let") || tree.tokens[place - 1].isName("var") {
                return false
            }
            // `[policy setPinnedCertificates:own]`
            if tree.tokens[place - 1].isMark("[") { return !(next.name?.hasPrefix("set") ?? false) }
            // `policy.pinnedCertificates = own`
            return !(next.isMark(".") && tree.tokens[place + 3].isMark("=")) || tree.tokens[place - 1].isMark("=")
        }
        return uses.count > 0 && !uses.contains(where: isGiven)
            ? "; the policy is made, and given to no manager, so that nothing is compared" : ""
    }

    /// The function that is given the name of one of several files.
    static func chooser(around token: Int, _ files: [String], _ tree: SyntaxTree) -> String? {
        guard files.count > 1, let function = tree.functions(around: token).last else { return nil }
        let declared = tree.blocks[function.block].declarations[function.name] ?? []
        let parameters = Set(declared.flatMap { $0.parameters.map(\.name) })
        let names: Set<String> = ["forResource", "pathForResource", "URLForResource"]
        let isGiven = function.tokens.contains { place in
            place + 2 < tree.tokens.count && tree.tokens[place].name.map(names.contains) ?? false
                && tree.tokens[place + 1].isMark(":") && tree.tokens[place + 2].name.map(parameters.contains) ?? false
        }
        return isGiven ? function.name.ofCalls : nil
    }

    /// Whether a policy is given to a manager as it is made, and no certificates.
    static func isBare(_ token: Int, _ tree: SyntaxTree) -> Bool {
        let declared = tree.blocks.flatMap { $0.declarations.values.joined() }.first {
            $0.kind == .value && $0.value?.token == token
        }
        guard let name = declared?.name, let function = tree.functions(around: token).last else { return false }
        let uses = function.tokens.filter { tree.tokens[$0].isName(name) && $0 > token }
        return !uses.isEmpty && !isGivenByManager(uses, in: function.tokens, tree)
            && uses.allSatisfy { place in
                let near = tree.tokens[place..<min(place + 3, tree.tokens.count)].compactMap(\.name)
                let isFlag = near.contains {
                    [
                        "validatesDomainName", "allowInvalidCertificates", "setValidatesDomainName",
                        "setAllowInvalidCertificates",
                    ]
                    .contains($0)
                }
                let before = tree.tokens[max(0, place - 2)..<place].compactMap(\.name)
                return isFlag || before.contains { $0 == "setSecurityPolicy" || $0 == "securityPolicy" }
                    || place > 1 && tree.tokens[place - 1].isMark("=")
                        && tree.tokens[place - 2].isName("securityPolicy")
            }
    }

    /// Whether a manager that has the policy gives it certificates: `manager.securityPolicy.pinnedCertificates = …`.
    private static func isGivenByManager(_ uses: [Int], in function: Range<Int>, _ tree: SyntaxTree) -> Bool {
        /// The name before `.securityPolicy`, or before the message that sets it.
        func owner(before place: Int) -> String? {
            guard place > 0 else { return nil }
            return tree.tokens[tree.tokens[place - 1].isMark(".") ? max(0, place - 2) : place - 1].name
        }
        func name(_ place: Int) -> String? { tree.tokens[place].name.map { String($0.prefix { $0 != ":" }) } }
        let owners = uses.compactMap { use -> String? in
            let before = max(0, use - 2)..<use
            guard let place = before.first(where: { ["securityPolicy", "setSecurityPolicy"].contains(name($0)) }) else {
                return nil
            }
            return owner(before: place)
        }
        guard let first = uses.first, !owners.isEmpty else { return false }
        return function.contains { place in
            guard place > first, ["pinnedCertificates", "setPinnedCertificates"].contains(name(place)) else {
                return false
            }
            let base = tree.tokens[place - 1].isMark(".") ? place - 2 : place - 1
            return tree.tokens[base].isName("securityPolicy") && owner(before: base).map(owners.contains) ?? false
        }
    }
}

extension String {
    /// A variable's name, or that of the property that it holds.
    fileprivate var ofPolicy: String { String(drop { $0 == "_" }) }
}
