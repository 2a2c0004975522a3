import Testing

@testable import AppSources

/// What Node does with the answers of its callbacks.
@Suite struct `Callbacks in Node` {
    private static let digest = "146de983c5730650d8eeb9952f34fc6416a08342e61dbea88a0496b23fcf44e5"
    private let compared = "compared with the server's certificate in code"
    private let unheeded = "; with 'rejectUnauthorized: false' Node heeds no answer: every certificate is let through"

    private func told(_ text: String) -> [String] { Reading.toldOrUnread(text, .script) }

    @Test(arguments: [
        ("rejectUnauthorized: false, CHECK", true), ("CHECK, 'rejectUnauthorized': false", true),
        ("...others, rejectUnauthorized: false, CHECK", true), ("rejectUnauthorized: true, CHECK", false),
        ("rejectUnauthorized: isLive, CHECK", false), ("rejectUnauthorized: false, CHECK, ...others", false),
        ("CHECK", false), ("CHECK }); https.request({ rejectUnauthorized: false", false),
    ])
    func `may not be heeded`(options: String, isUnheeded: Bool) {
        let check = "checkServerIdentity: (host, cert) => digestOf(cert.raw) === pin ? undefined : new Error('pin')"
        let text = """
            const pin = '\(Self.digest)';
            https.get({ hostname: 'api.acme.example', \(options.replacing("CHECK", with: check)) });
            """

        #expect(told(text) == [isUnheeded ? compared + unheeded : compared])
        #expect(told(text).map(FoundPins.acceptsAll) == [isUnheeded])
    }

    @Test(arguments: [
        "https.get({ hostname: 'api.acme.example', checkServerIdentity(host, cert) BODY });",
        "https.get({ checkServerIdentity(host, cert) BODY, hostname: 'api.acme.example' });",
        "const options = {\n  checkServerIdentity(host: string, cert: PeerCertificate): Error | undefined BODY,\n};",
        "const make = () => { return { checkServerIdentity(host, cert) BODY }; };",
    ])
    func `may be methods of an object`(text: String) {
        let body = "{ if (digestOf(cert.raw) !== pin) return new Error('pin'); }"
        let source = "const pin = '\(Self.digest)';\n" + text.replacing("BODY", with: body)

        #expect(told(source) == [compared])
        #expect(told(source.replacing("checkServerIdentity(", with: "checkServerIdentity: function (")) == [compared])
    }

    @Test(arguments: [
        "class Pins { checkServerIdentity(host, cert) { return look(cert); } }",
        "function checkServerIdentity(host, cert) { return look(cert); }",
        "if (a) { checkServerIdentity(host, cert) }", "get(a, checkServerIdentity(host, cert));",
        "const none = { error: tls.checkServerIdentity(host, cert) };",
    ])
    func `are no methods of an object elsewhere`(text: String) {
        let tokens = Lexer.tokens(of: text, in: .script)

        #expect(!tokens.indices.dropLast().contains { tokens[$0].isMark(":") && tokens[$0 + 1].isName("function") })
    }

    @Test(arguments: [
        ("readFileSync('server.pem')", "certificate files, compared with the server's certificate in code"),
        ("pinOf(host)", ComparisonForm.untold),
    ])
    func `may not be heeded, whatever they compare`(pin: String, what: String) {
        let text = """
            const pin = \(pin);
            https.get({
              hostname: 'api.acme.example', rejectUnauthorized: false,
              checkServerIdentity: (host, cert) => (cert.raw.equals(pin) ? undefined : new Error('pin')),
            });
            """

        #expect(told(text) == [what + unheeded])
    }

    @Test(arguments: [
        ("response.socket.authorized", true), ("response.socket.authorizationError", true),
        ("socket.getPeerCertificate()", true), ("response.complete", false),
    ])
    func `may be heeded by the code itself`(look: String, isHeeded: Bool) {
        let text = """
            const options = {
              rejectUnauthorized: false,
              checkServerIdentity: (host, cert) =>
                digestOf(cert.raw) === '\(Self.digest)' ? undefined : new Error('pin'),
            };
            https.get(options, (response) => { if (!\(look)) response.destroy(); });
            """

        #expect(told(text).contains(compared + unheeded) != isHeeded)
        #expect(told(text).contains(compared) == isHeeded)
    }

