import Testing

@testable import AppSources

/// Conditions in code that compares, which no rule accounts for: each is told, word for word.
@Suite struct `Conditions that no rule accounts for` {
    static let digest = "146de983c5730650d8eeb9952f34fc6416a08342e61dbea88a0496b23fcf44e5"

    private func asked(_ language: SourceLanguage, _ text: String) -> [String] {
        let found = Reading.found(text, language)
        return found.isEmpty ? ["no pins"] : found.flatMap { $0.asked.map { "\($0.line): \($0.condition)" } }
    }

    private func script(_ before: String, _ answer: String = "PINS.includes(digest)") -> String {
        """
        const PINS = ['\(Self.digest)'];
        https.request({ checkServerIdentity: (host, certificate) => {
          const error = tls.checkServerIdentity(host, certificate); if (error) return error;
          \(before)
          const digest = digestOf(certificate.raw);
          if (\(answer)) return undefined;
          return new Error('pin');
        } });
        """
    }

    @Test(arguments: [
        ("if (Date.now() > LAST) return undefined;", ["4: Date.now() > LAST"]),
        ("if (settings.level < 3) return undefined;", ["4: settings.level < 3"]),
        ("if (certificate.issuer.O === 'Acme') return undefined;", ["4: certificate.issuer.O === \"Acme\""]),
        ("const isOld = settings.isOld(); if (isOld || !host) return undefined;", ["4: isOld"]),
        // The certificate, and whether there is something, are no conditions of the app.
        ("if (!certificate.raw || certificate.raw.length === 0) return new Error('none');", []),
        ("const key = certificate.pubkey; if (key !== certificate.raw) { log(key); }", []),
        ("if (process.env.PINS === 'off') return undefined;", []),
    ])
    func `are told in scripts, and those of the certificate are not`(before: String, expected: [String]) {
        #expect(asked(.script, script(before)) == expected)
    }

    @Test(arguments: [
        ("settings.isOpen() || socket.destroy(new Error('pin'));", ["4: settings.isOpen()"]),
        ("settings.isOpen() || socket.hasPeer();", ["4: settings.isOpen()", "4: socket.hasPeer()"]),
    ])
    func `are no refusals`(before: String, expected: [String]) {
        #expect(asked(.script, script(before)) == expected)
    }

    @Test(arguments: [
        ("if (settings.isLoud && left > 3) { console.log(digest); }", []),
        ("if (settings.isLoud) { logger.info('a'); console.warn('b'); } else { log.debug('c'); }", []),
        ("if (settings.isLoud) { console.log(settings.isOld && settings.isNew); }", []),
        ("if (settings.level < 3) { console.log('old'); return undefined; }", ["4: settings.level < 3"]),
        ("if (settings.isOld) { note('old'); }", ["4: settings.isOld"]),
        ("if (settings.isOld) { fatalError('old'); }", ["4: settings.isOld"]),
        ("if (settings.isOld) { Logout('old'); }", ["4: settings.isOld"]),
    ])
    func `decide more than what a log is told`(before: String, expected: [String]) {
        #expect(asked(.script, script(before)) == expected)
    }

    @Test func `are those of their own build`() {
        let text = """
            const live = '\(Self.digest)';
            const test = '\(Self.digest.dropLast())0';
            HttpClient make(bool isLive) => HttpClient()..badCertificateCallback = (cert, host, port) {
              final hash = sha256.convert(cert.der).toString();
              if (isLive) {
                return hash == live;
              } else {
                return hash == test || settings.level < 3;
              }
            };
            """

        let asked = Reading.found(text, .dart).map { $0.asked.map { "\($0.line): \($0.condition)" } }
        #expect(asked == [[], ["8: settings.level < 3"]])
    }

