import Testing

@testable import AppSources

/// What an app may turn off in a callback of a script, and what lets a certificate through beside its pins.
@Suite struct `Switches in scripts` {
    static let digest = "146de983c5730650d8eeb9952f34fc6416a08342e61dbea88a0496b23fcf44e5"

    private func found(in text: String) -> [FoundPins] {
        let file = SourceModule.File(path: "a.ts", language: .script, text: text)
        return Reading.read(file)
    }

    private func conditions(_ text: String) -> [[String]] { found(in: text).map(\.conditions) }

    private func hosts(_ text: String) -> [[String]] {
        found(in: text).map { if case .described(let hosts, _, _, _) = $0.content { hosts } else { ["none"] } }
    }

    private func agent(before: String = "", behind: String = "return new Error('pin');") -> String {
        """
        const PINS = ['\(Self.digest)'];
        export function agent(options) {
          return new https.Agent({
            checkServerIdentity: (host, certificate) => {
              const error = tls.checkServerIdentity(host, certificate);
              if (error) return error;
              \(before)
              const digest = digestOf(certificate.raw);
              if (PINS.includes(digest)) return undefined;
              \(behind)
            },
          });
        }
        """
    }

    @Test(arguments: [
        ("if (!options.enabled) return undefined;", ["options.enabled"]),
        ("if (this.config.failOpen) return undefined;", ["not this.config.failOpen"]),
        ("if (process.env.WITHOUT_PINS === '1') return undefined;", ["not process.env.WITHOUT_PINS === \"1\""]),
        ("if (options.mode !== 'pin') return undefined;", ["not options.mode !== \"pin\""]),
        // What is asked of the certificate is no switch.
        ("if (!certificate.isValid) return undefined;", []), ("if (options.mode(host)) return undefined;", []),
        ("", []),
    ])
    func `may keep a certificate from being looked at`(before: String, expected: [String]) {
        #expect(conditions(agent(before: before)) == [expected])
    }

    @Test(arguments: [
        ("digest === PINS[0] && options.enabled", [String]()),
        // The twin: whatever the certificate is.
        ("options.enabled", ["not options.enabled"]),
    ])
    func `that a pin needs as well do not keep it from being asked for`(asked: String, expected: [String]) {
        let behind = "if (\(asked)) return undefined; return new Error('pin');"
        #expect(conditions(agent(behind: behind)) == [expected])
    }

    @Test(arguments: [
        ("if (options.reportOnly) return undefined; return new Error('pin');", ["not options.reportOnly"]),
        ("if (options.enforce) return new Error('pin');", ["options.enforce"]),
        ("if (options.isLogged) log(digest); return new Error('pin');", []),
        // Of another refusal it says nothing.
        ("if (!digest) return new Error('none'); if (options.strict && isOld(certificate)) throw old;", []),
    ])
    func `may keep others from being refused`(behind: String, expected: [String]) {
        #expect(conditions(agent(behind: behind)) == [expected])
    }

    @Test(
        arguments: [("!socket.isSessionReused()", ["not socket.isSessionReused()"]), ("!socket.destroyed", [])],
        ["", "return;"]
    )
    func `may be a part of what is asked before others are refused`(asked: (String, [String]), end: String) {
        let (part, expected) = asked
        let text = """
            const request = https.get('https://api.acme.example/');
            request.on('socket', (socket) => socket.on('secureConnect', () => {
              const digest = socket.getPeerCertificate().fingerprint256;
              if (digest !== '\(Self.fingerprint)' && \(part)) {
                request.destroy();
                \(end)
              }
            }));
            """

        #expect(conditions(text) == [expected])
    }

    static let fingerprint = (0..<32).map { _ in "AB" }.joined(separator: ":")

