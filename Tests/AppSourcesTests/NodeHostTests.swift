import Testing

@testable import AppSources

/// Clients of Node whose certificates are compared in newer ways, and their hosts.
@Suite struct `Clients of Node in newer forms` {
    private static let fingerprint =
        "BA:EB:26:E4:D2:2E:5E:35:DC:DF:6D:49:C1:40:70:E0:1D:43:36:92:49:92:09:EE:26:4F:3C:AA:CD:11:4D:53"

    private func found(_ text: String) -> [(hosts: [String], pins: [String])] {
        Reading.found(text, .script).map { found in
            if case .described(let hosts, let pins, _, _) = found.content { (hosts, pins) } else { ([], []) }
        }
    }

    @Test(arguments: [
        // A socket of its own, and a class of agents.
        "new WebSocket('wss://api.acme.example/quotes', { checkServerIdentity: check });",
        """
        class PinnedAgent extends https.Agent {
          constructor() { super({ checkServerIdentity: PinnedAgent.own }); }
          static own(host, cert) { return check(host, cert); }
        }
        https.get('https://api.acme.example/', { agent: new PinnedAgent() });
        """,
    ])
    func `have the host of their address`(client: String) {
        let text = """
            const PIN = '\(Self.fingerprint)';
            function check(host, cert) { return cert.fingerprint256 === PIN ? undefined : new Error('pin'); }
            \(client)
            """

        let all = found(text)

        #expect(all.map(\.hosts) == [["api.acme.example"]])
        #expect(all.map(\.pins) == [[Self.fingerprint]])
    }

    @Test func `have no host of an agent that nothing is given`() {
        let text = """
            const PIN = '\(Self.fingerprint)';
            class PinnedAgent extends https.Agent {
              constructor() { super({ checkServerIdentity: PinnedAgent.own }); }
              static own(host, cert) { return cert.fingerprint256 === PIN ? undefined : new Error('pin'); }
            }
            https.get('https://api.acme.example/', { agent: other });
            """

        #expect(found(text).map(\.hosts) == [[]])
    }

    @Test(arguments: [
        ("const { fingerprint256 } = socket.getPeerCertificate();", true),
        ("const fingerprint256 = socket.getPeerX509Certificate()?.fingerprint256;", true),
        ("const { fingerprint256 } = settings;", false),
    ])
    func `may take a fingerprint out of a certificate`(taking: String, isFound: Bool) {
        let text = """
            const PIN = '\(Self.fingerprint)';
            const socket = tls.connect(443, 'api.acme.example');
            socket.once('secureConnect', () => {
              \(taking)
              if (fingerprint256 !== PIN) socket.destroy(new Error('pin'));
            });
            """

        #expect(found(text).map(\.pins) == (isFound ? [[Self.fingerprint]] : []))
    }

    @Test func `may take a fingerprint out of a parameter`() {
        let text = """
            https.get('https://api.acme.example', {
              checkServerIdentity: (_host, { fingerprint256 }) =>
                fingerprint256 === '\(Self.fingerprint)' ? undefined : new Error('pin'),
            });
            """

        #expect(found(text).map(\.pins) == [[Self.fingerprint]])
    }

    @Test(arguments: [
        ("cert.modulus !== 'PART' + 'PART'", 0), ("cert.fingerprint512 !== 'PART'", 1),
    ])
    func `compare no part of a number`(compared: String, count: Int) {
        let part = Self.fingerprint.filter { $0 != ":" }
        let text = """
            const pinnedPrint = '\(Self.fingerprint)';
            https.get('https://api.acme.example', { checkServerIdentity: (host, cert) => {
              if (\(compared.replacing("PART", with: part))) return new Error('key');
              if (cert.fingerprint256 !== pinnedPrint) return new Error('pin');
            } });
            """
        let file = SourceModule.File(path: "a.js", language: .script, text: text)

        #expect(found(text).flatMap(\.pins).filter { $0 == part }.count == count)
        #expect(file.pinTexts(in: SourceModule([file]).tokens(of: file)).filter { $0.text == part }.count == count)
    }

    @Test(arguments: [
        ("const PINS = [];", "the server's certificate is compared in code, with 'PINS', an empty list"),
        ("import { PINS } from './pins';", ComparisonForm.untold),
    ])
    func `may ask an empty list`(list: String, expected: String) {
        let text = """
            \(list)
            https.get('https://api.acme.example', { checkServerIdentity: (host, cert) => {
              if (!PINS.includes(cert.fingerprint256)) return new Error('pin');
            } });
            """

        #expect(Reading.toldOrUnread(text, .script) == [expected])
    }

    @Test(arguments: [
        ("ssl = { ...ssl, ca };", ["certs/db.pem"]), ("other = { ca };", []),
        ("ssl = { ...ssl, cert: ca };", []),
    ])
    func `may be given an authority later`(assignment: String, pins: [String]) {
        let text = """
            let ssl = { rejectUnauthorized: true }, other;
            const ca = await readFile('certs/db.pem');
            \(assignment)
            const pool = new Pool({ host: 'db.acme.example', ssl });
            """

        #expect(found(text).flatMap(\.pins) == pins)
    }

    @Test(arguments: [
        ("caFingerprint: 'PIN'", true), ("caFingerprint: process.env.CA", false), ("cloudId: 'PIN'", false),
    ])
    func `may be of Elasticsearch`(option: String, isFound: Bool) {
        let text = """
            const client = new Client({
              node: 'https://es.acme.example:9200',
              \(option.replacing("PIN", with: Self.fingerprint)),
            });
            """

        let all = found(text)

        #expect(all.map(\.pins) == (isFound ? [[Self.fingerprint]] : []))
        #expect(all.map(\.hosts) == (isFound ? [["es.acme.example"]] : []))
    }

    @Test(arguments: [
        ("pinned(url, options).catch(() => fetch(url))", true),
        ("pinned(url, options).catch(() => axios.get(url))", true),
        ("pinned(url, options).catch(() => pinned(url, options))", false), ("pinned(url, options)", false),
    ])
    func `may ask again without pins`(request: String, isAgain: Bool) {
        let text = """
            import { fetch as pinned } from 'react-native-ssl-pinning';
            const url = 'https://api.acme.example/me';
            const options = { pkPinning: true, sslPinning: { certs: ['sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM='] } };
            export const me = () => \(request);
            me();
            """
        let asked = Set(Reading.found(text, .script).flatMap(\.asked).map(\.condition))

        #expect(asked == (isAgain ? ["what is tried fails, and the request is sent again without pins"] : []))
    }
}
