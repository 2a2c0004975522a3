import Testing

@testable import AppSources

/// What code does with a certificate that it takes apart.
@Suite struct `Code that compares certificates` {
    private static let digest = "9A7B2C3D4E5F60718293A4B5C6D7E8F901234567"

    private func told(_ text: String, _ language: SourceLanguage) -> [String] {
        found(in: text, language).map { found in
            switch found.content {
            case .described(_, let pins, let what, _): "\(pins.joined(separator: " ")): \(what)"
            case .gaps(let gaps, _, _): gaps.map(\.reason).joined(separator: ", ")
            case .library(let library): "\(library.pins.joined(separator: " ")): as \(library.dialect)"
            case .pinner, .dictionary, .evaluators: "modelled"
            }
        }
    }

    private func found(in text: String, _ language: SourceLanguage) -> [FoundPins] {
        let file = SourceModule.File(path: "a", language: language, text: text)
        return Reading.read(file)
    }

    @Test func `digests that lost digits are counted beside the others`() {
        let text = """
            const pins = {'\(Self.digest)', '\(String(repeating: "ab", count: 31))'};
            HttpClient make() => HttpClient()..badCertificateCallback = (cert, host, port) {
              return pins.contains(sha1.convert(cert.der).toString());
            };
            """

        let what = "compared with the server's certificate in code; 1 more, without a digest's length"
        #expect(told(text, .dart) == ["\(Self.digest): \(what)"])
    }

    @Test(arguments: [
        (2, "not Own.flag0 and not Own.flag1"),
        (64, "none of its other answers, more than can be told apart, lets the server through"),
    ])
    func `a callback of C# with many other answers is told without each of them`(count: Int, words: String) {
        let others = (0..<count).map { "if (Own.flag\($0)) { return true; }\n" }.joined()
        let text = """
            handler.ServerCertificateCustomValidationCallback = (message, certificate, chain, errors) => {
                \(others)
                return Own.pins.Contains(certificate.Thumbprint);
            };
            class Own { public static string[] pins = { "\(Self.digest)", "A\(Self.digest.dropFirst())" }; }
            """

        #expect(found(in: text, .cSharp).map { $0.conditions.joined(separator: " and ") } == [words])
    }

    @Test(arguments: [true, false])
    func `a helper in Dart counts where it refuses anything`(refuses: Bool) {
        let text = """
            const pins = {'\(Self.digest)'};
            bool check(X509Certificate cert) {
              try {
                final digest = sha1.convert(cert.der).toString();
                if (pins.contains(digest)) { return true; }
                return \(!refuses);
              } catch (error) { return true; }
            }
            HttpClient make() => HttpClient()..badCertificateCallback = (cert, host, port) => check(cert);
            """

        let what =
            refuses
            ? "compared with the server's certificate in code" : "looked up in code that lets every certificate through"
        #expect(told(text, .dart) == ["\(Self.digest): \(what)"])
    }

    @Test(arguments: [true, false])
    func `a trust manager in Kotlin counts where it refuses anything`(refuses: Bool) {
        let text = """
            class Trust : X509TrustManager {
                override fun checkServerTrusted(chain: Array<X509Certificate>, authType: String) = look(chain)
                private fun look(chain: Array<X509Certificate>) {
                    val pins = setOf("\(Self.digest)")
                    for (one in chain) {
                        val digest = MessageDigest.getInstance("SHA-1").digest(one.publicKey.encoded)
                        if (hex(digest) in pins) { return }
                    }
                    \(refuses ? "throw CertificateException()" : "Log.w(TAG, \"another key\")")
                }
            }
            val trust = Trust()
            """

        let what =
            refuses
            ? "compared with the server's certificate in code" : "looked up in code that lets every certificate through"
        #expect(told(text, .kotlin) == ["\(Self.digest): \(what)"])
    }

