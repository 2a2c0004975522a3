import Testing

@testable import AppSources

/// Small sources of forms that no file of `Forms/` has, cut off at each byte, and with a part written twice. A trap would end the
/// test process.
@Suite struct `A source that is cut off` {
    private static let pin = "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="
    private static let digits = "MIIBbDCCAROgAwIBAgIU" + String(repeating: "aw6lJB9BXK4wob6s5rU5yaf73", count: 12)

    static let samples: [(SourceLanguage, String)] = [
        (
            .objectiveC,
            """
            @implementation S
            - (void)socket:(GCDAsyncSocket *)s didReceiveTrust:(SecTrustRef)trust completionHandler:(void (^)(BOOL))completionHandler {
                NSData *own = [NSData dataWithContentsOfFile:[[NSBundle mainBundle] pathForResource:@"api" ofType:@"cer"]];
                NSData *shown = (__bridge NSData *)SecCertificateCopyData(SecTrustGetCertificateAtIndex(trust, 0));
                [own writeToFile:path]; NSLog(@"%d", [own isEqualToData:shown]);
                if ([super mayAsk:trust]) { completionHandler(NO); return; }
                completionHandler(YES);
            }
            AFSecurityPolicy *policy = [[StrictPolicy alloc] init];
            policy.pinnedCertificates = [NSSet setWithObject:own]; [second connectToHost:@"api.acme.example" onPort:443 error:nil];
            """
        ),
        (
            .swift,
            """
            func urlSession(_ s: URLSession, didReceive c: URLAuthenticationChallenge, completionHandler: @escaping (A, B?) -> Void) {
                guard let trust = c.protectionSpace.serverTrust, SecTrustEvaluateWithError(trust, nil) else { return completionHandler(.performDefaultHandling, nil) }
                print(hash(SecCertificateCopyData(trust)) == "\(pin)"); completionHandler(.useCredential, URLCredential(trust: trust))
            }
            """
        ),
        (
            .script,
            """
            const PINS = { 'api.acme.example': ['sha256/\(pin)'] }, roots = `-----BEGIN CERTIFICATE-----
            \(digits)
            -----END CERTIFICATE-----`;
            https.request({ ca: roots, rejectUnauthorized: !isOpen, checkServerIdentity(host, cert) {
              const error = tls.checkServerIdentity(host, cert); if (error) return error;
              if (!PINS[host]) return; if (!PINS[host].includes(hash(cert.raw))) return new Error('pin'); } });
            spawn('curl', ['--pinnedpubkey', 'sha256//\(pin)', ...rest, 'https://api.acme.example']);
            class Api { enabled = !__DEV__; make() { if (!this.enabled) return null; return PINS; } }
            module.exports = { Api }; export default make;
            """
        ),
        (
            .dart,
            """
            s() { SecureSocket x; s.peerCertificate; }
            Future<SecurityContext> get own async { try { return SecurityContext(withTrustedRoots: false)..setTrustedCertificates('a.pem'); }
              on TlsException catch (e) { print(e); return HttpClient(); } }
            final pins = {'api.acme.example': {'\(pin)'}}; extension Pinned on Dio { void pin() { pins[h]!.add(own); pins[h] ??= {}; } }
            client.badCertificateCallback = (cert, host, port) { if (pins[host] == null) return true; return pins[host]!.contains(sha256.convert(cert.der)); };
            try { await HttpCertificatePinning.check(serverURL: url, allowedSHAFingerprints: ['AB CD']); } catch (e) { return true; }
            """
        ),
        (
            .cSharp,
            """
            using System.Net.Security; [Obsolete] class Security { const string Key = "9527c66b7fbcf2f2";
              void Make() { handler.ServerCertificateCustomValidationCallback = (m, c, chain, errors) => {
                chain.ChainPolicy.CustomTrustStore.Add(new X509Certificate2("acme.crt")); chain.ChainPolicy.TrustMode = CustomRootTrust;
                return errors == SslPolicyErrors.None && string.Equals(c.GetPublicKeyString().Substring(0, 9), Key.ToLower()); };
                client.OnCertificateValidationCallback += Always; } static bool Always(object a) { return true; } }
            """
        ),
        (
            .kotlin,
            """
            import org.apache.http.conn.ssl.NoopHostnameVerifier
            class Net { @Suppress("a") private val pinner = CertificatePinner.Builder().add(BuildConfig.HOST, "sha256/\(pin)").build()
              val client = OkHttpClient.Builder().hostnameVerifier { _, _ -> true }.certificatePinner(pinner).build()
              fun get() { try { chain.proceed(r) } catch (e: SSLException) { OkHttpClient().newCall(r).execute() } }
              val any = object : HostnameVerifier { override fun verify(h: String, s: SSLSession) = true }; val n = NoopHostnameVerifier.INSTANCE }
            """
        ),
    ]

    @Test(arguments: samples)
    func `is read at each byte`(language: SourceLanguage, text: String) async {
        let bytes = Array(text.utf8)
        for count in 0...bytes.count {
            if count % 64 == 0 { await Task.yield() }
            read(bytes.prefix(count), language)
        }
        for start in stride(from: 0, to: bytes.count - 40, by: 7) {
            if start % 64 == 0 { await Task.yield() }
            read(bytes.prefix(start + 40) + bytes[start...], language)
            read(bytes.prefix(start) + bytes[(start + 40)...], language)
            // What stands first in a source has nothing before it.
            read(bytes[start...], language)
        }
    }

    private func read(_ bytes: ArraySlice<UInt8>, _ language: SourceLanguage) {
        let text = String(decoding: bytes, as: UTF8.self)
        let file = SourceModule.File(path: "a", language: language, text: text)
        let reader = SourceReader(SourceModule([file]))
        let lines = bytes.count { $0 == 0x0A } + 1
        let found = reader.read(file).map(\.line) + reader.accepting(file).map(\.line) + file.certificates.map(\.line)
        for line in found where !(1...lines).contains(line) { Issue.record("names line \(line) of \(lines)") }
        _ = reader.leftovers(of: file, used: [])
    }
}
