/// Commands whose words are the elements of a list: `["openconnect", "--servercert", "…", host]`.
extension CommandLines {
    private static let longestList = 40

    /// The lines of what is no script, each list with an option of pins in it as one line of words.
    static func wordsOfLists(_ lines: [Substring], _ name: String) -> [String] {
        let kind = kind(of: name)
        let isRead = SourceLanguage(fileName: name) != nil
        let isProgram = isProgram(name)
        let hasSlashes = isRead || ["c", "cc", "cpp", "cxx", "h", "hpp", "go", "rs", "php", "scala"].contains(kind)
        var all = lines.map(String.init)
        if hasSlashes {
            for (index, line) in lines.enumerated() {
                let body = line.drop(while: \.isWhitespace)
                if ["//", "/*", "* "].contains(where: body.hasPrefix) { all[index] = "" }
            }
        }
        // A shell would run what stands between the marks of a template: exec(`openconnect --servercert …`).
        if SourceLanguage(fileName: name) == .script {
            for index in all.indices where all[index].contains("`") && !all[index].contains("\"") {
                if all[index].range(ofOption: options) != nil { all[index].replace("`", with: "\"") }
            }
        }
        for index in all.indices where isOfList(all[index]) {
            let place = all[index].range(ofOption: options) ?? all[index].startIndex
            var open = balance(all[index][..<place], isProgram)
            var start = index
            while open <= 0, start > 0, index - start < longestList {
                start -= 1
                open += balance(all[start][...], isProgram)
            }
            if open <= 0 { start = index }
            var end = start
            var depth = balance(all[start][...], isProgram)
            while depth > 0, end + 1 < all.count, end - start < longestList {
                end += 1
                depth += balance(all[end][...], isProgram)
            }
            if depth > 0 || end < index { (start, end) = (index, index) }
            var joined = all[start...end].map { words(of: $0, isProgram: isProgram) }.joined(separator: " ")
            // .NET takes the arguments of a program as one text: `Process.Start("curl", "--pinnedpubkey …")`.
            if SourceLanguage(fileName: name) == .cSharp, !joined.contains("+ ") { joined.replace("\"", with: " ") }
            for place in start...end { all[place] = "" }
            all[index] = joined
        }
        return all
    }

    private static func kind(of name: String) -> String { name.split(separator: ".").last.map(String.init) ?? "" }

    /// Whether a file is of a programming language.
    static func isProgram(_ name: String) -> Bool {
        SourceLanguage(fileName: name) != nil || TextPins.programs.contains(kind(of: name))
    }

    /// Those around a line of a program; that it is run itself is none.
    static func conditions(_ lines: [Substring], _ index: Int, _ name: String) -> [String] {
        guard lines.indices.contains(index) else { return [] }
        return IndentedConditions.read(lines, index, kind(of: name)).filter { !$0.contains("__name__") }
    }

    /// Whether an option begins or ends with its own quotes.
    private static func isOfList(_ line: String) -> Bool {
        options.contains { option in
            ["\(option)\"", "\(option)'", "\"\(option)", "'\(option)"].contains(where: line.contains)
        }
    }

    /// The brackets that a text opens, less those that it closes, outside of quotes. Prose has round ones.
    private static func balance(_ text: Substring, _ isProgram: Bool) -> Int {
        var (count, quote, wasEscape) = (0, Character?.none, false)
        for character in text {
            if let open = quote {
                if character == open, !wasEscape { quote = nil }
            } else if "\"'".contains(character) {
                quote = character
            } else if character == "[" || isProgram && character == "(" {
                count += 1
            } else if character == "]" || isProgram && character == ")" {
                count -= 1
            }
            wasEscape = character == "\\" && !wasEscape
        }
        return count
    }

    /// Without what stands between the elements. A name with a full stop is no host, but a member of something.
    private static func words(of line: String, isProgram: Bool) -> String {
        var (words, quote, wasEscape) = ("", Character?.none, false)
        for character in line {
            if let open = quote {
                if character == open, !wasEscape { quote = nil }
                words.append(character)
            } else if "\"'".contains(character) {
                quote = character
                words.append(character)
            } else if isProgram, character == "#" {
                break
            } else {
                let isMark = "[],".contains(character) || isProgram && "();".contains(character)
                words.append(isMark ? " " : isProgram && character == "." ? "_" : character)
            }
            wasEscape = character == "\\" && !wasEscape
        }
        return words
    }
}

extension String {
    fileprivate func range(ofOption options: [String]) -> String.Index? {
        options.compactMap { firstRange(of: $0)?.lowerBound }.min()
    }
}
