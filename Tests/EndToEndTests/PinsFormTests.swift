import Foundation
import TLSCore
import TestSupport
import Testing

/// `pindrill pins --as`, word for word: it is pasted.
struct PinsFormTests {
    private let leaf = Sample.server.leaf.pin
    private let issuing = Sample.issuing.certificate.pin

    @Test func `ats`() async throws {
        let ending = try await pins("ats")

        #expect(ending.errors == "note: both lists must match at once; delete one unless that is meant\n")
        #expect(
            ending.output == """
                <key>NSPinnedDomains</key>
                <dict>
                    <key>api.acme.example</key>
                    <dict>
                        <key>NSPinnedLeafIdentities</key>
                        <array>
                            <!-- CN=api.acme.example -->
                            <dict>
                                <key>SPKI-SHA256-BASE64</key>
                                <string>\(leaf.base64)</string>
                            </dict>
                        </array>
                        <key>NSPinnedCAIdentities</key>
                        <array>
                            <!-- CN=Acme Issuing -->
                            <dict>
                                <key>SPKI-SHA256-BASE64</key>
                                <string>\(issuing.base64)</string>
                            </dict>
                        </array>
                    </dict>
                </dict>

                """
        )
    }

    @Test func `trustkit`() async throws {
        let ending = try await pins("trustkit")

        #expect(ending.errors.isEmpty)
        #expect(
            ending.output == """
                kTSKPublicKeyHashes: [
                    // TrustKit demands at least two pins, and they must differ: one of them is the backup key's.
                    "\(leaf.base64)",  // CN=api.acme.example
                    "\(issuing.base64)",  // CN=Acme Issuing
                ],

                """
        )
    }

    @Test func `android`() async throws {
        let ending = try await pins("android")

        #expect(ending.errors.isEmpty)
        #expect(
            ending.output == """
                <domain-config>
                    <domain includeSubdomains="false">api.acme.example</domain>
                    <pin-set>
                        <!-- CN=api.acme.example -->
                        <pin digest="SHA-256">\(leaf.base64)</pin>
                        <!-- CN=Acme Issuing -->
                        <pin digest="SHA-256">\(issuing.base64)</pin>
                    </pin-set>
                </domain-config>

                """
        )
    }

    @Test func `okhttp`() async throws {
        let ending = try await pins("okhttp")

        #expect(ending.errors.isEmpty)
        #expect(
            ending.output == """
                CertificatePinner.Builder()
                    .add("api.acme.example", "sha256/\(leaf.base64)") // CN=api.acme.example
                    .add("api.acme.example", "sha256/\(issuing.base64)") // CN=Acme Issuing
                    .build()

                """
        )
    }

    @Test func `curl, which compares only the server's own key`() async throws {
        let both = try await pins("curl")
        let authority = try await pins("curl", of: Sample.issuing.certificate.pem)

        #expect(both.output == "sha256//\(leaf.base64)\n")
        #expect(both.errors.isEmpty)
        #expect(authority.output == "sha256//\(issuing.base64)\n")
        #expect(authority.errors == "note: curl compares only the server's own key, and these are authorities'\n")
    }

    @Test func `curl, with a list`() async throws {
        let backup = try PrivateKey()

        let ending = try await pins("curl", of: Sample.server.leaf.pem + backup.pem())

        #expect(ending.output == "sha256//\(leaf.base64);sha256//\(backup.pin.base64)\n")
    }

    @Test func `alamofire, which takes certificates`() async throws {
        let ending = try await pins("alamofire", of: Sample.server.leaf.pem)
        let key = try await pins("alamofire", of: Sample.server.key.pem())

        #expect(ending.errors.isEmpty)
        #expect(
            ending.output == """
                // Alamofire compares whole keys, not hashes, and takes them from certificates; here they are in DER, as Base64.
                let certificates = [
                    "\(Data(Sample.server.leaf.der).base64EncodedString())",  // CN=api.acme.example
                ].map { SecCertificateCreateWithData(nil, Data(base64Encoded: $0)! as CFData)! }
                let manager = ServerTrustManager(evaluators: [
                    "api.acme.example": PublicKeysTrustEvaluator(keys: certificates.af.publicKeys),
                ])

                """
        )
        #expect(key.status == 65)
        #expect(key.errors == "file: Alamofire pins keys that it takes from certificates: name a certificate\n")
    }

    @Test func `hpkp, of which one pin is the backup's`() async throws {
        let ending = try await pins("hpkp")

        #expect(ending.errors.hasPrefix("note: one of the pins must be a backup key's"))
        #expect(
            ending.output == """
                Public-Key-Pins: pin-sha256="\(leaf.base64)"; pin-sha256="\(issuing.base64)"; max-age=5184000

                """
        )
    }

    @Test(arguments: ["trustkit", "hpkp"])
    func `one pin is too few`(form: String) async throws {
        let ending = try await pins(form, of: Sample.server.leaf.pem + Sample.server.key.pem())

        #expect(ending.errors.contains("backup key"))
        #expect(ending.output.ranges(of: leaf.base64).count == 1)
    }

    /// What stands in a certificate was written by a stranger.
    @Test(arguments: ["ats", "android", "okhttp", "alamofire"])
    func `a hostile name is not pasted`(form: String) async throws {
        let template = Sample.leaf {
            $0.commonName = "x--><evil/>\n"
            $0.names = [.dns("a\"), evil(\""), .dns("<evil/>")]
        }
        let certificate = try Identity(selfSigned: template, key: PrivateKey()).leaf

        let ending = try await pins(form, of: certificate.pem)

        #expect(ending.errors == "note: no host is named in it; 'example.com' stands for yours\n")
        #expect(ending.output.contains("example.com"))
        #expect(!ending.output.contains("-->\\<") && !ending.output.contains("--><"))
        #expect(!ending.output.contains("evil(\""))
    }

    @Test(
        arguments: [
            ("ats", "<key>NSIncludesSubdomains</key>", "<key>acme.example</key>"),
            ("android", "includeSubdomains=\"true\"", ">acme.example<"),
            ("okhttp", "*.acme.example", "sha256/"),
            ("alamofire", "\"acme.example\"", "af.publicKeys"),
        ]
    )
    func `a wildcard is written as the system writes it`(form: String, first: String, second: String) async throws {
        let template = Sample.leaf { $0.names = [.dns("*.acme.example")] }
        let certificate = try Identity(selfSigned: template, key: PrivateKey()).leaf

        let ending = try await pins(form, of: certificate.pem)

        #expect(ending.output.contains(first))
        #expect(ending.output.contains(second))
    }

    @Test func `JSON is for programs`() async throws {
        let ending = try await withTemporaryFolder { folder in
            try Data(Sample.server.leaf.pem.utf8).write(to: folder.appending(path: "file"))
            return try await Program.run("pins", "file", "--json", in: folder)
        }

        #expect(
            ending.output == """
                {
                  "pins" : [
                    {
                      "authority" : false,
                      "certificate_hash" : "\(Sample.server.leaf.fingerprint.hex)",
                      "key" : "EC 256",
                      "kind" : "certificate",
                      "names" : [
                        "api.acme.example"
                      ],
                      "pin" : "\(leaf)",
                      "pin_hex" : "\(leaf.hex)",
                      "subject" : "CN=api.acme.example"
                    }
                  ],
                  "version" : 1
                }

                """
        )
    }

    private func pins(_ form: String, of text: String = PEM.encode(Sample.server.chain)) async throws -> Program.Ending
    {
        try await withTemporaryFolder { folder in
            try Data(text.utf8).write(to: folder.appending(path: "file"))
            return try await Program.run("pins", "file", "--as", form, in: folder)
        }
    }
}
