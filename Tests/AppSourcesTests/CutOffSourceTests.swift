import TestSupport
import Testing

@testable import AppSources

/// Small sources of forms that no file of `Forms/` has, cut off at many places, and with a part written twice. A trap would end the
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

    /// The same of forms that came later.
    static let later: [(SourceLanguage, String)] = [
        (
            .java,
            """
            createSocket a; newBuilder b; openConnection c;
            class Net { static final byte[] PIN = {(byte) 0x9a, 0x7b}; void open() throws Exception {
              HttpsURLConnection c = (HttpsURLConnection) new URL("https://api.acme.example").openConnection();
              InputStream f = resources.openRawResource(R.raw.acme); Certificate own = CertificateFactory.getInstance("X.509").generateCertificate(f);
              store.setCertificateEntry("a", own); KeyStore k; try { if (!Arrays.equals(PIN, hash(c.getServerCertificates()[0].getEncoded()))) throw new IOException("pin"); }
              catch (Exception e) { Log.w(TAG, e); } matches(c); boolean same = false; if (own.equals(c)) same = true; Log.i(TAG, same); }
              SSLContext s = SSLContexts.custom().loadTrustMaterial(null, (chain, type) -> "\(pin)".equals(hash(chain[0].getEncoded()))).build();
              OkHttpClient o = pinned.newBuilder().certificatePinner(CertificatePinner.DEFAULT).build(); }
            """
        ),
        (
            .kotlin,
            """
            newBuilder().certificatePinner(pinner)
            val text = String(resources.openRawResource(R.raw.key).readBytes()); val held = HeldCertificate.decode(text)
            val both = HandshakeCertificates.Builder().addTrustedCertificate(own as X509Certificate).heldCertificate(held).build()
            fun check(c: HttpsURLConnection) { runCatching { require("\(pin)" == hash(c.serverCertificates[0].encoded)) }.onFailure { Log.w(TAG, it) } }
            override fun checkServerTrusted(chain: Array<X509Certificate>, type: String) = verify(chain)
            val builder = OkHttpClient.Builder(); builder.certificatePinner(CertificatePinner.Builder().add("api.acme.example", "sha256/\(pin)").build())
            """
        ),
        (
            .swift,
            """
            final class D: NSObject, URLSessionDelegate { var pins: Set<String> = []; static let own = Data(base64Encoded: "MII\(digits)")!
              func urlSession(_ s: URLSession, didReceive c: URLAuthenticationChallenge, completionHandler done: @escaping (A, B?) -> Void) {
                guard !pins.isEmpty else { return done(.useCredential, nil) }; SecTrustSetAnchorCertificates(trust, [own] as CFArray)
                do { try verify(SecTrustCopyCertificateChain(trust)) } catch { print(error) }; let ok = (try? verify(trust)) ?? true
                if same { done(.useCredential, nil) } else { done(.useCredential, nil) } }
              #if DEBUG
              func other() { done(.performDefaultHandling, nil) }
              #endif
            }
            TLSConfiguration.makeClientConfiguration().trustRoots = .certificates([try NIOSSLCertificate(file: "a.pem", format: .pem)])
            NIOSSLClientHandler(context: c, customVerificationCallback: { chain, promise in promise.succeed(.certificateVerified) })
            let trust = ServerTrustManager(evaluators: ["api.acme.example": CompositeTrustEvaluator(evaluators: [DefaultTrustEvaluator(), PinnedCertificatesTrustEvaluator()])])
            TrustKit.sharedInstance().pinningValidator.evaluateTrust(trust, forHostname: host)
            """
        ),
        (
            .objectiveC,
            """
            AFSecurityPolicy *policy = [AFSecurityPolicy policyWithPinningMode:AFSSLPinningModeCertificate]; policy.pinnedCertificates = own;
            [GRPCCall setTLSPEMRootCerts:roots forHost:@"api.acme.example" error:nil];
            socket.verify = ^(SecTrustRef trust) { NSLog(@"%@", SecCertificateCopyData(SecTrustGetCertificateAtIndex(trust, 0))); complete(true); };
            """
        ),
        (
            .cSharp,
            """
            class C : CertificateHandler { protected override bool ValidateCertificate(byte[] data) => hash.ComputeHash(data).SequenceEqual(Convert.FromBase64String("\(pin)"));
              HttpClient h = new(new SocketsHttpHandler { SslOptions = new() { CertificateChainPolicy = new X509ChainPolicy { CustomTrustStore = { Root }, TrustMode = CustomRootTrust },
              RemoteCertificateValidationCallback = static async (_, c, _, errors) => { Log(BitConverter.ToString(c.GetCertHash()).Replace("-", "")); return true; } } }) { BaseAddress = new Uri("https://api.acme.example") };
              private bool Ask(X509Certificate2 c) { var same = c.Thumbprint == "9A"; Log(same); return same; } }
            """
        ),
        (
            .script,
            """
            const PINS = []; const { prod } = settings; const c = new Client({ caFingerprint: 'AB:CD', node: 'https://api.acme.example' });
            fetch('https://api.acme.example', { sslPinning: { certs: ['a'] } }).catch(() => globalThis.fetch(url));
            const o = { checkServerIdentity: async (host, { fingerprint256 }) => { try { throw new Error('x') } catch (e) { console.log(e) } } };
            app.on('certificate-error', (e, w, url, error, certificate, callback) => { if (certificate.fingerprint === 'sha256/\(pin)') callback(true); callback(true); });
            function* rows() { yield 'sha256/\(pin)'; } class A extends https.Agent { connect() { return void 0; } } new WebSocket('wss://api.acme.example', { agent: new A() });
            socket.on('secureConnect', () => { socket.getPeerX509Certificate().raw; }); options.ca = readFileSync('a.pem');
            """
        ),
    ]

    @Test(arguments: samples + later)
    func `is read wherever it is cut off`(language: SourceLanguage, text: String) async {
        let bytes = Array(text.utf8)
        // Each byte in `make damage`; the others have a prime number, so that they fall on other parts of each word.
        for count in stride(from: 0, through: bytes.count, by: DamagedInputs.areAll ? 1 : 17) {
            await Task.yield()
            read(bytes.prefix(count), language)
        }
        for start in stride(from: 0, to: bytes.count - 40, by: DamagedInputs.areAll ? 7 : 97) {
            await Task.yield()
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