    @Test(arguments: [("", true), ("if (isDevelopment) ", false)])
    func `may not be heeded by any code`(condition: String, isUnheeded: Bool) {
        let text = """
            \(condition)process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
            https.get({
              hostname: 'api.acme.example',
              checkServerIdentity: (host, cert) =>
                digestOf(cert.raw) === '\(Self.digest)' ? undefined : new Error('pin'),
            });
            """
        let what = "; with 'NODE_TLS_REJECT_UNAUTHORIZED' Node heeds no answer: every certificate is let through"

        #expect(told(text) == [compared + (isUnheeded ? what : "")])
    }

    @Test(arguments: [
        ("console.warn('other');", true), ("socket.destroy();", false), ("refuse(socket);", false),
        ("isPinned = false;", false), ("throw new Error('pin');", false),
    ])
    func `may be told a log alone`(otherwise: String, endsNothing: Bool) {
        let text = """
            const PINS = ['\(Self.fingerprint)'];
            const socket = tls.connect(443, 'api.acme.example', () => {
              const own = socket.getPeerCertificate().fingerprint256;
              if (PINS.includes(own)) { socket.write('hello'); } else { \(otherwise) }
            });
            """
        let rest = "; nothing ends the connection where they differ"

        #expect(told(text).contains(compared + rest) == endsNothing)
        #expect(told(text).contains(compared) != endsNothing)
    }

    @Test(arguments: [
        ("if (digestOf(cert.pubkey) !== KEY) return new Error('key');", true),
        ("if (digestOf(cert.pubkey) !== KEY) { throw new Error('key'); }", true),
        ("if (digestOf(cert.pubkey) === KEY) return undefined;", false),
        ("if (digestOf(cert.pubkey) !== KEY) console.warn('key');", false),
    ])
    func `may ask for a key and for a certificate`(first: String, areBoth: Bool) {
        let text = """
            const KEY = 'utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=', WHOLE = '\(Self.fingerprint)';
            https.get({ hostname: 'api.acme.example', checkServerIdentity: (host, cert) => {
              \(first)
              if (cert.fingerprint256 !== WHOLE) return new Error('certificate');
            } });
            """

        #expect(told(text).map { $0.contains("; pubkey and fingerprint256 must match, each of them") } == [areBoth])
    }

    @Test(arguments: [
        ("host === HOST || host.endsWith(`.${HOST}`)", "if (!isPinned(host)) return undefined;", true),
        ("host === HOST || host.endsWith('.' + HOST)", "if (!isPinned(host)) return undefined;", true),
        ("host === HOST", "if (!isPinned(host)) return undefined;", false),
        (
            "host === HOST", "if (host.endsWith(`.${OPEN}`)) return undefined; if (!isPinned(host)) return undefined;",
            false
        ),
    ])
    func `may be for hosts below one as well`(isPinned: String, before: String, areWide: Bool) {
        let text = """
            const HOST = 'acme.example', OPEN = 'open.example', PINS = ['\(Self.digest)'];
            const isPinned = (host) => \(isPinned);
            const get = () => https.get({ checkServerIdentity: (host, cert) => {
              \(before)
              return PINS.includes(digestOf(cert.raw)) ? undefined : new Error('pin');
            } });
            """

        #expect(told(text).map { $0.contains("; hosts below those count, too") } == [areWide])
    }

    @Test(arguments: ["'\(fingerprint.prefix(39))' + '\(fingerprint.dropFirst(39))'", "'\(fingerprint)'"])
    func `may name a pin in parts`(pin: String) {
        let text = """
            https.get({ hostname: 'api.acme.example', checkServerIdentity: (host, cert) => {
              const own = \(pin);
              if (cert.fingerprint256 !== own) return new Error('pin');
            } });
            """

        #expect(told(text) == [compared])
    }

    @Test func `may have pins of their own for each host`() {
        let pins = [Self.digest, String(Self.digest.reversed())]
        let text = """
            const agentOf = (hostname) => {
              let pin = '';
              switch (hostname) {
                case 'a.acme.example':
                  pin = '\(pins[0])';
                  break;
                case 'b.acme.example':
                  pin = '\(pins[1])';
                  break;
                default:
                  throw new Error(hostname);
              }
              return new https.Agent({
                checkServerIdentity: (host, cert) => (digestOf(cert.raw) === pin ? undefined : new Error('pin')),
              });
            };
            """
        let file = SourceModule.File(path: "a.js", language: .script, text: text)
        let known = Reading.read(file).flatMap { found -> [FoundPins.Part] in
            if case .described(_, _, _, let known) = found.content { return known }
            return []
        }

        #expect(known.map(\.host) == ["a.acme.example", "b.acme.example"])
        #expect(known.map(\.pins) == pins.map { [$0] })
    }

