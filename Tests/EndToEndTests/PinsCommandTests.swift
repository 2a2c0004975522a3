import Foundation
import TestSupport
import Testing

/// `pindrill pins`.
struct PinsCommandTests {
    private let vector = Places.package.appending(path: "certs/vectors/digicert-global-root-ca.pem")
    private let facts = """
        CN=DigiCert Global Root CA,OU=www.digicert.com,O=DigiCert Inc,C=US
          key          RSA 2048
          pin          sha256/r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E=
          pin, hex     aff988906dde12955d9bebbf928fdcc31cce328d5b9384f21c8941ca26e20391
          certificate  4348a0e9444c78cb265e058d5e8944b4d84f9662bd26db257f8934a443c70161

        """

    @Test func `a certificate has its known pin`() async throws {
        let ending = try await Program.run("pins", vector.path)

        #expect(ending.status == 0)
        #expect(ending.output == facts)
    }

    @Test func `the example in the documents is what is printed`() throws {
        let page = try String(contentsOf: Places.package.appending(path: "docs/pins.md"), encoding: .utf8)

        #expect(page.contains("$ pindrill pins certs/vectors/digicert-global-root-ca.pem\n\(facts)"))
    }

    @Test func `several certificates are printed in the order of the file`() async throws {
        let pem = try String(contentsOf: vector, encoding: .utf8)

        let ending = try await pins(of: Data("a note\r\n\(pem)\n\(pem)".utf8))

        #expect(ending.status == 0)
        #expect(ending.output == facts + facts)
    }

    @Test func `DER is read as well`() async throws {
        let ending = try await pins(of: try der())

        #expect(ending.status == 0)
        #expect(ending.output == facts)
    }

    @Test func `what holds no certificate is an error`() async throws {
        let pem = try String(contentsOf: vector, encoding: .utf8)
        let key = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
        let bad: [(Data, String)] = [
            (Data(), "this file is empty"),
            (Data("version: 1\n".utf8), "no certificate and no key found: this is neither PEM nor DER"),
            (Data("<html><body>404</body></html>".utf8), "this is an HTML page, not a certificate"),
            (Data(key.utf8), "file:1: this block is no private key: "),
            (Data(pem.utf8.prefix(400)), "this certificate block does not end"),
            (Data(pem.replacing("MII", with: "M!!").utf8), "this certificate block is not Base64"),
            (try der().prefix(300), "could not read a DER certificate"),
        ]

        for (contents, complaint) in bad {
            let ending = try await pins(of: contents)

            #expect(ending.status == 65)
            #expect(ending.output.isEmpty)
            #expect(ending.errors.hasPrefix("file:"))
            #expect(ending.errors.contains(complaint), "\(ending.errors)")
            #expect(ending.errors.count { $0 == "\n" } == 1)
        }
    }

    @Test func `a file that is not there is said to be missing`() async throws {
        try await withTemporaryFolder { folder in
            let missing = try await Program.run("pins", "none.pem", in: folder)
            let aFolder = try await Program.run("pins", folder.path)

            #expect((missing.status, aFolder.status) == (65, 65))
            #expect(missing.errors == "none.pem: no such file\n")
            #expect(aFolder.errors == "\(folder.path): this is a folder; name a file\n")
        }
    }

    private func der() throws -> Data {
        let lines = try String(contentsOf: vector, encoding: .utf8).split(whereSeparator: \.isNewline)
        let body = lines.drop { !$0.hasPrefix("-----BEGIN") }.dropFirst().prefix { !$0.hasPrefix("-----END") }
        return try #require(Data(base64Encoded: body.joined()))
    }

    private func pins(of contents: Data) async throws -> Program.Ending {
        try await withTemporaryFolder { folder in
            try contents.write(to: folder.appending(path: "file"))
            return try await Program.run("pins", "file", in: folder)
        }
    }
}
