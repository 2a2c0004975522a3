import Testing

@testable import AppSources

/// Comparisons of which nothing comes, and those of Unity and Apache's client.
@Suite struct `Comparisons that decide nothing` {
    private static let key = "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="
    private static let digest = "9a7b2c3d4e5f60718293a4b5c6d7e8f9012345679a7b2c3d4e5f60718293a4b5"
    private static let compared = "compared with the server's certificate in code"
    private static let undecided = compared + ", and nothing depends on what comes out"

    @Test(arguments: [
        ("if (pin !in pins) println(pin)", true), ("if (pin !in pins) { Log.w(TAG, \"other\") }", true),
        ("if (pin !in pins) throw SSLPeerUnverifiedException(pin)", false), ("if (pin !in pins) refuse(pin)", false),
        ("val isOther = !pins.contains(pin)\n Log.w(TAG, \"other: $isOther\")", true),
        ("val isOther = !pins.contains(pin)\n if (isOther) return refusal()", false),
        // What a branch sets is told to a log as well.
        ("var isOther = false\n if (pin !in pins) isOther = true\n Log.w(TAG, \"$isOther\")", true),
        ("var isOther = false\n if (pin !in pins) isOther = true\n require(!isOther)", false),
        ("if (pin !in pins) chain.call().cancel()", false),
    ])
    func `are told of an interceptor`(code: String, isIdle: Bool) {
        let text = """
            class Pins : Interceptor {
                private val pins = setOf("sha256/\(Self.key)")
                override fun intercept(chain: Interceptor.Chain): Response {
                    val response = chain.proceed(chain.request())
                    val pin = CertificatePinner.pin(response.handshake!!.peerCertificates[0])
                    \(code)
                    return response
                }
            }
            """

        let unmade = "\(Self.compared); nothing in what was read makes an object of 'Pins'"
        #expect(Reading.told(text, .kotlin) == [isIdle ? Self.undecided : unmade])
    }

    // A log by its whole name is one, too; what another function is told may refuse.
    @Test(arguments: [
        ("Log.w(\"tls\", text)", true), ("android.util.Log.w(\"tls\", text)", true),
        ("timber.log.Timber.w(text)", true), ("Timber.tag(\"tls\").w(text)", true),
        ("acme.tls.Rules.refuse(text)", false),
    ])
    func `are told of a trust manager, however its log is named`(call: String, acceptsAll: Bool) {
        let text = """
            val trust = object : X509TrustManager {
                override fun checkServerTrusted(chain: Array<X509Certificate>, authType: String) {
                    val hash = MessageDigest.getInstance("SHA-256").digest(chain[0].publicKey.encoded)
                    val text = Base64.getEncoder().encodeToString(hash)
                    if (text != "\(Self.key)") \(call)
                }
            }
            """

        let told = Reading.told(text, .kotlin)
        #expect(told.contains("looked up in code that lets every certificate through") == acceptsAll, "\(told)")
        #expect(told.count == 1)
    }

    @Test(arguments: [
        ("matches(connection);", true), ("if (!matches(connection)) throw new IOException();", false),
        ("boolean isOne = matches(connection); Log.d(TAG, \"\" + isOne);", true),
        ("return matches(connection) ? connection : null;", false),
        ("Log.d(TAG, \"one\"); this.isOne = matches(connection);", false),
    ])
    func `are told where a function's answer is thrown away`(code: String, isIdle: Bool) {
        let text = """
            class Net {
                private boolean matches(HttpsURLConnection connection) throws Exception {
                    for (Certificate one : connection.getServerCertificates()) {
                        byte[] digest = MessageDigest.getInstance("SHA-256").digest(one.getPublicKey().getEncoded());
                        if (Base64.getEncoder().encodeToString(digest).equals("\(Self.key)")) return true;
                    }
                    return false;
                }
                Object load(HttpsURLConnection connection) throws Exception { \(code) return connection; }
            }
            """

        #expect(Reading.told(text, .java) == [isIdle ? Self.undecided : Self.compared])
    }

