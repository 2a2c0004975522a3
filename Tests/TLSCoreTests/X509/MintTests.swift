import Foundation
import TestSupport
import Testing

@testable import TLSCore

private let issuerKeyIdentifier = Sample.issuing.certificate.keyIdentifier ?? []

@Suite struct `A minted certificate` {
    struct Field: Sendable, CustomTestStringConvertible {
        let name: String
        let change: @Sendable (inout CertificateTemplate) -> Void
        /// DER that the change, and only the change, puts into the certificate.
        let bytes: [UInt8]
        var testDescription: String { name }

        init(_ name: String, _ bytes: [UInt8], _ change: @escaping @Sendable (inout CertificateTemplate) -> Void) {
            self.name = name
            self.bytes = bytes
            self.change = change
        }
    }

    static let fields: [Field] = [
        Field("the common name", [0x0C, 5] + "other".utf8) { $0.commonName = "other" },
        Field("a DNS name", [0x82, 9] + "*.example".utf8) { $0.names.append(.dns("*.example")) },
        Field("a DNS name with a NUL", [0x82, 3, 0x61, 0, 0x62]) { $0.names.append(.dns("a\u{0}b")) },
        Field("an address of IPv4", [0x87, 4, 192, 0, 2, 7]) { $0.names.append(.ip([192, 0, 2, 7])) },
        Field("an address of IPv6", [0x87, 16, 0x20, 1]) { $0.names.append(SubjectName("2001:db8::7")) },
        Field("a mail address", [0x81, 3] + "a@b".utf8) {
            $0.names.append(.other(tag: 1, contents: Array("a@b".utf8)))
        },
        Field("the first date", [0x17, 13] + "200101000000Z".utf8) {
            $0.notBefore = Date(timeIntervalSince1970: 1_577_836_800)
        },
        Field("the last date", [0x18, 15] + "20500101000000Z".utf8) {
            $0.notAfter = Date(timeIntervalSince1970: 2_524_608_000)
        },
        Field("that it is an authority", [0x55, 0x1D, 0x13, 1, 1, 0xFF, 4, 5, 0x30, 3, 1, 1, 0xFF]) {
            $0.isAuthority = true
        },
        Field("a path length", [0x30, 6, 1, 1, 0xFF, 2, 1, 3]) {
            $0.isAuthority = true
            $0.pathLength = 3
        },
        Field("a long path length", [0x30, 7, 1, 1, 0xFF, 2, 2, 0, 200]) {
            $0.isAuthority = true
            $0.pathLength = 200
        },
        Field("a key usage", [0x55, 0x1D, 0x0F, 1, 1, 0xFF, 4, 4, 3, 2, 5, 0xA0]) {
            $0.keyUsage = [.digitalSignature, .keyEncipherment]
        },
        Field("the ninth key usage", [3, 3, 7, 0, 0x80]) { $0.keyUsage = [.decipherOnly] },
        Field("an extended key usage", [0x2B, 6, 1, 5, 5, 7, 3, 2]) {
            $0.extendedKeyUsage = [CertificateTemplate.clientAuthentication]
        },
        Field("a permitted name", [0x30, 0x0B, 0xA0, 9, 0x30, 7, 0x82, 5] + "a.com".utf8) {
            $0.nameConstraints = NameConstraints(permitted: [.dns("a.com")])
        },
        Field("an excluded name", [0x30, 0x0B, 0xA1, 9, 0x30, 7, 0x82, 5] + "a.com".utf8) {
            $0.nameConstraints = NameConstraints(excluded: [.dns("a.com")])
        },
        Field("the serial", [2, 3, 1, 2, 3]) { $0.serial = [1, 2, 3] },
        Field("a serial whose first bit is set", [2, 2, 0, 0xFF]) { $0.serial = [0xFF] },
        Field("a critical extension", [6, 3, 0x2A, 3, 4, 1, 1, 0xFF, 4, 2, 5, 0]) {
            $0.extraExtensions = [CertificateExtension("1.2.3.4", isCritical: true, value: [5, 0])]
        },
        Field("an extension that is not critical", [6, 3, 0x2A, 3, 4, 4, 2, 5, 0]) {
            $0.extraExtensions = [CertificateExtension("1.2.3.4", value: [5, 0])]
        },
        Field("SHA-384", [0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 3]) { $0.digest = .sha384 },
        Field("SHA-512", [0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 3, 4]) { $0.digest = .sha512 },
        Field("SHA-1", [0x2A, 0x86, 0x48, 0xCE, 0x3D, 4, 1]) { $0.digest = .sha1 },
    ]