    @Test(arguments: [
        ("process.platform !== 'darwin'", ["not process.platform !== \"darwin\""]),
        ("error !== 'net::ERR_CERT_AUTHORITY_INVALID'", ["not error !== \"net::ERR_CERT_AUTHORITY_INVALID\""]),
        ("error !== previous", []),
    ])
    func `may be the system, or what Electron refuses`(asked: String, expected: [String]) {
        let text = """
            app.on('certificate-error', (event, contents, url, error, certificate, callback) => {
              if (\(asked)) return;
              callback(certificate.fingerprint === 'sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=');
            });
            """

        #expect(conditions(text) == [expected])
    }

    @Test(arguments: [
        ("||", ["not url === \"https://dev.acme.example/\""], [String]()), ("&&", [], ["dev.acme.example"]),
    ])
    func `may let a certificate through beside its digest`(mark: String, expected: [String], named: [String]) {
        let text = """
            app.on('certificate-error', (event, contents, url, error, certificate, callback) => {
              if (url === 'https://dev.acme.example/' \(mark)
                certificate.fingerprint === 'sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=') {
                callback(true);
              } else {
                callback(false);
              }
            });
            """

        #expect(conditions(text) == [expected])
        #expect(hosts(text) == [named])
    }

    @Test(arguments: [
        ("request.hostname === 'localhost' && IS", ["localhost"]),
        ("IS && request.hostname === '127.0.0.1'", ["127.0.0.1"]),
        ("request.hostname === 'localhost' || IS", []), ("IS || request.hostname === 'localhost'", []),
        ("request.hostname === 'localhost' ? true : IS", []),
    ])
    func `may be asked of this computer alone`(asked: String, expected: [String]) {
        let digest = "request.certificate.fingerprint === 'sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM='"
        let text = """
            session.defaultSession.setCertificateVerifyProc((request, callback) => {
              if (\(asked.replacing("IS", with: digest))) callback(0);
              else callback(-3);
            });
            """
        let isOther = asked.contains("||")

        #expect(hosts(text) == [expected])
        #expect(conditions(text) == [isOther ? ["not request.hostname === \"localhost\""] : []])
    }

    @Test(arguments: ["hostname", "url.parse(address).hostname", "new URL(address).hostname"])
    func `are asked of a host that is taken out of an address`(host: String) {
        let text = """
            export function accepts(address, hostname, certificate) {
              if (!\(host).endsWith('.acme.example')) { return false }
              return certificate.fingerprint === 'sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=';
            }
            app.on('certificate-error', (event, contents, url, error, certificate, callback) => {
              callback(accepts(url, hostOf(url), certificate));
            });
            """

        #expect(hosts(text) == [[".acme.example"]])
    }

    @Test(arguments: [
        ("process.env.PIN || ", true), ("process.env.PIN ?? ", true), ("", false), ("usual() || ", false),
    ])
    func `may be a variable with a pin of its own`(first: String, isGiven: Bool) {
        let text = """
            const pin = \(first)'\(Self.digest)';
            const agent = new https.Agent({
              checkServerIdentity: (host, cert) => (digestOf(cert.raw) === pin ? undefined : new Error('pin')),
            });
            """
        let told = found(in: text).map { if case .described(_, _, let what, _) = $0.content { what } else { "" } }
        let added = "; where the build gives 'process.env.PIN', that stands in the place of 'pin'"

        #expect(told.map { $0.hasSuffix(added) } == [isGiven])
    }

    @Test(arguments: [("this.pin();", false), ("// this.pin();", true)])
    func `of a component may be called by nothing`(call: String, isUncalled: Bool) {
        let text = """
            @Component({ selector: 'app-root', template: '' })
            export class AppComponent {
              ngOnInit() {
                \(call)
              }
              async pin() {
                await SSLCertificateChecker.checkCertificate({
                  url: 'https://api.acme.example', fingerprint: '\(Self.fingerprint)',
                });
              }
            }
            """
        let told = found(in: text).map { if case .described(_, _, let what, _) = $0.content { what } else { "" } }

        #expect(told.map { $0.hasSuffix("; in 'pin', which nothing in this source calls") } == [isUncalled])
    }
}
