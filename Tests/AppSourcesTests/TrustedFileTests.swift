import Testing

@testable import AppSources

/// Certificates of an app's own that are trusted, and that nothing compares.
@Suite struct `A certificate of the app's own` {
    private static let trusted = "only certificates that the app carries are trusted"

    private static let untold =
        "certificates that are made when the app runs are trusted: which, this source does not tell"
    private static let pem =
        "-----BEGIN CERTIFICATE-----\\nMIIB\(String(repeating: "Cg", count: 120))\\n-----END CERTIFICATE-----"
    private static let asking = "if (!own.equals(chain[0])) throw new CertificateException();"

    @Test(arguments: [
        ("resources.openRawResource(R.raw.acme)", "", trusted), ("download()", "", untold),
        ("Clients.class.getResourceAsStream(\"/acme.crt\")", "", trusted),
        ("Clients.class.getResourceAsStream(name)", "", untold),
        ("new ByteArrayInputStream(\"\(pem)\".getBytes())", "", trusted), ("download()", asking, "compared"),
    ])
    func `is trusted and compared with nothing where Java puts it into a key store`(
        opening: String,
        asking: String,
        what: String
    ) {
        let text = """
            class Clients {
                SSLContext make(Resources resources) throws Exception {
                    InputStream file = \(opening);
                    Certificate own = CertificateFactory.getInstance("X.509").generateCertificate(file);
                    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
                    store.setCertificateEntry("acme", own);
                    TrustManagerFactory roots = TrustManagerFactory.getInstance("X509");
                    roots.init(store);
                    TrustManager other = new X509TrustManager() {
                        public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
                            \(asking)
                        }
                    };
                    return context(roots, other);
                }
            }
            """

        let told = Reading.toldOrUnread(text, .java)

        #expect(told.count { $0.contains(what) } == 1, "\(told)")
        #expect(told.contains { $0.contains("compared") } == (what == "compared"), "\(told)")
    }

    @Test(arguments: [
        ("keys.load(assets.open(\"acme.p12\"), word)", "factory.init(keys, word)", false),
        ("assets.open(\"acme.p12\").use { keys.load(it, word) }", "factory.init(keys, word)", false),
        ("val file = assets.open(\"acme.p12\"); keys.load(file, word)", "factory.init(keys, word)", false),
        ("keys.load(assets.open(\"acme.p12\"), word)", "roots.init(keys)", true),
        ("keys.load(assets.open(\"acme.p12\"), word)", "factory.init(keys, word); roots.init(keys)", true),
        ("keys.load(assets.open(\"acme.p12\"), word)", "use(factory, keys)", true),
        ("others.load(assets.open(\"acme.p12\"), word)", "factory.init(keys, word)", true),
        (
            "val file = assets.open(\"acme.p12\"); trust(file); keys.load(file, word)", "factory.init(keys, word)", true
        ),
        (
            "keys.load(assets.open(\"acme.p12\"), word); own(keys.getCertificateChain(one))",
            "factory.init(keys, word)", true
        ),
        // Another function's factory, and what others see.
        (
            "keys.load(assets.open(\"acme.p12\"), word); fun trust() { val factory = TrustManagerFactory.getInstance(\"X509\"); factory.init(keys) }",
            "factory.init(keys, word)", true
        ),
        ("val own = generate(assets.open(\"acme.p12\")); keys.load(stream, word)", "factory.init(keys, word)", true),
        ("val file = assets.open(\"acme.p12\"); others.load(file, word)", "factory.init(keys, word)", true),
    ])
    func `is no pin where a store of it makes key managers alone`(loading: String, giving: String, isTold: Bool) {
        let text = """
            fun context(assets: AssetManager, word: CharArray): SSLContext {
                val keys = KeyStore.getInstance("PKCS12")
                val others = KeyStore.getInstance("PKCS12")
                val factory = KeyManagerFactory.getInstance("X509")
                val roots = TrustManagerFactory.getInstance("X509")
                \(loading)
                \(giving)
                roots.init(others)
                return SSLContext.getInstance("TLS").apply { init(factory.keyManagers, roots.trustManagers, null) }
            }
            """

        #expect(Reading.found(text, .kotlin).contains { "\($0)".contains("acme.p12") } == isTold)
    }

    @Test(arguments: [("private val", false), ("val", true), ("lateinit var other: KeyStore; val", true)])
    func `is no pin where nobody else sees the store of it`(declaring: String, isTold: Bool) {
        let text = """
            class Keys(assets: AssetManager, word: CharArray) {
                \(declaring) keys = KeyStore.getInstance("PKCS12")
                fun roots() = TrustManagerFactory.getInstance("X509")
                fun factory(): KeyManagerFactory {
                    keys.load(assets.open("acme.p12"), word)
                    val factory = KeyManagerFactory.getInstance("X509")
                    factory.init(keys, word)
                    return factory
                }
            }
            """

        #expect(Reading.found(text, .kotlin).contains { "\($0)".contains("acme.p12") } == isTold)
    }

    @Test(arguments: [
        ("HeldCertificate.decode(text)", ".heldCertificate(held)", false),
        ("factory.generateCertificate(text.byteInputStream())", ".addTrustedCertificate(held)", true),
    ])
    func `is no pin where it is the client's own`(making: String, giving: String, isTold: Bool) {
        let text = """
            fun certificates(context: Context): HandshakeCertificates {
                val factory = CertificateFactory.getInstance("X.509")
                val text = String(context.resources.openRawResource(R.raw.acme).readBytes())
                val held = \(making)
                return HandshakeCertificates.Builder()\(giving).build()
            }
            """

        let found = Reading.found(text, .kotlin)

        #expect(found.contains { "\($0)".contains("raw/acme") } == isTold, "\(found)")
    }

    @Test(arguments: [
        ("", trusted),
        (
            "guard SecCertificateCopyData(shown[0]) as Data == own else { return no() }",
            "compared with the server's certificate in code"
        ),
    ])
    func `is the only root of a delegate in Swift that takes none apart`(asking: String, what: String) {
        let text = """
            final class Delegate: NSObject, URLSessionDelegate {
                let own = Data(base64Encoded: "MII\(String(repeating: "Cg", count: 300))")!
                func urlSession(_ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
                    completionHandler done: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void) {
                    let trust = challenge.protectionSpace.serverTrust!
                    SecTrustSetAnchorCertificates(trust, [SecCertificateCreateWithData(nil, own as CFData)!] as CFArray)
                    SecTrustSetAnchorCertificatesOnly(trust, true)
                    guard SecTrustEvaluateWithError(trust, nil) else { return done(.cancelAuthenticationChallenge, nil) }
                    let shown = SecTrustCopyCertificateChain(trust) as! [SecCertificate]
                    \(asking.replacing("no()", with: "done(.cancelAuthenticationChallenge, nil)"))
                    done(.useCredential, URLCredential(trust: trust))
                }
            }
            let session = URLSession(configuration: .default, delegate: Delegate(), delegateQueue: nil)
            """

        let told = Reading.told(text, .swift)

        #expect(told.count == 1)
        #expect(told.first?.hasPrefix(what) ?? false, "\(told)")
    }
}