    @Test(arguments: ["(0, tools.isLive)()", "tools.isLive()"])
    func `may be asked through what is imported`(condition: String) {
        let text = """
            const pin = \(condition) ? '\(Self.digest)' : '\(String(Self.digest.reversed()))';
            https.get({
              hostname: 'api.acme.example',
              checkServerIdentity: (host, cert) =>
                (0, tools.digestOf)(cert.raw) === pin ? undefined : new Error('pin'),
            });
            """
        let file = SourceModule.File(path: "a.js", language: .script, text: text)

        #expect(
            Reading.read(file).map(\.conditions)
                == [["not tools.isLive()"], ["tools.isLive()"]]
        )
    }

    private static let fingerprint = (0..<32).map { _ in "AB" }.joined(separator: ":")

    @Test(arguments: [
        (
            "cert.fingerprint256", fingerprint.replacing(":", with: ""),
            "writes 'fingerprint256' in capitals with colons"
        ),
        ("cert.fingerprint256", fingerprint, ""),
        ("cert.fingerprint256.replace(/:/g, '')", fingerprint.replacing(":", with: ""), ""),
        ("cert.fingerprint", fingerprint, "'fingerprint' is one of SHA-1"),
        (
            "cert.fingerprint256", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=",
            "writes 'fingerprint256' in hexadecimal, and the pins are in Base64"
        ),
        (
            "'sha256/' + Buffer.from(cert.fingerprint256.replace(/:/g, ''), 'hex').toString('base64')",
            "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", ""
        ),
        ("bytesOf(cert.fingerprint256)", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", ""),
        ("cert.fingerprint", String(fingerprint.prefix(59)), ""),
    ])
    func `may be equal to nothing`(digest: String, pin: String, what: String) {
        let text = """
            https.get({
              hostname: 'api.acme.example',
              checkServerIdentity: (host, cert) => (\(digest) === '\(pin)' ? undefined : new Error('pin')),
            });
            """

        #expect(told(text).map { $0.contains("nothing is equal to it") } == [!what.isEmpty])
        #expect(told(text).allSatisfy { $0.contains(what) })
    }

    @Test(arguments: [
        ("certificate.fingerprint", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", ""),
        ("certificate.fingerprint", fingerprint, "; Electron writes fingerprints as 'sha256/…'"),
        ("certificate.fingerprint256.toUpperCase()", fingerprint, "; Electron's certificates have no 'fingerprint256'"),
        ("new X509Certificate(certificate.data).fingerprint256", fingerprint, ""),
    ])
    func `of Electron may be equal to nothing`(digest: String, pin: String, what: String) {
        let text = """
            session.defaultSession.setCertificateVerifyProc(({ hostname, certificate }, callback) => {
              callback(\(digest) === '\(pin)' ? 0 : -2);
            });
            """

        #expect(told(text).map { $0.contains("nothing is equal to it") } == [!what.isEmpty])
        #expect(told(text).allSatisfy { $0.contains(what) })
    }

    @Test(arguments: [
        ("request.hostname !== HOST", "0", true), ("request.hostname !== HOST", "-3", false),
        ("!HOSTS.some((host) => request.hostname === host)", "0", true), ("!isOther", "0", true),
        ("request.hostname === OTHER", "0", false), ("!isLive", "0", false),
        ("request.hostname !== HOST && request.errorCode === 0", "0", false),
    ])
    func `of Electron may let other hosts through`(asked: String, answer: String, isOpen: Bool) {
        let text = """
            const HOST = 'api.acme.example', HOSTS = [HOST], OTHER = 'test.acme.example';
            session.defaultSession.setCertificateVerifyProc((request, callback) => {
              const isOther = HOSTS.includes(request.hostname);
              if (\(asked)) {
                callback(\(answer));
                return;
              }
              callback(request.certificate.fingerprint === 'sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=' ? 0 : -2);
            });
            """

        #expect(told(text).map { $0.hasSuffix("; other hosts are let through, whatever they show") } == [isOpen])
    }
}
