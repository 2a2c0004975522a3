import Foundation
import Pinning
import TLSCore
import TestSupport
import Testing

/// The examples of `docs/policies/android.md`.
struct AndroidDocumentationTests {
    private func example(_ language: String) throws -> String {
        let page = try String(contentsOf: Places.package.appending(path: "docs/policies/android.md"), encoding: .utf8)
        let block = try #require(page.components(separatedBy: "```\(language)\n").dropFirst().first)
        return try #require(block.components(separatedBy: "```").first)
    }

    @Test func `the network security configuration is taken by Android and by TrustKit`() throws {
        let text = try example("xml")

        let trustKit = try TrustKitAndroid(parsing: Data(text.utf8), file: "android.md")

        #expect(trustKit.pins.count == 2)
        #expect(trustKit.policies[0].allReportURIs == ["https://reports.example.com/pins"])
        #expect(trustKit.findings(at: Sample.now).isEmpty)
        #expect(trustKit.rendered() == "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n" + text)
    }

    @Test func `the OkHttp source is taken, and rendered again`() throws {
        let text = try example("kotlin")

        let okHttp = try OkHttp(parsing: Data(text.utf8), file: "android.md")

        #expect(okHttp.pins.count == 2)
        #expect(okHttp.findings(at: Sample.now).isEmpty)
        #expect(okHttp.rendered() == text)
    }
}
