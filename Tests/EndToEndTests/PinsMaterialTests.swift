import Foundation
import TLSCore
import TestSupport
import Testing

/// `pindrill pins` on what the `openssl` command writes, and the recipes for pins that are found in the field.
@Suite(.enabled(if: Tool.openssl != nil, "there is no 'openssl' command, version 3 or newer"))
struct PinsMaterialTests {
    /// Apple's "Identity Pinning", with files in place of pipes.
    @Test func `Apple's recipe prints the same pin`() async throws {
        for (certificate, key) in [(Sample.server.leaf, "EC 256"), (MaterialSample.rsaCertificate, "RSA 2048")] {
            try await withTemporaryFolder { folder in
                let (ours, theirs) = try await recipe(["pkey", "-pubin"], certificate, folder)

                #expect(ours.contains("  key          \(key)\n  pin          sha256/\(try #require(theirs))\n"))
            }
        }
    }

    /// The README of public-key-pinning-ios.
    @Test func `the recipe for RSA keys prints the same pin, and fails for EC`() async throws {
        try await withTemporaryFolder { folder in
            let (ours, theirs) = try await recipe(["rsa", "-pubin"], MaterialSample.rsaCertificate, folder)
            let (_, none) = try await recipe(["rsa", "-pubin"], Sample.server.leaf, folder)

            #expect(ours.contains("  pin          sha256/\(try #require(theirs))\n"))
            #expect(none == nil)
        }
    }

    @Test(arguments: MaterialSample.ec + MaterialSample.rsa)
    func `no private part is printed, and the pin is`(sample: MaterialSample) async throws {
        let pin = MaterialSample.rsa.contains { $0.bytes == sample.bytes } ? Sample.rsa2048.pin : Sample.server.pin

        let ending = try await pins(sample)

        #expect(ending.status == 0)
        #expect(ending.output.contains("  pin          \(pin)\n"))
        #expect(!ending.output.contains("PRIVATE"))
        #expect(ending.output.hasPrefix(headline(sample.kind)))
    }

    @Test(arguments: MaterialSample.encrypted)
    func `a password is asked for, never at the terminal`(sample: MaterialSample) async throws {
        let without = try await pins(sample)
        let wrong = try await pins(sample, "--password", "x")
        let right = try await pins(sample, "--password", MaterialSample.password)
        let inFile = try await pins(sample, "--password-file", "password")

        #expect(without.status == 65)
        #expect(without.errors.hasSuffix("password: use --password-file\n"), "\(without.errors)")
        #expect(wrong.status == 65)
        #expect(wrong.errors.contains("this is not the password of this"))
        #expect(right.output.contains("  pin          \(Sample.server.pin)\n"))
        #expect(inFile.output == right.output)
    }

    @Test func `a missing file of a password is named`() async throws {
        let ending = try await pins(try #require(MaterialSample.encrypted.first), "--password-file", "none")

        #expect(ending.status == 65)
        #expect(ending.errors == "none: no such file\n")
    }

    private func headline(_ kind: KeyMaterial.Kind) -> String {
        switch kind {
        case .certificate: "CN=api.acme.example\n"
        case .publicKey: "public key\n"
        case .privateKey: "public half of a private key\n"
        case .certificateRequest: "certificate request of CN=api.acme.example\n"
        }
    }

    private func pins(_ sample: MaterialSample, _ options: String...) async throws -> Program.Ending {
        try await withTemporaryFolder { folder in
            try Data(sample.bytes).write(to: folder.appending(path: "file"))
            try Data("\(MaterialSample.password)\n".utf8).write(to: folder.appending(path: "password"))
            return try await Program.run(["pins", "file"] + options, in: folder)
        }
    }

    /// What we print, and the pin of `openssl x509 -pubkey | openssl … -outform der | openssl dgst -sha256 -binary |
    /// openssl enc -base64`; `nil` where that fails.
    private func recipe(
        _ step: [String],
        _ certificate: Certificate,
        _ folder: URL
    ) async throws -> (ours: String, theirs: String?) {
        let openssl = try #require(Tool.openssl)
        let (file, key, der, digest) = (path(folder, "c"), path(folder, "k"), path(folder, "d"), path(folder, "h"))
        try Data(certificate.pem.utf8).write(to: URL(filePath: file))
        let ours = try await Program.run("pins", file).output
        let commands = [
            ["x509", "-in", file, "-noout", "-pubkey", "-out", key],
            step + ["-in", key, "-outform", "der", "-out", der],
            ["dgst", "-sha256", "-binary", "-out", digest, der],
        ]
        for command in commands {
            guard try openssl.run(command, environment: Tool.bareOpenSSL).status == 0 else { return (ours, nil) }
        }
        let text = try openssl.run(["enc", "-base64", "-in", digest], environment: Tool.bareOpenSSL).output
        return (ours, String(text.prefix { !$0.isNewline }))
    }

    private func path(_ folder: URL, _ name: String) -> String { folder.appending(path: name).path }
}
