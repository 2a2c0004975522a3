import TestSupport

extension Mistake {
    static let document = [
        Mistake(
            text: "",
            "1:1: the file is empty; it should begin with 'version: 1'"
        ),
        Mistake(
            text: "# nothing but a remark\n",
            "1:1: the file is empty; it should begin with 'version: 1'"
        ),
        Mistake(
            text: "just words",
            "1:1: expected 'version: 1' and the sections of a scenario file, found text"
        ),
        Mistake(
            text: "- a\n- b",
            "1:1: expected 'version: 1' and the sections of a scenario file, found a list"
        ),
        Mistake(
            text: "version: 1\nhost: [a\n",
            "3:1: not valid YAML: did not find expected ',' or ']' (while parsing a flow sequence, line 2)"
        ),
        Mistake(
            text: "version: 1\nhost: \"a\n",
            "3:1: not valid YAML: found unexpected end of stream (while scanning a quoted scalar, line 2)"
        ),
        Mistake(
            text: "version: 1\nkeys:\n\tleaf: {}\n",
            "3:1: a tab cannot indent or begin a value; use spaces"
        ),
        Mistake(
            text: "version: 1\n  host: a\n",
            "2:7: not valid YAML: mapping values are not allowed in this context"
        ),
        Mistake(
            text: "version: 1\n\u{1}",
            "2:1: not valid YAML: control characters are not allowed"
        ),
        Mistake(
            text: "version: 1\n---\nversion: 1\n",
            "2:1: a second document begins here; a scenario file has one"
        ),
        Mistake(
            text: "version: *one\n",
            "1:10: not valid YAML: found undefined alias"
        ),
        Mistake(
            "version: 1",
            "version: !two 1",
            "1:10: tags such as '!two' are not supported"
        ),
        Mistake(
            "keys: {",
            "<<: { a: 1 }\nkeys: {",
            "3:1: merge keys are not supported; write the entries out"
        ),
        Mistake(
            "version: 1",
            "version: 2\nno: matter",
            "1:10: this program reads version 1 of scenario files only"
        ),
        Mistake(
            "version: 1",
            "version: one",
            "1:10: this program reads version 1 of scenario files only"
        ),
        Mistake(
            "version: 1\n",
            "",
            "1:1: the file has no 'version'"
        ),
        Mistake(
            text: String(repeating: "[", count: 100_000),
            "1:1: nested more than 32 levels deep"
        ),
        Mistake(
            text: String(repeating: "{a: ", count: 100_000),
            "1:3997: nested more than 32 levels deep"
        ),
        Mistake(
            text: String(repeating: "- ", count: 100_000),
            "1:1999: nested more than 32 levels deep"
        ),
        Mistake(
            text: String(repeating: "[", count: 40) + String(repeating: "]", count: 40),
            "1:33: nested more than 32 levels deep"
        ),
        Mistake(
            text: String(repeating: " ", count: 1 << 20) + "a",
            "1:1: the file is larger than 1 MiB; move a part of it to another one, and name that under 'include'"
        ),
        Mistake(
            text: "[" + String(repeating: "a,", count: 60_000) + "]",
            "1:100000: the file has more than 50000 values; move a part of it to another one, and name that under "
                + "'include'"
        ),
        Mistake(
            text: bomb,
            "1:1: 9 anchors and 90 aliases can multiply without end; write the values out"
        ),
    ]

    /// "Billion laughs": ten lines that stand for ten to the tenth values.
    private static let bomb = (1...10).map { line in
        "a\(line): &a\(line) [" + Array(repeating: "*a\(line - 1)", count: 10).joined(separator: ", ") + "]"
    }.joined(separator: "\n").changing("*a0", to: "ha")
}
