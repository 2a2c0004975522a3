import Testing

@testable import AppSources

/// What trust managers of Kotlin and Java let through, and how they write what they compare.
@Suite struct `Trust managers' answers` {
    private static let digest = "9a7b2c3d4e5f60718293a4b5c6d7e8f9012345679a7b2c3d4e5f60718293a4b5"
    private static let key = "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="
    private static let compared = "compared with the server's certificate in code"

    private func found(in text: String) -> [FoundPins] {
        let file = SourceModule.File(path: "a.kt", language: .kotlin, text: text)
        return Reading.read(file)
    }

    private func told(_ text: String) -> [String] {
        found(in: text).map { if case .described(_, _, let what, _) = $0.content { what } else { "modelled" } }
    }

    private func trust(_ code: String, more: String = "") -> String {
        """
        object Trust : X509TrustManager {
            override fun checkServerTrusted(chain: Array<X509Certificate>, authType: String) {
                \(code)
            }
            \(more)
        }
        """
    }

    @Test(arguments: [
        ("joinToString(\"\") { \"%02X\".format(it) }", digest, "the digest is written in capitals, as no pin is"),
        ("joinToString(\"\") { \"%02x\".format(it) }", digest, nil),
        (
            "joinToString(\"\") { \"%02x\".format(it) }", digest.uppercased(),
            "the digest is written in small letters, as no pin is"
        ),
        ("joinToString(\"\") { \"%02X\".format(it) }.lowercase()", digest, nil),
        ("joinToString(\"\") { \"%02X\".format(it) }", digest + "\".uppercase() + \"", nil),
        (
            "let { Base64.encodeToString(it, Base64.DEFAULT) }", key,
            "'Base64.DEFAULT' ends the digest with a new line, as no pin does"
        ),
        ("let { Base64.encodeToString(it, Base64.DEFAULT).trim() }", key, nil),
        ("let { Base64.encodeToString(it, Base64.NO_WRAP) }", key, nil),
    ])
    func `are compared as they are written`(written: String, pin: String, other: String?) {
        let text = trust(
            """
            val digest = MessageDigest.getInstance("SHA-256").digest(chain[0].encoded).\(written)
            if (digest != "\(pin)") throw CertificateException()
            """
        )

        #expect(told(text) == [Self.compared + (other.map { "; \($0): nothing is equal to it" } ?? "")])
    }

    @Test(arguments: [
        ("Log.w(TAG, digest)", true), ("throw CertificateException()", false), ("refuse(digest)", false),
    ])
    func `let all through where they do nothing but tell a log`(code: String, isOpen: Bool) {
        let text = trust(
            """
            val digest = MessageDigest.getInstance("SHA-256").digest(chain[0].encoded).joinToString("") { "%02x".format(it) }
            if (digest != "\(Self.digest)") \(code)
            """
        )

        #expect(told(text) == [isOpen ? "looked up in code that lets every certificate through" : Self.compared])
    }

    @Test(arguments: [
        ("try { system.checkServerTrusted(chain, authType) } catch (e: CertificateException) { ask(chain[0]) }", true),
        (
            "try { system.checkServerTrusted(chain, authType); return } catch (e: CertificateException) { }\n ask(chain[0])",
            true
        ),
        (
            "try { system.checkServerTrusted(chain, authType) } catch (e: CertificateException) { }\n ask(chain[0])",
            false
        ),
        ("system.checkServerTrusted(chain, authType)\n ask(chain[0])", false),
        ("try { prepare() } catch (e: CertificateException) { ask(chain[0]) }", false),
    ])
    func `ask of what the system refuses alone`(code: String, isRefused: Bool) {
        let more = """
            private fun ask(one: X509Certificate) {
                val digest = hex(MessageDigest.getInstance("SHA-256").digest(one.encoded))
                if (digest != "\(Self.digest)") throw CertificateException()
            }
            """

        let conditions = found(in: trust(code, more: more)).map(\.conditions)
        #expect(conditions == [isRefused ? ["the system refuses the certificate"] : []])
    }

