import Dispatch
import Foundation
import TLSCore
import TestSupport
import Testing

/// The samples are made by the `openssl` command, so that it is not our own writing that we read.
@Suite(.enabled(if: Tool.openssl != nil, "there is no 'openssl' command, version 3 or newer"))
struct `Key material` {
    @Test func `has samples of every kind`() {
        #expect(MaterialSample.ec.count == 12)
        #expect(MaterialSample.rsa.count == 14)
        #expect(MaterialSample.encrypted.count == 6)
        #expect(Set(MaterialSample.ec.map(\.kind)) == Set(KeyMaterial.Kind.allCases))
    }

    @Test(arguments: MaterialSample.ec)
    func `has the pin of its EC key`(sample: MaterialSample) throws {
        let found = try KeyMaterial.parse(sample.bytes)

        #expect(found.first?.kind == sample.kind)
        #expect(Set(found.map(\.pin)) == [Sample.server.pin])
        #expect(found.allSatisfy { $0.keyDescription == "EC 256" })
        #expect(found.allSatisfy { ($0.certificate == nil) == ($0.kind != .certificate) })
    }

    @Test(arguments: MaterialSample.rsa)
    func `has the pin of its RSA key`(sample: MaterialSample) throws {
        let found = try KeyMaterial.parse(sample.bytes)

        #expect(found.first?.kind == sample.kind)
        #expect(Set(found.map(\.pin)) == [Sample.rsa2048.pin])
        #expect(found.allSatisfy { $0.keyDescription == "RSA 2048" })
    }

    @Test(arguments: MaterialSample.encrypted)
    func `is opened by its password only`(sample: MaterialSample) throws {
        let found = try KeyMaterial.parse(sample.bytes, password: MaterialSample.password)
        let none = #expect(throws: KeyMaterial.ParseError.self) { try KeyMaterial.parse(sample.bytes) }
        let wrong = #expect(throws: KeyMaterial.ParseError.self) {
            try KeyMaterial.parse(sample.bytes, password: "open barley")
        }

