import Testing

@testable import AppSources

/// Comparisons whose pins others have as well: a pinner beside them, or another source.
@Suite struct `Comparisons with shared pins` {
    private static let key = "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="

    private func kotlin(_ check: String) -> [String] {
        let text = """
            const val PIN = "\(Self.key)"

            fun client() = OkHttpClient.Builder()
                .certificatePinner(CertificatePinner.Builder().add("first.acme.example", "sha256/$PIN").build())
                .build()

            class Checking : X509TrustManager {
                override fun checkServerTrusted(chain: Array<X509Certificate>, type: String) {
                    \(check)
                }
            }
            """
        return Reading.found(text, .kotlin).map(\.form.rawValue)
    }

    @Test func `are told beside a pinner that has them`() {
        let comparing = "if (digest(chain[0].publicKey.encoded) != PIN) throw CertificateException()"

        #expect(kotlin(comparing) == ["okhttp", "TrustManager"])
    }

    @Test(arguments: [
        ("PIN", "const val PIN", true), ("SERVER_HASH", "const val SERVER_HASH", true),
        // A member may be inherited.
        ("pins", "val pins", false),
        // Another package's.
        ("PIN", "package other\nprivate const val OTHER", false),
    ])
    func `are told where a file of the same folder has them`(name: String, declaration: String, isTold: Bool) {
        let text = """
            fun ask() {
                val connection = URL("https://api.acme.example/").openConnection() as HttpsURLConnection
                connection.connect()
                if (digest(connection.serverCertificates[0].publicKey.encoded) != \(name)) throw SSLException("pin")
            }
            """
        let file = SourceModule.File(path: "app/Ask.kt", language: .kotlin, text: text)
        let pins = SourceModule.File(path: "app/Pins.kt", language: .kotlin, text: "\(declaration) = \"\(Self.key)\"")
        let told = SourceReader(SourceModule([file, pins])).read(file).map(\.content)

        let expected = FoundPins.Content.described(
            hosts: ["api.acme.example"],
            pins: [Self.key],
            what: "compared with the server's certificate in code"
        )
        #expect((told == [expected]) == isTold, "\(told)")
        // What is imported is of another package.
        let other = SourceModule.File(path: "app/Ask.kt", language: .kotlin, text: "import other.\(name)\n" + text)
        #expect(!SourceReader(SourceModule([other, pins])).read(other).map(\.content).contains(expected))
    }

    @Test(arguments: [
        ("NoSuchAlgorithmException", "", "println(\"other\")", true),
        ("NoSuchAlgorithmException | UnsupportedEncodingException", "check(chain);", "println(\"other\")", false),
        ("CertificateException", "", "println(\"other\")", true), ("Exception", "", "println(\"other\")", true),
        // What is called there may throw.
        ("CertificateException", "check(chain);", "println(\"other\")", false),
        ("NoSuchAlgorithmException | CertificateException", "chain[0].checkValidity();", "println(\"other\")", false),
        ("Exception", "if (chain.length > 3) throw new CertificateException();", "println(\"other\")", false),
        ("NoSuchAlgorithmException", "", "throw new CertificateException()", false),
    ])
    func `refuse nobody by what the making of a digest throws`(
        caught: String,
        trying: String,
        behind: String,
        isOpen: Bool
    ) {
        let text = """
            class Checking implements X509TrustManager {
                public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
                    try {
                        \(trying)
                        byte[] hash = MessageDigest.getInstance("SHA-256").digest(chain[0].getPublicKey().getEncoded());
                        if ("\(Self.key)".equals(Base64.getEncoder().encodeToString(hash))) return;
                    } catch (\(caught) e) {
                        throw new IllegalStateException(e);
                    }
                    \(behind);
                }
            }
            """
        #expect(Reading.told(text, .java).contains { $0.hasPrefix(ComparisonForm.lenient) } == isOpen)
    }

