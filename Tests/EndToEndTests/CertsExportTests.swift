import Foundation
import TestSupport
import Testing

/// `pindrill certs export`: what leaves the keyring, and what does not.
struct CertsExportTests {
    private static func inKeyring<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
        try await CertsCommandTests.inProject { folder in
            _ = try await Program.run("certs", "init", in: folder)
            return try await body(folder)
        }
    }

    private static func export(_ words: String..., in folder: URL) async throws -> Program.Ending {
        let word = ["PINDRILL_PASSPHRASE": "secret word"]
        return try await Program.run(["certs", "export"] + words, environment: word, in: folder)
    }

    /// Each form with what reads it: `$1` is the file.
    @Test(arguments: [
        ("pem", "openssl x509 -in $1 -noout -text", "DNS:api.acme.example", "openssl"),
        ("der", "openssl x509 -inform DER -in $1/root.der -noout -text", "DNS:api.acme.example", "openssl"),
        ("p12", "openssl pkcs12 -in $1 -passin 'pass:secret word' -nokeys", "CN = root|CN=root", "openssl"),
        ("jks", "keytool -list -v -keystore $1 -storepass 'secret word'", "trustedCertEntry", "keytool"),
        (
            "mobileconfig",
            """
            python3 -c 'import plistlib,sys; p=plistlib.load(open(sys.argv[1],"rb")); \
            print([(c["PayloadType"], c["PayloadContent"][:1]) for c in p["PayloadContent"]], p["PayloadType"])' $1
            """, "[('com.apple.security.root', b'0'), ('com.apple.security.root', b'0')] Configuration", "python3"
        ),
        (
            "android",
            """
            python3 -c 'import sys, xml.dom.minidom as m; print(len(m.parse(sys.argv[1]+"/res/xml/network_security_config.xml")\
            .getElementsByTagName("certificates")))' $1 && openssl x509 -in $1/res/raw/pindrill_root.pem -noout
            """, "3", "python3"
        ),
    ])
    func `export: each form is read by its own tool, and nothing private is in it`(
        format: String,
        reader: String,
        expected: String,
        tool: String
    ) async throws {
        guard Tool(tool) != nil else { return print("\(tool) is not installed: \(format) was not read") }
        try await Self.inKeyring { folder in
            let ending = try await Self.export("--format", format, "--output", "out", in: folder)
            let read = try #require(Tool("sh")).run(
                ["-c", reader, "sh", folder.appending(path: "out").path],
                environment: Program.bareEnvironment
            )

            #expect(ending.status == 0, "\(ending.errors)")
            #expect(ending.errors == "note: of an attacker, for test devices only: mallory\n")
            #expect(read.status == 0, "\(read.output)")
            #expect(expected.split(separator: "|").contains { read.output.contains($0) }, "\(read.output)")
            #expect(!(try Self.contents(of: folder.appending(path: "out"))).contains("PRIVATE"))
        }
    }

    @Test func `export: a private key is written with a passphrase, for its owner alone, and never printed`()
        async throws
    {
        try await Self.inKeyring { folder in
            let printed = try await Self.export("leaf", "--private", in: folder)
            let bare = try await Program.run(
                ["certs", "export", "leaf", "--private", "--output", "bare.pem"],
                in: folder
            )
            let written = try await Self.export("leaf", "--private", "--output", "leaf.pem", in: folder)
            let again = try await Self.export("leaf", "--private", "--output", "leaf.pem", in: folder)
            let pin = try await Program.run("pins", "leaf.pem", "--password", "secret word", in: folder)
            let wrong = try await Program.run("pins", "leaf.pem", "--password", "another", in: folder)
            let kept = try await Program.run("certs", "show", "leaf", in: folder)

            #expect((printed.status, printed.output) == (65, ""))
            #expect(bare.errors == "a private key is only written with a passphrase; give --passphrase-file\n")
            #expect(written.errors.hasPrefix("warning: leaf.pem has a private key"))
            #expect(again.errors == "leaf.pem: there is such a file already; --force replaces it\n")
            let file = folder.appending(path: "leaf.pem")
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            #expect(try String(contentsOf: file, encoding: .utf8).hasPrefix("-----BEGIN ENCRYPTED PRIVATE KEY-----"))
            let line = try #require(kept.output.firstMatch(of: /sha256\/[^\n]+/)).output
            #expect(pin.output.contains(line))
            #expect(wrong.status == 65)
        }
    }

    @Test(arguments: [
        ("ios", ["pindrill.mobileconfig", "roots.pem", "Info.plist-part.xml", "TrustKit-part.swift"]),
        ("android", ["res/raw/pindrill_root.pem", "res/xml/network_security_config.xml", "CertificatePinner.kt"]),
        ("flutter", ["assets/pindrill_roots.pem", "lib/pindrill_pins.dart"]),
        ("react-native", ["ios/roots.pem", "android/app/src/debug/res/xml/network_security_config.xml"]),
    ])
    func `export: a kit has the roots, the pins and how to use them, and no private key`(
        kit: String,
        files: [String]
    ) async throws {
        try await Self.inKeyring { folder in
            let ending = try await Self.export("leaf", "--kit", kit, "--output", "kit", in: folder)
            let shown = try await Program.run("certs", "show", "leaf", in: folder)

            #expect(ending.status == 0, "\(ending.errors)")
            for file in files + ["README.md"] {
                #expect(FileManager.default.fileExists(atPath: folder.appending(path: "kit/\(file)").path), "\(file)")
            }
            let all = try Self.contents(of: folder.appending(path: "kit"))
            let pin = try #require(shown.output.firstMatch(of: /sha256\/(?<pin>[^\n]+)/)).output.pin
            #expect(all.contains(pin))
            #expect(all.contains("api.acme.example"))
            #expect(all.contains("PRIVATE") == false)
        }
    }

    @Test func `export: an Android kit's pins hold for its own roots`() async throws {
        try await Self.inKeyring { folder in
            _ = try await Self.export("leaf", "--kit", "android", "--output", "kit", in: folder)
            let audit = try await Program.run(
                ["audit", "kit/res/xml/network_security_config.xml", "--host", "api.acme.example"],
                in: folder
            )

            let text = try String(
                contentsOf: folder.appending(path: "kit/res/xml/network_security_config.xml"),
                encoding: .utf8
            )
            #expect(text.components(separatedBy: "overridePins=\"false\"").count == 4)
            #expect(audit.status != 65, "\(audit.errors)")
        }
    }

    /// Everything in a file or a folder, as text.
    private static func contents(of place: URL) throws -> String {
        let inner = FileManager.default.enumerator(at: place, includingPropertiesForKeys: nil)?.compactMap {
            $0 as? URL
        }
        return (inner ?? []).reduce(
            into: (try? Data(contentsOf: place)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        ) {
            $0 += (try? Data(contentsOf: $1)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
    }
}
