import Testing

@testable import AppSources

/// Pins that no form uses, and whom their tables say they are for.
struct LeftoverTests {
    private let one = "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="
    private let two = "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="

    private func leftovers(_ text: String, _ language: SourceLanguage, path: String = "A") -> Leftovers? {
        let file = SourceModule.File(path: path, language: language, text: text)
        return SourceReader(SourceModule([file])).leftovers(of: file, used: [])
    }

    @Test func `a table gives each host its pins`() throws {
        let found = try #require(
            leftovers(
                "val all = mapOf(\"a.acme.example\" to listOf(\"\(one)\"), \"b.acme.example\" to \"\(two)\")",
                .kotlin
            )
        )

        #expect(found.known.map(\.host) == ["a.acme.example", "b.acme.example"])
        #expect(found.known.map(\.pins) == [[one], [two]])
    }

    @Test(arguments: [
        "const options = [LIST]", "export function options() { return { hosts: [LIST] } }", "pin([LIST])",
    ])
    func `an object gives its own host its pins`(statement: String) throws {
        let list = """
            { hostname: 'a.acme.example', pins: ['\(one)'], help_url: 'https://r.acme.example' },
            { baseUrl: 'https://b.acme.example/v1', keys: { pins: ['\(two)'] } },
            """
        let found = try #require(leftovers(statement.replacing("LIST", with: list), .script))

        #expect(found.known.map(\.host) == ["a.acme.example", "b.acme.example"])
        #expect(found.known.map(\.pins) == [[one], [two]])
    }

    @Test func `one host beside pins is theirs, and of two none is`() throws {
        let pins = "val PINS = listOf(\"\(one)\", \"\(two)\")\n"
        let alone = try #require(leftovers("val HOST = \"a.acme.example\"\n" + pins, .kotlin))
        let both = try #require(
            leftovers("val HOST = \"a.acme.example\"\nval OTHER_HOST = \"b.acme.example\"\n" + pins, .kotlin)
        )

        #expect(alone.known.map(\.pins) == [[one, two]])
        #expect(alone.known.map(\.host) == ["a.acme.example"])
        #expect(both.known.isEmpty)
        #expect(both.hosts == ["a.acme.example", "b.acme.example"])
        #expect(both.pins == [one, two])
    }

    @Test func `a placeholder is listed where the source speaks of pins`() throws {
        let placeholder = String(repeating: "B", count: 43) + "="

        #expect(leftovers("let pins = [\"\(placeholder)\"]", .swift)?.pins == [placeholder])
        #expect(leftovers("let images = [\"\(placeholder)\"]", .swift) == nil)
    }
}
