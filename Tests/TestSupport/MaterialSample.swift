import Foundation
package import TLSCore

/// A file with a key in it, made by the `openssl` command: one of every kind, all of them of one key.
package struct MaterialSample: Sendable, CustomStringConvertible {
    package let name: String
    package let kind: KeyMaterial.Kind
    package let bytes: [UInt8]
    package var description: String { name }

    package static let password = "open sesame"

    /// The key is that of `Sample.server`, or of `Sample.rsa2048`; empty where there is no `openssl`.
    package static let ec = (try? make(of: Sample.server.key, certificate: Sample.server.leaf)) ?? []
    package static let rsa = (try? make(of: Sample.rsa2048, certificate: rsaCertificate)) ?? []

    package static let rsaCertificate = try! Identity(selfSigned: Sample.leaf(), key: Sample.rsa2048).leaf

    /// Those that a password protects.
    package static let encrypted = (try? makeEncrypted()) ?? []

    private static func make(of key: PrivateKey, certificate: Certificate) throws -> [MaterialSample] {
        let isRSA = certificate.keyDescription.hasPrefix("RSA")
        return try withTemporaryFolder { folder in
            try write(key, certificate, folder)
            var commands: [(String, KeyMaterial.Kind, [String])] = [
                ("certificate", .certificate, ["x509", "-in", "c.pem"]),
                (
                    "trusted certificate", .certificate,
                    ["x509", "-in", "c.pem", "-addtrust", "serverAuth", "-trustout"]
                ),
                ("public key", .publicKey, ["pkey", "-in", "k.pem", "-pubout"]),
                ("private key, PKCS#8", .privateKey, ["pkey", "-in", "k.pem"]),
                ("request", .certificateRequest, ["req", "-new", "-key", "k.pem", "-subj", "/CN=api.acme.example"]),
            ]
            if isRSA {
                commands.append(("private key, PKCS#1", .privateKey, ["rsa", "-in", "k.pem", "-traditional"]))
                commands.append(("public key, PKCS#1", .publicKey, ["rsa", "-in", "k.pem", "-RSAPublicKey_out"]))
            } else {
                commands.append(("private key, SEC 1", .privateKey, ["ec", "-in", "k.pem"]))
            }
            var samples: [MaterialSample] = []
            for (name, kind, command) in commands {
                for form in ["pem", "der"] where !(name == "trusted certificate" && form == "der") {
                    let bytes = try openssl(command + ["-outform", form], folder)
                    samples.append(MaterialSample(name: "\(name), \(form)", kind: kind, bytes: bytes))
                }
            }
            // One round: as many as a test can wait for, some thousand times.
            let bundle = ["pkcs12", "-export", "-in", "c.pem", "-inkey", "k.pem", "-iter", "1", "-passout", "pass:"]
            samples.append(MaterialSample(name: "PKCS#12", kind: .privateKey, bytes: try openssl(bundle, folder)))
            return samples
        }
    }

    private static func makeEncrypted() throws -> [MaterialSample] {
        try withTemporaryFolder { folder in
            try write(Sample.server.key, Sample.server.leaf, folder)
            let secret = ["-passout", "pass:\(password)"]
            let commands: [(String, [String])] = [
                ("PKCS#12", ["pkcs12", "-export", "-in", "c.pem", "-inkey", "k.pem"]),
                ("old PKCS#12", ["pkcs12", "-export", "-legacy", "-in", "c.pem", "-inkey", "k.pem"]),
                ("PKCS#12 without a checksum", ["pkcs12", "-export", "-nomac", "-in", "c.pem", "-inkey", "k.pem"]),
                ("encrypted key, PEM", ["pkcs8", "-topk8", "-in", "k.pem"]),
                ("encrypted key, DER", ["pkcs8", "-topk8", "-in", "k.pem", "-outform", "der"]),
                ("encrypted key, old PEM", ["ec", "-in", "k.pem", "-aes128"]),
            ]
            return try commands.map { name, command in
                MaterialSample(name: name, kind: .privateKey, bytes: try openssl(command + secret, folder))
            }
        }
    }

    private static func write(_ key: PrivateKey, _ certificate: Certificate, _ folder: URL) throws {
        try Data(certificate.pem.utf8).write(to: folder.appending(path: "c.pem"))
        try Data(key.pem().utf8).write(to: folder.appending(path: "k.pem"))
    }

    private static func openssl(_ arguments: [String], _ folder: URL) throws -> [UInt8] {
        let result = folder.appending(path: "result")
        try? FileManager.default.removeItem(at: result)
        let paths = arguments.map { $0 == "c.pem" || $0 == "k.pem" ? folder.appending(path: $0).path : $0 }
        let ending = try Tool.openssl?.run(paths + ["-out", result.path], environment: Tool.bareOpenSSL)
        guard ending?.status == 0 else { throw CocoaError(.fileReadUnknown) }
        return Array(try Data(contentsOf: result))
    }
}