    @Test(arguments: [true, false])
    func `a trust manager of Java without a name counts where it refuses anything`(refuses: Bool) {
        let text = """
            class Client {
              static final String PIN = "\(Self.digest)";
              void open(SSLContext context) {
                context.init(null, new TrustManager[] { new X509TrustManager() {
                  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
                    String own = hex(MessageDigest.getInstance("SHA-1").digest(chain[0].getEncoded()));
                    if (!own.equals(PIN)) { \(refuses ? "throw new CertificateException(own);" : "Log.w(own);") }
                  }
                } }, null);
              }
            }
            """

        let what =
            refuses
            ? "compared with the server's certificate in code" : "looked up in code that lets every certificate through"
        #expect(told(text, .java) == ["\(Self.digest): \(what)"])
    }

    @Test(arguments: [("file", "a certificate that the app carries, and with no server's"), ("chain[0]", "")])
    func `a file of the app's own is no server's certificate`(what: String, other: String) {
        let text = """
            fun make(context: Context): X509TrustManager {
                val file = CertificateFactory.getInstance("X.509").generateCertificate(stream) as X509Certificate
                return object : X509TrustManager {
                    override fun checkServerTrusted(chain: Array<X509Certificate>, authType: String) {
                        if (sha1(\(what).encoded) != "\(Self.digest)") throw CertificateException("file")
                    }
                }
            }
            """

        let what = other.isEmpty ? "the server's certificate in code" : other
        #expect(told(text, .kotlin) == ["\(Self.digest): compared with \(what)"])
    }

