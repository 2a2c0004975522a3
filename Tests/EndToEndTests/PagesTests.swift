import Foundation
import TestSupport
import Testing

/// The pages, and what leads from one to another.
struct PagesTests {
    private static let pages = ["", "docs/", "docs/adr/", "docs/clients/", "docs/policies/"].flatMap { folder in
        ((try? FileManager.default.contentsOfDirectory(atPath: Places.package.appending(path: folder).path)) ?? [])
            .filter { $0.hasSuffix(".md") }.map { folder + $0 }
    }
    .sorted()

    @Test(arguments: pages)
    func `a link leads to a file that is there`(page: String) throws {
        let url = Places.package.appending(path: page)
        let prose = try String(contentsOf: url, encoding: .utf8).replacing(#/```(?s).*?```/#, with: "")

        for link in prose.matches(of: #/\]\((?<target>[^)\s#]+)[^)]*\)/#) where !link.output.target.contains(":") {
            let target = url.deletingLastPathComponent().appending(path: String(link.output.target))
            #expect(FileManager.default.fileExists(atPath: target.path), "\(link.output.target)")
        }
    }

    // Decisions and clients have an index of their own.
    @Test func `the index has every page`() throws {
        let index = try String(contentsOf: Places.package.appending(path: "docs/index.md"), encoding: .utf8)
        let listed = Self.pages.filter {
            $0.wholeMatch(of: #/docs/(policies/)?[^/]+/#) != nil && $0 != "docs/index.md"
        }

        #expect(listed.count >= 15)
        for page in listed { #expect(index.contains("](\(page.dropFirst(5)))"), "\(page)") }
    }
}
