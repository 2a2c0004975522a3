import Testing

@testable import AppSources

/// What other sources, and other names, have to do with what one source says. Each case is a module of its own, beside one that
/// differs in nothing but that.
@Suite struct `What is read of a pinner` {
    private static let pin = "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="
    private static let built = "CertificatePinner.Builder().add(\"api.acme.example\", \"\(pin)\").build()"

    @Test(arguments: [
        ("", ["okhttp\tapi.acme.example"]),
        ("fun error(text: String) = log(text)", ["okhttp if not pins\t-", "okhttp if pins\tapi.acme.example"]),
    ])
    func `is less where the module's own error goes on`(other: String, rows: [String]) {
        let source = """
            fun make(): CertificatePinner {
                val builder = CertificatePinner.Builder()
                if (pins) builder.add("api.acme.example", "\(Self.pin)") else error("nothing is pinned")
                return builder.build()
            }
            """

        #expect(Self.rows([source, other]) == rows)
    }

    @Test(arguments: [
        ("", ["okhttp if isTest\tapi.acme.example"]),
        ("fun make(b: Builder) = b.certificatePinner(Pins.pinner).build()", ["okhttp\tapi.acme.example"]),
    ])
    func `has the condition of its one use, unless another source may use it, too`(other: String, rows: [String]) {
        let source = """
            object Pins {
                val pinner = \(Self.built)
                fun test(b: OkHttpClient.Builder) { if (isTest) b.certificatePinner(pinner) }
            }
            """

        #expect(Self.rows([source, other]) == rows)
    }

    @Test(arguments: [
        ("if (isTest) b.certificatePinner(pinner)", "okhttp if isTest"),
        ("b.install(pinner)", "okhttp"),
    ])
    func `has no condition of what only has its name`(use: String, head: String) {
        let source = """
            class Client {
                fun make(b: Builder) {
                    val pinner = \(Self.built)
                    \(use)
                }
                fun other(b: Builder, own: CertificatePinner) { val pinner = own; if (isOther) b.give(pinner) }
                fun another(b: Builder, pinner: CertificatePinner) { if (isOther) b.certificatePinner(pinner) }
            }
            """

        #expect(Self.rows([source]) == ["\(head)\tapi.acme.example"])
    }

    @Test(arguments: [("if (isTest)", ["okhttp if isTest\tapi.acme.example"]), ("if (false)", [])])
    func `is nothing where its one use is never run`(condition: String, rows: [String]) {
        let source = """
            class Client {
                private val pinner = \(Self.built)
                fun make(b: Builder) { \(condition) b.certificatePinner(pinner) }
            }
            """

        #expect(Self.rows([source]) == rows)
    }

    private static func rows(_ sources: [String]) -> [String] {
        let files = sources.enumerated().map { SourceModule.File(path: "\($0).kt", language: .kotlin, text: $1) }
        let reader = SourceReader(SourceModule(files))
        return files.flatMap { file in reader.read(file).flatMap(\.rows) }
            .map { $0.split(separator: "\t")[2...].prefix(2).joined(separator: "\t") }
    }
}
