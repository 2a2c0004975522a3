import Testing

@testable import AppSources

/// Callbacks of Node and Electron that refuse nothing, and how they come to it.
@Suite struct `Callbacks of scripts that refuse nothing` {
    private let compared = "compared with the server's certificate in code"
    private let open = "; nothing ends the connection where they differ"
    private static let fingerprint =
        "BA:EB:26:E4:D2:2E:5E:35:DC:DF:6D:49:C1:40:70:E0:1D:43:36:92:49:92:09:EE:26:4F:3C:AA:CD:11:4D:53"

    private func told(_ text: String) -> [String] { Reading.told(text, .script) }

    @Test(arguments: [
        ("try { if (differs(cert)) throw new Error('pin'); } catch (e) { console.error(e); } return undefined;", true),
        ("try { if (differs(cert)) throw new Error('pin'); } catch (e) { return e; } return undefined;", false),
        ("try { if (differs(cert)) throw new Error('pin'); } catch (e) { throw e; } return undefined;", false),
        ("try { if (differs(cert)) throw new Error('pin'); } finally { done = true; }", false),
        ("if (differs(cert)) throw new Error('pin'); try { log(cert); } catch (e) { log(e); }", false),
    ])
    func `may catch what they throw themselves`(body: String, isOpen: Bool) {
        let text = """
            const PIN = '\(Self.fingerprint)';
            https.get('https://api.acme.example', { checkServerIdentity: (host, cert) => {
              \(body.replacing("differs(cert)", with: "cert.fingerprint256 !== PIN"))
            } });
            """

        #expect(told(text) == [compared + (isOpen ? open : "")])
    }

    @Test(arguments: [
        ("(host, cert) => this.check(host, cert)", "tls.checkServerIdentity(host, cert)", true),
        ("this.check", "tls.checkServerIdentity(host, cert)", true),
        ("(host, cert) => this.check(host, cert)", "new Error('pin')", false),
        ("this.check", "new Error('pin')", false),
        ("Client.check", "undefined", true),
    ])
    func `may leave it to a method`(given: String, otherwise: String, isOpen: Bool) {
        let text = """
            const PIN = '\(Self.fingerprint)';
            class Client {
              constructor(fingerprint = PIN) { this.fingerprint = fingerprint; }
              \(given.hasPrefix("Client") ? "static " : "")check(host, cert) {
                if (cert.fingerprint256 === this.fingerprint) return undefined;
                else return \(otherwise);
              }
              open() {
                return waits(this, void 0, function* () {
                  return tls.connect(443, 'api.acme.example', { checkServerIdentity: \(given) });
                });
              }
            }
            new Client().open();
            """

        #expect(told(text) == [compared + (isOpen ? open : "")])
    }

    @Test(arguments: [
        ("callback(0);", "; it says yes whatever they are: every certificate is let through"),
        ("callback(-3);", "; nothing ends the connection where they differ"),
        ("callback(IS ? 0 : -2);", ""), ("if (IS) { callback(0); return; } callback(-2);", ""),
        ("if (IS) return callback(0); decide(request, callback);", ""),
    ])
    func `may always say yes to Chromium`(answer: String, rest: String) {
        let text = """
            session.defaultSession.setCertificateVerifyProc((request, callback) => {
              const { certificate } = request;
              if (certificate.fingerprint !== PIN) console.warn('other');
              \(answer.replacing("IS", with: "certificate.fingerprint === PIN"))
            });
            const PIN = 'sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=';
            """

        #expect(told(text) == [compared + rest])
    }

    @Test(arguments: [
        ("callback(true);", "; it says yes whatever they are: every certificate is let through"),
        ("callback(certificate.fingerprint === PIN);", ""),
        ("if (certificate.fingerprint === PIN) callback(true); else callback(false);", ""),
    ])
    func `may always forgive what Chromium refuses`(answer: String, rest: String) {
        let text = """
            const PIN = 'sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=';
            app.on('certificate-error', (event, contents, url, error, certificate, callback) => {
              event.preventDefault();
              if (certificate.fingerprint !== PIN) console.warn('other');
              \(answer)
            });
            """

        #expect(told(text) == [compared + "; it is asked only about what Chromium refuses" + rest])
    }

    @Test(arguments: [
        ("async (host, cert) =>", true), ("(host, cert) =>", false), ("async function (host, cert)", true),
        ("function (host, cert)", false),
    ])
    func `may answer a promise`(head: String, isPromise: Bool) {
        let body = "{ if (cert.fingerprint256 !== PIN) throw new Error('pin'); }"
        let start = "const PIN = '\(Self.fingerprint)';\n"
        let what = "; its answer is a promise, which Node takes for an error: every server is refused"
        let expected = [compared + (isPromise ? what : "")]

        #expect(told("\(start)https.get(url, { checkServerIdentity: \(head) \(body) });") == expected)
        let word = isPromise ? "async " : ""
        let named = "\(start)\(word)function check(host, cert) \(body)\nhttps.get(url, { checkServerIdentity: check });"
        #expect(told(named) == expected)
        let method = "\(start)https.get(url, { \(word)checkServerIdentity(host, cert) \(body) });"
        #expect(told(method) == expected)
    }
}
