import Foundation
import Pinning
import TestSupport
import Testing

@Suite struct `The page about findings` {
    @Test func `explains every rule once, and no other`() throws {
        let page = try String(contentsOf: Places.package.appending(path: "docs/findings.md"), encoding: .utf8)

        let explained = page.split(separator: "\n").filter { $0.hasPrefix("### `") }
            .map { String($0.dropFirst(5).dropLast()) }

        #expect(explained.sorted() == PolicyFinding.Rule.allCases.map(\.rawValue).sorted())
    }
}
