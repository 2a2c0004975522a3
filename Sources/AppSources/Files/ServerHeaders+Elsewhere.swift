/// Headers whose value stands elsewhere, or where it is not looked for.
extension ServerHeaders {
    /// A line that is too long to be read, and has pins behind the header's name.
    static func tooLong(_ line: Substring, _ index: Int) -> Found? {
        guard let header = line.firstRange(of: "Public-Key-Pins") ?? line.firstRange(of: "public-key-pins") else {
            return nil
        }
        let rest = String(line[header.upperBound...].prefix(2000))
        let digests = pins(in: rest).filter(PinText.isPin)
        guard !digests.isEmpty else { return nil }
        return Found(
            line: index + 1,
            name: "Public-Key-Pins",
            value: digests.map { "pin-sha256=\"\($0)\"" }.joined(separator: "; "),
            gap: "the line is too long to be read"
        )
    }

    /// The name that a header is set to: `h.Set("Public-Key-Pins", config.Pins)`.
    static func name(in rest: String) -> String? {
        let value = rest.drop { $0.isWhitespace || "\"'`]:,=>".contains($0) }
        let path = value.prefix { $0.isWordOfName || ".:$>-".contains($0) }
        // What is called, or an element of something.
        if let next = value.dropFirst(path.count).first, "([\"'".contains(next) { return nil }
        return path.split(whereSeparator: { !$0.isWordOfName }).last.map(String.init)
    }

    /// The one value with pins that a file gives to a name.
    static func constant(_ name: String, _ lines: [Substring]) -> String? {
        var values: [String] = []
        for (index, line) in lines.enumerated() where line.utf8.count < 4000 {
            let body = line.drop(while: \.isWhitespace)
            guard let place = body.firstRange(of: name), !["#", "//", "*", "/*"].contains(where: body.hasPrefix),
                !(body[..<place.lowerBound].last?.isWordOfName ?? false),
                !(body[place.upperBound...].first?.isWordOfName ?? false)
            else { continue }
            // What stands between a name and what it is given: a quote, a type, a mark.
            let given = body[place.upperBound...].drop { !"=:,".contains($0) }
            guard let mark = given.first, "=:,".contains(mark), !given.hasPrefix("==") else { continue }
            let text = given.drop { $0 != "\"" && $0 != "'" && $0 != "`" && $0 != "\\" && !$0.isNewline }
            let more = lines[(index + 1)...].prefix(20).joined(separator: "\n")
            guard let value = HeaderValue.read(" " + text + "\n" + more), value.contains("pin-sha256") else { continue }
            values.append(value)
        }
        return values.uniqued.count == 1 ? values[0] : nil
    }
}

extension Character {
    fileprivate var isWordOfName: Bool { isLetter || isNumber || self == "_" }
}
