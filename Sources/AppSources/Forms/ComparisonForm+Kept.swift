/// What functions of Swift throw about a certificate, where nobody heeds it.
extension SyntaxTree {
    /// Whether nothing heeds what functions throw or answer that take certificates apart.
    func isUnheard(_ evidence: [Int]) -> Bool { keepsThrown(from: evidence) || keepsAnswers(from: evidence) }

    /// Whether all that ask a function which answers about a certificate go on to say yes, whatever it answered:
    /// `let isPinned = matches(trust); log(isPinned); completionHandler(.useCredential, …)`.
    private func keepsAnswers(from evidence: [Int]) -> Bool {
        guard isOfApple else { return false }
        var places = evidence
        for _ in 0..<3 {
            guard let function = namedFunction(around: places) else { return false }
            let own = function.tokens.clamped(to: 0..<tokens.count)
            let refusing = ["cancel", "invalidate", "throws", "throw", "disconnect", "close", "abort"]
            let mayRefuse = own.contains { place in
                if answer(at: place) != nil { return true }
                guard let name = tokens[place].name?.lowercased() else { return false }
                return language.endings.contains(name) || refusing.contains(where: name.hasPrefix)
            }
            guard !mayRefuse else { return false }
            let calls = callPlaces(of: function.name, outside: function.tokens)
            guard !calls.isEmpty, calls.count < 9 else { return false }
            if calls.allSatisfy(goesOn) { return true }
            places = calls
        }
        return false
    }

    /// Whether the function around a call says yes behind it, whatever came of it.
    private func goesOn(behind call: Int) -> Bool {
        guard let caller = namedFunction(around: [call])?.tokens.clamped(to: 0..<tokens.count),
            let statement = innermost(around: call)?.statement
        else { return false }
        let checks = ["precondition", "assert", "require", "try"]
        let isHeeded = tokens[statement.tokens.clamped(to: 0..<tokens.count)].prefix { !$0.isMark("{") }.contains {
            token in
            token.name.map { name in checks.contains(where: name.lowercased().hasPrefix) } ?? false
        }
        // `isPinned ? credential : nil`
        let isAsked = caller.contains { $0 > call && tokens[$0].isMark("?") }
        return !isHeeded && !isAsked
            && (saysYes(behind: call, in: caller) || saysYesEitherWay(behind: call, in: caller))
    }

    /// Whether all that ask a function which refuses by what it throws go on to say yes, whatever it threw:
    /// `try? verify(trust)`, or a `catch` that tells a log.
    ///
    /// - Parameter evidence: where a certificate is taken apart.
    func keepsThrown(from evidence: [Int]) -> Bool {
        guard language == .swift, let function = throwing(around: evidence) else { return false }
        let calls = callPlaces(of: function.name, outside: function.tokens)
        return !calls.isEmpty && calls.count < 9 && calls.allSatisfy(isUnheard)
    }

    /// The function without an answer that throws where what it compares differs; it may have others take certificates apart.
    private func throwing(around evidence: [Int]) -> (name: String, tokens: Range<Int>)? {
        var places = evidence
        for _ in 0..<3 {
            guard let function = namedFunction(around: places) else { return nil }
            let own = tokens[function.tokens.clamped(to: 0..<tokens.count)]
            let head = own.prefix { !$0.isMark("{") }
            if head.contains(where: { $0.isName("throws") }) {
                // What it answers is a yes.
                let answers = head.contains { $0.isMark("->") }
                let isYes = !own.contains { $0.isName("false") || $0.isName("nil") }
                return (!answers || isYes && head.contains { $0.isName("Bool") })
                    && own.dropFirst(head.count).contains { $0.isName("throw") } ? function : nil
            }
            places = callPlaces(of: function.name, outside: function.tokens)
        }
        return nil
    }

    private func isUnheard(_ call: Int) -> Bool {
        guard let caller = namedFunction(around: [call])?.tokens.clamped(to: 0..<tokens.count),
            let inner = innermost(around: call)
        else { return false }
        if isYesWhereThrown(call) { return true }
        if isTried(inner.statement) { return saysYes(behind: inner.statement.tokens.upperBound - 1, in: caller) }
        // `do { try verify(trust) } catch { log(error) }`
        for block in blocks {
            guard let place = block.statements.firstIndex(where: { $0.tokens.contains(call) }),
                tokens[block.statements[place].tokens.lowerBound].isName("do"),
                caller.contains(block.statements[place].tokens.lowerBound)
            else { continue }
            let caught = block.statements[(place + 1)...].prefix { tokens[$0.tokens.lowerBound].isName("catch") }
            guard let last = caught.last, caught.allSatisfy({ onlySays($0.tokens) }) else { return false }
            return saysYes(behind: last.tokens.upperBound - 1, in: caller)
        }
        return false
    }

    /// `(try? verify(trust)) ?? true`
    private func isYesWhereThrown(_ call: Int) -> Bool {
        guard call + 1 < tokens.count, tokens[call + 1].isMark("(") else { return false }
        var next = GroupReading.closing(tokens, call + 1)
        while next < tokens.count, tokens[next].isMark(")") { next += 1 }
        return next + 1 < tokens.count && tokens[next].isMark("??") && tokens[next + 1].isName("true")
    }

    /// `try? verify(trust)`, with which nothing is done.
    private func isTried(_ statement: Statement) -> Bool {
        switch statement.kind {
        case .expression: break
        case .assignment(let target, "=", _) where target.names("_"): break
        default: return false
        }
        let own = tokens[statement.tokens.clamped(to: 0..<tokens.count)].prefix(5)
        return zip(own, own.dropFirst()).contains { $0.isName("try") && $1.isMark("?") }
    }

    /// Whether what is run where something was thrown answers nothing, and changes nothing that could be asked later.
    private func onlySays(_ range: Range<Int>) -> Bool {
        let leaving = ["return", "throw", "break", "continue", "fatalError"]
        let answering = ["challenge", "handling", "handler", "completion", "complete", "credential"]
        return !tokens[range.clamped(to: 0..<tokens.count)].contains { token in
            if token.isMark("=") { return true }
            guard let name = token.name else { return false }
            return leaving.contains(name) || answering.contains(where: name.lowercased().hasSuffix)
        }
    }
}
