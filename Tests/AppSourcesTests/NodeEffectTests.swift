import Testing

@testable import AppSources

/// What scripts compare, with what, and who is asked.
@Suite struct `Pins in scripts that do less than they say` {
    private static let digest = Array(repeating: "A1:B2", count: 16).joined(separator: ":")
    private static let compared = "compared with the server's certificate in code"

    private func told(_ text: String) -> [String] { Reading.told(text, .script) }

    @Test(arguments: [
        ("", "fetch", "; the runtime's own 'fetch' on line 5 heeds no 'agent': nothing is compared there"),
        ("import fetch from 'node-fetch';", "fetch", ""), ("const { fetch } = require('undici');", "fetch", ""),
        ("globalThis.fetch = other;", "fetch", ""), ("import 'cross-fetch/polyfill';", "fetch", ""),
        ("axios.defaults.httpsAgent = agent;", "fetch", ""), ("require('isomorphic-fetch');", "fetch", ""),
        ("", "axios.get", ""),
    ])
    func `may be an agent that nobody heeds`(header: String, function: String, note: String) {
        let text = """
            \(header)
            const agent = new https.Agent({
              checkServerIdentity: (host, cert) => { if (cert.fingerprint256 !== '\(Self.digest)') return new Error('pin'); },
            });
            \(function)('https://api.acme.example/', { agent });
            """

        #expect(told(text) == [Self.compared + note])
    }

    @Test(arguments: [("window.fetch", true), ("create()", false)])
    func `may be one that a kept fetch is given`(kept: String, isTold: Bool) {
        let text = """
            const original = \(kept);
            window.fetch = async (url, options = {}) => {
              const agent = new https.Agent({
                checkServerIdentity: (host, cert) => { if (cert.fingerprint256 !== '\(Self.digest)') throw new Error('pin'); },
              });
              const own = { ...options, agent };
              return original(url, own);
            };
            """

        #expect(told(text).contains { $0.contains("heeds no 'agent'") } == isTold)
    }

    @Test(arguments: [
        ("cert.issuerCertificate.fingerprint256", "; the certificate is the issuer's, and not the server's"),
        ("issuer.fingerprint256", "; the certificate is the issuer's, and not the server's"),
        ("last.fingerprint256", "; the certificate is the last of its chain, and not the server's"),
        ("other.fingerprint256", ""), ("maybe.fingerprint256", ""),
        ("cert.fingerprint256", ""),
    ])
    func `may be those of an authority`(shown: String, note: String) {
        let text = """
            https.get({ host: 'api.acme.example', checkServerIdentity: (host, cert) => {
              const issuer = cert.issuerCertificate; let last = cert;
              let other = cert.issuerCertificate; other = cert; let maybe = cert;
              if (host === 'ca.acme.example') { maybe = cert.issuerCertificate; }
              while (last.issuerCertificate !== last) { last = last.issuerCertificate; }
              if (\(shown) !== '\(Self.digest)') return new Error('pin');
            } });
            """

        #expect(told(text) == [Self.compared + note])
    }

    @Test(arguments: ["PUT-THE-FINGERPRINT-HERE", digest])
    func `let all through beside an option, whatever they are`(pin: String) {
        let text = """
            const PIN = '\(pin)';
            https.get({ host: 'api.acme.example', rejectUnauthorized: false,
              checkServerIdentity: (host, cert) => { if (cert.fingerprint256 !== PIN) return new Error('pin'); } });
            """

        #expect(told(text).count == 1)
        #expect(told(text).allSatisfy(FoundPins.acceptsAll))
    }

    @Test(arguments: [
        ("console.log('pinned', OPTIONS);", 0), ("logToConsole({ url, ...(isIP(url) && OPTIONS) });", 0),
        ("console.log(await fetch('https://api.acme.example', OPTIONS));", 1), ("logIn(url, OPTIONS);", 1),
        ("logAndFetch(url, OPTIONS);", 1),
        ("login('https://api.acme.example', OPTIONS);", 1), ("logger.info(OPTIONS);", 0),
        ("fetch('https://api.acme.example', OPTIONS);", 1), ("module.exports = OPTIONS;", 1),
    ])
    func `are none where a log is told`(code: String, count: Int) {
        let options = "{ sslPinning: { certs: ['acme'] } }"
        let text = "import { fetch } from 'react-native-ssl-pinning';\n" + code.replacing("OPTIONS", with: options)

        let file = SourceModule.File(path: "a.js", language: .script, text: text)
        #expect(SourceReader(SourceModule([file])).read(file).count == count)
    }

    @Test(arguments: [
        ("throw error;", false), ("return fetch(url);", true), ("log(error);", true),
    ])
    func `have nothing to do with what is asked of an error`(end: String, isAsked: Bool) {
        let text = """
            import fetch from 'node-fetch';
            function pinned(host) {
              return new https.Agent({
                checkServerIdentity: (name, cert) => { if (cert.fingerprint256 !== '\(Self.digest)') return new Error('pin'); },
              });
            }
            async function load(url) {
              const agent = pinned(new URL(url).hostname);
              try { return await fetch(url, { agent }); } catch (error) {
                if (error.code === 'PIN') { throw new Error('pins'); }
                \(end)
              }
            }
            load('https://api.acme.example/');
            """

        #expect(Reading.found(text, .script).contains { !$0.asked.isEmpty } == isAsked)
    }

