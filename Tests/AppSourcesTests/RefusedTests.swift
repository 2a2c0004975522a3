import Testing

@testable import AppSources

/// Code that refuses the certificates that it names, and lets others through or leaves them to the system.
@Suite struct `Certificates that are refused by name` {
    private static let pin = "6f1ed002ab5595859014ebf0951522d9a1b2c3d4e5f60718293a4b5c6d7e8f90"
    private static let compared = "compared with the server's certificate in code"
    private static let opposite = "compared in code that lets all others through, and refuses these"
    private static let left = "compared in code that refuses these, and leaves all others to the system's own checks"

    @Test(arguments: [
        ("if HASH { CANCEL } else { USE }", opposite), ("if HASH { USE } else { CANCEL }", compared),
        ("if HASH { CANCEL; return }\n        USE", opposite), ("if HASH { CANCEL; return }\n        SYSTEM", left),
        ("if !(HASH) { USE; return }\n        CANCEL", opposite),
        ("if !(HASH) { CANCEL; return }\n        USE", compared),
        // One list of each kind.
        ("if known.contains(hash) { CANCEL; return }\n        if HASH { USE } else { CANCEL }", compared),
        // The other way of writing that it is none of them.
        ("if pins.contains(hash) == false { CANCEL; return }\n        USE", compared),
        ("if pins.contains(hash) == true { CANCEL; return }\n        USE", opposite),
        // Whoever gets there has passed the system's checks.
        ("if HASH { CANCEL; return }\n        if SecTrustEvaluateWithError(trust, nil) { USE }", left),
        // Of the host, and not of the certificate.
        ("if host == other { CANCEL } else { USE }", nil),
    ])
    func `are told of delegates in Swift`(code: String, expected: String?) {
        let body = code.replacing("HASH", with: "hash == \"\(Self.pin)\"")
            .replacing("CANCEL", with: "completionHandler(.cancelAuthenticationChallenge, nil)")
            .replacing("USE", with: "completionHandler(.useCredential, URLCredential(trust: trust))")
            .replacing("SYSTEM", with: "completionHandler(.performDefaultHandling, nil)")
        let text = """
            final class Caller: NSObject, URLSessionDelegate {
                static let shared = Caller()
                let pins = ["\(Self.pin)"]
                func urlSession(_ session: URLSession, didReceive challenge: URLAuthenticationChallenge, completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void) {
                    let trust = challenge.protectionSpace.serverTrust!
                    let host = challenge.protectionSpace.host
                    let data = SecCertificateCopyData(SecTrustGetCertificateAtIndex(trust, 0)!) as Data
                    let hash = SHA256.hash(data: data).map { String(format: "%02x", $0) }.joined()
                    \(body)
                }
            }
            let session = URLSession(configuration: .default, delegate: Caller.shared, delegateQueue: nil)
            """
        let told = Reading.told(text, .swift)

        if let expected {
            #expect(told == [expected])
        } else {
            #expect(!told.contains { FoundPins.acceptsAll($0) || $0.contains("refuses these") }, "\(told)")
        }
    }

    @Test(arguments: [
        ("[[self digest:data] isEqualToString:@\"PIN\"]", opposite),
        ("![[self digest:data] isEqualToString:@\"PIN\"]", compared),
        ("[@[ @\"PIN\" ] containsObject:[self digest:data]]", opposite),
    ])
    func `are told of delegates in Objective-C`(condition: String, expected: String) {
        let text = """
            @implementation Caller
            - (void)URLSession:(NSURLSession *)session didReceiveChallenge:(NSURLAuthenticationChallenge *)challenge completionHandler:(void (^)(NSURLSessionAuthChallengeDisposition, NSURLCredential *))done {
                SecTrustRef trust = challenge.protectionSpace.serverTrust;
                NSData *data = CFBridgingRelease(SecCertificateCopyData(SecTrustGetCertificateAtIndex(trust, 0)));
                if (\(condition.replacing("PIN", with: Self.pin))) {
                    done(NSURLSessionAuthChallengeCancelAuthenticationChallenge, nil);
                } else {
                    done(NSURLSessionAuthChallengeUseCredential, [NSURLCredential credentialForTrust:trust]);
                }
            }
            @end
            """

        #expect(Reading.told(text, .objectiveC) == [expected])
    }

    @Test(arguments: [
        ("", "if (hash == PIN) throw CertificateException(\"other\")", opposite),
        ("system.checkServerTrusted(chain, authType)", "if (hash == PIN) throw CertificateException(\"other\")", left),
        ("system.checkServerTrusted(chain, authType)", "check(!(hash in setOf(PIN))) { \"other\" }", left),
        ("system.checkServerTrusted(chain, authType)", "check(hash in setOf(PIN)) { \"other\" }", compared),
        ("", "if (hash != PIN) throw CertificateException(\"other\")", compared),
        (
            "",
            "if (authType == \"RSA\") throw CertificateException(hash); if (hash != PIN) throw CertificateException(\"other\")",
            compared
        ),
        // What an own function answers may be either.
        ("", "if (compare(hash, PIN) == Result.MISMATCH) throw CertificateException(\"other\")", compared),
        ("", "if ((hash == PIN) == false) throw CertificateException(\"other\")", compared),
        // Another judge is given the chain.
        ("", "if (hash == PIN) throw CertificateException(\"revoked\"); verifier.verify(chain, authType)", compared),
        (
            "try { system.checkServerTrusted(chain, authType) } catch (e: Exception) { log(e) }",
            "if (hash == PIN) throw CertificateException(\"other\")", compared
        ),
    ])
    func `are told of trust managers`(before: String, code: String, expected: String) {
        let text = """
            object Trust : X509TrustManager {
                override fun checkServerTrusted(chain: Array<X509Certificate>, authType: String) {
                    \(before)
                    val hash = hex(MessageDigest.getInstance("SHA-256").digest(chain[0].encoded))
                    \(code.replacing("PIN", with: "\"\(Self.pin)\""))
                }
            }
            """

        #expect(Reading.told(text, .kotlin) == [expected])
    }
}
