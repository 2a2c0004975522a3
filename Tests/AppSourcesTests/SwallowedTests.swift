import Testing

@testable import AppSources

/// What code throws where a certificate is another one, and others catch.
@Suite struct `A refusal that is caught` {
    private static let key = "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="
    private static let compared = "compared with the server's certificate in code"
    private static let undecided = ComparisonForm.undecided
    private static let lenient = ComparisonForm.lenient

    /// Without what is said of a class that nothing makes.
    private func told(_ text: String, _ language: SourceLanguage) -> [String] {
        Reading.told(text, language).map { String($0.prefix { $0 != ";" }) }
    }

    @Test(arguments: [
        ("try { check(chain[0]); } catch (Exception e) { System.err.println(e); }", lenient),
        ("try { check(chain[0]); } catch (CertificateException e) { Log.w(TAG, e); }", lenient),
        ("check(chain[0]);", compared), ("try { check(chain[0]); } finally { done(); }", compared),
        ("try { check(chain[0]); } catch (IllegalStateException e) { Log.w(TAG, e); }", compared),
        ("try { check(chain[0]); } catch (Exception e) { throw new CertificateException(e); }", compared),
        ("try { check(chain[0]); } catch (Exception e) { Log.w(TAG, e); } Anchors.require(chain);", undecided),
        (
            "try { check(chain[0]); } catch (Exception e) { Log.w(TAG, e); } finally { Anchors.require(chain); }",
            undecided
        ),
        // Another one is asked all the same.
        (
            "try { check(chain[0]); } catch (Exception e) { Log.w(TAG, e); } system.checkServerTrusted(chain, type);",
            undecided
        ),
        // What follows, or stands beside it, is left out where it is thrown.
        (
            "try { if (isOwn(chain[0])) { open(); } else { check(chain[0]); } } catch (Exception e) { Log.w(TAG, e); }",
            compared
        ),
        ("try { check(chain[0]); isKnown = true; } catch (Exception e) { Log.w(TAG, e); }", compared),
    ])
    func `lets all through in a trust manager of Java`(code: String, what: String) {
        let text = """
            class T implements X509TrustManager {
              void check(X509Certificate leaf) throws CertificateException {
                String pin = encode(MessageDigest.getInstance("SHA-256").digest(leaf.getPublicKey().getEncoded()));
                if (!pin.equals("\(Self.key)")) { throw new CertificateException("pin"); }
              }
              public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException { \(code) }
            }
            """

        #expect(told(text, .java) == [what])
    }

    @Test(arguments: [("known = true;", compared), ("Log.d(TAG, pin);", undecided)])
    func `may keep from something what its own function does where all is well`(code: String, what: String) {
        let text = """
            class Fetch {
              void check(HttpsURLConnection connection) throws Exception {
                String pin = encode(sha256(connection.getServerCertificates()[0].getPublicKey().getEncoded()));
                if (pin.equals("\(Self.key)")) { \(code) return; }
                throw new SSLPeerUnverifiedException("pin");
              }
              String get(HttpsURLConnection connection) {
                try { check(connection); } catch (Exception e) { Log.w(TAG, e); }
                return read(connection);
              }
            }
            """

        #expect(told(text, .java) == [what])
    }

    @Test(arguments: [
        ("runCatching { check(chain[0]) }.onFailure { println(it) }", lenient),
        ("runCatching { check(chain[0]) }.getOrThrow()", compared),
        ("runCatching { check(chain[0]) }.onFailure { refuse(it) }", compared),
        ("runCatching { check(chain[0]) }.onFailure(::refuse)", compared),
        ("with(system) { checkServerTrusted(chain, type) }\n        runCatching { check(chain[0]) }", undecided),
        ("runCatching { check(chain[0]); known = true }\\n        if (!known) error(\"pin\")", compared),
    ])
    func `lets all through in one of Kotlin`(code: String, what: String) {
        let text = """
            class T : X509TrustManager {
                private fun check(leaf: X509Certificate) {
                    val pin = encode(MessageDigest.getInstance("SHA-256").digest(leaf.publicKey.encoded))
                    if (pin != "\(Self.key)") throw CertificateException("pin")
                }
                override fun checkServerTrusted(chain: Array<X509Certificate>, type: String) {
                    \(code)
                }
            }
            """

        #expect(told(text, .kotlin) == [what])
    }

    @Test(arguments: [("CertificateException", undecided), ("AssertionError", compared)])
    func `is caught by a type of its own alone`(type: String, what: String) {
        let text = """
            class Fetch {
              void check(HttpsURLConnection connection) {
                String pin = encode(sha256(connection.getServerCertificates()[0].getPublicKey().getEncoded()));
                if (!pin.equals("\(Self.key)")) { throw new \(type)("pin"); }
              }
              String get(HttpsURLConnection connection) {
                try { check(connection); } catch (Exception e) { Log.w(TAG, e); }
                return read(connection);
              }
            }
            """
        let own = SourceModule.File(path: "Fetch.java", language: .java, text: text)
        let other = SourceModule.File(
            path: "Other.java",
            language: .java,
            text: "class O { void go() { fetch.check(c); } }"
        )
        func told(_ files: [SourceModule.File]) -> [String] {
            SourceReader(SourceModule(files)).read(own).map { found in
                if case .described(_, _, let what, _) = found.content { String(what.prefix { $0 != ";" }) } else { "" }
            }
        }

        #expect(told([own]) == [what])
        // Another source calls it, and catches nothing.
        #expect(told([own, other]) == [Self.compared])
    }

