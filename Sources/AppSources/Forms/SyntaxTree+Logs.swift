/// Code that tells a log something, and does nothing else.
extension SyntaxTree {
    func onlyLogs(_ block: Int) -> Bool {
        !blocks[block].statements.isEmpty && blocks[block].statements.allSatisfy(onlyLogs)
    }

    func onlyLogs(_ statement: Statement) -> Bool {
        switch statement.kind {
        case .expression(let expression):
            guard case .call(let callee, _) = expression.kind,
                let open = tokens[callee.token...].firstIndex(where: { $0.isMark("(") }), open > 0
            else { return false }
            // What ends the app, and `Logout()`.
            let isOther = tokens[open - 1].name.map { Self.ending.contains($0) || $0.hasPrefix("Log") } ?? true
            return !isOther && GroupReading.isLog(tokens, open - 1) || Self.ofLogs.contains(callee.words)
        // One line for each certificate.
        case .loop(_, _, let body), .count(_, _, let body): return onlyLogs(body)
        case .branches(let branches, _): return branches.allSatisfy { onlyLogs($0.block) }
        case .declaration, .assignment, .returning, .block, .repeated: return false
        }
    }

    /// Whether what stands at a place is a part of what a log is told, and of no other call within that.
    func isToldToLog(_ place: Int) -> Bool {
        var depth = 0
        for next in (max(1, place - 400)..<max(1, min(place, tokens.count))).reversed() {
            if tokens[next].isMark(")") { depth += 1 }
            guard tokens[next].isMark("(") else { continue }
            guard depth == 0 else {
                depth -= 1
                continue
            }
            // `...(isIP(url) && { … })` is no call.
            guard let name = tokens[next - 1].name else { continue }
            // `logToConsole({ … })`, and neither `logIn(…)` nor `logAndFetch(…)`.
            let doing: Set<String> = [
                "in", "out", "on", "off", "fetch", "request", "get", "post", "put", "call", "send", "api", "http",
            ]
            let parts = name.partsOfName
            return GroupReading.isLog(tokens, next - 1) || parts.contains("log") && doing.isDisjoint(with: parts)
        }
        return false
    }

    private static let ofLogs: Set<String> = ["log", "Debug.Log"]
    private static let ending: Set<String> = ["fatalError", "preconditionFailure", "assertionFailure", "NSAssert"]
}
