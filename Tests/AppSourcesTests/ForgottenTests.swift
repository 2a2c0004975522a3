import Testing

@testable import AppSources

/// What Kotlin and Java make for a client, and give to none; and what is shown to somebody.
@Suite struct `Clients that nothing uses` {
    private static let pinner =
        "new CertificatePinner.Builder().add(\"api.acme.example\", \"sha256/YLh1dUR9y6Kja30RrAn7JKnbQG/uEtLMkBgFF2Fuihg=\").build()"

    @Test(arguments: [
        ("private static final OkHttpClient pinned = make();", "", true),
        ("static final OkHttpClient pinned = make();", "", false),
        ("private static final OkHttpClient pinned = make();", "pinned.newCall(request);", false),
        ("", "OkHttpClient pinned = make(); open.newCall(request);", true),
        ("", "OkHttpClient pinned = make(); pinned.newCall(request);", false),
        ("", "WebSocket socket = make().newWebSocket(request, listener);", false),
        ("", "OkHttpClient pinned = make(); OkHttpClient other = pinned;", true),
    ])
    func `have pins that are not in force`(field: String, code: String, isUnused: Bool) {
        let text = """
            class Clients {
                private static final OkHttpClient open = new OkHttpClient();
                \(field)
                private static OkHttpClient make() {
                    return new OkHttpClient.Builder().certificatePinner(\(Self.pinner)).build();
                }
                static void get(Request request) { \(code) }
            }
            """

        #expect(Reading.told(text, .java).map { $0 == "a pinner that nothing in this source uses" } == [isUnused])
    }

    @Test(arguments: [
        ("return new OkHttpClient();", true),
        ("return new OkHttpClient.Builder().sslSocketFactory(factory, (X509TrustManager) all[0]).build();", false),
        ("keep(context); return new OkHttpClient();", false),
    ])
    func `have trust managers that let nothing through`(code: String, isUnused: Bool) {
        let text = """
            class Net {
                static OkHttpClient client() throws Exception {
                    final TrustManager[] all = new TrustManager[] { new X509TrustManager() {
                        public void checkServerTrusted(X509Certificate[] chain, String type) { }
                    } };
                    final SSLContext context = SSLContext.getInstance("TLS");
                    context.init(null, all, new SecureRandom());
                    final SSLSocketFactory factory = context.getSocketFactory();
                    \(code)
                }
            }
            """
        let file = SourceModule.File(path: "Net.java", language: .java, text: text)
        let told = SourceReader(SourceModule([file])).accepting(file).map { found in
            if case .described(_, _, let what, _) = found.content { what } else { "" }
        }

        #expect(told.map { $0.hasSuffix("gives it to a client") } == [isUnused], "\(told)")
    }

    @Test(arguments: [
        ("lines.add(\"Peer: \" + CertificatePinner.pin(c));", 1), ("text += CertificatePinner.pin(c);", 1),
        ("if (!CertificatePinner.pin(c).equals(PIN)) throw new IOException();", 2),
    ])
    func `may have code beside them that shows a certificate`(code: String, count: Int) {
        let text = """
            class Shown {
                static final String PIN = "sha256/YLh1dUR9y6Kja30RrAn7JKnbQG/uEtLMkBgFF2Fuihg=";
                final OkHttpClient client = new OkHttpClient.Builder().certificatePinner(
                    new CertificatePinner.Builder().add("api.acme.example", PIN, "sha256/AxBkYmhbMwxqUkEu7yx5FyIaTOfXqiqMYahybvzFxfw=").build()).build();
                void fetch(Request request) throws Exception {
                    Response response = client.newCall(request).execute();
                    for (Certificate c : response.handshake().peerCertificates()) { \(code) }
                }
            }
            """

        #expect(Reading.found(text, .java).count == count)
        #expect(Reading.found(text, .java).contains { $0.form == .okhttp })
        #expect(Reading.found(text, .java).contains { $0.form == .trustManager } == (count > 1))
    }

    @Test(arguments: [
        ("AssetManager manager = context.getAssets();", "manager.open(\"acme.pem\")", ["assets/acme.pem"]),
        ("", "context.getAssets().open(\"acme.pem\")", ["assets/acme.pem"]),
        ("FileManager manager = context.getFiles();", "manager.open(\"acme.pem\")", []),
    ])
    func `may trust an asset that a manager opens`(before: String, opening: String, pins: [String]) {
        let text = """
            class Net {
                void make(Context context) throws Exception {
                    \(before)
                    InputStream in = \(opening);
                    Certificate own = CertificateFactory.getInstance("X.509").generateCertificate(in);
                    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
                    store.setCertificateEntry("ca", own);
                    TrustManagerFactory factory = TrustManagerFactory.getInstance("X509");
                    factory.init(store);
                    use(factory.getTrustManagers());
                }
            }
            """
        let found = Reading.found(text, .java).flatMap { found -> [String] in
            if case .described(_, let pins, _, _) = found.content { pins } else { [] }
        }

        #expect(found == pins)
    }

    @Test(arguments: [("if (pin == null)", 1), ("if (isDebug)", 2)])
    func `may have one in Java`(asked: String, count: Int) {
        let text = """
            class Pins {
                static CertificatePinner pinner(String host) {
                    String pin = TABLE.get(host);
                    \(asked) return new CertificatePinner.Builder().build();
                    return new CertificatePinner.Builder().add("api.acme.example", "sha256/YLh1dUR9y6Kja30RrAn7JKnbQG/uEtLMkBgFF2Fuihg=").build();
                }
            }
            """

        #expect(Reading.found(text, .java).count == count)
    }

    @Test(arguments: [
        ("val pins = table[host] ?: return CertificatePinner.Builder().build()", 1),
        ("val pins = table[host]\n    if (pins == null) return CertificatePinner.Builder().build()", 1),
        ("if (proxy != null) return CertificatePinner.Builder().build()", 2),
        ("if (isDebug) return CertificatePinner.Builder().build()\n    val pins = table.getValue(host)", 2),
    ])
    func `may have an empty pinner for hosts without pins`(before: String, count: Int) {
        let text = """
            object Pins {
                private val table = mapOf("api.acme.example" to listOf("sha256/YLh1dUR9y6Kja30RrAn7JKnbQG/uEtLMkBgFF2Fuihg="))
                fun pinner(host: String): CertificatePinner {
                    \(before)
                    return CertificatePinner.Builder().add("api.acme.example", "sha256/YLh1dUR9y6Kja30RrAn7JKnbQG/uEtLMkBgFF2Fuihg=").build()
                }
            }
            """

        #expect(Reading.found(text, .kotlin).count == count)
    }
}