    @Test func `leaves what it has set before to what is asked behind it`() {
        let text = """
            class Fetch {
              String get(HttpsURLConnection connection) throws Exception {
                String pin = null;
                try { pin = encode(sha256(connection.getServerCertificates()[0].getPublicKey().getEncoded())); if (pin == null) throw new Exception(); }
                catch (Exception e) { Log.w(TAG, e); }
                refuseUnless("\(Self.key)".equals(pin));
                return read(connection);
              }
            }
            """

        #expect(told(text, .java) == [Self.compared])
    }

    @Test(arguments: [
        ("println(e)", undecided), ("throw e", compared), ("return refusal()", compared),
    ])
    func `decides nothing in an interceptor`(caught: String, what: String) {
        let text = """
            class Pinned : Interceptor {
                override fun intercept(chain: Interceptor.Chain): Response {
                    val response = chain.proceed(chain.request())
                    try {
                        val pin = encode(sha256(response.handshake!!.peerCertificates[0].publicKey.encoded))
                        if (pin != "\(Self.key)") throw SSLPeerUnverifiedException("pin")
                    } catch (e: Exception) { \(caught) }
                    return response
                }
            }
            """

        #expect(told(text, .kotlin) == [what])
    }

    @Test(arguments: [
        ("try { check(connection); } catch (SSLException e) { System.err.println(e); }", undecided),
        ("check(connection);", compared),
        ("try { check(connection); } catch (SSLException e) { return null; }", compared),
    ])
    func `decides nothing behind a connection's handshake`(code: String, what: String) {
        let text = """
            class Fetch {
              void check(HttpsURLConnection connection) throws Exception {
                MessageDigest digest = MessageDigest.getInstance("SHA-256");
                for (Certificate one : connection.getServerCertificates()) {
                  if (encode(digest.digest(one.getPublicKey().getEncoded())).equals("\(Self.key)")) { return; }
                }
                throw new SSLPeerUnverifiedException("pin");
              }
              String get() throws Exception {
                HttpsURLConnection connection = (HttpsURLConnection) new URL("https://api.acme.example/").openConnection();
                \(code)
                return read(connection);
              }
            }
            """

        #expect(told(text, .java) == [what])
    }

    @Test(arguments: [
        ("try { Check(leaf); } catch (Exception x) { Console.WriteLine(x); } return true;", undecided),
        ("try { Check(leaf); } catch { Console.WriteLine(1); } return true;", undecided),
        ("try { Check(leaf); } catch (Exception x) { return false; } return true;", compared),
        ("Check(leaf); return true;", compared),
    ])
    func `decides nothing in a callback of C#`(code: String, what: String) {
        let text = """
            static class T {
              static void Check(X509Certificate2 leaf) {
                if (leaf.GetCertHashString() != "307403D75FE7E9D5969F85E309C98DFD56D32E87") throw new InvalidOperationException("pin");
              }
              static bool Ask(HttpRequestMessage r, X509Certificate2 leaf, X509Chain c, SslPolicyErrors e) { \(code) }
              public static HttpClient Make() => new HttpClient(new HttpClientHandler { ServerCertificateCustomValidationCallback = Ask });
            }
            """

        #expect(told(text, .cSharp) == [what])
    }

    @Test func `is no answer where a library calls the function as well`() {
        let text = """
            class T implements X509TrustManager {
              public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
                String pin = encode(MessageDigest.getInstance("SHA-256").digest(chain[0].getPublicKey().getEncoded()));
                if (!pin.equals("\(Self.key)")) { throw new CertificateException("pin"); }
              }
              void selfTest() { try { checkServerTrusted(own, "RSA"); } catch (Exception e) { Log.w(TAG, e); } }
            }
            """

        #expect(told(text, .java) == [Self.compared])
    }

    @Test func `is none of a certificate that C# reads out of a file`() {
        let text = """
            static class Backend {
              public static HttpClient Make() {
                var root = new X509Certificate2("ssl/acme.cer");
                if (!root.Thumbprint.Equals("6214E899BDD239EF372330D69F56ABE276ED7F21")) throw new Exception();
                var options = new SslClientAuthenticationOptions();
                options.RemoteCertificateValidationCallback = (sender, certificate, chain, errors) =>
                  (certificate as X509Certificate2)?.Thumbprint == "307403D75FE7E9D5969F85E309C98DFD56D32E87";
                return new HttpClient(new SocketsHttpHandler { SslOptions = options });
              }
            }
            """
        let found = Reading.found(text, .cSharp)

        #expect(found.map(\.line) == [7])
        #expect(
            found.map { found in if case .described(_, let pins, _, _) = found.content { pins } else { [] } } == [
                ["307403D75FE7E9D5969F85E309C98DFD56D32E87"]
            ]
        )
    }

    @Test(arguments: [
        ("key.indexOf(\"modulus=\")", true), ("known = isKnown(key)", false), ("known = Objects.hash(key, own)", false),
        ("known = pins.indexOf(key) >= 0", false),
        ("known = key.equals(own)", false), ("if (known) throw new SSLException(key)", false),
        ("byte part = known[0]", true), ("known = other[key]", false),
    ])
    func `is none where a web view's certificate is held against nothing, and that is said`(code: String, isSaid: Bool)
    {
        let text = """
            public class View extends WebViewClient {
              public void onReceivedSslError(WebView view, SslErrorHandler handler, SslError error) {
                boolean known = false;
                X509Certificate shown = (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(error.getCertificate()));
                String key = shown.getPublicKey().toString();
                \(code);
                if (known) { handler.proceed(); }
              }
            }
            """
        let isTold = told(text, .java) == ["the server's certificate is looked at in code, and held against nothing"]
        #expect(isTold == isSaid)
    }
}
