import Testing

@testable import AppSources

/// Code that lets a connection through whatever certificate it shows.
@Suite struct `Code that accepts any certificate` {
    private func told(_ language: SourceLanguage, _ text: String) -> [[String]] {
        let file = SourceModule.File(path: "a", language: language, text: text)
        return SourceReader(SourceModule([file])).accepting(file).compactMap { found in
            guard case .described(_, let pins, let what, _) = found.content, pins.isEmpty,
                what.hasPrefix(FoundPins.accepting)
            else { return nil }
            return ["line \(found.line)"] + found.conditions + [String(what.dropFirst(FoundPins.accepting.count))]
        }
    }

    private func kotlin(_ check: String, _ place: String = "") -> String {
        """
        fun client(): OkHttpClient {
            \(place)
            val all = object : X509TrustManager {
                override fun checkClientTrusted(chain: Array<X509Certificate>, authType: String) {}
                override fun checkServerTrusted(chain: Array<X509Certificate>, authType: String)\(check)
                override fun getAcceptedIssuers() = arrayOf<X509Certificate>()
            }
            return OkHttpClient.Builder().sslSocketFactory(factory(all), all).build()
        }
        """
    }

    @Test(arguments: [
        (" {}", true), (" = Unit", true), (" { }", true), (" { system.checkServerTrusted(chain, authType) }", false),
        (" = verify(chain)", false),
    ])
    func `is told of a trust manager that does nothing`(check: String, isTold: Bool) {
        #expect(told(.kotlin, kotlin(check)) == (isTold ? [["line 5", ""]] : []))
    }

    @Test func `has the conditions under which it is made`() {
        let text = kotlin(" {}", "if (!BuildConfig.DEBUG) return OkHttpClient()")
        #expect(told(.kotlin, text) == [["line 5", "BuildConfig.DEBUG", ""]])
    }

    @Test(arguments: [
        ("handler.proceed()", true), ("super.onReceivedSslError(view, handler, error); handler.proceed()", true),
        ("if (ask()) handler.proceed() else handler.cancel()", false), ("handler.cancel()", false),
    ])
    func `is told of a web view of Android`(body: String, isTold: Bool) {
        let text = """
            class Client extends WebViewClient {
              @Override public void onReceivedSslError(WebView view, SslErrorHandler handler, SslError error) { \(body); }
            }
            """
        #expect(told(.java, text).isEmpty != isTold)
    }

    @Test(arguments: [
        ("(message, certificate, chain, errors) => true", true), ("delegate { return true; }", true),
        ("(message, certificate, chain, errors) => { return true; }", true),
        ("(message, certificate, chain, errors) => { Console.WriteLine(errors); return true; }", true),
        ("(message, certificate, chain, errors) => { Remember(certificate); return true; }", false),
        ("Always", true), ("Never", false),
        ("HttpClientHandler.DangerousAcceptAnyServerCertificateValidator", true),
        ("(message, certificate, chain, errors) => errors == SslPolicyErrors.None", false), ("null", false),
    ])
    func `is told of a callback in C#`(value: String, isTold: Bool) {
        let text = """
            class Api { HttpClient Make() {
              var handler = new HttpClientHandler { ServerCertificateCustomValidationCallback = \(value) };
              return new HttpClient(handler);
            }
            bool Always(HttpRequestMessage message, X509Certificate2 one, X509Chain chain, SslPolicyErrors errors) => true;
            bool Never(HttpRequestMessage message, X509Certificate2 one, X509Chain chain, SslPolicyErrors errors) => false; }
            """
        #expect(told(.cSharp, text) == (isTold ? [["line 2", ""]] : []))
    }

    @Test(arguments: [
        ("(certificate, host, port) => true", "", [["line 3", ""]]),
        ("(certificate, host, port) => true", "if (kDebugMode)", [["line 3", "kDebugMode", ""]]),
        ("(certificate, host, port) { return true; }", "", [["line 3", ""]]),
        ("(certificate, host, port) => false", "", []),
    ])
    func `is told of a callback in Dart`(value: String, condition: String, expected: [[String]]) {
        let text = """
            HttpClient make() {
              final client = HttpClient();
              \(condition) client.badCertificateCallback = \(value);
              return client;
            }
            """
        #expect(told(.dart, text) == expected)
    }

