import COpenSSL
import TestSupport
import Testing

@testable import TLSCore

@Suite struct `A server that limits what it offers` {
    @Test func `is talked to in the group that it names, with or without a second hello`() throws {
        let client = TLSSettings(groups: "X25519:P-256:P-521")
        for group in ["X25519", "P-521"] {
            let pair = try EnginePair(.present(Sample.server, offer: TLSOffer(groups: [group])), client: client)
            pair.shakeHands()

            #expect(pair.server.session?.version == .tls1_3)
            #expect(pair.client.engine.presentedChain == Sample.server.chain)
        }
        let pair = try EnginePair(.present(Sample.server, offer: TLSOffer(groups: ["P-384"])), client: client)
        pair.shakeHands()
        #expect(pair.server.session == nil)
    }

    @Test(arguments: [
        (["AES128-SHA256"], TLSVersion.tls1_2), (["ECDHE-RSA-AES256-SHA"], .tls1_0), (["NULL-SHA256"], .tls1_2),
        (["TLS_CHACHA20_POLY1305_SHA256"], .tls1_3),
    ])
    func `speaks only the cipher suites that it names`(ciphers: [String], version: TLSVersion) throws {
        let rsa = try Sample.issuing.identity(Sample.leaf(), key: Sample.rsa2048)
        let offer = TLSOffer(versions: version...version, ciphers: ciphers)
        // The client's own offer has suites in the open as well.
        let client = try TLSContext(client: TLSSettings(versions: .tls1_0 ... .tls1_3), trust: nil)
        SSL_CTX_set_cipher_list(client.ssl.pointer, "ALL:COMPLEMENTOFALL:@SECLEVEL=0")

        let pair = try EnginePair(
            .present(rsa, offer: offer),
            server: TLSContext(server: TLSSettings()),
            client: client
        )
        pair.shakeHands()

        #expect(pair.server.session?.cipherSuite == ciphers[0])
        #expect(offer.versionsOfCiphers?.contains(version) == true)
        #expect(offer.isInTheOpen == (ciphers == ["NULL-SHA256"]))
    }

    @Test func `exchanges keys in a finite field`() throws {
        let rsa = try Sample.issuing.identity(Sample.leaf(), key: Sample.rsa2048)
        for (bits, name) in [(1024, "DHE-RSA-AES256-GCM-SHA384"), (2048, "DHE-RSA-AES256-GCM-SHA384")] {
            let offer = TLSOffer(versions: .tls1_2 ... .tls1_2, ciphers: ["DHE"], finiteFieldBits: bits)
            let pair = try EnginePair(.present(rsa, offer: offer))
            pair.shakeHands()

            #expect(pair.server.session?.cipherSuite == name)
        }
    }

    @Test func `picks an application protocol, or answers none`() throws {
        let usual = try EnginePair(.present(Sample.server))
        usual.shakeHands()
        let silent = try EnginePair(.present(Sample.server, offer: TLSOffer(applicationProtocols: [])))
        silent.shakeHands()

        #expect(usual.client.session?.applicationProtocol == "http/1.1")
        #expect(silent.client.session != nil)
        #expect(silent.client.session?.applicationProtocol == nil)
    }

    @Test func `asks for a certificate and serves who has none`() throws {
        let pair = try EnginePair(.present(Sample.server, offer: TLSOffer(clientCertificate: .asked)))
        pair.shakeHands()

        #expect(pair.server.session != nil)
        #expect(pair.server.events.contains(.clientCertificate([])))
    }

    @Test(arguments: [TLSVersion.tls1_2, .tls1_3])
    func `takes the certificate of who has one`(version: TLSVersion) throws {
        let own = try Identity(
            selfSigned: .leaf(names: [SubjectName("client.example")], now: Sample.now),
            key: PrivateKey()
        )
        let pair = try EnginePair(
            .present(Sample.server, offer: TLSOffer(versions: version...version, clientCertificate: .asked))
        )
        try pair.client.engine.prove(by: own)
        pair.shakeHands()

        #expect(pair.server.session != nil)
        #expect(pair.server.events.contains(.clientCertificate(own.chain)))
    }

    @Test func `knows what this OpenSSL lacks`() {
        #expect(
            TLSOffer(ciphers: ["ECDHE-RSA-AES128-SHA", "TLS_AES_128_GCM_SHA256"], groups: ["X25519"]).obstacle() == nil
        )
        #expect(TLSOffer(groups: ["X25519", "P-257"]).obstacle() == "the key-exchange group 'P-257'")
        #expect(TLSOffer(ciphers: ["RC5-SHA"]).obstacle() == "the cipher suite 'RC5-SHA'")
        #expect(TLSOffer(groups: ["X25519MLKEM768"]).obstacle(except: TLSOffer.knownElsewhere) == nil)
    }
}
