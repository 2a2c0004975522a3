/// Files that Apple's code names, and does not read.
extension SyntaxTree {
    /// Whether a file that is named at a place is written, or told a log, and never read:
    /// `NSString *copy = [folder stringByAppendingPathComponent:@"seen.crt"]; [data writeToFile:copy atomically:YES];`
    func isOfUnreadFile(at place: Int) -> Bool {
        guard isOfApple, place < tokens.count, let function = function(around: place) else { return false }
        // `[data writeToFile:[folder stringByAppendingPathComponent:@"seen.crt"] atomically:YES]`
        if isWritten(at: place) { return true }
        guard let name = nameGiven(before: place) else { return false }
        let uses = function.filter { $0 > place && tokens[$0].names.contains(name) }
        return !uses.isEmpty && uses.allSatisfy { isWritten(at: $0) || isLogged(at: $0) }
    }

    /// What stands before a place in its statement, the nearest first.
    private func before(_ place: Int) -> [Int] {
        let end = tokens[..<place].suffix(14).lastIndex { token in
            [";", "{", "}", "="].contains(where: token.isMark)
        }
        return Array(((end.map { $0 + 1 }) ?? max(0, place - 14))..<place).reversed()
    }

    private func isWritten(at place: Int) -> Bool {
        before(place).contains { next in
            guard let name = tokens[next].name else { return false }
            return ["writeToFile", "writeToURL", "createFile", "removeItem"].contains(where: name.hasPrefix)
                || name == "write" && next + 2 < tokens.count && tokens[next + 1].isMark("(")
        }
    }

    private func isLogged(at place: Int) -> Bool {
        before(place).contains { next in
            ["print", "debugPrint", "NSLog", "os_log", "dump"].contains(where: tokens[next].isName)
        }
    }

    /// The name that is given what stands at a place: `if let path = Bundle.main.path(…)`, `NSString *path = …`.
    private func nameGiven(before place: Int) -> String? {
        let mark = tokens[..<place].suffix(20).lastIndex { token in
            ["=", ";", "{", "}"].contains(where: token.isMark)
        }
        guard let mark, mark > 2, tokens[mark].isMark("="), let name = tokens[mark - 1].name else { return nil }
        return tokens[mark - 2].isMark(":") ? tokens[mark - 3].name : name
    }
}

extension GroupReading {
    /// Whether a text is the name of a certificate file that code writes, or tells a log, and never reads.
    func isUnreadFile(_ tokens: [Token], _ place: Int) -> Bool {
        guard place < tokens.count, let text = tokens[place].plainText else { return false }
        return PinText.isCertificateFile(text) && evaluator.tree.isOfUnreadFile(at: place)
    }
}
