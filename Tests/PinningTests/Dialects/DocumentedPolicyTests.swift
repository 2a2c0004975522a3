import Foundation
import Pinning
import TLSCore
import TestSupport
import Testing

@Suite struct `Each policy of the documentation` {
    static let examples: [(language: String, text: String)] = {
        let page = Places.package.appending(path: "docs/policies/others.md")
        guard let text = try? String(contentsOf: page, encoding: .utf8) else { return [] }
        return text.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 1 }.map { _, block in
            let lines = block.split(separator: "\n", maxSplits: 1)
            return (String(lines[0]), String(lines.last ?? ""))
        }
    }()

    @Test(
        arguments: [
            Dialect.alamofire, .curl, .curl, .fingerprint, .fingerprint, .callback, .hpkp, .chromium, .afnetworking,
            .electron,
        ].enumerated().map(\.self)
    )
    func `is recognised and read`(index: Int, dialect: Dialect) throws {
        try #require(Self.examples.count == 10)
        let data = Data(Self.examples[index].text.utf8)

        let policy = try PolicyFile.load(data, file: "example") { _ in [Sample.server.leaf] }

        #expect(type(of: policy).dialect == dialect)
        #expect(!policy.pins.isEmpty)
    }
}