        #expect(Set(found.map(\.pin)) == [Sample.server.pin])
        #expect(none?.isAboutPassword == true)
        #expect(wrong?.isAboutPassword == true)
        #expect(none?.description.contains("password") == true)
        #expect(wrong?.description.hasPrefix("this is not the password of this ") == true)
    }

    @Test func `of a PKCS#12 is the key, its certificate and the others`() throws {
        let bundle = try #require(MaterialSample.ec.last)

        let found = try KeyMaterial.parse(bundle.bytes)

        #expect(found.map(\.kind) == [.privateKey, .certificate])
        #expect(found.last?.certificate == Sample.server.leaf)
    }

    @Test func `F10: of a PKCS#12 are the certificates of a chain, or why not`() throws {
        let bundle = try #require(MaterialSample.ec.last)
        let locked = try #require(MaterialSample.encrypted.last { $0.name.contains("12") })

        let error = #expect(throws: KeyMaterial.ParseError.self) { try KeyMaterial.certificates(in: locked.bytes) }

        #expect(try KeyMaterial.certificates(in: bundle.bytes) == [Sample.server.leaf])
        #expect(error?.description == "this PKCS#12 needs a password")
    }

    @Test func `of a text is everything in its order`() throws {
        let key = try Sample.root.key.pem()
        let crl = "-----BEGIN X509 CRL-----\nAAAA\n-----END X509 CRL-----\n"

        let found = try KeyMaterial.parse(Array("a note\r\n\(Sample.server.leaf.pem)\(crl)\(key)".utf8))

        #expect(found.map(\.kind) == [.certificate, .privateKey])
        #expect(found.map(\.pin) == [Sample.server.pin, Sample.root.key.pin])
    }

    @Test(arguments: MaterialSample.ec)
    func `that is cut short is refused, or has the same pin`(sample: MaterialSample) {
        for count in sample.bytes.indices {
            let pins = (try? KeyMaterial.parse(Array(sample.bytes.prefix(count))))?.map(\.pin)

            #expect(pins == nil || pins == [Sample.server.pin], "\(sample.name) after \(count) bytes")
        }
    }

    @Test(arguments: MaterialSample.ec + MaterialSample.encrypted.prefix(1))
    func `that is damaged is read, or refused in a line`(sample: MaterialSample) async {
        var random = SplitMix64(seed: UInt64(sample.bytes.count))
        var refused = 0

        // Where a password is hashed some thousand times, a few must do.
        let rounds = DamagedInputs.count(of: sample.bytes == MaterialSample.encrypted.first?.bytes ? 200 : 2_000)
        for round in 0..<rounds {
            if round % 32 == 0 { await Task.yield() }
            var bytes = sample.bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
                case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                default: bytes.removeSubrange(place..<min(bytes.count, place + 3))
                }
            }
            if !expectSensible(bytes) { refused += 1 }
        }

        #expect(refused * 4 > rounds)
    }

    @Test(.enabled(if: Places.hasVectors("wild"), "the shared test vectors are not beside this checkout"))
    func `of the wild is read, or refused in a line, wherever it is cut off`() throws {
        let folder = Places.vectors.appending(path: "wild")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var cuts: [ArraySlice<UInt8>] = []
        for case let file as URL in files {
            guard let data = try? Data(contentsOf: file) else { continue }
            let bytes = Array(data)
            // Binary files and short texts at every byte; a long text now and then, for a minute's sake.
            let isLong = bytes.first != 0x30 && bytes.count > 1500
            let step = isLong ? bytes.count / 8 : DamagedInputs.areAll ? 1 : 10
            cuts += stride(from: 0, to: bytes.count, by: step).map { bytes[..<$0] }
        }

        let all = cuts
        DispatchQueue.concurrentPerform(iterations: all.count) { index in expectSensible(Array(all[index])) }

        #expect(all.count > DamagedInputs.count(of: 50_000))
    }

    /// Whether something was found. What is refused is refused with a reason of one line, and a line that is there.
    @discardableResult private func expectSensible(_ bytes: [UInt8]) -> Bool {
        do {
            let found = try KeyMaterial.parse(bytes)
            if found.isEmpty { Issue.record("nothing is found, and nothing refused") }
            return true
        } catch {
            let isPlaced = error.line.map { (1...bytes.count { $0 == 0x0A || $0 == 0x0D } + 1).contains($0) } ?? true
            if error.description.isEmpty || error.description.utf8.contains(0x0A) || !isPlaced {
                Issue.record("\(error.line ?? 0): \(error) for:\n\(String(decoding: bytes, as: UTF8.self))")
            }
            return false
        }
    }
}

@Suite struct `What is no key material` {
    @Test(
        arguments: [
            ("", nil, "this file is empty"),
            (" \n\n", nil, "there is nothing but white space in it"),
            ("version: 1\n", nil, "no certificate and no key found: this is neither PEM nor DER"),
            ("\n<!DOCTYPE html><html>", nil, "this is an HTML page, not a certificate"),
            ("<?xml version=\"1.0\"?>", nil, "this is XML"),
            ("ssh-ed25519 AAAA you@here", nil, "this is an SSH public key"),
            (bare(Sample.server.leaf), nil, "this is Base64 without a BEGIN and an END line"),
            (block("OPENSSH PRIVATE KEY", "AAAA"), 1, "this is an SSH key"),
            (block("PKCS7", "AAAA"), 1, "this is a PKCS#7 bundle"),
            (block("PGP MESSAGE", "AAAA"), 1, "this is a PGP MESSAGE block, which holds no key that can be pinned"),
            (block("EC PARAMETERS", "AAAA"), 1, "there is no key in it, only EC parameters"),
            ("x\n" + block("PRIVATE KEY", "AAAA"), 2, "this block is no private key: "),
            (
                block("PUBLIC KEY", bare(Sample.server.leaf)), 1,
                "this block is no public key: it holds something else"
            ),
            ("x\n" + block("PUBLIC KEY", "!!"), 2, "this public key block is not Base64"),
            (block("PUBLIC KEY", "A: b"), 1, "this public key block is not Base64: it has a header, 'A: b'"),
            ("x\n\n-----BEGIN RSA PRIVATE KEY-----\nAAAA\n", 3, "this RSA private key block does not end"),
            ("-----BEGIN \n", 1, "this line holds more, or less, than '-----BEGIN …-----'"),
            ("CERT=" + Sample.server.leaf.pem.changing("\n", to: " "), 1, "this line holds more, or less, than "),
        ] as [(String, Int?, String)]
    )
    func `is named, with its line`(text: String, line: Int?, complaint: String) {
        let error = #expect(throws: KeyMaterial.ParseError.self) { try KeyMaterial.parse(Array(text.utf8)) }

        #expect(error?.line == line)
        #expect(error?.description.hasPrefix(complaint) == true, "\(String(describing: error))")
    }

