import Testing

@testable import AppSources

/// Authorities that clients of gRPC, got and Deno are given, and Titanium's certificate files.
@Suite struct `Authorities of a channel` {
    private static let alone = "only certificates that the app carries are trusted"

    private func told(_ text: String, _ language: SourceLanguage) -> [String] {
        Reading.found(text, language, path: "a").map { found in
            switch found.content {
            case .described(let hosts, let pins, let what, _):
                "\(hosts.joined(separator: " ")) \(pins.joined(separator: " ")): \(what)"
            case .gaps(let gaps, let hosts, _): "\(hosts.joined(separator: " ")): \(gaps.map(\.reason).joined())"
            default: "no description"
            }
        }
    }

    @Test(arguments: [
        (
            SourceLanguage.script,
            "const roots = fs.readFileSync('acme.pem');\nnew Api('api.acme.example:443', grpc.credentials.createSsl(roots));"
        ),
        (
            .script,
            "const ssl = credentials.createSsl(readFileSync('acme.pem'));\nconst api = new Api('api.acme.example:443', ssl);"
        ),
        (
            .script,
            "const own = fs.readFileSync('acme.pem');\ngot('https://api.acme.example/v1', { https: { certificateAuthority: own } });"
        ),
        (
            .script,
            "const pem = await Deno.readTextFile('acme.pem');\nconst client = Deno.createHttpClient({ caCerts: [pem] });\nfetch('https://api.acme.example/', { client });"
        ),
        (
            .cSharp,
            "class C { Channel Make() { var pem = File.ReadAllText(\"acme.pem\"); return new Channel(\"api.acme.example\", 443, new SslCredentials(pem)); } }"
        ),
        (
            .java,
            "class C { ManagedChannel make() { return NettyChannelBuilder.forAddress(\"api.acme.example\", 443).sslContext(GrpcSslContexts.forClient().trustManager(new File(\"acme.pem\")).build()).build(); } }"
        ),
        (
            .java,
            "class C { Channel make() { ChannelCredentials own = TlsChannelCredentials.newBuilder().trustManager(new File(\"acme.pem\")).build(); return Grpc.newChannelBuilderForAddress(\"api.acme.example\", 443, own).build(); } }"
        ),
        (
            .kotlin,
            "val file = File(\"acme.pem\")\nval channel = Grpc.newChannelBuilder(\"api.acme.example:443\", TlsChannelCredentials.newBuilder().trustManager(file).build()).build()"
        ),
    ])
    func `are told with its host`(language: SourceLanguage, text: String) {
        #expect(told(text, language) == ["api.acme.example acme.pem: \(Self.alone)"])
    }

    @Test func `are told of a raw resource`() {
        let text = """
            val stream = context.resources.openRawResource(R.raw.acme)
            val own = TlsChannelCredentials.newBuilder().trustManager(stream).build()
            """

        #expect(told(text, .kotlin) == [" raw/acme: \(Self.alone)"])
    }

    @Test func `may be for any name`() {
        let text = """
            const ssl = credentials.createSsl(readFileSync('acme.pem'), null, null, { checkServerIdentity: () => undefined });
            const api = new Api('api.acme.example:443', ssl);
            """

        #expect(
            told(text, .script) == [
                "api.acme.example acme.pem: \(Self.alone), whatever name they are for ('checkServerIdentity')"
            ]
        )
    }

    @Test(arguments: [
        (SourceLanguage.cSharp, "var own = new SslCredentials(File.ReadAllText(path));"),
        (.java, "class C { Object o = GrpcSslContexts.forClient().trustManager(new File(path)).build(); }"),
        (
            .java,
            "class C { Object o = GrpcSslContexts.forClient().trustManager(new File(config.get(\"ca.file\"))).build(); }"
        ),
    ])
    func `that only the app knows are a gap`(language: SourceLanguage, text: String) {
        #expect(told(text, language).allSatisfy { $0.hasPrefix(": which certificates this channel trusts") })
        #expect(told(text, language).count == 1)
    }

    @Test(arguments: [
        (
            SourceLanguage.script,
            "server.bind(address, ServerCredentials.createSsl(fs.readFileSync('acme.pem'), pairs));"
        ),
        (.script, "const ssl = credentials.createSsl();\nconst other = credentials.createSsl(null, key, cert);"),
        (.script, "Deno.serve({ caCerts: [own] }, handle);"),
        (.cSharp, "var own = new SslCredentials(); var other = new SslCredentials(pem);"),
        (
            .java,
            "class C { Object o = GrpcSslContexts.forServer(cert, key).trustManager(new File(\"acme.pem\")).build(); }"
        ),
        (.java, "class C { Object o = SslContextBuilder.forClient().trustManager(factory).build(); }"),
        (.java, "class C { Object o = SslContextBuilder.forClient().trustManager(managers.get(\"acme\")).build(); }"),
    ])
    func `are no server's, and nothing where the app gives none of its own`(language: SourceLanguage, text: String) {
        let file = SourceModule.File(path: "a", language: language, text: text)

        #expect(SourceReader(SourceModule([file])).read(file).isEmpty)
    }

    @Test(arguments: [
        "https.createX509CertificatePinningSecurityManager([{ url: 'https://api.acme.example', serverCertificate: 'acme.der' }]);",
        "const pins = [{ url: 'https://api.acme.example', serverCertificate: 'acme.der' }];\nhttps.createX509CertificatePinningSecurityManager(pins);",
    ])
    func `are Titanium's files for addresses`(text: String) {
        let what = "the key of a certificate file that Titanium's module is given for one address"

        #expect(told(text, .script) == ["api.acme.example acme.der: \(what)"])
    }

    @Test func `are named where one of Titanium's is not told`() {
        let text = """
            https.createX509CertificatePinningSecurityManager([
              { url: 'https://api.acme.example', serverCertificate: 'acme.der' }, make(),
            ]);
            """

        #expect(told(text, .script).count == 2)
    }

    @Test func `are a gap where Titanium is given a list that nothing tells`() {
        let text = "https.createX509CertificatePinningSecurityManager(load());"

        #expect(told(text, .script) == [": the addresses and certificates of its list are not told by this source"])
    }
}