    @Test func `are written for Android in lines that are joined`() {
        let key = "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="
        let text = """
            const lines = ['<network-security-config><domain-config>', '<domain>api.acme.example</domain><pin-set>',
              '<pin digest="SHA-256">\(key)</pin>', '</pin-set></domain-config></network-security-config>'];
            fs.writeFileSync('network_security_config.xml', lines.join('\\n'));
            """

        #expect(Reading.found(text, .script).map(\.digests) == [[key]])
        // What a function writes into them is not known.
        let others = text.replacing("'<pin digest=\"SHA-256\">\(key)</pin>'", with: "...pins.map(write)")
        #expect(Reading.toldOrUnread(others, .script) == ["'pins' is declared nowhere in what was read"])
    }

    @Test(arguments: [("`<pin-set>${pins.map(write)}</pin-set>`", 1), ("`<trust-anchors/>`", 0)])
    func `may be written for Android by what is joined with the lines`(inner: String, count: Int) {
        let text = """
            const write = (pins) => ['<network-security-config>', ...pins.map((pins) => \(inner)), '</network-security-config>'].join('');
            """
        let file = SourceModule.File(path: "a.js", language: .script, text: text)

        #expect(SourceReader(SourceModule([file])).read(file).count == count)
    }

    private static let ofAxios = "; axios hands no 'checkServerIdentity' of its own options on: nothing is compared"

    @Test(arguments: [
        ("axios.create({ baseURL: 'https://api.acme.example', OPTIONS })", true),
        ("axios.get('https://api.acme.example/', { rejectUnauthorized: false, OPTIONS })", true),
        ("const api = axios.create(); api.post('https://api.acme.example/', {}, { OPTIONS })", true),
        ("axios.get('https://api.acme.example/', { httpsAgent: new https.Agent({ OPTIONS }) })", false),
        ("axios.get('https://api.acme.example/', { adapter: own, OPTIONS })", false),
        ("const axios = 0; https.get('https://api.acme.example/', { OPTIONS })", false),
    ])
    func `may be an option that axios does not hand on`(call: String, isLost: Bool) {
        let option =
            "checkServerIdentity: (host, cert) => { if (cert.fingerprint256 !== '\(Self.digest)') return new Error('pin'); }"
        let text = call.replacing("OPTIONS", with: option) + ";"

        #expect(told(text) == [Self.compared + (isLost ? Self.ofAxios : "")])
    }

    @Test(arguments: [
        ("axios.get('https://api.acme.example/', { ca: fs.readFileSync('acme.pem') })", true),
        (
            "axios.get('https://api.acme.example/', { httpsAgent: new https.Agent({ ca: fs.readFileSync('acme.pem') }) })",
            false
        ),
    ])
    func `may be an authority that axios does not hand on`(call: String, isLost: Bool) {
        let lost =
            "certificates that the app carries; axios hands no 'ca' of its own options on: Node's own are trusted"

        #expect(told(call) == [isLost ? lost : "only certificates that the app carries are trusted"])
    }

    private static let bundle = "every certificate of the app's bundle, which only the built app tells; for every host"
    private static let open = "; line 2 takes that back: every certificate is let through"

    @Test(arguments: [
        ("http.acceptAllCerts(true);", open), ("http.setServerTrustMode('nocheck');", open),
        ("http.enableSSLPinning(false);", "; line 2 takes that back: only the system's own checks are left"),
        ("http.setServerTrustMode('default');", "; line 2 takes that back: only the system's own checks are left"),
        ("if (isTest) http.acceptAllCerts(true);", "; line 2 may take that back"),
        ("http.acceptAllCerts(false);", ""), ("http.setServerTrustMode('pinned');", ""),
        ("function other() { http.acceptAllCerts(true); }", ""),
    ])
    func `may be of a bundle that a later call gives up`(later: String, rest: String) {
        let text = "http.enableSSLPinning(true);\n\(later)"

        #expect(told(text).first == Self.bundle + rest)
        // The one that stands last counts.
        #expect(told("http.acceptAllCerts(true);\nhttp.enableSSLPinning(true);") == [Self.bundle])
    }

    @Test(arguments: [
        (
            "callback(0)", "callback(-3)",
            "; it refuses nothing: what it does not say yes to is left to Chromium's own checks"
        ),
        ("callback(0)", "callback(-2)", ""),
        ("callback(0)", "callback(0)", "; it says yes whatever they are: every certificate is let through"),
    ])
    func `may be left to Chromium by an answer`(yes: String, no: String, rest: String) {
        let text = """
            const PIN = 'sha256/r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyIHlByibiA5E=';
            session.defaultSession.setCertificateVerifyProc((request, callback) => {
              if (request.certificate.fingerprint === PIN) { \(yes); } else { \(no); }
            });
            """

        #expect(told(text) == [Self.compared + rest])
    }

    @Test(arguments: [
        ("if (cert.fingerprint256 === PIN) return;", 1), ("console.log(cert.subject.CN);", 0),
        ("if (!PINS.has(mark)) throw new Error('pin');", 1),
    ])
    func `are not the certificates that a loop has seen`(code: String, count: Int) {
        let text = """
            const PIN = '\(Self.digest)';
            const PINS = new Set([PIN]);
            const socket = tls.connect({ host: 'api.acme.example', port: 443 }, () => {
              const seen = new Set();
              let cert = socket.getPeerCertificate(true);
              while (cert && cert.raw) {
                const mark = cert.fingerprint256;
                if (seen.has(mark)) break;
                seen.add(mark);
                \(code)
                cert = cert.issuerCertificate;
              }
              socket.end();
            });
            """

        let found = Reading.toldOrUnread(text, .script)
        #expect(found.count == count, "\(found)")
        #expect(!found.contains { $0.contains("seen") })
    }
}
