/// Code that takes a certificate whatever host it is for.
extension AcceptingForm {
    /// Verifiers of Kotlin and Java that say yes to each name, and the classes of libraries that do.
    static func naming(_ tree: SyntaxTree) -> [SourceReader.Site] {
        let functions = tree.blocks.flatMap { block in
            tree.functions(of: block, "verify").filter { tree.verifiesAnything($0.declaration, $0.tokens) }
                .map(\.tokens.lowerBound)
        }
        var closures: [Int] = []
        tree.visit { expression, _ in
            if case .call(let callee, let arguments) = expression.kind,
                callee.finalName?.lowercased().hasSuffix("hostnameverifier") ?? false,
                arguments.contains(where: { tree.alwaysSaysYes($0.value) })
            {
                closures.append(expression.token)
            }
            return true
        }
        let libraries = ["NoopHostnameVerifier", "AllowAllHostnameVerifier", "ALLOW_ALL_HOSTNAME_VERIFIER"]
        // Another type may be made of one of these, or an import name it.
        let named = tree.tokens.indices.dropLast(2).filter { place in
            libraries.contains(where: tree.tokens[place].isName)
                && (tree.tokens[place + 1].isMark(")") || tree.tokens[place + 1].isMark("(")
                    || tree.tokens[place + 1].isMark(".") && tree.tokens[place + 2].isName("INSTANCE"))
                && !(place > 0 && (tree.tokens[place - 1].isName("class") || tree.isImported(at: place)))
        }
        return Set(functions + closures + named).sorted().map {
            site(.hostnameVerifier, at: $0, tree, FoundPins.naming)
        }
    }
}

extension SyntaxTree {
    /// `verify(hostname: String, session: SSLSession) = true`
    fileprivate func verifiesAnything(_ declaration: Declaration, _ place: Range<Int>) -> Bool {
        let own = tokens[place.clamped(to: 0..<tokens.count)]
        guard own.contains(where: { $0.isName("SSLSession") }) else { return false }
        if own.last?.isName("true") ?? false, own.dropLast().last?.isMark("=") ?? false { return true }
        return declaration.body.map(saysYes) ?? false
    }

    fileprivate func alwaysSaysYes(_ value: Expression) -> Bool {
        guard case .closure(let closure) = value.kind else { return false }
        return saysYes(closure.block)
    }

    private func saysYes(_ block: Int) -> Bool {
        let statements = blocks[block].statements
        return statements.last?.answer?.names("true") ?? false && statements.dropLast().allSatisfy(onlyLogs)
    }

    /// Whether a name ends the line of an `import`.
    fileprivate func isImported(at place: Int) -> Bool {
        let line = tokens[place].line
        var start = place
        while start > 0, tokens[start - 1].line == line { start -= 1 }
        return tokens[start].isName("import")
    }
}