    private func swift(_ body: String) -> String {
        """
        final class Open: NSObject, URLSessionDelegate {
            func urlSession(_ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
                completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void) {
                guard challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust,
                    let trust = challenge.protectionSpace.serverTrust
                else { return completionHandler(.performDefaultHandling, nil) }
                \(body)
            }
        }
        let session = URLSession(configuration: .default, delegate: Open(), delegateQueue: nil)
        """
    }

    @Test(arguments: [
        ("completionHandler(.useCredential, URLCredential(trust: trust))", [["line 7", ""]]),
        (
            "if mode == .open { completionHandler(.useCredential, URLCredential(trust: trust)) }",
            [["line 7", "mode == .open", ""]]
        ),
        ("if isValid(trust) { completionHandler(.useCredential, URLCredential(trust: trust)) }", []),
        (
            "guard SecTrustEvaluateWithError(trust, nil) else { return }; completionHandler(.useCredential, URLCredential(trust: trust))",
            []
        ),
        // A name and a password are no trust of the server.
        ("completionHandler(.performDefaultHandling, nil)", []),
    ])
    func `is told of a delegate in Swift`(body: String, expected: [[String]]) {
        #expect(told(.swift, swift(body)) == expected)
    }

    @Test func `says if nothing makes the delegate`() {
        let text = swift("completionHandler(.useCredential, URLCredential(trust: trust))").replacing(
            "Open()",
            with: "nil"
        )
        #expect(told(.swift, text) == [["line 7", "; nothing in what was read makes an object of 'Open'"]])
    }

    @Test(arguments: [
        ("app.commandLine.appendSwitch('ignore-certificate-errors');", [["line 1", ""]]),
        (
            "if (!app.isPackaged) app.commandLine.appendSwitch('ignore-certificate-errors');",
            [["line 1", "not app.isPackaged", ""]]
        ),
        ("app.commandLine.appendSwitch('disable-gpu');", []),
    ])
    func `is told of a switch of Chromium's`(text: String, expected: [[String]]) {
        #expect(told(.script, text) == expected)
    }

    @Test(arguments: [
        ("return;", true), ("", false), ("if ([self isKnown:certificate]) return;", false),
    ])
    func `is told of a delegate that shows the app's own certificate behind its answer`(leaving: String, isTold: Bool) {
        let text = """
            @implementation Line
            - (void)URLSession:(NSURLSession *)session didReceiveChallenge:(NSURLAuthenticationChallenge *)challenge completionHandler:(void (^)(NSURLSessionAuthChallengeDisposition, NSURLCredential *))completionHandler {
                NSString *method = challenge.protectionSpace.authenticationMethod;
                if ([method isEqualToString:NSURLAuthenticationMethodServerTrust]) {
                    completionHandler(NSURLSessionAuthChallengeUseCredential, [NSURLCredential credentialForTrust:challenge.protectionSpace.serverTrust]);
                    \(leaving)
                }
                SecCertificateRef certificate = [self ownCertificate];
                completionHandler(NSURLSessionAuthChallengeUseCredential, [self credentialOf:certificate]);
            }
            @end
            """

        #expect(told(.objectiveC, text).isEmpty != isTold)
    }