    @Test func `are told in their parts`() {
        #expect(
            asked(.script, script("", "PINS.includes(digest) && settings.isPaid && (left > limit || !isNight())"))
                == ["6: isNight()", "6: left > limit", "6: settings.isPaid"]
        )
    }

    @Test func `are told of a condition that is longer than a line of a report`() {
        let others = (1...6).map { "settings.isRegionEnabled(\($0)).value" }
        #expect(
            asked(.script, script("", (["PINS.includes(digest)"] + others).joined(separator: " && ")))
                == others.map { "6: \($0)" }
        )
    }

    private func dart(_ answer: String) -> String {
        """
        const pin = '\(Self.digest)';
        HttpClient make(Settings settings) => HttpClient()
          ..badCertificateCallback = (certificate, host, port) {
            \(answer)
          };
        """
    }

    @Test(arguments: [
        ("return sha256.convert(certificate.der).toString() == pin && settings.isPaid;", ["4: settings.isPaid"]),
        (
            "if (port == 8443) return true; return sha256.convert(certificate.der).toString() == pin;",
            ["4: port == 8443"]
        ),
        (
            "try { return sha256.convert(certificate.der).toString() == pin; } catch (_) { return true; }",
            ["4: what is tried fails, and that lets the server through"]
        ),
        // The twin: what fails is refused.
        ("try { return sha256.convert(certificate.der).toString() == pin; } catch (_) { return false; }", []),
        ("final digest = sha256.convert(certificate.der).toString(); return digest == pin;", []),
    ])
    func `are told in Dart`(answer: String, expected: [String]) { #expect(asked(.dart, dart(answer)) == expected) }

    private func swift(_ check: String, _ before: String = "") -> String {
        """
        final class Pinning: NSObject, URLSessionDelegate {
            let pins = ["FEUbbIDtFjQDLTHtNHpqt8tV4YxcTHtXJvLj3hnLpIk="]
            func urlSession(_ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
                completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void) {
                guard let trust = challenge.protectionSpace.serverTrust else { return completionHandler(.cancelAuthenticationChallenge, nil) }
                \(before)
                if verify(trust, strict: true) { completionHandler(.useCredential, URLCredential(trust: trust)) }
                else { completionHandler(.cancelAuthenticationChallenge, nil) }
            }
            func verify(_ trust: SecTrust, strict: Bool) -> Bool {
                guard let key = SecTrustCopyKey(trust), let data = SecKeyCopyExternalRepresentation(key, nil) as Data? else { return false }
                let digest = Data(SHA256.hash(data: data)).base64EncodedString()
                var isPinned = false
                for pin in pins { if pin == digest { isPinned = true } }
                \(check)
            }
        }
        let session = URLSession(configuration: .default, delegate: Pinning(), delegateQueue: nil)
        """
    }

    @Test(arguments: [
        ("return isPinned", "", []),
        (
            "for (_, own) in SecTrustCopyCertificateChain(trust)!.enumerated() { if isKnown(own) { return true } }; return isPinned",
            "", []
        ),
        ("if !isPinned && strict { return false }; return true", "", ["15: strict"]),
        ("return isPinned || tries > 3", "", ["15: tries > 3"]),
        (
            "return isPinned",
            "guard Date() < end else { return completionHandler(.useCredential, URLCredential(trust: trust)) }",
            ["6: Date() < end"]
        ),
        (
            "return isPinned",
            "var result = SecTrustResultType.invalid; SecTrustEvaluate(trust, &result); if result != .proceed { return completionHandler(.cancelAuthenticationChallenge, nil) }",
            []
        ),
    ])
    func `are told in Swift, those of functions that are asked, too`(check: String, before: String, expected: [String])
    {
        #expect(asked(.swift, swift(check, before)) == expected)
    }

    private func kotlin(_ before: String, _ behind: String) -> String {
        """
        class Pinning(private val settings: Settings) : X509TrustManager {
            override fun checkServerTrusted(chain: Array<X509Certificate>, authType: String) {
                \(before)
                val digest = MessageDigest.getInstance("SHA-256").digest(chain[0].publicKey.encoded)
                val text = Base64.encodeToString(digest, Base64.NO_WRAP)
                if (text != "FEUbbIDtFjQDLTHtNHpqt8tV4YxcTHtXJvLj3hnLpIk="\(behind)) throw CertificateException("pin")
            }
        }
        """
    }

    @Test(arguments: [
        ("", "", []), ("if (authType != \"RSA\") throw CertificateException(\"type\")", "", []),
        ("if (settings.level < 2) return", "", ["3: settings.level < 2"]),
        ("", " && settings.blocks", ["6: settings.blocks"]),
        ("if (chain[0].issuerDN.name.contains(\"Acme\")) return", "", ["3: chain[0].issuerDN.name.contains(\"Acme\")"]),
    ])
    func `are told in Kotlin`(before: String, behind: String, expected: [String]) {
        #expect(asked(.kotlin, kotlin(before, behind)) == expected)
    }

    @Test func `are told once, where they are no condition of the configuration`() {
        let text = """
            class Client {
              HttpClient Make() {
                var handler = new HttpClientHandler();
                handler.ServerCertificateCustomValidationCallback = (message, certificate, chain, errors) => {
                  if (settings.Level < 3) return true;
                  return certificate.GetCertHashString() == "146DE983C5730650D8EEB9952F34FC6416A08342";
                };
                return new HttpClient(handler);
              }
            }
            """
        let found = Reading.found(text, .cSharp)
        #expect(found.map(\.conditions) == [["not settings.Level < 3"]])
        #expect(found.flatMap(\.asked).isEmpty)
    }

    private func startup(_ use: String) -> String {
        """
        class Startup {
          void Configure(IAppBuilder app) {
            \(use)
          }
          TwitterAuthenticationOptions Create() {
            return new TwitterAuthenticationOptions {
              BackchannelCertificateValidator = new CertificateSubjectKeyIdentifierValidator(new[] {
                "A5EF0B11CEC04103A34A659048B21CE0572D7D47" })
            };
          }
        }
        """
    }

    @Test(arguments: [
        ("app.Use(Create());", []), ("if (IsTrue(\"twitter\")) { app.Use(Create()); }", ["3: IsTrue(\"twitter\")"]),
        ("if (IsTrue(\"twitter\")) { app.Use(Create()); } else { app.Ask(Create()); }", []),
        ("if (app != null) { app.Use(Create()); }", []),
    ])
    func `are told of the calls of a function with pins`(use: String, expected: [String]) {
        #expect(asked(.cSharp, startup(use)) == expected)
    }

    @Test func `are not told of a function that only hands the callback on`() {
        let text = """
            class Api {
              void Make(Settings settings) {
                ServicePointManager.ServerCertificateValidationCallback = Check;
                if (settings.IsLate) { Warn(); }
              }
              bool Check(object sender, X509Certificate certificate, X509Chain chain, SslPolicyErrors errors) {
                return certificate.GetCertHashString() == "146DE983C5730650D8EEB9952F34FC6416A08342" && settings.IsPaid;
              }
            }
            """
        let told = Reading.found(text, .cSharp).flatMap { $0.conditions + $0.asked.map(\.condition) }
        #expect(told == ["settings.IsPaid"])
    }

    @Test(arguments: [
        (
            "if (errors != SslPolicyErrors.None) return false;", "GetPublicKeyString()",
            ["3: errors != SslPolicyErrors.None"]
        ),
        (
            "if (errors.HasFlag(SslPolicyErrors.RemoteCertificateNameMismatch)) return false;", "GetPublicKeyString()",
            ["3: errors.HasFlag(SslPolicyErrors.RemoteCertificateNameMismatch)"]
        ),
        // It is told already that it lets these through.
        ("if (errors == SslPolicyErrors.None) return true;", "GetPublicKeyString()", []),
        // The rules of thumbprints have it.
        ("if (errors != SslPolicyErrors.None) return false;", "GetCertHashString()", []),
    ])
    func `are told in .NET of what the ordinary checks found`(before: String, taken: String, expected: [String]) {
        let pin =
            taken.contains("Key")
            ? "3082010A0282010100" + String(repeating: "B3", count: 250) + "0203010001"
            : "9A7B2C3D4E5F60718293A4B5C6D7E8F901234567"
        let text = """
            handler.ServerCertificateCustomValidationCallback = (message, certificate, chain, errors) =>
            {
                \(before)
                return certificate.\(taken) == "\(pin)";
            };
            """

        #expect(asked(.cSharp, text) == expected)
    }

    @Test(arguments: [("[super mayAsk:challenge]", true), ("[challenge previousFailureCount]", false)])
    func `are told of what a super type is asked`(condition: String, isTold: Bool) {
        let text = """
            @implementation Line
            - (void)connection:(NSURLConnection *)connection willSendRequestForAuthenticationChallenge:(NSURLAuthenticationChallenge *)challenge {
                if (!\(condition)) { return; }
                SecTrustRef trust = challenge.protectionSpace.serverTrust;
                NSData *shown = CFBridgingRelease(SecCertificateCopyData(SecTrustGetCertificateAtIndex(trust, 0)));
                NSData *own = [NSData dataWithContentsOfFile:[[NSBundle mainBundle] pathForResource:@"acme" ofType:@"cer"]];
                if ([shown isEqualToData:own]) {
                    [challenge.sender useCredential:[NSURLCredential credentialForTrust:trust] forAuthenticationChallenge:challenge];
                } else {
                    [challenge.sender cancelAuthenticationChallenge:challenge];
                }
            }
            @end
            """

        #expect(asked(.objectiveC, text) == (isTold ? ["3: [super mayAsk : challenge]"] : []))
    }

    @Test(arguments: [("base64", []), ("hex", []), ("acme", ["6: PINS.includes(digestOf(certificate.raw, \"acme\"))"])])
    func `do not count how a digest is written among them`(encoding: String, expected: [String]) {
        #expect(asked(.script, script("", "PINS.includes(digestOf(certificate.raw, '\(encoding)'))")) == expected)
    }

    @Test func `are none of what a log is told`() {
        let text = script("try { tell(); } catch (error) { console.error('pin', error?.message || error); }")

        #expect(asked(.script, text) == [])
    }
}
