import Foundation
import Pinning
import TestSupport
import Testing

@Suite struct `The page about Apple's systems` {
    @Test func `shows what its examples really say`() throws {
        let page = try String(contentsOf: Places.package.appending(path: "docs/policies/apple.md"), encoding: .utf8)
        let plist = Self.blocks("xml", in: page)
        let json = Self.blocks("json", in: page)
        let answers = Self.blocks("text", in: page)
        try #require((plist.count, json.count, answers.count) == (1, 1, 2))

        let warnings = try AppleSamples.ats(plist[0]).warnings
        let refusal = AppleSamples.refusal { _ = try AppleSamples.trustKit(json[0]) }

        let lines = warnings.map { "Info.plist:\($0.line.map { "\($0):" } ?? "") \($0)\n" }
        #expect(lines.joined() == answers[0])
        #expect(refusal.map { $0 + "\n" } == [answers[1]])
    }

    @Test func `names the version of the public suffix list`() throws {
        let page = try String(contentsOf: Places.package.appending(path: "docs/policies/apple.md"), encoding: .utf8)
        let source = Places.package.appending(path: "Sources/CEmbedded/Data/public_suffix_list.txt")
        let version = try String(contentsOf: source, encoding: .utf8).split(separator: "VERSION: ")[1].prefix(10)

        #expect(page.contains(version))
    }

    /// The articles, where they are beside the checkout, hold the samples of these tests line by line.
    @Test(
        .enabled(if: Places.hasVectors("../seeds"), "the articles are not beside this checkout"),
        arguments: ["000_8daf5b5114b6bf4a.txt", "001_e275bafac7eeed1f.txt"]
    )
    func `has Apple's example as the articles print it`(article: String) throws {
        let text = try String(contentsOf: Places.vectors.appending(path: "../seeds/\(article)"), encoding: .utf8)

        #expect(Self.trimmed(text).contains(Self.trimmed(AppleSamples.transportSecurity)))
    }

    private static func trimmed(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }

    private static func blocks(_ language: String, in page: String) -> [String] {
        page.components(separatedBy: "```\(language)\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    }
}
