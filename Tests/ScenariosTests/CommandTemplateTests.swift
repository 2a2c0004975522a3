import Scenarios
import Testing

@Suite struct `A command template` {
    private let curl = "curl --cacert {trust} [--pinnedpubkey {pins}] {url}"

    @Test func `fills its placeholders`() throws {
        let template = try CommandTemplate(parsing: curl)

        let words = try template.fill(["trust": "/t/ca.pem", "pins": "sha256//a", "url": "https://h:1/"])

        #expect(words == ["curl", "--cacert", "/t/ca.pem", "--pinnedpubkey", "sha256//a", "https://h:1/"])
        #expect(template.placeholders == ["trust", "pins", "url"])
    }

    @Test func `leaves out a group with an empty placeholder`() throws {
        let words = try CommandTemplate(parsing: curl).fill(["trust": "/t/ca.pem", "pins": "", "url": "https://h:1/"])

        #expect(words == ["curl", "--cacert", "/t/ca.pem", "https://h:1/"])
    }

    @Test func `refuses an empty placeholder outside a group`() throws {
        let template = try CommandTemplate(parsing: "app --pin={pins}")

        let error = #expect(throws: TemplateError.self) { try template.fill(["pins": ""]) }

        #expect(
            error?.description
                == "{pins} is empty here; wrap the words that need it in [...] and they are left out then"
        )
    }

    @Test(arguments: [
        (#"a  b"#, ["a", "b"]),
        (#" a 'b c' "d e" "#, ["a", "b c", "d e"]),
        (#"a'b'"c"d"#, ["abcd"]),
        (#"a '' """#, ["a", "", ""]),
        (#"a\ b \'"#, ["a b", "'"]),
        (#"'a\b' "a\b" "a\"b" "a\\b""#, [#"a\b"#, #"a\b"#, #"a"b"#, #"a\b"#]),
        ("a \\\n b\nc", ["a", "b", "c"]),
        (#"sh -c 'echo $HOME *'"#, ["sh", "-c", "echo $HOME *"]),
        (#"curl https://[::1]:443/ a[0]"#, ["curl", "https://[::1]:443/", "a[0]"]),
        (#"'[' "]" \["#, ["[", "]", "["]),
        (#"a {"b":1} '{ {} {A} {1}' {"#, ["a", #"{b:1}"#, "{ {} {A} {1}", "{"]),
        (#"'{"a":1}'"#, [#"{"a":1}"#]),
        (#"\{url} "\{url}""#, ["{url}", "{url}"]),
    ])
    func `splits words as a shell does`(line: String, words: [String]) throws {
        #expect(try CommandTemplate(parsing: line).fill([:]) == words)
    }

    @Test func `fills a placeholder within quotes and within a word`() throws {
        let template = try CommandTemplate(parsing: #"app '{"url":"{url}"}' --to=::{endpoint}"#)

        let words = try template.fill(["url": "https://h/", "endpoint": "127.0.0.1:1"])

        #expect(words == ["app", #"{"url":"https://h/"}"#, "--to=::127.0.0.1:1"])
    }

    @Test func `never splits what a placeholder is filled with, nor fills it again`() throws {
        let words = try CommandTemplate(parsing: "a {dir}").fill(["dir": "it's {url} [b] \"c", "url": "x"])

        #expect(words == ["a", "it's {url} [b] \"c"])
    }

    @Test(arguments: [
        ("a 'b", 3, "this ' is never closed"),
        ("a \"b", 3, "this \" is never closed"),
        ("a [b {c}", 3, "this [ is never closed; a bracket that the program shall see needs quotes"),
        ("a {b}] c", 6, "no [ for this ]; a bracket that the program shall see needs quotes"),
        (
            "a [b [c {d}]]", 6,
            "a [...] group cannot stand in another; a bracket that the program shall see needs quotes"
        ),
        (
            "[ -f x ]", 1,
            "a [...] group without a placeholder is never left out; a bracket that the program shall see needs quotes"
        ),
        ("a b\\", 4, "nothing follows this backslash"),
        (" ", 1, "the command line is empty"),
    ])
    func `says where it cannot be read`(line: String, column: Int, description: String) {
        let error = #expect(throws: TemplateError.self) { try CommandTemplate(parsing: line) }

        #expect(error?.column == column)
        #expect(error?.description == description)
    }

    @Test(arguments: [
        ("a {pin}", 3, "no placeholder {pin}; did you mean {pins}?"),
        ("a 'x {ulr}'", 6, "no placeholder {ulr}; did you mean {url}?"),
        ("a [b {certificate}]", 6, "no placeholder {certificate}; there are {pins}, {pins.hex}, {url}"),
    ])
    func `knows which placeholders there are`(line: String, column: Int, description: String) {
        let error = #expect(throws: TemplateError.self) {
            try CommandTemplate(parsing: line, knownPlaceholders: ["url", "pins", "pins.hex"])
        }

        #expect(error?.column == column)
        #expect(error?.description == description)
    }

    @Test func `takes every placeholder there is`() throws {
        let template = try CommandTemplate(
            parsing: "a {pins.hex} [{pins}] '{url}'",
            knownPlaceholders: ["url", "pins", "pins.hex"]
        )

        #expect(template.placeholders == ["url", "pins", "pins.hex"])
    }
}

@Suite struct `A text template` {
    @Test func `keeps everything but its placeholders`() throws {
        let text = try TextTemplate(parsing: "{\"url\": \"{url}\"}\n 'a'  [b] \\n \\{ \\{url} {pins}\n")

        let filled = try text.fill(["url": "https://h/", "pins": ""])

        #expect(filled == "{\"url\": \"https://h/\"}\n 'a'  [b] \\n \\{ {url} \n")
        #expect(text.placeholders == ["url", "pins"])
    }

    @Test func `knows which placeholders there are`() {
        let error = #expect(throws: TemplateError.self) {
            try TextTemplate(parsing: "go to {rul}", knownPlaceholders: ["url"])
        }

        #expect(error?.column == 7)
        #expect(error?.description == "no placeholder {rul}; did you mean {url}?")
    }

    @Test func `cannot do without a value`() throws {
        let text = try TextTemplate(parsing: "{url}")

        #expect(throws: TemplateError.self) { try text.fill(["host": "h"]) }
        #expect(try text.fill(["url": "u"]) == "u")
    }
}