    @Test(
        arguments: [
            ([0xFE, 0xED, 0xFE, 0xED, 0, 0], "this is a Java keystore"),
            ([0xFF, 0xFE, 0x2D, 0], "this is UTF-16 text"),
            ([0, 0x2D, 0, 0x2D], "this is UTF-16 text"),
            ([0x30, 0x82, 0x01, 0x00], "could not read DER: it is truncated; 256 bytes or more are missing after 4"),
            ([0x30, 0x80, 0x30, 0x80], "could not read "),
            ([0x30, 0x03, 0x01, 0x01, 0x00], "this is DER, but no certificate, key, certificate request or PKCS#12"),
        ] as [([UInt8], String)]
    )
    func `is named where it is binary`(bytes: [UInt8], complaint: String) {
        let error = #expect(throws: KeyMaterial.ParseError.self) { try KeyMaterial.parse(bytes) }

        #expect(error?.line == nil)
        #expect(error?.description.hasPrefix(complaint) == true, "\(String(describing: error))")
    }

    @Test func `is a certificate with something behind it`() {
        let error = #expect(throws: KeyMaterial.ParseError.self) { try KeyMaterial.parse(Sample.server.leaf.der + [0]) }

        #expect(error?.description == "could not read a DER certificate: 1 bytes follow it")
    }

    /// Rounds of PBKDF2, then rounds and the length of the key, then scrypt's N, r and p.
    @Test(arguments: [[8_400_000], [2_000_000_000, 32], [1 << 20, 8, 16]] as [[UInt32]])
    func `R7: is a key that would take long to open`(numbers: [UInt32]) {
        let error = #expect(throws: KeyMaterial.ParseError.self) { try KeyMaterial.parse(key(numbers), password: "x") }

        #expect(error?.description.hasPrefix("its password is to be hashed more than 5000000 times") == true)
        #expect(error?.isAboutPassword == false)
    }

    @Test(arguments: [[600_000], [600_000, 32], [1 << 14, 8, 1]] as [[UInt32]])
    func `R7: is no key that careful tools write`(numbers: [UInt32]) {
        let error = #expect(throws: KeyMaterial.ParseError.self) { try KeyMaterial.parse(key(numbers), password: "x") }

        #expect(error?.isAboutPassword == true)
    }

    private func key(_ numbers: [UInt32]) -> [UInt8] {
        let salt = [DERText.octets([1, 2, 3, 4, 5, 6, 7, 8])]
        let derivation = DERText.sequence([DERText.pbkdf2, DERText.sequence(salt + numbers.map(DERText.integer))])
        let scheme = DERText.sequence([
            DERText.pbes2, DERText.sequence([derivation, DERText.sequence([DERText.pbes2])]),
        ])
        return DERText.sequence([scheme, DERText.octets(Array(repeating: 7, count: 160))])
    }

    private static func bare(_ certificate: Certificate) -> String {
        certificate.pem.split(separator: "\n").dropFirst().dropLast().joined(separator: "\n")
    }

    private static func block(_ label: String, _ body: String) -> String {
        "-----BEGIN \(label)-----\n\(body)\n-----END \(label)-----\n"
    }
}

/// Just enough DER to write a trap.
private enum DERText {
    static let pbkdf2: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0C]
    static let pbes2: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0D]
    static func sequence(_ parts: [[UInt8]]) -> [UInt8] { element(0x30, parts.flatMap { $0 }) }
    static func octets(_ bytes: [UInt8]) -> [UInt8] { element(0x04, bytes) }
    static func integer(_ value: UInt32) -> [UInt8] {
        element(0x02, (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32($0))) })
    }
    private static func element(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
        [tag] + (contents.count < 128 ? [UInt8(contents.count)] : [0x81, UInt8(contents.count)]) + contents
    }
}
