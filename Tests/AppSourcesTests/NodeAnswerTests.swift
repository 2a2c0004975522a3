import Testing

@testable import AppSources

/// What `checkServerIdentity` answers Node, and whom it is asked for.
@Suite struct `Answers to Node` {
    private static let digest = "146de983c5730650d8eeb9952f34fc6416a08342e61dbea88a0496b23fcf44e5"
    private let compared = "compared with the server's certificate in code"

    private func told(_ text: String) -> [String] { Reading.toldOrUnread(text, .script) }

    @Test(arguments: [
        ("if (!pins) return undefined;", true), ("if (!pins) { return; }", true),
        ("if (host !== 'api.acme.example') return;", true),
        ("if (!pins) return tls.checkServerIdentity(host, cert);", false),
        ("if (!pins) return new Error('host');", false), ("if (isOff) return;", false), ("", false),
    ])
    func `may take any name where a host has no pins`(others: String, isOpen: Bool) {
        let text = """
            const PINS = { 'api.acme.example': ['\(Self.digest)'] };
            new https.Agent({
              checkServerIdentity: (host, cert) => {
                const pins = PINS[host];
                \(others)
                if (!pins.includes(digestOf(cert.raw))) return new Error('pin');
                return undefined;
              },
            });
            """
        let what = "; other hosts are let through, whatever name their certificate is for"

        #expect(told(text).map { $0.contains(what) } == [isOpen])
    }

    @Test(arguments: [
        ("'api.acme.example'", ""),
        (
            "process.env.API_HOST || 'api.acme.example'",
            "; where the build gives 'process.env.API_HOST', that stands in the place of api.acme.example"
        ),
        (
            "process.env.API_HOST ?? 'api.acme.example'",
            "; where the build gives 'process.env.API_HOST', that stands in the place of api.acme.example"
        ),
    ])
    func `have the host that their client is asked for, whoever gives it`(host: String, rest: String) {
        let text = """
            const HOST = \(host);
            function check(name, cert) {
              return digestOf(cert.raw) === '\(Self.digest)' ? undefined : new Error('pin');
            }
            const agent = new https.Agent({ checkServerIdentity: check });
            https.get({ hostname: HOST, agent });
            """

        #expect(told(text) == [compared + rest])
        #expect(
            Reading.found(text, .script).map {
                if case .described(let hosts, _, _, _) = $0.content { hosts } else { [] }
            }
                == [["api.acme.example"]]
        )
    }

    @Test(arguments: [
        ("if (digestOf(cert.raw) !== pin) console.error('pin'); return undefined;", true),
        ("if (digestOf(cert.raw) !== pin) { reject(new Error('pin')); }", true),
        (
            "const other = tls.checkServerIdentity(host, cert); if (other) return other; "
                + "if (digestOf(cert.raw) !== pin) { log('pin'); } return undefined;", true
        ),
        ("if (digestOf(cert.raw) !== pin) log('pin'); return tls.checkServerIdentity(host, cert);", true),
        ("if (digestOf(cert.raw) !== pin) return new Error('pin');", false),
        ("if (digestOf(cert.raw) !== pin) throw new Error('pin');", false),
        ("if (digestOf(cert.raw) !== pin) socket.destroy();", false),
        ("if (digestOf(cert.raw) !== pin) refuse(cert);", false),
        ("return digestOf(cert.raw) === pin ? undefined : new Error('pin');", false),
    ])
    func `may answer nothing, so that Node goes on`(body: String, isOpen: Bool) {
        let text = """
            const pin = '\(Self.digest)';
            https.get({ hostname: 'api.acme.example', checkServerIdentity: (host, cert) => { \(body) } });
            """
        let what = "; nothing ends the connection where they differ"

        #expect(told(text) == [compared + (isOpen ? what : "")])
        let named = """
            const pin = '\(Self.digest)';
            function check(host, cert) { \(body) }
            https.get({ hostname: 'api.acme.example', checkServerIdentity: check });
            """
        #expect(told(named) == [compared + (isOpen ? what : "")])
    }

    @Test(arguments: [
        ("'pinToBeWritten=='", "; what stands there has no digest's length"), ("pins[0]", nil), ("'a'", nil),
    ])
    func `may be held against a text that is no digest`(pin: String, more: String?) {
        let text = """
            const PINNED_KEY = \(pin);
            https.get({
              hostname: 'api.acme.example',
              checkServerIdentity: (host, cert) => {
                const digest = digestOf(cert.pubkey);
                if (digest !== PINNED_KEY) return new Error('pin');
              },
            });
            """

        #expect(told(text) == [more.map { compared + $0 } ?? ComparisonForm.untold])
    }
}
