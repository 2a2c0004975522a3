import Pinning

/// Words that do nothing but stand there: clients, hosts, certificates and names of files bring words of strangers, and
/// terminals and build servers obey what they read.
struct Harmless {
    let string: String

    /// For people. What steers a terminal becomes U+FFFD, and a command is torn by a space.
    ///
    /// - Parameter isStyled: whether there are colours of our own, which stay.
    static func text(_ text: String, isStyled: Bool = false) -> Harmless {
        Harmless(text, isStyled: isStyled) { $0 == "#" || $0 == ":" ? " \($0)" : "\u{FFFD}" }
    }

    /// For programs, which read the same values as before: only in strings can such things stand.
    static func json(_ text: String) -> Harmless {
        Harmless(text, isStyled: false) { scalar in
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        }
    }

    private init(_ text: String, isStyled: Bool, _ substitute: (Unicode.Scalar) -> String) {
        let scalars = Array(text.unicodeScalars)
        var result = String.UnicodeScalarView()
        for (index, scalar) in scalars.enumerated() {
            let rest = scalars[index...]
            let isOwn = isStyled && rest.startsStyle
            let steers = scalar.steersTerminal && scalar != "\n" && scalar != "\t"
            if steers && !isOwn || rest.isInsideCommand(of: scalars) {
                result.append(contentsOf: substitute(scalar).unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        string = String(result)
    }
}

extension ArraySlice<Unicode.Scalar> {
    /// Select Graphic Rendition (ECMA-48 section 8.3.117).
    fileprivate var startsStyle: Bool {
        starts(with: "\u{1B}[".unicodeScalars) && dropFirst(2).first { !("0"..."9" ~= $0) && $0 != ";" } == "m"
    }

    /// Whether it begins with the second mark of `##[…`, `##vso[…` (Azure Pipelines) or `##teamcity[…`, or of `::…::`
    /// (GitHub Actions), which stands at the start of a line or of a word.
    fileprivate func isInsideCommand(of scalars: [Unicode.Scalar]) -> Bool {
        guard let mark = first, mark == "#" || mark == ":", startIndex > 0, scalars[startIndex - 1] == mark else {
            return false
        }
        let word = dropFirst().prefix { "a"..."z" ~= $0 || "A"..."Z" ~= $0 || $0 == "-" }
        let behind = self[word.endIndex...]
        if mark == "#" { return behind.first == "[" }
        guard !word.isEmpty, startIndex < 2 || scalars[startIndex - 2].properties.isWhitespace else { return false }
        return behind.first == " " || behind.starts(with: "::".unicodeScalars)
    }
}
