import Testing

@testable import AppSources

/// Code that takes a certificate whatever host it is for.
struct AcceptingNameTests {
    private func told(_ text: String, _ language: SourceLanguage) -> [String] {
        let file = SourceModule.File(path: "a", language: language, text: text)
        return SourceReader(SourceModule([file])).accepting(file).map { found in
            guard case .described(_, _, let what, _) = found.content else { return "no description" }
            return ([what] + found.conditions).joined(separator: ", if ")
        }
    }

    @Test(arguments: [
        (SourceLanguage.kotlin, "builder.hostnameVerifier { _, _ -> true }"),
        (.kotlin, "builder.hostnameVerifier(HostnameVerifier { host, session -> true })"),
        (.kotlin, "HttpsURLConnection.setDefaultHostnameVerifier { host, _ -> Log.d(TAG, host); true }"),
        (
            .kotlin,
            "val any = object : HostnameVerifier {\n override fun verify(host: String?, session: SSLSession?) = true\n}"
        ),
        (
            .kotlin,
            "class Any : HostnameVerifier {\n override fun verify(h: String, s: SSLSession): Boolean { return true }\n}\nval any = Any()"
        ),
        (.java, "class A { void go() { builder.hostnameVerifier((host, session) -> true); } }"),
        (
            .java,
            "class A { HostnameVerifier any = new HostnameVerifier() {\n"
                + "public boolean verify(String host, SSLSession session) { return true; } }; }"
        ),
        (.java, "class A { void go() { client.setSSLHostnameVerifier(NoopHostnameVerifier.INSTANCE); } }"),
        (.java, "class A { void go() { client.setSSLHostnameVerifier(new NoopHostnameVerifier()); } }"),
        (.java, "class A { void go() { factory.setHostnameVerifier(SSLSocketFactory.ALLOW_ALL_HOSTNAME_VERIFIER); } }"),
    ])
    func `is told`(language: SourceLanguage, text: String) {
        #expect(told(text, language) == [FoundPins.naming])
    }

    @Test(arguments: [
        (SourceLanguage.kotlin, "builder.hostnameVerifier { host, _ -> host == HOST }"),
        (.kotlin, "builder.hostnameVerifier(OkHostnameVerifier)"),
        (
            .kotlin,
            "class Any : HostnameVerifier {\n override fun verify(h: String, s: SSLSession): Boolean { return ask(h, s) }\n}"
        ),
        // Another `verify`, which is of no server.
        (.kotlin, "class Any : Signature {\n override fun verify(h: String, s: Digest): Boolean { return true }\n}"),
        (.java, "import org.apache.http.conn.ssl.NoopHostnameVerifier;\nclass A {}"),
        (
            .java,
            "class A { boolean verify(String host, SSLSession session) { if (host == null) return false; return true; } }"
        ),
    ])
    func `is not told where a name is asked for`(language: SourceLanguage, text: String) {
        #expect(told(text, language).isEmpty)
    }

    @Test func `is told with its condition`() {
        let text = "fun make(isTrial: Boolean) { if (isTrial) { builder.hostnameVerifier { _, _ -> true } } }"

        #expect(told(text, .kotlin) == ["\(FoundPins.naming), if isTrial"])
    }
}