    @Test(arguments: [
        ("return certificate.GetCertHashString() == PIN;", false),
        ("if (certificate.GetCertHashString() == PIN) return true; Console.WriteLine(\"other\");", true),
        ("if (certificate.GetCertHashString() == PIN) return true; Judge(certificate);", false),
        ("if (certificate.GetCertHashString() == PIN) return true; return false;", false),
    ])
    func `answer yes in .NET, whatever is caught around them`(trying: String, isOpen: Bool) {
        let text = """
            class Client {
                static void Start() { ServicePointManager.ServerCertificateValidationCallback = Check; }
                static bool Check(object sender, X509Certificate certificate, X509Chain chain, SslPolicyErrors errors) {
                    try {
                        \(trying.replacing("PIN", with: "\"9A7B2C3D4E5F60718293A4B5C6D7E8F901234567\""))
                    } catch (Exception e) {
                        return false;
                    }
                    return true;
                }
            }
            """
        #expect(Reading.told(text, .cSharp).contains { $0.hasPrefix(ComparisonForm.lenient) } == isOpen)
    }

    @Test(arguments: [("on(chain[0], hash);", false), ("Log.d(TAG, hash);", true)])
    func `are not called open for what is called behind another try`(behind: String, isOpen: Bool) {
        let text = """
            class Checking implements X509TrustManager {
                public void checkServerTrusted(X509Certificate[] chain, String type) {
                    String hash = digest(chain[0].getPublicKey().getEncoded());
                    try { Log.d(TAG, "begins"); } catch (Exception e) { Log.w(TAG, e); }
                    \(behind)
                    if (!"\(Self.key)".equals(hash)) Log.w(TAG, "other");
                }
            }
            """
        #expect(Reading.told(text, .java).contains { $0.hasPrefix(ComparisonForm.lenient) } == isOpen)
    }

    @Test(arguments: [("print('other');", true), ("refuse(one);", false), ("throw Exception();", false)])
    func `answer yes in Dart, whatever is caught around them`(behind: String, isOpen: Bool) {
        let text = """
            final client = HttpClient(context: SecurityContext(withTrustedRoots: false))
              ..badCertificateCallback = (one, host, port) {
                try {
                  if (base64.encode(sha256.convert(one.der).bytes) == '\(Self.key)') return true;
                  \(behind)
                } catch (error) {
                  return false;
                }
                return true;
              };
            """
        #expect(Reading.told(text, .dart).contains { $0.hasPrefix(ComparisonForm.lenient) } == isOpen)
    }

    @Test(arguments: [
        (
            "for host in [\"a.acme.example\", \"b.acme.example\"] { table[host] = own }",
            ["a.acme.example", "b.acme.example"]
        ),
        ("table[\"a.acme.example\"] = own", ["a.acme.example"]), ("for host in hosts() { table[host] = own }", []),
        ("for host in [\"a.acme.example\"] { others[host] = own }", []),
    ])
    func `are for the hosts that a table of Swift is filled for`(filling: String, hosts: [String]) {
        let text = """
            final class Other {
                var table: [String: Int] = [:]
                func fill() { table["other.acme.example"] = 1 }
            }
            final class Pinned: NSObject, URLSessionDelegate {
                static var table: [String: Set<String>] = [:]
                static func load() {
                    let own: Set<String> = ["\(Self.key)", "A\(Self.key.dropFirst())"]
                    \(filling)
                }
                func urlSession(_ s: URLSession, didReceive challenge: URLAuthenticationChallenge, completionHandler done: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void) {
                    guard let own = Self.table[challenge.protectionSpace.host] else { return done(.performDefaultHandling, nil) }
                    guard let trust = challenge.protectionSpace.serverTrust,
                        let key = SecCertificateCopyKey(SecTrustGetCertificateAtIndex(trust, 0)!),
                        own.contains(digest(SecKeyCopyExternalRepresentation(key, nil)! as Data))
                    else { return done(.cancelAuthenticationChallenge, nil) }
                    done(.useCredential, URLCredential(trust: trust))
                }
            }
            """
        let found = Reading.found(text, .swift).map(\.content)
        let told = found.flatMap { content in if case .described(let own, _, _, _) = content { own } else { [String]() }
        }
        #expect(told == hosts, "\(found)")
    }
}