    @Test(arguments: [
        (
            "let shown = challenge.protectionSpace.serverTrust!; if Guard.shared.allows(shown) { YES } else { NO }",
            "true", false
        ),
        ("if isOK(trust) { YES } else { NO }", "SecCertificateCopyData(trust) == own", false),
        ("guard isOK(trust) else { return NO }; YES", "judge(trust)", false),
        ("guard isOK(trust) else { return NO }; YES", "true", true),
        ("try isOK(trust); YES", "SecCertificateCopyData(trust) == own", false),
        // Nobody takes what it answers.
        ("isOK(trust); YES", "SecCertificateCopyData(trust) == own", true),
        ("print(trust); YES", "true", true), ("_ = isOK(trust); YES", "SecCertificateCopyData(trust) == own", true),
        ("try? isOK(trust); YES", "SecCertificateCopyData(trust) == own", true),
        ("if (challenge.protectionSpace.serverTrust != nil) { YES }", "true", true),
        ("return callback(.useCredential, URLCredential(trust: trust))", "true", true),
        ("let own = URLCredential.init(trust: trust); completionHandler(.useCredential, own)", "true", true),
        ("if Guard.shared.allows(trust) { YES } else { NO }", "true", false),
        ("if Guard.shared.allows(challenge.protectionSpace.host) { YES } else { NO }", "true", true),
    ])
    func `is told of a delegate unless a function judges, whatever its name`(code: String, answer: String, isTold: Bool)
    {
        let text = """
            class Guardian: NSObject, URLSessionDelegate {
                func urlSession(_ session: URLSession, didReceive challenge: URLAuthenticationChallenge, completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void) {
                    let trust = challenge.protectionSpace.serverTrust!
                    \(code)
                }
                func isOK(_ trust: SecTrust) -> Bool { return \(answer) }
            }
            """
            .replacing("YES", with: "completionHandler(.useCredential, URLCredential(trust: trust))")
            .replacing("NO", with: "completionHandler(.cancelAuthenticationChallenge, nil)")

        #expect(told(.swift, text).isEmpty != isTold)
    }

    @Test(arguments: [
        ("if trust.isOurs { YES } else { NO }", "SecCertificateCopyData(self) == own", false),
        ("if trust.isOurs { YES } else { NO }", "true", true),
        // Another source may have it.
        ("if trust.isAcme { YES } else { NO }", "true", false),
        ("if challenge.isOurs { YES } else { NO }", "true", true),
        ("guard trust.isAcme else { NO; return }; YES", "true", false),
        ("guard trust.hasPinnedHost else { NO; return }; YES", "true", false),
        ("let isOne = trust.isAcme; if isOne { YES } else { NO }", "true", false),
        ("if challenge.isRetry { print(1) }; YES", "true", true),
        ("completionHandler(trust.isAcme ? .useCredential : .cancelAuthenticationChallenge, own)", "true", false),
        ("logger.debug(challenge.summary); YES", "true", true), ("last = trust.leaf; YES", "true", true),
        ("if challenge.isServerTrust { YES } else { NO }", "true", true),
        ("if challenge.previousFailureCount == 0 { YES } else { NO }", "SecCertificateCopyData(self) == own", true),
        ("if options.isOurs { YES } else { NO }", "SecCertificateCopyData(self) == own", true),
    ])
    func `is told of a delegate unless a property of the trust judges`(code: String, answer: String, isTold: Bool) {
        let text = """
            class Guardian: NSObject, URLSessionDelegate {
                func urlSession(_ session: URLSession, didReceive challenge: URLAuthenticationChallenge, completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void) {
                    let trust = challenge.protectionSpace.serverTrust!
                    \(code)
                }
            }
            extension SecTrust {
                var isOurs: Bool { return \(answer) }
            }
            """
            .replacing("YES", with: "completionHandler(.useCredential, URLCredential(trust: trust))")
            .replacing("NO", with: "completionHandler(.cancelAuthenticationChallenge, nil)")

        #expect(told(.swift, text).isEmpty != isTold)
    }

    @Test(arguments: [
        ("", true), ("SecTrustEvaluate(trust, &result);", false), ("if (![self isOK:trust]) return;", false),
        ("if (challenge.protectionSpace.serverTrust) log(1);", true),
        ("[self.sender useCredential:own forAuthenticationChallenge:challenge];", true),
        ("own = [[NSURLCredential alloc] initWithTrust:trust];", true),
    ])
    func `is told of a delegate in Objective-C that holds the trust`(code: String, isTold: Bool) {
        let text = """
            @implementation Guardian
            - (void)URLSession:(NSURLSession *)session didReceiveChallenge:(NSURLAuthenticationChallenge *)challenge completionHandler:(void (^)(NSURLSessionAuthChallengeDisposition, NSURLCredential *))completionHandler {
                SecTrustRef trust = challenge.protectionSpace.serverTrust;
                \(code)
                completionHandler(NSURLSessionAuthChallengeUseCredential, [NSURLCredential credentialForTrust:trust]);
            }
            @end
            """

        #expect(told(.objectiveC, text).isEmpty != isTold)
    }
}
