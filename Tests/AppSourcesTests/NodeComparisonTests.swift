import Testing

@testable import AppSources

/// What Node does with the answers of its callbacks.
@Suite struct `Callbacks in Node` {
    private static let digest = "146de983c5730650d8eeb9952f34fc6416a08342e61dbea88a0496b23fcf44e5"
    private let compared = "compared with the server's certificate in code"
    private let unheeded = "; with 'rejectUnauthorized: false' Node heeds no answer: every certificate is let through"

    private func told(_ text: String) -> [String] {
        let file = SourceModule.File(path: "a.js", language: .script, text: text)
        return SourceReader(SourceModule([file])).read(file).map { found in
            switch found.content {
            case .described(_, _, let what, _): what
            case .gaps(let gaps, _, _): gaps.map(\.reason).joined()
            default: "no description"
            }
        }
    }

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
        #expect(FoundPins.acceptsAll(compared + unheeded))
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
        "response.socket.authorized", "response.socket.authorizationError", "socket.getPeerCertificate()",
    ])
    func `may be heeded by the code itself`(look: String) {
        let text = """
            const options = {
              rejectUnauthorized: false,
              checkServerIdentity: (host, cert) =>
                digestOf(cert.raw) === '\(Self.digest)' ? undefined : new Error('pin'),
            };
            https.get(options, (response) => { if (!\(look)) response.destroy(); });
            """

        #expect(told(text).allSatisfy { !$0.contains(unheeded) })
    }
}
