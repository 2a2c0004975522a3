/// `CURLOPT_PINNEDPUBLICKEY` in languages that are not read, where its value is no literal.
package enum LibraryOptions {
    package struct Found: Hashable, Sendable {
        package var line: Int
        package var host: String?
        /// Of the names that it is given, those that the file tells.
        package var pins: [String]
    }

    package static let name = "PINNEDPUBLICKEY"
    package static let reason = "what this option of curl is given is not read in this language"

    package static func read(_ text: String) -> [Found] {
        let lines = TextLines(text, isCode: true)
        return lines.all.indices.compactMap { index in
            let line = lines.all[index].text
            guard !lines.all[index].isSkipped, let option = line.firstRange(of: name) else { return nil }
            let before = line[..<option.lowerBound].split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
            // What declares the option gives nothing to anyone.
            guard !["define", "const", "enum"].contains(where: before.contains) else { return nil }
            // The value may stand on the next line.
            let own = line[option.upperBound...]
            let isOpen = own.allSatisfy { $0.isWhitespace || ",=>\"'".contains($0) }
            let value = isOpen && index + 1 < lines.all.count ? lines.all[index + 1].text : own
            guard PinText.pins(within: String(value)).isEmpty, value.contains(where: \.isLetter) else { return nil }
            let names = value.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init).filter {
                $0.count > 1
            }
            let pins = names.flatMap { Self.pins(of: $0, in: lines) }.uniqued
            return Found(line: index + 1, host: lines.hostOfBlock(index), pins: pins)
        }
    }

    /// `$name = "…"`, `const NAME = "…"`, `define('NAME', '…')`
    private static func pins(of name: String, in lines: TextLines) -> [String] {
        lines.all.filter { !$0.isSkipped }.flatMap { line -> [String] in
            let words = line.text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
            guard words.prefix(6).contains(where: { $0 == name }), let place = line.text.firstRange(of: name) else {
                return []
            }
            let rest = line.text[place.upperBound...].drop { $0.isWhitespace || "'\"[]:".contains($0) }
            guard let mark = rest.first, mark == "=" || mark == ",", !rest.hasPrefix("==") else { return [] }
            let parts = rest.split(omittingEmptySubsequences: false) { "\"'`".contains($0) }.map(String.init)
            return parts.indices.filter { $0 % 2 == 1 }.map { parts[$0] }
                .filter { !PinText.pins(within: $0).isEmpty || PinText.isPin($0) }
        }
    }
}
