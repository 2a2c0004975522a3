import Testing

@testable import AppSources

/// What trust managers and their like in Kotlin and Java ask beside the certificate.
@Suite struct `Trust managers` {
    private static let digest = "9A7B2C3D4E5F60718293A4B5C6D7E8F901234567"
    private static let compared = "compared with the server's certificate in code"

    private func found(in text: String, _ language: SourceLanguage) -> [FoundPins] {
        let file = SourceModule.File(path: "a", language: language, text: text)
        return Reading.read(file)
    }

    private func told(_ text: String, _ language: SourceLanguage) -> [String] {
        found(in: text, language).map { found in
            switch found.content {
            case .described(_, _, let what, _): return what
            case .gaps(let gaps, _, _): return gaps.map(\.reason).joined(separator: " and ")
            default: return "modelled"
            }
        }
    }

    private func hosts(_ text: String, _ language: SourceLanguage) -> [[String]] {
        found(in: text, language).map { found in
            if case .described(let hosts, _, _, _) = found.content { return hosts }
            return []
        }
    }

    @Test(arguments: [(20, true), (19, false)])
    func `may compare with bytes that are written as numbers`(count: Int, isDigest: Bool) {
        let kinds = ["(byte) 0x9", "(byte) -", "0x7"]
        let bytes = (0..<count).map { kinds[$0 % 3] + "\($0 % 8)" }
        let text = """
            class Trust implements X509TrustManager {
                private static final byte[] PIN = { \(bytes.joined(separator: ", ")) };
                public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
                    byte[] digest = MessageDigest.getInstance("SHA-1").digest(chain[0].getEncoded());
                    if (!MessageDigest.isEqual(digest, PIN)) throw new CertificateException();
                }
            }
            """

        #expect(told(text, .java).map { $0.hasPrefix(Self.compared) } == [isDigest])
    }

    @Test(arguments: [
        ("if (Config.isStrict) throw CertificateException()", ["Config.isStrict"]),
        (
            "if (Config.isStrict) { if (Config.isLoud) throw CertificateException(d) else throw CertificateException() }",
            ["Config.isStrict"]
        ),
        ("if (Config.isStrict) throw CertificateException()\n throw CertificateException(d)", [String]()),
        ("val isOther = chain.size > 1\n if (isOther) throw CertificateException()", []),
    ])
    func `refuse what a switch of the app's own lets them refuse`(code: String, expected: [String]) {
        let text = """
            class Trust : X509TrustManager {
                override fun checkServerTrusted(chain: Array<X509Certificate>, authType: String) {
                    val d = hex(MessageDigest.getInstance("SHA-1").digest(chain[0].encoded))
                    if (d == "\(Self.digest)") return
                    \(code)
                }
            }
            val trust = Trust()
            """

        #expect(found(in: text, .kotlin).map(\.conditions) == [expected])
    }

    @Test(arguments: [
        ("host == SERVER && d == OWN_PIN", ["api.acme.example"]),
        ("host != SERVER || d == OWN_PIN", ["api.acme.example"]),
        ("d == OWN_PIN", []),
    ])
    func `compare for the host that a constant has`(condition: String, expected: [String]) {
        let text = """
            const val SERVER = "api.acme.example"
            const val OWN_PIN = "\(Self.digest)"
            class Pinned : Interceptor {
                override fun intercept(chain: Interceptor.Chain): Response {
                    val response = chain.proceed(chain.request())
                    val host = response.request.url.host
                    val d = hex(MessageDigest.getInstance("SHA-1").digest(response.handshake!!.peerCertificates[0].encoded))
                    if (\(condition)) { return response }
                    throw IOException()
                }
            }
            val client = OkHttpClient.Builder().addNetworkInterceptor(Pinned()).build()
            """

        #expect(hosts(text, .kotlin) == [expected])
    }

    @Test(arguments: [
        ("if (hostname.equals(\"test.acme.example\")) return true;", ["api.acme.example"]),
        ("if (\"test.acme.example\".equals(hostname)) return true;", ["api.acme.example"]),
        ("if (!hostname.equals(\"www.acme.example\")) return true;", ["www.acme.example", "api.acme.example"]),
    ])
    func `compare for no host that they let through`(code: String, expected: [String]) {
        let text = """
            class Names implements HostnameVerifier {
              public boolean verify(String hostname, SSLSession session) {
                \(code)
                String d = hex(MessageDigest.getInstance("SHA-1").digest(session.getPeerCertificates()[0].getEncoded()));
                return "api.acme.example".equals(hostname) && d.equals("\(Self.digest)");
              }
            }
            class Client { void open(HttpsURLConnection one) { one.setHostnameVerifier(new Names()); } }
            """

        #expect(hosts(text, .java) == [expected])
    }

