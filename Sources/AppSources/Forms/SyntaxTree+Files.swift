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

    /// Whether what stands in a file that is named at a place is taken for a certificate, whatever its name ends with:
    /// `NSData *data = [NSData dataWithContentsOfFile:path]; policy.pinnedCertificates = [NSSet setWithObject:data];`
    func isOfCertificate(at place: Int) -> Bool {
        guard isOfApple, place < tokens.count, let function = function(around: place) else { return false }
        var places = [place]
        var names: Set<String> = []
        for _ in 0..<6 {
            var more: Set<String> = []
            for place in places {
                let words = before(place, most: 40).compactMap { tokens[$0].name }
                if words.contains(where: Self.takesApart) { continue }
                let name = nameGiven(before: place, most: 40)
                if words.contains(where: Self.takesCertificates) || name.map(Self.takesCertificates) ?? false {
                    return true
                }
                if let name { more.insert(name) }
                if let list = listGiven(before: place) { more.insert(list) }
            }
            more.subtract(names)
            guard !more.isEmpty else { return false }
            names.formUnion(more)
            places = function.filter { $0 > place && !more.isDisjoint(with: tokens[$0].names) }
        }
        return false
    }

    private static func takesCertificates(_ name: String) -> Bool {
        name.lowercased().contains("pinnedcertificates")
            || ["SecCertificateCreateWithData", "isEqualToData"].contains(where: name.hasPrefix)
    }

    /// What makes other values of what stands in a file.
    private static func takesApart(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["json", "propertylist", "decode", "base64", "pkcs12"].contains(where: name.contains)
    }

    /// `[certificates addObject:data]`, `certificates.append(data)`
    private func listGiven(before place: Int) -> String? {
        guard
            let word = before(place, most: 40).first(where: { next in
                ["addObject", "append", "insert"].contains { tokens[next].name?.hasPrefix($0) ?? false }
            }), word > 1
        else { return nil }
        return tokens[tokens[word - 1].isMark(".") ? word - 2 : word - 1].name
    }

    /// What stands before a place in its statement, the nearest first.
    private func before(_ place: Int, most: Int = 14) -> [Int] {
        let end = tokens[..<place].suffix(most).lastIndex { token in
            [";", "{", "}", "="].contains(where: token.isMark)
        }
        return Array(((end.map { $0 + 1 }) ?? max(0, place - most))..<place).reversed()
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
    private func nameGiven(before place: Int, most: Int = 20) -> String? {
        let mark = tokens[..<place].suffix(most).lastIndex { token in
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