    @Test(arguments: [
        ("runCatching {", "}.onFailure { Log.w(TAG, it) }", true), ("runCatching {", "}.getOrThrow()", false),
        ("runCatching {", "}.onFailure { throw CertificateException(it) }", false),
        ("try {", "} catch (e: Exception) { Log.w(TAG, e) }", true),
        ("try {", "} catch (e: IOException) { Log.w(TAG, e) }", false),
        ("try {", "} catch (e: Exception) { throw CertificateException(e) }", false),
        ("try {", "} catch (e: Exception) { Log.w(TAG, e) }\n throw CertificateException()", false), ("", "", false),
    ])
    func `are told where what they throw is caught`(before: String, behind: String, isIdle: Bool) {
        let text = """
            class Trust(private val system: X509TrustManager) : X509TrustManager by system {
                override fun checkServerTrusted(chain: Array<X509Certificate>, authType: String) {
                    system.checkServerTrusted(chain, authType)
                    \(before)
                        val digest = MessageDigest.getInstance("SHA-256").digest(chain[0].publicKey.encoded)
                        require(Base64.getEncoder().encodeToString(digest) == "\(Self.key)") { "another key" }
                    \(behind)
                }
            }
            """

        let unmade = "\(Self.compared); nothing in what was read makes an object of 'Trust'"
        #expect(Reading.told(text, .kotlin) == [isIdle ? Self.undecided : unmade])
    }

    @Test(arguments: [
        ("if (!isOne) Console.WriteLine(actual);", "errors == SslPolicyErrors.None", true),
        ("if (!isOne) return false;", "errors == SslPolicyErrors.None", false),
        ("if (!isOne) Console.WriteLine(actual);", "isOne && errors == SslPolicyErrors.None", false),
    ])
    func `are told of a callback of .NET`(code: String, answer: String, isIdle: Bool) {
        let text = """
            class Api {
                HttpClient client = new(new HttpClientHandler {
                    ServerCertificateCustomValidationCallback = (request, certificate, chain, errors) => {
                        var actual = certificate.GetCertHashString(HashAlgorithmName.SHA256);
                        var isOne = actual == "\(Self.digest.uppercased())";
                        \(code)
                        return \(answer);
                    }
                });
                Task<string> Load() => client.GetStringAsync("https://api.acme.example/v1");
            }
            """

        #expect(Reading.told(text, .cSharp) == [isIdle ? Self.undecided : Self.compared])
        guard case .described(let hosts, _, _, _)? = Reading.found(text, .cSharp).first?.content else { return }
        // `new(…)` is a client, whose requests say which host it is.
        #expect(hosts == ["api.acme.example"])
    }

    @Test func `are not told of a client that nothing uses, whose callback decides`() {
        let text = """
            void Held() {
                var client = new HttpClient(new HttpClientHandler {
                    ServerCertificateCustomValidationCallback = (m, one, chain, errors) => one.Thumbprint.Trim() == Pin });
            }
            const string Pin = "\(Self.digest.prefix(40).uppercased())";
            """

        #expect(Reading.told(text, .cSharp) == [Self.compared])
    }

    @Test(arguments: [
        (digest, ".Replace(\"-\", \"\")", "it is written in capitals with nothing between them, as no pin is"),
        (digest.uppercased(), ".Replace(\"-\", \"\")", nil), (digest, ".Replace(\"-\", \"\").ToLower()", nil),
        (digest, ".Replace(\"-\", other)", nil), (digest.uppercased(), "", "it is written as 'AB-01-…', as no pin is"),
    ])
    func `are read of Unity's bytes`(pin: String, change: String, mismatch: String?) {
        let text = """
            class Pins : CertificateHandler {
                protected override bool ValidateCertificate(byte[] data) {
                    using var algorithm = SHA256.Create();
                    return BitConverter.ToString(algorithm.ComputeHash(data))\(change) == "\(pin)";
                }
            }
            class Loader { void Load() { request.certificateHandler = new Pins(); } }
            """

        let rest = mismatch.map { "; \($0): nothing is equal to it" } ?? ""
        #expect(Reading.told(text, .cSharp) == [Self.compared + rest])
        // What takes a digest of other bytes is no judge of a certificate.
        #expect(Reading.told(text.replacing("ValidateCertificate", with: "Seal"), .cSharp) == [])
    }

    @Test(arguments: [
        ("(chain, type) -> DigestUtils.sha256Hex(chain[0].getEncoded()).equals(PIN)", true),
        (
            """
            (chain, type) -> {
                if (!DigestUtils.sha256Hex(chain[0].getEncoded()).equals(PIN)) throw new CertificateException();
                return true;
            }
            """, false
        ),
    ])
    func `go on to the ordinary checks in Apache's client`(strategy: String, goesOn: Bool) {
        let text = """
            class Net {
                static final String PIN = "\(Self.digest)";
                SSLContext context() { return SSLContexts.custom().loadTrustMaterial(\(strategy)).build(); }
            }
            """

        let rest = goesOn ? "; where none matches, the ordinary checks decide" : ""
        #expect(Reading.told(text, .java) == [Self.compared + rest])
    }

