import Foundation
import TestSupport
import Testing

@testable import TLSCore

private let base64 = "r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E="
private let hex = "aff988906dde12955d9bebbf928fdcc31cce328d5b9384f21c8941ca26e20391"
private let short = String(hex.dropLast())
private let unpadded = String(base64.dropLast())
private let colons = stride(from: 0, to: 64, by: 2)
    .map { hex.uppercased().dropFirst($0).prefix(2) }.joined(separator: ":")

@Suite struct `A pin` {
    @Test func `may begin with a slash behind the prefix`() throws {
        let text = "/8rVv2U5E4hBiXYxJiCC0eR/XW0DhgiuKVtyBS8fPy4="

        for prefix in ["", "sha256/", "sha256//"] {
            #expect(try Pin(parsing: prefix + text).base64 == text)
        }
    }

    @Test(arguments: ["sha256/" + base64, "sha256//" + base64, base64, hex, hex.uppercased(), colons, "sha256/" + hex])
    func `is read in every form that people write`(text: String) throws {
        let pin = try Pin(parsing: text)

        #expect(pin.description == "sha256/" + base64)
        #expect(pin.curl == "sha256//" + base64)
        #expect(pin.base64 == base64)
        #expect(pin.hex == hex)
    }

    @Test(
        arguments: [
            ("", "the pin is empty"),
            ("sha256/", "the pin is empty"),
            ("sha256//", "the pin is empty"),
            ("=", "'=' is neither Base64 nor hexadecimal"),
            (":", "':' is neither Base64 nor hexadecimal"),
            ("not a pin", "'not a pin' is neither Base64 nor hexadecimal"),
            (" " + base64, "' \(base64)' is neither Base64 nor hexadecimal"),
            (base64 + "\n", "'\(base64)\n' is neither Base64 nor hexadecimal"),
            ("sha1/" + base64, "'sha1/\(base64)' is neither Base64 nor hexadecimal"),
            (unpadded, "'\(unpadded)' is neither Base64 nor hexadecimal"),
            (
                "r_mIkG3eEpVdm-u_ko_cwxzOMo1bk4TyHIlByibiA5E=",
                "'r_mIkG3eEpVdm-u_ko_cwxzOMo1bk4TyHIlByibiA5E=' is neither Base64 nor hexadecimal"
            ),
            ("sha256/AAAA", "'sha256/AAAA' holds 3 bytes; a SHA-256 pin holds 32"),
            ("qvqvqg==", "'qvqvqg==' holds 4 bytes; a SHA-256 pin holds 32"),
            ("aff988906d", "'aff988906d' is neither Base64 nor hexadecimal"),
            ("aff988906dde", "'aff988906dde' holds 9 bytes; a SHA-256 pin holds 32"),
            (short + "g", "'\(short)g' holds 48 bytes; a SHA-256 pin holds 32"),
        ] as [(String, String)]
    )
    func `is refused in words that say why`(text: String, complaint: String) {
        let error = #expect(throws: Pin.ParseError.self) { try Pin(parsing: text) }

        #expect(error?.description == complaint)
    }

    @Test(arguments: [0, 31, 33, 64])
    func `holds 32 bytes and no other number`(count: Int) {
        #expect(Pin(digest: [UInt8](repeating: 7, count: count)) == nil)
        #expect(Pin(digest: [UInt8](repeating: 7, count: 32))?.digest.count == 32)
    }

    @Test func `of the DigiCert root is the published one`() throws {
        let file = Places.package.appending(path: "certs/vectors/digicert-global-root-ca.pem")

        let certificates = try PEM.certificates(in: String(contentsOf: file, encoding: .utf8))

        #expect(certificates.map(\.pin.base64) == [base64])
        #expect(certificates.first?.subject == "CN=DigiCert Global Root CA,OU=www.digicert.com,O=DigiCert Inc,C=US")
        #expect(certificates.first?.isSelfSigned == true)
        #expect(certificates.first?.isAuthority == true)
        #expect(certificates.first?.keyDescription == "RSA 2048")
    }

    @Test(arguments: [KeyType.p256, .p384, .p521, .ed25519, .rsa2048])
    func `of a key is the pin of every certificate for it`(type: KeyType) throws {
        let key = try PrivateKey(type)

        let first = try Sample.issuing.identity(Sample.leaf(), key: key)
        let renewed = try Sample.issuing.identity(Sample.leaf { $0.notAfter += Sample.day }, key: key)

        #expect(first.leaf.pin == key.pin && renewed.leaf.pin == key.pin)
        #expect(first.leaf.fingerprint != renewed.leaf.fingerprint)
        #expect(first.leaf.publicKey == key.publicKey)
    }
}

@Suite struct `SHA-256` {
    /// FIPS 180-4's own examples.
    @Test(
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ]
    )
    func `agrees with the standard`(text: String, digest: String) {
        #expect(hexadecimal(sha256(text.utf8)) == digest)
    }
}

@Suite struct `Base64 text` {
    @Test(arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")])
    func `goes there and back`(text: String, encoded: String) {
        let bytes = Array(text.utf8)

        #expect(Base64.encode(bytes) == encoded)
        #expect(Base64.decode(encoded) == (bytes.isEmpty ? nil : bytes))
    }

    @Test(arguments: ["Zg", "Zg=", "Zg===", "=Zg=", "Z===", "====", "Zm9v\n", "Zm9 ", "Zm-_", "Zm=v", "Zü=="])
    func `is strict`(text: String) {
        #expect(Base64.decode(text) == nil)
    }
}
