import Testing

@testable import AppSources

/// Authorities that Node's TLS is given, which are then the only ones that it trusts.
@Suite struct `Authorities in Node` {
    private let alone = "only certificates that the app carries are trusted"
    private let open =
        "certificates that the app carries, and with 'rejectUnauthorized: false' Node heeds none: every "
        + "certificate is let through"

    private func found(_ text: String) -> [FoundPins] {
        Reading.found(text, .script, path: "a.js").filter { $0.form == .nodeTrust }
    }

    private func told(_ text: String) -> [String] {
        found(text).map { found in
            switch found.content {
            case .described(_, let pins, let what, _): "\(pins.joined(separator: " ")): \(what)"
            case .gaps(let gaps, _, _): gaps.map(\.reason).joined()
            default: "no description"
            }
        }
    }

    @Test(arguments: [
        "new https.Agent({ ca: fs.readFileSync(path.join(__dirname, 'acme.pem')) });",
        "tls.connect(443, host, { ca: [fs.readFileSync('acme.pem')] });",
        "const file = 'acme.pem';\nconst options = { ca: fs.readFileSync(file), minVersion: 'TLSv1.3' };",
        "const ca = fs.readFileSync('acme.pem');\nnew Agent({ connect: { ca } });",
        "const options = {};\noptions.ca = fs.readFileSync('acme.pem');\nmqtt.connect(url, options);",
        "const settings = { server: { host, ssl: { ca: fs.readFileSync('acme.pem') } } };",
        "const base = { ca: fs.readFileSync('acme.pem') };\nhttps.get({ host, ...base });",
    ])
    func `are told, wherever they stand`(text: String) {
        #expect(told(text).map { String($0.prefix { $0 != ";" }) } == ["acme.pem: \(alone)"])
    }

    @Test(arguments: [
        "https.createServer({ ca: fs.readFileSync('acme.pem'), key, cert }, app);",
        "const options = { ca: fs.readFileSync('acme.pem'), key, cert };\nhttps.createServer(options, app);",
        "tls.connect({ ca: fs.readFileSync('acme.pem'), requestCert: true });",
        "new https.Agent({ ca: process.env.CA });", "https.get({ ca: undefined });",
        "export default { server: { https: { ca: fs.readFileSync('acme.pem'), key, cert } } };",
        "module.exports = { devServer: { https: { ca: fs.readFileSync('acme.pem'), cert: fs.readFileSync('own.pem') } } };",
        "const regions = { ca: 'acme.pem', us: 'other.pem' };",
    ])
    func `are no server's, and nothing where only the app is given them`(text: String) {
        #expect(told(text).isEmpty)
    }

    @Test func `are no others where a certificate stands in the source`() {
        let text = """
            new Pool({
              host: 'db.acme.example',
              ssl: { ca: `-----BEGIN CERTIFICATE-----
                MIIB
                -----END CERTIFICATE-----` },
            });
            """

        #expect(found(text).map(\.line) == [3])
        #expect(
            found(text).map(\.content) == [
                .described(
                    hosts: ["db.acme.example"],
                    pins: ["-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----"],
                    what: alone
                )
            ]
        )
    }

    @Test(arguments: [
        (", rejectUnauthorized: false", true), (", rejectUnauthorized: true", false), ("", false),
        (", rejectUnauthorized: false, ...{ rejectUnauthorized: true }", false),
    ])
    func `mean nothing where Node refuses nothing`(option: String, isOpen: Bool) {
        let text = "https.get({ host: 'api.acme.example', ca: fs.readFileSync('acme.pem')\(option) });"

        #expect(told(text) == ["acme.pem: \(isOpen ? open : alone)"])
        #expect(FoundPins.acceptsAll(told(text)[0]) == isOpen)
    }

    @Test(arguments: [
        ("process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';", "", true),
        ("if (isLocal) process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';", "", false),
        ("process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';", ", rejectUnauthorized: true", false),
    ])
    func `mean nothing where the whole program refuses nothing`(before: String, option: String, isOpen: Bool) {
        let text = "\(before)\nhttps.get({ host: 'api.acme.example', ca: fs.readFileSync('acme.pem')\(option) });"

        #expect(told(text).map(FoundPins.acceptsAll) == [isOpen])
    }

    @Test func `mean something in one build alone`() {
        let text =
            "https.get({ host: 'api.acme.example', ca: fs.readFileSync('acme.pem'), rejectUnauthorized: isLive });"

        #expect(told(text).sorted() == ["acme.pem: \(open)", "acme.pem: \(alone)"].sorted())
        #expect(Set(found(text).map(\.conditions)) == [["isLive"], ["not isLive"]])
    }

    @Test func `are left to code that looks at what Node notes`() {
        let text = """
            const socket = tls.connect({ ca: fs.readFileSync('acme.pem'), rejectUnauthorized: false }, () => {
              if (!socket.authorized) socket.destroy();
            });
            """
        let what =
            "certificates that the app carries; with 'rejectUnauthorized: false' only its own code refuses others"

        #expect(told(text) == ["acme.pem: \(what)"])
    }

    @Test(arguments: [
        ("() => undefined", ", whatever name they are for ('checkServerIdentity')"),
        ("() => {}", ", whatever name they are for ('checkServerIdentity')"),
        (
            "(host, cert) => nameOf(cert) === host ? undefined : new Error('name')",
            "; which name they may be for is said by the app's own 'checkServerIdentity'"
        ),
    ])
    func `may be for any name`(check: String, rest: String) {
        let text = "new https.Agent({ ca: fs.readFileSync('acme.pem'), checkServerIdentity: \(check) });"

        #expect(told(text) == ["acme.pem: \(alone)\(rest)"])
    }

    @Test func `may stand beside Node's own`() {
        let text = "new https.Agent({ ca: [...tls.rootCertificates, fs.readFileSync('acme.pem')] });"

        #expect(told(text) == ["acme.pem: certificates that the app carries are trusted, beside Node's own"])
    }

    @Test func `may be in a file that the source does not tell`() {
        let text = "import { file } from './files';\nnew https.Agent({ ca: fs.readFileSync(file) });"

        #expect(told(text).count == 1 && told(text)[0].hasPrefix("which certificates Node trusts here: 'file' "))
    }
}