    @Test(arguments: [
        (
            """
            GrpcChannel.ForAddress("https://api.acme.example:5001", new GrpcChannelOptions { HttpHandler = new HttpClientHandler {
                ServerCertificateCustomValidationCallback = check } })
            """, ["api.acme.example"]
        ),
        (
            """
            new MqttClientOptionsBuilder().WithTcpServer("mqtt.acme.example", 8883)
                .WithTlsOptions(o => o.UseTls().WithCertificateValidationHandler(e =>
                    e.SslPolicyErrors == SslPolicyErrors.None && e.Certificate.GetCertHashString() == Pin)).Build()
            """, ["mqtt.acme.example"]
        ),
        (
            "new RestClient(new RestClientOptions(Address) { RemoteCertificateValidationCallback = check })",
            ["www.acme.example"]
        ),
        ("new RestClient(new RestClientOptions(address) { RemoteCertificateValidationCallback = check })", []),
        ("Given(\"https://api.acme.example\", new SslOptions { RemoteCertificateValidationCallback = check })", []),
    ])
    func `have the host that a library of NET is given with its callback`(made: String, hosts: [String]) {
        let check = "(_, one, _, errors) => one.GetCertHashString(HashAlgorithmName.SHA256) == Pin"
        let text = """
            class Net {
                const string Pin = "\(Self.digest.uppercased())";
                const string Address = "https://www.acme.example";
                object Make(string address) { return \(made.replacing("check", with: check)); }
            }
            """
        let found = Reading.found(text, .cSharp).map { found in
            switch found.content {
            case .described(let hosts, _, _, _): hosts
            case .library(let library): library.hosts
            default: ["no description"]
            }
        }

        #expect(found == [hosts])
    }

    @Test(arguments: [
        (
            "OkHttpClient client = new OkHttpClient.Builder().sslSocketFactory(factory, trust).build();",
            "client.newCall(new Request.Builder().url(\"https://api.acme.example/v1\").build())", ["api.acme.example"]
        ),
        (
            "HttpClient client = HttpClient.newBuilder().sslContext(context).build();",
            "client.send(HttpRequest.newBuilder(URI.create(BASE + \"/v1\")).build())", ["api.acme.example"]
        ),
        (
            "SSLSocketFactory own = context.getSocketFactory();", "own.createSocket(\"mail.acme.example\", 993)",
            ["mail.acme.example"]
        ),
        // Another client has other trust managers, and an address that is given may be any.
        (
            "OkHttpClient client = new OkHttpClient.Builder().build(), plain = new OkHttpClient();",
            "plain.newCall(new Request.Builder().url(\"https://api.acme.example/v1\").build())", []
        ),
        (
            "OkHttpClient client = new OkHttpClient.Builder().sslSocketFactory(factory, trust).build();",
            "client.newCall(new Request.Builder().url(address).build())", []
        ),
        (
            "OkHttpClient client = new OkHttpClient.Builder().sslSocketFactory(factory, trust).build();",
            """
            client.newCall(new Request.Builder().url("https://api.acme.example/v1").build());
            client.newCall(new Request.Builder().url("https://www.acme.example/v1").build())
            """, []
        ),
    ])
    func `have the host that the only client of a source asks`(client: String, request: String, hosts: [String]) {
        let text = """
            class Net {
                private static final String BASE = "https://api.acme.example";
                private final TrustManager trust = new X509TrustManager() {
                    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
                        String actual = DigestUtils.sha256Hex(chain[0].getEncoded());
                        if (!actual.equals("\(Self.digest)")) throw new CertificateException();
                    }
                };
                void load(String address) { \(client) \(request); }
            }
            """
        let found = Reading.found(text, .java).map { found in
            if case .described(let hosts, _, _, _) = found.content { hosts } else { ["no description"] }
        }

        #expect(found == [hosts])
    }

    @Test(arguments: [
        ("fun look(c: HttpsURLConnection) { val chain = c.serverCertificates", "and nothing depends on what comes out"),
        (
            "val any = object : X509TrustManager { override fun checkServerTrusted(chain: Array<X509Certificate>, t: String) { Log.d(TAG, t)",
            "lets every certificate through"
        ),
    ])
    func `leave to the ordinary checks what a connection has shown, and to none what a trust manager is asked`(
        head: String,
        what: String
    ) {
        let text = """
            \(head)
                val digest = MessageDigest.getInstance("SHA-256").digest(chain[0].publicKey.encoded)
                val isOne = Base64.getEncoder().encodeToString(digest) == "\(Self.key)"
                Log.d(TAG, "$isOne")
            } \(head.contains("object") ? "}" : "")
            """

        let told = Reading.toldOrUnread(text, .kotlin)

        #expect(told.contains { $0.contains(what) }, "\(told)")
    }
}