    @Test(arguments: fields)
    func `holds what its template says`(field: Field) throws {
        let key = try PrivateKey()
        let plain = try Sample.issuing.identity(Sample.leaf(), key: key).leaf
        let changed = try Sample.issuing.identity(Sample.leaf(field.change), key: key).leaf

        let read = try Certificate(der: changed.der)

        #expect(read == changed)
        #expect(read.der.contains(field.bytes))
        #expect(!plain.der.contains(field.bytes))
    }

    @Test func `says its facts`() throws {
        let key = try PrivateKey(.p384)
        let names: [SubjectName] = [.dns("a.example"), .ip([192, 0, 2, 7]), .other(tag: 1, contents: [0x61])]
        let template = Sample.leaf {
            $0.commonName = "Bücher, Inc."
            $0.names = names
        }

        let leaf = try Sample.issuing.identity(template, key: key).leaf

        #expect(leaf.subject == "CN=Bücher\\, Inc.")
        #expect(leaf.issuer == "CN=Acme Issuing")
        #expect(leaf.names == names)
        #expect(leaf.validity == (Sample.now - Sample.day, Sample.now + 198 * Sample.day))
        #expect(leaf.keyDescription == "EC 384")
        #expect(!leaf.isAuthority && !leaf.isSelfSigned)
    }

    @Test(
        arguments: [
            (KeyType.p256, "EC 256"), (.p384, "EC 384"), (.p521, "EC 521"), (.ed25519, "ED25519"),
            (.rsa1024, "RSA 1024"), (.rsa2048, "RSA 2048"),
        ]
    )
    func `can be for, and by, any kind of key`(type: KeyType, description: String) throws {
        let key = try Sample.key(type)

        let root = try Authority(root: Sample.authority("Root"), key: key)

        #expect(root.certificate.keyDescription == description)
        #expect(root.certificate.isSelfSigned && root.certificate.isAuthority)
        #expect(root.certificate.pin == key.pin)
    }

    @Test(arguments: [CertificateTemplate.Digest.sha1, .md5])
    func `can carry an old digest`(digest: CertificateTemplate.Digest) throws {
        let root = try Authority(root: Sample.authority("Root"), key: Sample.rsa2048)

        let leaf = try root.identity(Sample.leaf { $0.digest = digest }, key: PrivateKey()).leaf

        let identifiers: [CertificateTemplate.Digest: UInt8] = [.sha1: 5, .md5: 4]
        #expect(leaf.der.contains([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, identifiers[digest]!]))
    }

    @Test(
        arguments: [
            (String(repeating: "a", count: 64), 64), (String(repeating: "a", count: 300), 64),
            (String(repeating: "ü", count: 80), 64), (String(repeating: "👩‍👩‍👧‍👦", count: 64), 64), ("", 0),
        ]
    )
    func `keeps 64 characters of its common name`(name: String, count: Int) throws {
        let leaf = try Sample.issuing.identity(Sample.leaf { $0.commonName = name }, key: PrivateKey()).leaf

        let kept = leaf.subject.replacing("CN=", with: "")
        #expect(kept.unicodeScalars.count == count)
        #expect(name.unicodeScalars.starts(with: kept.unicodeScalars))
    }

    @Test(arguments: [true, false])
    func `marks its names as critical where they are all it has`(isNameless: Bool) throws {
        let leaf = try Sample.issuing.identity(
            Sample.leaf { if isNameless { $0.commonName = "" } },
            key: PrivateKey()
        ).leaf

        #expect(leaf.der.contains([0x55, 0x1D, 0x11, 1, 1, 0xFF]) == isNameless)
        #expect(leaf.der.contains([0x55, 0x1D, 0x11, 4]) == !isNameless)
        #expect(Sample.store.evaluate([leaf, Sample.issuing.certificate], host: Sample.host, at: Sample.now).isTrusted)
    }