    @Test(arguments: [
        ("SHA-1", "", digest, "SHA-1 is taken, and the pins have the length of SHA-256"),
        ("SHA-256", "", String(digest.prefix(40)), "SHA-256 is taken, and the pins have the length of SHA-1"),
        ("SHA-1", "", "sha256/\(key)", "SHA-1 is taken, and the pins have the length of SHA-256"),
        ("SHA-256", "", digest, nil), ("SHA-256", "", "sha256/\(key)", nil), ("SHA-512", "", digest, nil),
        ("SHA-256", ".take(20)", String(digest.prefix(40)), nil),
    ])
    func `are equal to no pin of another length`(algorithm: String, part: String, pin: String, other: String?) {
        let text = trust(
            """
            val digest = written(MessageDigest.getInstance("\(algorithm)").digest(chain[0].encoded)\(part))
            if (digest != "\(pin)") throw CertificateException()
            """
        )

        #expect(told(text) == [Self.compared + (other.map { "; \($0): nothing is equal to it" } ?? "")])
    }

    @Test(arguments: [
        ("chain[chain.size - 1]", "; the certificate is the last of its chain"), ("chain[0]", ""),
        ("chain[chain.size - 2]", ""), ("chain[place]", ""),
    ])
    func `may look at the last of a chain`(taken: String, place: String) {
        let text = trust(
            """
            val digest = hex(MessageDigest.getInstance("SHA-256").digest(\(taken).encoded))
            if (digest != "\(Self.digest)") throw CertificateException()
            """
        )

        #expect(told(text) == [Self.compared + place])
    }

    @Test(arguments: [
        ("if (host.endsWith(END) && digest != PIN) throw IOException()", true),
        ("if (!host.endsWith(END)) return answer\n if (digest != PIN) throw IOException()", true),
        ("if (host.endsWith(END)) { if (digest != PIN) throw IOException() }", true),
        ("if (digest != PIN) throw IOException()", false),
    ])
    func `may compare for hosts by their end`(code: String, isAsked: Bool) {
        let text = """
            class Pins : Interceptor {
                override fun intercept(chain: Interceptor.Chain): Response {
                    val host = chain.request().url.host
                    val answer = chain.proceed(chain.request())
                    val one = chain.connection()!!.handshake()!!.peerCertificates[0]
                    val digest = hex(MessageDigest.getInstance("SHA-256").digest(one.encoded))
                    \(code.replacing("END", with: "\"acme.example\"").replacing("PIN", with: "\"\(Self.digest)\""))
                    return answer
                }
                fun isOther(host: String) = host.endsWith("other.example")
            }
            val client = OkHttpClient.Builder().addNetworkInterceptor(Pins()).build()
            """

        #expect(found(in: text).map(\.conditions) == [isAsked ? ["host.endsWith(\"acme.example\")"] : []])
    }

    @Test(arguments: [("onReceivedSslError", ["the system refuses the certificate"]), ("onPageFinished", [])])
    func `a web view compares in the callback that it is asked by`(name: String, expected: [String]) {
        let text = """
            fun show(web: WebView) {
                web.webViewClient = object : WebViewClient() {
                override fun \(name)(view: WebView, given: Any) {
                    val digest = MessageDigest.getInstance("SHA-256").digest(view.certificate.x509Certificate.publicKey.encoded)
                    if (Base64.encodeToString(digest, Base64.NO_WRAP) != "\(Self.key)") view.stopLoading()
                }
                \(name == "onReceivedSslError" ? "" : "override fun onReceivedSslError(view: WebView, handler: SslErrorHandler, error: SslError) = handler.cancel()")
                }
            }
            """

        #expect(found(in: text).map(\.conditions) == [expected])
    }

    @Test(arguments: [
        ("", "Log.d(\"tls\", \"expected \\(Self.key), got $hash\")", true), ("", "println(hash)", true),
        ("system.checkServerTrusted(chain, authType)", "println(hash)", false),
        ("", "if (hash != own) throw CertificateException(hash)", false),
        ("val isSafe = verify(chain)", "println(hash)", false),
    ])
    func `that only tell a log let every certificate through`(before: String, after: String, isOpen: Bool) {
        let text = trust(
            """
            \(before)
            val own = "\(Self.key)"
            val digest = MessageDigest.getInstance("SHA-256").digest(chain[0].publicKey.encoded)
            val hash = Base64.getEncoder().encodeToString(digest)
            \(after)
            """,
            more:
                "fun verify(chain: Array<X509Certificate>): Boolean { if (chain.size > 4) throw CertificateException(\"long\"); return true }"
        )

        #expect(told(text).contains(where: FoundPins.acceptsAll) == isOpen, "\(told(text))")
    }
}