    @Test(arguments: [
        ("class Trust : X509TrustManager", "", "; nothing in what was read makes an object of 'Trust'"),
        ("class Trust : X509TrustManager", "val trust = Trust()", ""), ("object Trust : X509TrustManager", "", ""),
        ("class Trust @Inject constructor() : X509TrustManager", "", ""),
        ("@Singleton class Trust : X509TrustManager", "", ""),
        ("class Trust : Checks", "", ""),
    ])
    func `count where something makes them`(head: String, use: String, what: String) {
        let text = """
            \(head) {
                override fun checkServerTrusted(chain: Array<X509Certificate>, authType: String) {
                    val d = hex(MessageDigest.getInstance("SHA-1").digest(chain[0].encoded))
                    if (d != "\(Self.digest)") throw CertificateException()
                }
            }
            \(use)
            """

        #expect(told(text, .kotlin) == [Self.compared + what])
    }

    @Test(arguments: [
        ("3082010a0282", true, "encoded"), ("30820122300d06", false, "encoded"),
        ("3082010a0282", false, "encoded.drop(24)"),
    ])
    func `match no key that is written without its kind`(start: String, isOther: Bool, taken: String) {
        let key = start + String(repeating: "0f", count: 80)
        let text = """
            class Trust : X509TrustManager {
                override fun checkServerTrusted(chain: Array<X509Certificate>, authType: String) {
                    if (hex(chain[0].publicKey.\(taken)) != "\(key)") throw CertificateException()
                }
            }
            val trust = Trust()
            """

        let other =
            "; the pin is a key without what says its kind, and the server's is taken with it: nothing can match"
        #expect(told(text, .kotlin) == [Self.compared + (isOther ? other : "")])
    }

