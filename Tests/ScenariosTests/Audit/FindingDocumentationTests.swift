import Foundation
import Pinning
import TestSupport
import Testing

@testable import Scenarios

@Suite struct `The page about findings` {
    @Test func `explains every rule once, and no other`() throws {
        let page = try String(contentsOf: Places.package.appending(path: "docs/findings.md"), encoding: .utf8)

        let explained = page.split(separator: "\n").filter { $0.hasPrefix("### `") }
            .map { String($0.dropFirst(5).dropLast()) }

        #expect(explained.sorted() == AuditRule.names.sorted())
    }

    @Test func `is what code scanning shows of a rule`() throws {
        let help = try #require(AuditRule.help["single-pin"])

        #expect(help.summary == "There is only one pin, or one pin several times.")
        #expect(help.markdown.hasPrefix("There is only one pin, or one pin several times. The day its key is lost"))
        #expect(help.markdown.contains("\n\nFix: pin a backup key, made today"))
        for name in AuditRule.names {
            let help = try #require(AuditRule.help[name])
            #expect(help.summary.hasSuffix("."), "\(help.summary)")
            #expect(!help.summary.contains("`"))
            #expect(help.markdown.contains("\n\nFix: "), "\(name)")
        }
    }
}
