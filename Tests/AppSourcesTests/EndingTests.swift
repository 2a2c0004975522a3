import Testing

@testable import AppSources

/// What comes after a call that never returns.
@Suite struct `Calls that never return` {
    @Test(arguments: [
        ("exitProcess(1)", "", true), ("error(\"no pins\")", "", true), ("TODO()", "", true),
        ("exitProcess(1)", "fun exitProcess(code: Int) = log(code)", false), ("log(1)", "", false),
        // A function of the app's own by that name goes on, and so does a logger's.
        ("error(\"no pins\")", "fun error(text: String) = log(text)", false), ("log.error(\"no pins\")", "", false),
        ("error(\"no pins\", 1)", "", false),
    ])
    func `leave one way for what is made`(call: String, own: String, isEnding: Bool) {
        let text = """
            import okhttp3.CertificatePinner
            \(own)
            fun make(pins: Boolean): OkHttpClient {
                val builder = CertificatePinner.Builder()
                if (pins) {
                    builder.add("api.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=")
                } else {
                    \(call)
                }
                return OkHttpClient.Builder().certificatePinner(builder.build()).build()
            }
            """
        let file = SourceModule.File(path: "a.kt", language: .kotlin, text: text)
        let conditions = Reading.read(file).map(\.conditions)

        #expect(conditions == (isEnding ? [[]] : [["not pins"], ["pins"]]))
    }
}