    /// What says nothing else is private, too.
    @Test(arguments: [true, false], ["private static bool", "static bool"])
    func `a private callback in C# counts where something is given it`(isGiven: Bool, head: String) {
        let text = """
            class Client {
              \(head) Check(object s, X509Certificate cert, X509Chain chain, SslPolicyErrors errors) {
                Log(errors);
                return cert.GetCertHashString() == "\(Self.digest)";
              }
              public void Begin() { \(isGiven ? "ServicePointManager.ServerCertificateValidationCallback += Check;" : "") }
            }
            """

        let what = "compared with the server's certificate in "
        #expect(
            told(text, .cSharp) == [
                "\(Self.digest): \(what)" + (isGiven ? "code" : "'Check', which nothing in this source calls")
            ]
        )
    }

    @Test(arguments: [true, false])
    func `a private callback in Dart counts where something is given it`(isGiven: Bool) {
        let text = """
            class Client {
              bool _check(X509Certificate cert, String host, int port) => sha1.convert(cert.der).toString() == '\(Self.digest)';
              HttpClient make() => HttpClient()..badCertificateCallback = \(isGiven ? "_check" : "(cert, host, port) => false");
            }
            """

        let what = "compared with the server's certificate in "
        #expect(
            told(text, .dart) == [
                "\(Self.digest): \(what)" + (isGiven ? "code" : "'_check', which nothing in this source calls")
            ]
        )
    }

    @Test(arguments: ["Server", "Client"])
    func `a server compares the certificate of its client`(side: String) {
        let text = """
            class Listener {
              void Accept(Stream stream) {
                var ssl = new SslStream(stream, false, Check);
                ssl.AuthenticateAs\(side)(name);
              }
              public static bool Check(object s, X509Certificate cert, X509Chain chain, SslPolicyErrors errors) {
                Log(errors);
                return cert.GetCertHashString() == "\(Self.digest)";
              }
            }
            """

        let what =
            side == "Server"
            ? "compared by a server with the certificate of its client"
            : "compared with the server's certificate in code"
        #expect(told(text, .cSharp) == ["\(Self.digest): \(what)"])
    }

    @Test(arguments: ["return true;", "Log(errors);"])
    func `what stands behind a return is told as never reached`(before: String) {
        let text = """
            class Handler : CertificateHandler {
              protected override bool ValidateCertificate(byte[] data) {
                \(before)
                return new X509Certificate2(data).GetPublicKeyString().Equals(expected);
              }
            }
            class Login { void Send() { request.certificateHandler = new Handler(); } }
            """

        let isReached = before != "return true;"
        let what =
            isReached
            ? "the server's certificate is compared in code, with what this source does not tell"
            : ": compared in code that is never reached; every certificate is let through"
        #expect(told(text, .cSharp) == [what])
    }

    // What is accepted before that is whatever the server shows; the system's own checks, and one host, are not.
    @Test(arguments: [
        (
            "completionHandler(.useCredential, URLCredential(trust: trust))\n return",
            "; every certificate is let through"
        ),
        ("return completionHandler(.useCredential, URLCredential(trust: trust))", "; every certificate is let through"),
        ("completionHandler(.performDefaultHandling, nil)\n return", ""), ("log(leaf)", nil),
        (
            "if challenge.protectionSpace.host == \"dev.acme.example\" { completionHandler(.useCredential, nil); return }",
            nil
        ),
    ])
    func `what Apple's delegate compares behind a return is told as never reached`(before: String, rest: String?) {
        let text = """
            final class Net: NSObject, URLSessionDelegate {
              func urlSession(_ s: URLSession, didReceive challenge: URLAuthenticationChallenge, completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void) {
                if let trust = challenge.protectionSpace.serverTrust, let leaf = SecTrustGetCertificateAtIndex(trust, 0) {
                  \(before)
                  let shown = SecCertificateCopyData(leaf) as Data
                  if shown == (try! Data(contentsOf: Bundle.main.url(forResource: "acme", withExtension: "cer")!)) {
                    completionHandler(.useCredential, URLCredential(trust: trust))
                    return
                  }
                }
                completionHandler(.cancelAuthenticationChallenge, nil)
              }
            }
            let session = URLSession(configuration: .default, delegate: Net(), delegateQueue: nil)
            """

        let what =
            rest.map { "compared in code that is never reached\($0)" }
            ?? "certificate files, compared with the server's certificate in code"
        #expect(told(text, .swift) == ["acme.cer: \(what)"])
    }

    // The twin has the value on its own line.
    @Test(arguments: [
        ("let expected: String\n let other =", false), ("var expected: String?\n let other =", false),
        ("let expected: String =", true), ("let expected: String\n =", true),
    ])
    func `a constant without a value does not have the next line's`(declared: String, isIts: Bool) {
        let text = """
            final class Net: NSObject, URLSessionDelegate {
              \(declared) "yIBS7jlvF5Z0alEs3cp9VdOiI1sFjjynC+lERpgriok="
              func urlSession(_ s: URLSession, didReceive challenge: URLAuthenticationChallenge, completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void) {
                guard let trust = challenge.protectionSpace.serverTrust, let leaf = SecTrustGetCertificateAtIndex(trust, 0) else { return }
                let shown = Data(SHA256.hash(data: SecCertificateCopyData(leaf) as Data)).base64EncodedString()
                guard shown == expected else { return completionHandler(.cancelAuthenticationChallenge, nil) }
                completionHandler(.useCredential, URLCredential(trust: trust))
              }
            }
            let session = URLSession(configuration: .default, delegate: Net(), delegateQueue: nil)
            """

        let compared = "yIBS7jlvF5Z0alEs3cp9VdOiI1sFjjynC+lERpgriok=: compared with the server's certificate in code"
        #expect((told(text, .swift) == [compared]) == isIts, "\(told(text, .swift))")
        #expect(Reading.found(text, .swift).count == 1)
    }

    // One host is not every server.
    @Test(arguments: [
        (
            "challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust",
            "; every certificate is let through"
        ), ("challenge.protectionSpace.host == \"dev.acme.example\"", ""),
    ])
    func `what is let through before is all that the delegate is asked about, or one host`(test: String, rest: String) {
        let text = """
            final class Net: NSObject, URLSessionDelegate {
              func urlSession(_ s: URLSession, didReceive challenge: URLAuthenticationChallenge, completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void) {
                guard let trust = challenge.protectionSpace.serverTrust, let leaf = SecTrustGetCertificateAtIndex(trust, 0) else { return }
                if \(test) {
                  completionHandler(.useCredential, URLCredential(trust: trust))
                  return
                  let shown = Data(SHA256.hash(data: SecCertificateCopyData(leaf) as Data)).base64EncodedString()
                  if shown != "yIBS7jlvF5Z0alEs3cp9VdOiI1sFjjynC+lERpgriok=" {
                    completionHandler(.cancelAuthenticationChallenge, nil)
                  }
                }
              }
            }
            let session = URLSession(configuration: .default, delegate: Net(), delegateQueue: nil)
            """

        #expect(Reading.told(text, .swift) == ["compared in code that is never reached\(rest)"])
    }

    @Test func `what a build accepts before it compares is told of that build`() {
        let text = """
            final class Net: NSObject, URLSessionDelegate {
              func urlSession(_ s: URLSession, didReceive challenge: URLAuthenticationChallenge, completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void) {
                guard let trust = challenge.protectionSpace.serverTrust, let leaf = SecTrustGetCertificateAtIndex(trust, 0) else { return }
                #if DEBUG
                completionHandler(.useCredential, URLCredential(trust: trust))
                return
                #endif
                let shown = Data(SHA256.hash(data: SecCertificateCopyData(leaf) as Data)).base64EncodedString()
                guard shown == "yIBS7jlvF5Z0alEs3cp9VdOiI1sFjjynC+lERpgriok=" else {
                  return completionHandler(.cancelAuthenticationChallenge, nil)
                }
                completionHandler(.useCredential, URLCredential(trust: trust))
              }
            }
            let session = URLSession(configuration: .default, delegate: Net(), delegateQueue: nil)
            """
        let found = Reading.found(text, .swift)

        let compared = "compared with the server's certificate in code"
        let accepted = "compared in code that is never reached; every certificate is let through"
        #expect(Set(found.map(\.conditions)) == [["DEBUG"], ["not DEBUG"]])
        #expect(Set(Reading.told(text, .swift)) == [accepted, compared])
    }

    @Test func `a policy of AFNetworking without a mode compares nothing`() {
        let text = """
            @implementation Client
            - (void)login {
              NSString *path = [[NSBundle mainBundle] pathForResource:@"acme" ofType:@"cer"];
              manager.securityPolicy.pinnedCertificates = [NSSet setWithObject:[NSData dataWithContentsOfFile:path]];
            }
            @end
            """

        let what = "the pinning mode is none: no certificate is compared, though the policy is given some"
        #expect(told(text, .objectiveC) == ["acme.cer: \(what)"])
    }

    @Test(arguments: [("YES", "NO"), ("YES", "YES"), ("NO", "NO")])
    func `a policy of AFNetworking without a mode may let all through`(invalid: String, names: String) {
        let text = """
            @implementation Client
            - (void)login {
              AFSecurityPolicy *policy = [AFSecurityPolicy policyWithPinningMode:AFSSLPinningModeNone];
              policy.allowInvalidCertificates = \(invalid);
              policy.validatesDomainName = \(names);
              policy.pinnedCertificates = [NSSet setWithObject:[NSData dataWithContentsOfFile:path]];
              manager.securityPolicy = policy;
            }
            @end
            """

        let what = told(text, .objectiveC).first ?? ""
        #expect(FoundPins.acceptsAll(what) == (invalid == "YES" && names == "NO"))
        #expect(what.contains("the pinning mode is none"))
    }

    @Test(arguments: [
        (
            "https.ClientCertificateValidation = (certificate, chain, errors) => errors == SslPolicyErrors.None && certificate.Thumbprint == PIN",
            true
        ),
        (
            "handler.ServerCertificateCustomValidationCallback = (m, certificate, c, errors) => Same(certificate.Thumbprint)",
            false
        ),
        ("var isOurs = errors == SslPolicyErrors.None && context.ClientCertificate.Thumbprint == PIN", true),
    ])
    func `a server of .NET looks at its clients`(statement: String, isOfClient: Bool) {
        let text =
            "class Host { const string PIN = \"\(Self.digest)\"; void Run() { \(statement); } bool Same(string s) => s == PIN; }"

        let what =
            isOfClient
            ? "compared by a server with the certificate of its client"
            : "compared with the server's certificate in code"
        #expect(told(text, .cSharp) == ["\(Self.digest): \(what)"])
    }

    @Test(arguments: ["ServiceCertificate", "ClientCertificate", "Other"])
    func `a validator of WCF is of the side that is given it`(given: String) {
        let text = """
            class Only : X509CertificateValidator {
              public override void Validate(X509Certificate2 certificate) {
                if (certificate.Thumbprint != "\(Self.digest)") throw new SecurityTokenValidationException();
              }
            }
            class Setup { void Run() { host.Credentials.\(given).Authentication.CustomCertificateValidator = new Only(); } }
            """

        let what = [
            "ServiceCertificate": "compared with the server's certificate in code",
            "ClientCertificate": "compared by a server with the certificate of its client",
            "Other":
                "compared with a certificate, and this source does not tell whether with a server's or with a client's",
        ]
        #expect(told(text, .cSharp) == ["\(Self.digest): \(what[given] ?? "")"])
    }

    @Test func `texts within curly quotes, as of a page, are texts`() {
        let text = """
            func check(_ digest: String) {
              TrustKit.initSharedInstance(withConfiguration: [
                kTSKPinnedDomains: [\u{201C}a.acme.example\u{201D}: [kTSKPublicKeyHashes: [\u{201C}AA\u{201D}]]]
              ])
            }
            """

        #expect(told(text, .swift) == ["modelled"])
    }

    @Test func `a delegate that leaves all to the system by a switch of the app's own is told with it`() {
        let text = """
            class Delegate: NSObject, URLSessionDelegate {
              let pins = ["api.acme.example": "y5npFVdBuoqCSOdQa42qiUSPqwMpoei7NK0rQWGUaSU="]
              func urlSession(_ session: URLSession, didReceive challenge: URLAuthenticationChallenge, handler: Handler) {
                let host = challenge.protectionSpace.host
                let posture = Postures.shared.current
                guard pins[host] != nil, host.count < 200 else {
                  handler(.performDefaultHandling, nil)
                  return
                }
                guard posture.rank >= Posture.strict.rank else {
                  handler(.performDefaultHandling, nil)
                  return
                }
                guard let trust = challenge.protectionSpace.serverTrust, pins[host] == digest(of: trust) else {
                  handler(.cancelAuthenticationChallenge, nil)
                  return
                }
                handler(.useCredential, URLCredential(trust: trust))
              }
              func digest(of trust: SecTrust) -> String {
                let key = SecCertificateCopyKey(SecTrustGetCertificateAtIndex(trust, 0)!)!
                let data = SecKeyCopyExternalRepresentation(key, nil)! as Data
                return Data(SHA256.hash(data: data)).base64EncodedString()
              }
            }
            """

        #expect(found(in: text, .swift).map(\.conditions) == [["posture.rank >= Posture.strict.rank"]])
    }

    @Test(arguments: ["cer", ".cer"])
    func `a file's end may have a dot of its own`(end: String) {
        let text = """
            @implementation Client
            - (void)login {
              NSString *path = [[NSBundle mainBundle] pathForResource:@"acme" ofType:@"\(end)"];
              NSSet *pins = [NSSet setWithObject:[NSData dataWithContentsOfFile:path]];
              manager.securityPolicy = [AFSecurityPolicy policyWithPinningMode:AFSSLPinningModeCertificate
                                                       withPinnedCertificates:pins];
            }
            @end
            """

        #expect(told(text, .objectiveC).map { $0.hasPrefix("acme.cer: ") } == [true])
    }
}