    @Test func `always bears both key identifiers`() throws {
        let bare = Sample.leaf {
            $0.isAuthority = nil
            $0.keyUsage = nil
            $0.extendedKeyUsage = []
        }

        let leaf = try Sample.issuing.identity(bare, key: PrivateKey()).leaf
        let alone = try Identity(selfSigned: bare, key: PrivateKey()).leaf

        #expect(leaf.keyIdentifier?.count == 20)
        #expect(leaf.der.contains([0x55, 0x1D, 0x23, 4, 24, 0x30, 22, 0x80, 20] + issuerKeyIdentifier))
        #expect(alone.der.contains([0x55, 0x1D, 0x23, 4, 24, 0x30, 22, 0x80, 20] + (alone.keyIdentifier ?? [])))
    }

    @Test func `is forged by one bit of its signature`() throws {
        let key = try PrivateKey()

        let forged = try Sample.issuing.identity(Sample.leaf { $0.corruptsSignature = true }, key: key).leaf

        #expect(forged.pin == key.pin)
        #expect(try Certificate(der: forged.der) == forged)
        let result = Sample.store.evaluate([forged, Sample.issuing.certificate], host: nil, at: nil)
        #expect(result == .refused(TrustFailure(.badSignature)))
    }

    @Test(arguments: fields.filter { !$0.name.contains("serial") })
    func `has another serial when anything else is different`(field: Field) throws {
        let key = try PrivateKey()

        let serials = try [Sample.leaf(), Sample.leaf(field.change), Sample.leaf()].map {
            serial(of: try Sample.issuing.identity($0, key: key).leaf)
        }

        #expect(serials[0] != serials[1])
        #expect(serials[0] == serials[2])
        #expect(serials[0].count == 16 && serials[0][0] & 0x80 == 0)
    }

    @Test(
        arguments: [
            Sample.leaf { $0.extraExtensions = [CertificateExtension("one.two", value: [])] },
            Sample.leaf { $0.extendedKeyUsage.append("one.two") },
        ]
    )
    func `cannot be minted with an identifier that is none`(nonsense: CertificateTemplate) throws {
        let error = #expect(throws: OpenSSLError.self) {
            try Sample.issuing.identity(nonsense, key: PrivateKey())
        }

        #expect(error?.attempt == "read the identifier 'one.two'")
    }

    @Test(arguments: [253_402_300_800, 1e12, 1e19, 1e300, -1e19, .infinity])
    func `cannot be minted for a year that has no four digits`(seconds: TimeInterval) {
        let date = Date(timeIntervalSince1970: seconds)

        let error = #expect(throws: OpenSSLError.self) {
            try Sample.issuing.identity(Sample.leaf { $0.notAfter = date }, key: PrivateKey())
        }

        #expect(error?.description == "could not set a validity date whose year has not four digits")
        #expect(!Sample.store.evaluate(Sample.server.chain, host: Sample.host, at: date).isTrusted)
    }

    @Test(arguments: [253_402_300_799, 4_102_444_800, 0])
    func `can be minted for a year that has`(seconds: TimeInterval) throws {
        let date = Date(timeIntervalSince1970: seconds)

        let leaf = try Sample.issuing.identity(Sample.leaf { $0.notAfter = date }, key: PrivateKey()).leaf

        #expect(leaf.validity.notAfter == date)
    }

    @Test func `is read from exactly its bytes`() throws {
        let der = Sample.server.leaf.der

        let error = #expect(throws: OpenSSLError.self) { try Certificate(der: der + [0]) }

        #expect(error?.description == "could not read a DER certificate: 1 bytes follow it")
        #expect(try Certificate(der: der) == Sample.server.leaf)
        #expect(throws: OpenSSLError.self) { try Certificate(der: []) }
    }

    /// The contents of the serial: the first integer behind the version.
    private func serial(of certificate: Certificate) -> [UInt8] {
        let der = certificate.der
        let start = der.firstRange(of: [0xA0, 3, 2, 1, 2])!.upperBound
        return Array(der[(start + 2)..<(start + 2 + Int(der[start + 1]))])
    }
}

