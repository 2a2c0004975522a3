import Foundation
import TLSCore
import TestSupport
import Testing

private let leaf = Sample.server.leaf
private let issuer = Sample.issuing.certificate

@Suite struct `PEM text` {
    @Test(arguments: ["a note", "a\u{0B}note", "a\u{0C}note", "a\u{2028}note"])
    func `is counted in the lines that editors count`(note: String) throws {
        let error = #expect(throws: PEM.ParseError.self) {
            try PEM.certificates(in: "\(note)\n-----BEGIN CERTIFICATE-----\nMA==\n")
        }

        #expect(error?.line == 2)
    }

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
            ("CR LF line ends", leaf.pem.changing("\n", to: "\r\n")),
            ("CR line ends", leaf.pem.changing("\n", to: "\r")),
            ("no line end at the end", String(leaf.pem.dropLast())),
            ("spaces around lines", leaf.pem.changing("\n", to: " \t\n  ")),
            ("blank lines inside", leaf.pem.changing("\n", to: "\n\n")),
            ("a body in one line", oneLine(leaf)),
            ("text before and behind", "subject=CN = x\n\(leaf.pem)that was it\n"),
            ("a private key in front", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n" + leaf.pem),
            ("the older label", leaf.pem.changing(" CERTIFICATE", to: " X509 CERTIFICATE")),
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
            ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", 1, "no certificate found, but a key"),
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

    @Test(
        arguments: [
            ("nothing", leaf.pem, leaf.pem + issuer.pem),
            ("a byte-order mark in front", "\u{FEFF}" + leaf.pem, "\u{FEFF}" + leaf.pem + issuer.pem),
            ("one in the middle", leaf.pem, leaf.pem + "\u{FEFF}" + issuer.pem),
            ("one behind white space", leaf.pem, "  \u{FEFF} " + leaf.pem + " \u{FEFF}\r\n" + issuer.pem),
            ("notes", leaf.pem, "# root, 2 of 3 -- see BEGIN below\n\(leaf.pem)--- \(leaf.pin) ---\n\(issuer.pem)"),
        ] as [(String, String, String)]
    )
    func `F1: a file has all its certificates with`(oddity: String, one: String, two: String) throws {
        #expect(try PEM.certificates(in: one) == [leaf], "\(oddity)")
        #expect(try PEM.certificates(in: two) == [leaf, issuer], "\(oddity)")
    }

    @Test func `F1: what OpenSSL trusts a certificate for is left out`() throws {
        let trusted = block(leaf.der, [0x30, 0x00]).changing(" CERTIFICATE", to: " TRUSTED CERTIFICATE")

        #expect(try PEM.certificates(in: trusted + issuer.pem) == [leaf, issuer])
        #expect(throws: PEM.ParseError.self) {
            try PEM.certificates(in: trusted.changing("TRUSTED ", to: "") + issuer.pem)
        }
    }

    /// A whole certificate stands behind each: an error, for the chain would lack one in silence.
    @Test(
        arguments: [
            ("- " + leaf.pem, 1, "this line holds more, or less, than '-----BEGIN …-----'; PEM needs line breaks"),
            (leaf.pem.changing("CERTIFICATE-----\nM", to: "CERTIFICATE-----M"), 1, "this line holds more, or less"),
            (leaf.pem.changing("\n", to: ""), 1, "this line holds more, or less"),
            (leaf.pem.changing("\n", to: " ") + "\n", 1, "this line holds more, or less"),
            (leaf.pem.changing("\n", to: "\\n"), 1, "this line holds more, or less"),
            ("cert = '" + leaf.pem, 1, "this line holds more, or less"),
            (leaf.pem.changing("BEGIN CERTIFICATE-----", to: "BEGIN CERTIFICATE----"), 1, "this line holds more"),
            (leaf.pem.changing("BEGIN CERTIFICATE", to: "BEGIN"), 1, "this line holds more, or less"),
            (leaf.pem.changing("-----BEGIN", to: "----BEGIN"), 2, "this Base64 stands in no block"),
            (leaf.pem.changing("-----BEGIN", to: "—–BEGIN"), 2, "this Base64 stands in no block"),
            (leaf.pem.changing("-----BEGIN", to: "-----begin"), 2, "this Base64 stands in no block"),
            (leaf.pem.changing("\n", to: "\n> ").changing("--BEGIN", to: "BEGIN"), 2, "this Base64 stands in no"),
            (leaf.pem.split(separator: "\n").dropFirst().joined(separator: "\n") + "\n", 1, "this Base64 stands in no"),
            ("-----END CERTIFICATE-----\n", 1, "this END line has no BEGIN line"),
            (leaf.pem.changing("--END", to: "END"), 1, "this certificate block does not end"),
            (String(leaf.pem.dropLast()), lines(leaf), "this line holds more, or less"),
            (leaf.pem.changing("BEGIN CERT", to: "BEGIN CRT"), 1, "this crtificate block does not end"),
            (leaf.pem.changing("CERTIFICATE", to: "CERTIFCATE"), 1, "this is a CERTIFCATE block"),
            (leaf.pem.changing("CERTIFICATE", to: "Certificate"), 1, "this is a Certificate block"),
            (leaf.pem.changing("CERTIFICATE", to: "PKCS7"), 1, "this is a PKCS#7 bundle"),
            (leaf.pem.map { "\($0)\0" }.joined(), 1, "this line is UTF-16 text; save it as UTF-8"),
        ] as [(String, Int, String)]
    )
    func `F1: a damaged block before a whole one is an error`(damaged: String, line: Int, complaint: String) {
        let error = #expect(throws: PEM.ParseError.self) { try PEM.certificates(in: damaged + issuer.pem) }

        #expect(error?.description.hasPrefix(complaint) == true, "\(String(describing: error))")
        #expect(error?.line == line)
    }

    @Test func `is refused where a block holds something else`() {
        let text = "\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"

        let error = #expect(throws: PEM.ParseError.self) { try PEM.certificates(in: text) }

        #expect(error?.line == 2)
        #expect(error?.description.hasPrefix("this block is no certificate: could not read a DER certificate") == true)
    }
}

private func lines(_ certificate: Certificate) -> Int { certificate.pem.count { $0 == "\n" } }

/// A PEM block of some DER and what stands behind it.
private func block(_ der: [UInt8]...) -> String {
    let text = Data(der.joined()).base64EncodedString()
    return "-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n"
}

private func oneLine(_ certificate: Certificate) -> String {
    let lines = certificate.pem.split(separator: "\n")
    return "\(lines[0])\n\(lines.dropFirst().dropLast().joined())\n\(lines[lines.count - 1])\n"
}

@Suite struct `A private key` {
    @Test(arguments: KeyType.allCases.filter { $0 != .rsa3072 && $0 != .rsa4096 })
    func `goes to PEM`(type: KeyType) throws {
        let key = try Sample.key(type)

        let text = try key.pem()

        #expect(try KeyMaterial.parse(Array(text.utf8)).map(\.pin) == [key.pin])
        #expect(text.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
    }

    @Test func `is new every time`() throws {
        let pins = try (0..<50).map { _ in try PrivateKey().pin }

        #expect(Set(pins).count == 50)
    }
}
