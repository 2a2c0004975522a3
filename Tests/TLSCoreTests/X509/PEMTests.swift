import TLSCore
import TestSupport
import Testing

private let leaf = Sample.server.leaf
private let issuer = Sample.issuing.certificate

@Suite struct `PEM text` {
    @Test func `goes there and back`() throws {
        let text = PEM.encode(Sample.server.chain)

        let certificates = try PEM.certificates(in: text)

        #expect(certificates == Sample.server.chain)
        #expect(text.split(separator: "\n").allSatisfy { $0.utf8.count <= 64 })
        #expect(text.hasSuffix("-----END CERTIFICATE-----\n"))
        #expect(leaf.pem == PEM.encode(leaf))
    }

    @Test(
        arguments: [
            ("CR LF line ends", leaf.pem.replacing("\n", with: "\r\n")),
            ("CR line ends", leaf.pem.replacing("\n", with: "\r")),
            ("no line end at the end", String(leaf.pem.dropLast())),
            ("spaces around lines", leaf.pem.replacing("\n", with: " \t\n  ")),
            ("blank lines inside", leaf.pem.replacing("\n", with: "\n\n")),
            ("a body in one line", oneLine(leaf)),
            ("text before and behind", "subject=CN = x\n\(leaf.pem)that was it\n"),
            ("a private key in front", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n" + leaf.pem),
            ("the end of another block in front", "-----END CERTIFICATE-----\n" + leaf.pem),
        ] as [(String, String)]
    )
    func `is read with`(oddity: String, text: String) throws {
        #expect(try PEM.certificates(in: text) == [leaf], "\(oddity)")
    }

    @Test func `keeps the order and what stands twice`() throws {
        let text = leaf.pem + "\n# and above it\n" + issuer.pem + leaf.pem

        #expect(try PEM.certificates(in: text) == [leaf, issuer, leaf])
    }

    @Test(
        arguments: [
            ("", 1, "no certificate found"),
            ("hello\nworld\n", 1, "no certificate found"),
            ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", 1, "no certificate found"),
            ("\n\n-----BEGIN CERTIFICATE-----\nAAAA\n", 3, "this certificate block does not end"),
            ("-----BEGIN CERTIFICATE-----\r\nAAAA\r\n", 1, "this certificate block does not end"),
            (leaf.pem + "-----BEGIN CERTIFICATE-----\n" + leaf.pem, 0, "this certificate block does not end"),
            (
                "-----BEGIN CERTIFICATE-----\nAAAA\n-----END PRIVATE KEY-----\n", 1,
                "this certificate block does not end"
            ),
            (
                "x\n-----BEGIN CERTIFICATE-----\n!!!!\n-----END CERTIFICATE-----\n", 2,
                "this certificate block is not Base64"
            ),
            (
                "\r\n\r\n-----BEGIN CERTIFICATE-----\r\nAAA\r\n-----END CERTIFICATE-----\r\n", 3,
                "this certificate block is not Base64"
            ),
            ("-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n", 1, "this certificate block is not Base64"),
        ] as [(String, Int, String)]
    )
    func `is refused with the line of the block`(text: String, line: Int, complaint: String) {
        let error = #expect(throws: PEM.ParseError.self) { try PEM.certificates(in: text) }

        #expect(error?.description == complaint)
        #expect(error?.line == (line == 0 ? leaf.pem.split(separator: "\n").count + 1 : line))
    }

    @Test func `is refused where a block holds something else`() {
        let text = "\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"

        let error = #expect(throws: PEM.ParseError.self) { try PEM.certificates(in: text) }

        #expect(error?.line == 2)
        #expect(error?.description.hasPrefix("this block is no certificate: could not read a DER certificate") == true)
    }
}

private func oneLine(_ certificate: Certificate) -> String {
    let lines = certificate.pem.split(separator: "\n")
    return "\(lines[0])\n\(lines.dropFirst().dropLast().joined())\n\(lines[lines.count - 1])\n"
}

@Suite struct `A private key` {
    @Test(arguments: KeyType.allCases.filter { $0 != .rsa3072 && $0 != .rsa4096 })
    func `goes to PEM and back`(type: KeyType) throws {
        let key = try Sample.key(type)

        let read = try PrivateKey(pem: key.pem())

        #expect(read.pin == key.pin)
        #expect(try key.pem().hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
    }

    @Test(
        arguments: [
            "", "hello", leaf.pem, "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
            "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMAA=\n-----END ENCRYPTED PRIVATE KEY-----\n",
        ]
    )
    func `is refused where there is none`(text: String) {
        #expect(throws: OpenSSLError.self) { try PrivateKey(pem: text) }
    }

    @Test func `is new every time`() throws {
        let pins = try (0..<50).map { _ in try PrivateKey().pin }

        #expect(Set(pins).count == 50)
    }
}