    @Test(arguments: [true, false])
    func `a pinner that nothing uses is told so where its host is not known, too`(isUsed: Bool) {
        let text = """
            fun make(): OkHttpClient {
                val pinner = CertificatePinner.Builder()
                    .add(Elsewhere.host, "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build()
                return OkHttpClient.Builder()\(isUsed ? ".certificatePinner(pinner)" : "").build()
            }
            """

        let unused = "; nothing in this source uses what it is for"
        #expect(
            told(text, .kotlin) == [
                "the host: 'Elsewhere' is declared nowhere in what was read" + (isUsed ? "" : unused)
            ]
        )
    }

    @Test(arguments: [
        ("val got = pinOf(chain[0])\n throw CertificateException(got)", "", true),
        ("throw CertificateException()", "", true),
        ("throw CertificateException()", "fun shown(c: X509Certificate) = pinOf(c)", false),
    ])
    func `are made under a condition though they show the digest as well`(code: String, other: String, isOne: Bool) {
        let text = """
            object Pins {
                private fun pinOf(c: X509Certificate): String {
                    return hex(MessageDigest.getInstance("SHA-1").digest(c.encoded))
                }
                \(other)
                private class Trust : X509TrustManager {
                    override fun checkServerTrusted(chain: Array<X509Certificate>, authType: String) {
                        if (chain.any { pinOf(it) == "\(Self.digest)" }) return
                        \(code)
                    }
                }
                fun apply(builder: OkHttpClient.Builder): OkHttpClient.Builder {
                    if (!Settings.isStrict) return builder
                    val trust = Trust()
                    return builder.sslSocketFactory(factory(trust), trust)
                }
            }
            """

        #expect(found(in: text, .kotlin).map(\.conditions) == [isOne ? ["Settings.isStrict"] : []])
    }

    @Test(arguments: [
        ("Exception e", "", true), ("Exception e", "Log.w(TAG, e); e.printStackTrace();", true),
        ("Exception e", "throw new CertificateException(e);", false), ("Exception e", "refuse(e);", false),
        ("NoSuchAlgorithmException e", "", false),
    ])
    func `refuse nothing that they catch themselves`(caught: String, code: String, isOpen: Bool) {
        let text = """
            class Pins {
                X509TrustManager trust = new X509TrustManager() {
                    public void checkServerTrusted(X509Certificate[] chain, String type) {
                        try {
                            String d = hex(MessageDigest.getInstance("SHA-1").digest(chain[0].getEncoded()));
                            if (!d.equals("\(Self.digest)")) throw new CertificateException();
                        } catch (\(caught)) { \(code) }
                    }
                };
            }
            """

        #expect(told(text, .java) == [isOpen ? "looked up in code that lets every certificate through" : Self.compared])
    }

    @Test(arguments: ["package Trust;", "package trust;\nimport other.Trust;"])
    func `are made by no package of their name`(head: String) {
        let text = """
            \(head)
            public class Trust implements X509TrustManager {
                public Trust() {}
                public void checkServerTrusted(X509Certificate[] chain, String type) {
                    String d = hex(MessageDigest.getInstance("SHA-1").digest(chain[0].getEncoded()));
                    if (!d.equals("\(Self.digest)")) throw new CertificateException();
                }
            }
            """

        let unmade = head.contains("import") ? "" : "; nothing in what was read makes an object of 'Trust'"
        #expect(told(text, .java) == [Self.compared + unmade])
    }

    @Test(arguments: [
        ("arrayOf(own)", "if (d != PIN) throw CertificateException()", false),
        ("arrayOf()", "if (d != PIN || chain[0] != own) throw CertificateException()", true),
    ])
    func `compare nothing with what is one of their issuers`(issuers: String, code: String, isCompared: Bool) {
        let text = """
            import java.security.cert.X509Certificate
            fun trust(): X509TrustManager {
                val text = Own::class.java.getResourceAsStream("/own.pem")
                val own = CertificateFactory.getInstance("X.509").generateCertificate(text) as X509Certificate
                val made = object : X509TrustManager {
                    override fun checkServerTrusted(chain: Array<X509Certificate>, authType: String) {
                        val d = hex(MessageDigest.getInstance("SHA-1").digest(chain[0].encoded))
                        \(code.replacing("PIN", with: "\"\(Self.digest)\""))
                    }
                    override fun getAcceptedIssuers(): Array<X509Certificate> = \(issuers)
                }
                return made
            }
            """

        let ofFile =
            isCompared
            ? "only certificates that the app carries are trusted"
            : "a certificate that the app carries stands among the issuers that a trust manager names, and nothing is "
                + "held against it"
        #expect(told(text, .kotlin) == [ofFile, Self.compared])
        let pins = found(in: text, .kotlin).map { found in
            if case .described(_, let pins, _, _) = found.content { pins } else { [String]() }
        }
        #expect(pins.last == [Self.digest] + (isCompared ? ["/own.pem"] : []))
    }

    @Test(arguments: [("1", true), ("0", false)])
    func `say which certificate of a chain they look at`(number: String, isSecond: Bool) {
        let text = """
            object Trust : X509TrustManager {
                override fun checkServerTrusted(chain: Array<X509Certificate>, authType: String) {
                    val d = hex(MessageDigest.getInstance("SHA-1").digest(chain[\(number)].encoded))
                    if (d != "\(Self.digest)") throw CertificateException()
                }
            }
            """

        let place = isSecond ? "; the certificate is number 2 of its chain, an authority's" : ""
        #expect(told(text, .kotlin) == [Self.compared + place])
    }

    @Test(arguments: [
        ("private", "", true), ("private", ".certificatePinner(pinner)", false), ("", "", true),
        ("", ".certificatePinner(pinner)", false),
    ])
    func `a pinner that is made by need counts where something uses it`(word: String, use: String, isUnused: Bool) {
        let text = """
            class Net {
                \(word) val pinner by lazy {
                    CertificatePinner.Builder()
                        .add("api.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build()
                }
                val client = OkHttpClient.Builder()\(use).build()
            }
            """

        #expect(told(text, .kotlin) == [isUnused ? "a pinner that nothing in this source uses" : "modelled"])
    }

    @Test(arguments: [
        (
            "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEy5bOzkZ36VV+kjSYso0HTCZwHWMT29lQWpJYAiudtZ65mdcBCgmsB/jAwLIJl8BricbLhGU9FA/Wxha5b3ee7A==",
            1
        ),
        ("MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=", 1),
        // Of another length, or of another beginning.
        (
            "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEy5bOzkZ36VV+kjSYso0HTCZwHWMT29lQWpJYAiudtZ65mdcBCgmsB/jAwLIJl8BricbLhGU9FA",
            0
        ),
        (
            "acmeEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEy5bOzkZ36VV+kjSYso0HTCZwHWMT29lQWpJYAiudtZ65mdcBCgmsB/jAwLIJl8BricbLhGU9FA/Wxha5b3ee7A==",
            0
        ),
    ])
    func `the key of a curve is a pin`(key: String, count: Int) {
        let text = """
            class Pinned implements X509TrustManager {
                static final Pinned SHARED = new Pinned();
                public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
                    String key = Base64.getEncoder().encodeToString(chain[0].getPublicKey().getEncoded());
                    if (!key.equals("\(key)")) throw new CertificateException("pin");
                }
            }
            """

        #expect(Reading.found(text, .java).map(\.digests.count) == [count])
    }
}