@Suite struct `An authority` {
    @Test func `sends its path without the root`() throws {
        let lower = try Sample.issuing.authority(Sample.authority("Lower"), key: PrivateKey())

        let server = try lower.identity(Sample.leaf(), key: PrivateKey())

        #expect(lower.path.map(\.subject) == ["CN=Lower", "CN=Acme Issuing", "CN=Acme Root"])
        #expect(server.chain.map(\.subject) == ["CN=api.acme.example", "CN=Lower", "CN=Acme Issuing"])
        #expect(server.label == Sample.host)
        #expect(Set(server.chain.map(\.pin)).count == 3)
    }

    @Test(arguments: [false, true])
    func `is told from another of its name, in any order`(isReversed: Bool) throws {
        let real = try Authority(rootNamed: "Twin", now: Sample.now)
        let other = try Authority(rootNamed: "Twin", now: Sample.now)
        let anchors = [real, other].map { TrustAnchor($0.certificate) }
        let store = try TrustStore(isReversed ? anchors.reversed() : anchors)

        let paths = try [real, other].map { authority in
            let server = try authority.identity(Sample.leaf(), key: PrivateKey())
            return store.evaluate(server.chain, host: Sample.host, at: Sample.now)
        }

        for (result, authority) in zip(paths, [real, other]) {
            guard case .trusted(let path) = result else {
                Issue.record("not trusted: \(result)")
                continue
            }
            #expect(path.last == authority.certificate)
        }
    }

    @Test func `is trusted through the old root when that has cross-signed it`() throws {
        let key = try PrivateKey()
        let new = try Authority(root: Sample.authority("New Root"), key: key)
        let crossed = try Sample.root.authority(Sample.authority("New Root"), key: key)
        let server = try crossed.identity(Sample.leaf(), key: PrivateKey())
        let direct = try new.identity(Sample.leaf(), key: PrivateKey())
        let newStore = try TrustStore([TrustAnchor(new.certificate)])

        let results = [
            Sample.store.evaluate(server.chain, host: Sample.host, at: Sample.now),
            newStore.evaluate(server.chain, host: Sample.host, at: Sample.now),
            newStore.evaluate(direct.chain, host: Sample.host, at: Sample.now),
            Sample.store.evaluate(direct.chain, host: Sample.host, at: Sample.now),
        ]

        #expect(results[0] == .trusted(path: server.chain + [Sample.root.certificate]))
        #expect(results[1] == .trusted(path: [server.leaf, new.certificate]))
        #expect(results[2] == .trusted(path: [direct.leaf, new.certificate]))
        #expect(results[3] == .refused(TrustFailure(.unknownAuthority)))
        #expect(crossed.certificate.pin == new.certificate.pin)
    }
}

@Suite struct `A subject name` {
    @Test(
        arguments: [
            ("a.example", .dns("a.example")), ("192.0.2.7", .ip([192, 0, 2, 7])),
            ("::1", .ip([UInt8](repeating: 0, count: 15) + [1])), ("999.0.0.1", .dns("999.0.0.1")),
            ("1.2.3", .dns("1.2.3")), ("192.0.2.7 ", .dns("192.0.2.7 ")), ("192.0.2.7\u{0}x", .dns("192.0.2.7\u{0}x")),
            ("", .dns("")),
        ] as [(String, SubjectName)]
    )
    func `is an address where it looks like one`(text: String, name: SubjectName) {
        #expect(SubjectName(text) == name)
    }

    @Test(
        arguments: [
            (.dns("a.example"), "a.example"), (.ip([192, 0, 2, 7]), "192.0.2.7"),
            (SubjectName("2001:db8::7"), "2001:db8:0:0:0:0:0:7"), (.other(tag: 6, contents: [0xAB]), "[6] ab"),
            (.ip([]), ""),
        ] as [(SubjectName, String)]
    )
    func `is written for people`(name: SubjectName, text: String) {
        #expect(name.description == text)
    }
}
