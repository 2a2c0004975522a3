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
