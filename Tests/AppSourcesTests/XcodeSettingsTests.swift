import Testing

@testable import AppSources

@Suite struct `Variables of a build` {
    private let text = "<key>$(HOST)</key><string>${PIN}</string><string>$(OTHER)</string>"

    private func fill(_ files: [String: String], _ definitions: [String: String] = [:]) -> [String: [String]] {
        let settings = XcodeSettings(files.map { ($0.key, $0.value) }, definitions: definitions)
        return Dictionary(uniqueKeysWithValues: settings.fill(text, usesFiles: true).map { ($0.text, $0.conditions) })
    }

    @Test func `are those of the file, and what nobody gives stays as it is written`() {
        let found = fill([
            "Base.xcconfig": "// HOST = old\nHOST = api.acme.example // the host\nPIN=P1;\nOTHER[sdk=a] = x"
        ])

        #expect(found == ["<key>api.acme.example</key><string>P1</string><string>$(OTHER)</string>": []])
    }

    @Test func `are filled in for each file that no other includes, where these differ`() {
        let found = fill([
            "Config/Base.xcconfig": "PIN = P1\nNAME = api",
            "Config/Debug.xcconfig": "#include \"Base.xcconfig\"\nHOST = $(NAME).test\nPIN = $(inherited)-debug",
            "Config/Release.xcconfig": "#include? \"Base.xcconfig\"\nHOST = $(NAME).acme.example",
            "Config/Tests.xcconfig": "BUNDLE = none",
            "Config/Target.xcconfig": "OTHER = P&2",
        ])

        let debug = "<key>api.test</key><string>P1-debug</string><string>P&amp;2</string>"
        let release = "<key>api.acme.example</key><string>P1</string><string>P&amp;2</string>"
        #expect(found[debug] == ["the settings are those of Config/Debug.xcconfig"])
        #expect(found[release] == ["the settings are those of Config/Release.xcconfig"])
    }

    @Test func `that have another value for some builds are not known`() {
        let plain = "HOST = a\nPIN = P1"

        #expect(fill(["A.xcconfig": plain])["<key>a</key><string>P1</string><string>$(OTHER)</string>"] == [])
        let found = fill(["A.xcconfig": plain + "\nHOST[config=Debug] = b"])
        #expect(found == ["<key>$(HOST)</key><string>P1</string><string>$(OTHER)</string>": []])
    }

    @Test func `given by a user win, and need no file`() {
        let given = ["HOST": "a", "PIN": "b", "OTHER": "c"]
        let expected = ["<key>a</key><string>b</string><string>c</string>": [String]()]

        #expect(fill([:], given) == expected)
        #expect(fill(["A.xcconfig": "HOST = x", "B.xcconfig": "HOST = y"], given) == expected)
        #expect(fill([:]) == [text: []])
    }

    @Test func `that stand for themselves, or grow without end, are not known`() {
        let doubling = (0..<40).map { "V\($0) = $(V\($0 + 1))$(V\($0 + 1))" }.joined(separator: "\n")

        #expect(fill(["A.xcconfig": "HOST = $(PIN)\nPIN = $(HOST)"]) == [text: []])
        #expect(fill(["A.xcconfig": "HOST = $(V0)\nV40 = xxxx\n" + doubling]) == [text: []])
        #expect(fill(["A.xcconfig": "#include \"B.xcconfig\"", "B.xcconfig": "#include \"A.xcconfig\""]) == [text: []])
    }
}
