import Foundation
import TestSupport
import Testing

/// The tables of `docs/stacks.md`. `PINDRILL_UPDATE_TRANSCRIPTS=1 swift test --filter StackTests` writes them anew.
@Suite struct `The page of TLS stacks` {
    @Test func `says what each stack does with each chain, as the models have it`() throws {
        try hold("chains", to: StackTable().render())
    }

    @Test func `lists every difference that the differential test passes over`() throws {
        let rows = Difference.all.map {
            "| \($0.clients.joined(separator: ", ")) | \($0.chain) | \($0.does) | \($0.source) |"
        }
        try hold(
            "differences",
            to: (["| Client | Chain | What it does | Source |", "| --- | --- | --- | --- |"] + rows)
                .joined(separator: "\n")
        )
    }

    private func hold(_ name: String, to table: String) throws {
        let url = Places.package.appending(path: "docs/stacks.md")
        let page = try String(contentsOf: url, encoding: .utf8)
        let begin = try #require(page.firstRange(of: "<!-- generated: \(name) -->\n\n"))
        let end = try #require(page[begin.upperBound...].firstRange(of: "\n\n<!-- end -->"))

        if ProcessInfo.processInfo.environment["PINDRILL_UPDATE_TRANSCRIPTS"] == "1" {
            let updated = page.replacingCharacters(in: begin.upperBound..<end.lowerBound, with: table)
            try updated.write(to: url, atomically: true, encoding: .utf8)
        } else {
            #expect(page[begin.upperBound..<end.lowerBound] == table)
        }
    }
}
