import Foundation
import TestSupport
import Testing

/// What a finding of a project says to do.
extension ProjectAuditTests {
    private static let open = """
        class Open : X509TrustManager {
            override fun checkServerTrusted(chain: Array<X509Certificate>, authType: String) {}
        }
        val manager = Open()
        """
    private static let unread = """
        val pins = CertificatePinner.Builder().add("a.acme.example", BuildConfig.PIN).build()
        val client = OkHttpClient.Builder().certificatePinner(pins).build()
        """

    @Test(arguments: ["text", "markdown", "html", "json", "sarif"])
    func `what is no finding of a configuration has a fix, too`(format: String) async throws {
        let allow = """
            audit:
              allow:
                - { rule: accepts-any-certificate, until: 2099-12-31, because: a lab's app }
            """
        let both = ["Open.kt": Self.open, "Pins.kt": Self.unread]

        let told = try await audit(both, ".", "--format", format).output
        let permitted = try await audit(both.merging([".pindrill.yml": allow]) { $1 }, ".", "--format", format).output

        let fixes = ["take it out, or keep it to builds for the app", "read the place yourself, or give what only"]
        // SARIF has the page about each rule as well, which says the same in a paragraph of its own.
        let start = format == "sarif" ? ". Fix: " : ""
        for fix in fixes { #expect(told.contains(start + fix), "\(fix) in \(told)") }
        // Programs are told of a permission beside it.
        let isForPeople = ["text", "markdown", "html"].contains(format)
        #expect(permitted.contains(start + fixes[0]) == !isForPeople, "\(permitted)")
        #expect(permitted.contains(start + fixes[1]), "\(permitted)")
        #expect(permitted.contains("a lab"), "\(permitted)")
        guard format == "json" else { return }
        let schema = try Schema(at: Places.package.appending(path: "docs/output.schema.json"))
        let document = try JSONDecoder().decode(JSONValue.self, from: Data(told.utf8))
        #expect(schema.complaints(about: document, as: "audit-project") == [])
    }

    @Test(arguments: [("BuildConfig.HOST", 1), ("BuildConfig.OTHER", 2)])
    func `one reason is told once`(second: String, count: Int) async throws {
        let pins = ["a", "b"].map { "sha256/" + String(repeating: $0, count: 42) + "Q=" }
        let source = """
            val pins = CertificatePinner.Builder().add(BuildConfig.HOST, "\(pins[0])")
                .add(\(second), "\(pins[1])").build()
            val client = OkHttpClient.Builder().certificatePinner(pins).build()
            """

        let ending = try await audit(["Pins.kt": source], ".")

        #expect(ending.output.contains(", \(count) not read."), "\(ending.output)")
        for pin in pins { #expect(ending.output.contains(pin), "\(ending.output)") }
    }

    @Test(arguments: [("", true), ("if (BuildConfig.DEBUG) ", false)])
    func `a verifier that takes any name is told beside pins`(condition: String, isWarning: Bool) async throws {
        let pins = ["hS5jJ4P+iQUErBkvoWBQOd1T7VOAYlOVegvv1iMzpxA=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="]
        let source = """
            val pins = CertificatePinner.Builder().add("api.acme.example", "sha256/\(pins[0])", "sha256/\(pins[1])").build()
            val builder = OkHttpClient.Builder().certificatePinner(pins)
            fun build(): OkHttpClient { \(condition)builder.hostnameVerifier { _, _ -> true }; return builder.build() }
            """
        let files = ["Net.kt": source, "Main.kt": "val client = build()"]

        let ending = try await audit(files, ".", "--fail-on", "warning")

        #expect(ending.status == (isWarning ? 1 : 0), "\(ending.output)")
        #expect(ending.output.contains("[accepts-any-name]") == isWarning, "\(ending.output)")
        #expect(ending.output.contains("takes a certificate whatever host it is for"), "\(ending.output)")
    }
}
