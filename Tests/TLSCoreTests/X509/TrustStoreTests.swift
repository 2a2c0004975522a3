import Foundation
import TestSupport
import Testing

@testable import TLSCore

private let host = Sample.host
private let now = Sample.now

@Suite struct `A trust store` {
    /// A chain that is refused for one reason, and its twin that differs in that one thing and is trusted.
    struct Twins: Sendable, CustomTestStringConvertible {
        let name: String
        let failure: TrustFailure
        let make: @Sendable (_ isBad: Bool) throws -> [Certificate]
        var testDescription: String { name }

        init(
            _ name: String,
            _ reason: TrustFailure.Reason,
            depth: Int = 0,
            _ make: @escaping @Sendable (Bool) throws -> [Certificate]
        ) {
            self.name = name
            failure = TrustFailure(reason, depth: depth)
            self.make = make
        }
    }

    @Test func `newcomers: what a chain lacks that leads to no anchor is named, the store or the certificate`() throws {
        let twin = try Authority(rootNamed: "Acme Root", now: Sample.now)
        let empty = try TrustStore([TrustAnchor(Authority(rootNamed: "Other", now: Sample.now).certificate)])
        let unknown = TrustFailure(.unknownAuthority)
        func missing(_ store: TrustStore, _ chain: [Certificate]) -> String? { store.missing(above: chain, unknown) }

        #expect(
            missing(Sample.store, [Sample.server.leaf])
                == "the chain has no intermediate: neither it nor the store has 'CN=Acme Issuing', which signed 'CN=api.acme.example'"
        )
        #expect(
            missing(empty, Sample.server.chain)
                == "neither the chain nor the store has 'CN=Acme Root', which signed 'CN=Acme Issuing'"
        )
        #expect(
            missing(empty, Sample.server.chain + [Sample.root.certificate])
                == "'CN=Acme Root' vouches for itself and is not in the store"
        )
        #expect(
            missing(try TrustStore([TrustAnchor(twin.certificate)]), Sample.server.chain)
                == "the store has a 'CN=Acme Root', which did not sign 'CN=Acme Issuing'"
        )
        #expect(Sample.store.missing(above: Sample.server.chain, TrustFailure(.expired)) == nil)
        #expect(
            Sample.store.missing(above: Sample.server.chain.reversed(), TrustFailure(.wrongHost))
                == "the chain is not leaf first: 'CN=Acme Issuing' is an authority, and 'CN=api.acme.example' comes after it"
        )
        #expect(Sample.store.missing(above: [Sample.root.certificate], TrustFailure(.wrongHost)) == nil)
    }

    @Test func `a path is made of the certificates that were sent and of the anchors, and none is read again`() throws {
        guard case .trusted(let path) = Sample.store.evaluate(Sample.server.chain, host: host, at: now) else {
            Issue.record("it is not trusted")
            return
        }

        let known = Sample.server.chain + [Sample.root.certificate]
        #expect(path.count > 1)
        #expect(path.allSatisfy { certificate in known.contains { $0 === certificate } })
    }

    @Test(arguments: [Sample.host, "other.example", nil])
    func `what it remembers holds until a certificate begins or ends, and for that question alone`(host: String?) throws
    {
        let leaf = Sample.leaf { ($0.notBefore, $0.notAfter) = (now - 10, now + 10) }
        let chain = try Sample.issuing.identity(leaf, key: PrivateKey()).chain
        let remembering = try TrustStore([TrustAnchor(Sample.root.certificate)], remembers: true)
        let seconds: [TimeInterval] = [0, 1, -9, -10, -11, 9, 10, 11, 0, 11, -11, 1e9, -1e9]

        for isLenient in [false, true] {
            for chain in [chain, Array(chain.prefix(1)), []] {
                for instant in seconds.map({ now + $0 }) + [nil] {
                    let (first, again) = (
                        remembering.evaluate(chain, host: host, at: instant, isLenient: isLenient),
                        remembering.evaluate(chain, host: host, at: instant, isLenient: isLenient)
                    )
                    let anew = try remembering.forgetful().evaluate(
                        chain,
                        host: host,
                        at: instant,
                        isLenient: isLenient
                    )
                    #expect([first, again] == [anew, anew], "\(instant ?? .distantPast)")
                }
            }
        }
    }

    static let twins: [Twins] = [
        Twins("no chain at all", .noCertificate) { $0 ? [] : Sample.server.chain },
        Twins("a stranger's root", .unknownAuthority, depth: 1) { isBad in
            let stranger = try Authority(rootNamed: "Mallory", now: now)
                .authority(Sample.authority("Acme Issuing"), key: PrivateKey())
            return try (isBad ? stranger : Sample.issuing).identity(Sample.leaf(), key: PrivateKey()).chain
        },
        Twins("a root of the right name with another key", .unknownAuthority) { isBad in
            let twin = try Authority(rootNamed: "Acme Root", now: now)
            return try (isBad ? twin : Sample.root).identity(Sample.leaf(), key: PrivateKey()).chain
        },
        Twins("a stranger's root that is sent along", .unknownAuthority, depth: 1) { isBad in
            let authority = try isBad ? Authority(rootNamed: "Mallory", now: now) : Sample.root
            return try authority.identity(Sample.leaf(), key: PrivateKey()).chain + [authority.certificate]
        },
        Twins("a missing intermediate", .unknownAuthority) { $0 ? [Sample.server.leaf] : Sample.server.chain },
        Twins("a server that vouches for itself", .selfSigned) { isBad in
            isBad ? try Identity(selfSigned: Sample.leaf(), key: PrivateKey()).chain : Sample.server.chain
        },
        leaf("another host", .wrongHost) { $0.names = [.dns("shop.acme.example")] },
        leaf("the host in the common name alone", .wrongHost) {
            $0.commonName = host
            $0.names = []
        },
        leaf("the host as a mail address", .wrongHost) { $0.names = [.other(tag: 1, contents: Array(host.utf8))] },
        leaf("the host with a NUL behind", .wrongHost) { $0.names = [.dns(host + "\u{0}.evil.example")] },
        leaf("an expired server", .expired) { $0.notAfter = now - 1 },
        leaf("a server that is not valid yet", .notYetValid) { $0.notBefore = now + 1 },
        leaf("a window turned round", .notYetValid) {
            $0.notBefore = now + 10
            $0.notAfter = now - 10
        },
        leaf("a forged signature", .badSignature) { $0.corruptsSignature = true },
        leaf("a server meant to be a client", .wrongPurpose) {
            $0.extendedKeyUsage = [CertificateTemplate.clientAuthentication]
        },
        leaf("a key that may only sign certificates", .wrongPurpose) { $0.keyUsage = [.crlSign] },
        leaf("a critical extension nobody knows", .unknownCriticalExtension) {
            $0.extraExtensions = [CertificateExtension("1.2.3.4", isCritical: true, value: [5, 0])]
        },
        leaf("SHA-1", .tooWeak) { $0.digest = .sha1 },
        Twins("RSA 1024", .tooWeak) { isBad in
            let key = isBad ? Sample.rsa1024 : Sample.rsa2048
            return try Sample.issuing.identity(Sample.leaf(), key: key).chain
        },
        Twins("RSA 1024 above", .tooWeak, depth: 1) { isBad in
            let key = isBad ? Sample.rsa1024 : Sample.rsa2048
            return try Sample.root.authority(Sample.authority("Middle"), key: key)
                .identity(Sample.leaf(), key: PrivateKey()).chain
        },
        authority("an expired intermediate", .expired, depth: 1) { $0.notAfter = now - 1 },
        authority("an intermediate that is not valid yet", .notYetValid, depth: 1) { $0.notBefore = now + 1 },
        authority("a forged intermediate", .badSignature, depth: 1) { $0.corruptsSignature = true },
        authority("an intermediate that is no authority", .notAnAuthority, depth: 1) {
            $0.isAuthority = false
            $0.keyUsage = nil
        },
        authority("an intermediate without basic constraints", .notAnAuthority, depth: 1) {
            $0.isAuthority = nil
            $0.keyUsage = nil
        },
        authority("an intermediate that may not sign", .notAnAuthority, depth: 1) { $0.keyUsage = [.digitalSignature] },
        authority("an intermediate that is not for servers", .wrongPurpose, depth: 1) {
            $0.extendedKeyUsage = [CertificateTemplate.clientAuthentication]
        },
        authority("an intermediate that may not vouch for the name", .nameNotPermitted) {
            $0.nameConstraints = NameConstraints(permitted: [.dns("other.example")])
        },
        authority("an intermediate that must not vouch for the name", .nameNotPermitted) {
            $0.nameConstraints = NameConstraints(excluded: [.dns("acme.example")])
        },
        authority("an intermediate with a critical extension nobody knows", .unknownCriticalExtension, depth: 1) {
            $0.extraExtensions = [CertificateExtension("1.2.3.4", isCritical: true, value: [5, 0])]
        },
        Twins("a path longer than allowed", .pathTooLong, depth: 2) { isBad in
            try Sample.root.authority(Sample.authority("Upper") { $0.pathLength = isBad ? 0 : 1 }, key: PrivateKey())
                .authority(Sample.authority("Lower"), key: PrivateKey())
                .identity(Sample.leaf(), key: PrivateKey()).chain
        },
        Twins("a name constraint that cannot be read", .malformed) { isBad in
            let network: [UInt8] = isBad ? [192, 0, 2] : [192, 0, 2, 0, 255, 255, 255, 0]
            let constraints = NameConstraints(permitted: [.dns("acme.example"), .ip(network)])
            return try Sample.root.authority(
                Sample.authority("Middle") { $0.nameConstraints = constraints },
                key: PrivateKey()
            ).identity(Sample.leaf { $0.names.append(.ip([192, 0, 2, 7])) }, key: PrivateKey()).chain
        },
    ]

    private static func leaf(
        _ name: String,
        _ reason: TrustFailure.Reason,
        depth: Int = 0,
        _ change: @escaping @Sendable (inout CertificateTemplate) -> Void
    ) -> Twins {
        Twins(name, reason, depth: depth) { isBad in
            try Sample.issuing.identity(Sample.leaf { if isBad { change(&$0) } }, key: PrivateKey()).chain
        }
    }

    private static func authority(
        _ name: String,
        _ reason: TrustFailure.Reason,
        depth: Int = 0,
        _ change: @escaping @Sendable (inout CertificateTemplate) -> Void
    ) -> Twins {
        Twins(name, reason, depth: depth) { isBad in
            try Sample.root.authority(Sample.authority("Middle") { if isBad { change(&$0) } }, key: PrivateKey())
                .identity(Sample.leaf(), key: PrivateKey()).chain
        }
    }

    @Test(arguments: twins)
    func `refuses, and trusts the twin that lacks the fault`(twins: Twins) throws {
        let bad = try twins.make(true)
        let good = try twins.make(false)

        let refused = Sample.store.evaluate(bad, host: host, at: now)
        let trusted = Sample.store.evaluate(good, host: host, at: now)

        #expect(refused == .refused(twins.failure))
        #expect(trusted.isTrusted)
    }

    @Test func `trusts nobody when it is empty`() throws {
        let empty = try TrustStore([])

        let result = empty.evaluate(Sample.server.chain, host: host, at: now)

        #expect(result == .refused(TrustFailure(.unknownAuthority, depth: 1)))
    }

    @Test(
        arguments: [
            (".", .malformedHost), ("", .malformedHost), (".acme.example", .malformedHost),
            ("api.acme.example\u{0}", .malformedHost), ("api.acme.example\u{0}.evil.example", .malformedHost),
            ("192.0.2.7\u{0}.evil.example", .malformedHost), ("192.0.2.7 ", .wrongHost),
            ("API.ACME.EXAMPLE", nil), ("api.acme.example", nil), ("acme.example", .wrongHost),
            ("api.acme.example.", nil), ("api.acme.example..", .wrongHost), ("a.wild.example.", nil),
            ("x.api.acme.example", .wrongHost), ("a.wild.example", nil), ("a.b.wild.example", .wrongHost),
            ("wild.example", .wrongHost), (".wild.example", .malformedHost), ("foo.part.example", .wrongHost),
            ("fx.part.example", .wrongHost), ("a.top", .wrongHost), ("192.0.2.7", nil), ("192.0.2.8", .wrongHost),
            ("2001:db8::7", nil), ("2001:DB8:0:0::7", nil), ("2001:db8::8", .wrongHost), ("10.0.0.1", .wrongHost),
            ("common.example", .wrongHost),
        ] as [(String, TrustFailure.Reason?)]
    )
    func `compares the host as it stands`(host: String, reason: TrustFailure.Reason?) throws {
        let names: [SubjectName] = [
            .dns("api.acme.example"), .dns("*.wild.example"), .dns("f*.part.example"), .dns("*.top"),
            SubjectName("192.0.2.7"), SubjectName("2001:db8::7"), .dns("10.0.0.1"),
        ]
        let template = Sample.leaf {
            $0.commonName = "common.example"
            $0.names = names
        }
        let server = try Sample.issuing.identity(template, key: PrivateKey())

        let result = Sample.store.evaluate(server.chain, host: host, at: now)
        let alone = server.leaf.failure(host: host, at: now)

        #expect(result.isTrusted == (reason == nil))
        #expect(result == reason.map { .refused(TrustFailure($0)) } ?? result)
        #expect(alone == reason.map { TrustFailure($0) })
    }

    @Test func `checks no host where none is given`() throws {
        let server = try Sample.issuing.identity(Sample.leaf { $0.names = [] }, key: PrivateKey())

        #expect(Sample.store.evaluate(server.chain, host: nil, at: now).isTrusted)
        #expect(server.leaf.failure(host: nil, at: now) == nil)
    }

    /// Offsets in seconds from `now`; validity begins at 0 and ends at 10.
    @Test(
        arguments: [
            (-1, .notYetValid), (-0.001, .notYetValid), (0, nil), (0.999, nil), (9, nil), (9.999, nil),
            // RFC 5280 would allow this second; OpenSSL, and curl with it, does not.
            (10, .expired), (10.5, .expired), (11, .expired),
        ] as [(TimeInterval, TrustFailure.Reason?)]
    )
    func `counts dates to the second`(offset: TimeInterval, reason: TrustFailure.Reason?) throws {
        let template = Sample.leaf {
            $0.notBefore = now
            $0.notAfter = now + 10
        }
        let server = try Sample.issuing.identity(template, key: PrivateKey())

        let result = Sample.store.evaluate(server.chain, host: host, at: now + offset)
        let alone = server.leaf.failure(host: host, at: now + offset)

        #expect(result == reason.map { .refused(TrustFailure($0)) } ?? result)
        #expect(result.isTrusted == (reason == nil))
        #expect(alone == reason.map { TrustFailure($0) })
    }

    @Test(arguments: [-100_000, -1, 0, 1, 100_000])
    func `checks no dates where no instant is given`(days: Double) throws {
        let template = Sample.leaf {
            $0.notBefore = now + days * Sample.day
            $0.notAfter = $0.notBefore + 1
        }
        let server = try Sample.issuing.identity(template, key: PrivateKey())

        #expect(Sample.store.evaluate(server.chain, host: host, at: nil).isTrusted)
    }

    @Test(arguments: [Date.distantPast, .distantFuture, Date(timeIntervalSince1970: 0)])
    func `survives any instant`(instant: Date) {
        let result = Sample.store.evaluate(Sample.server.chain, host: host, at: instant)

        #expect(!result.isTrusted)
    }

    @Test func `ends a path at an intermediate that is its anchor`() throws {
        let store = try TrustStore([TrustAnchor(Sample.issuing.certificate)])

        let whole = store.evaluate(Sample.server.chain, host: host, at: now)
        let leafAlone = store.evaluate([Sample.server.leaf], host: host, at: now)
        let sibling = try Sample.root.identity(Sample.leaf(), key: PrivateKey())

        #expect(whole == .trusted(path: Sample.server.chain))
        #expect(leafAlone == .trusted(path: Sample.server.chain))
        #expect(store.evaluate(sibling.chain, host: host, at: now) == .refused(TrustFailure(.unknownAuthority)))
    }

    @Test func `ends a path at a leaf that is its anchor`() throws {
        let alone = try Identity(selfSigned: Sample.leaf(), key: PrivateKey())
        let stores = try [alone.leaf, Sample.server.leaf].map { try TrustStore([TrustAnchor($0)]) }

        #expect(stores[0].evaluate(alone.chain, host: host, at: now) == .trusted(path: [alone.leaf]))
        #expect(stores[1].evaluate(Sample.server.chain, host: host, at: now) == .trusted(path: [Sample.server.leaf]))
        #expect(!stores[0].evaluate(Sample.server.chain, host: host, at: now).isTrusted)
    }

    @Test func `finds the path in any order, and through what does not belong`() throws {
        let lower = try Sample.issuing.authority(Sample.authority("Lower"), key: PrivateKey())
        let server = try lower.identity(Sample.leaf(), key: PrivateKey())
        let path = server.chain + [Sample.root.certificate]
        let stranger = try Identity(selfSigned: Sample.leaf(), key: PrivateKey()).leaf
        let chains = [
            server.chain,
            [server.leaf] + server.chain.dropFirst().reversed(),
            server.chain + [Sample.root.certificate],
            [server.leaf, stranger, Sample.root.certificate] + server.chain.dropFirst().reversed() + [server.leaf],
            server.chain + Sample.server.chain,
        ]

        for chain in chains {
            #expect(Sample.store.evaluate(chain, host: host, at: now) == .trusted(path: path))
        }
    }

    @Test func `looks only at the first certificate for the host`() throws {
        let stranger = try Identity(selfSigned: Sample.leaf(), key: PrivateKey()).leaf

        let stuffed = Sample.store.evaluate([stranger] + Sample.server.chain, host: host, at: now)
        let swapped = Sample.store.evaluate(Sample.server.chain.reversed(), host: host, at: now)

        #expect(stuffed == .refused(TrustFailure(.selfSigned)))
        #expect(swapped == .refused(TrustFailure(.wrongPurpose)))
    }

    @Test func `follows a long path`() throws {
        var authority = Sample.root
        for number in 0..<20 {
            authority = try authority.authority(Sample.authority("Level \(number)"), key: PrivateKey())
        }
        let server = try authority.identity(Sample.leaf(), key: PrivateKey())

        let result = Sample.store.evaluate(server.chain, host: host, at: now)

        #expect(result == .trusted(path: server.chain + [Sample.root.certificate]))
    }

    @Test func `prefers a trusted certificate to a sent one that has expired`() throws {
        let key = try PrivateKey()
        let old = try Sample.root.authority(Sample.authority("Middle") { $0.notAfter = now - 1 }, key: key)
        let new = try Sample.root.authority(Sample.authority("Middle"), key: key)
        let server = try old.identity(Sample.leaf(), key: PrivateKey())
        let store = try TrustStore([TrustAnchor(Sample.root.certificate), TrustAnchor(new.certificate, origin: .app)])

        let helped = store.evaluate(server.chain, host: host, at: now)
        let alone = Sample.store.evaluate(server.chain, host: host, at: now)

        #expect(helped == .trusted(path: [server.leaf, new.certificate]))
        #expect(alone == .refused(TrustFailure(.expired, depth: 1)))
    }

    @Test func `can pass over weakness alone`() throws {
        let weak = try Sample.issuing.identity(Sample.leaf(), key: Sample.rsa1024)
        let weakAndWrong = try Sample.issuing.identity(Sample.leaf { $0.names = [] }, key: Sample.rsa1024)

        let results = [weak, weakAndWrong].map {
            Sample.store.evaluate($0.chain, host: host, at: now, toleratesWeakness: true)
        }

        #expect(
            results == [.trusted(path: weak.chain + [Sample.root.certificate]), .refused(TrustFailure(.wrongHost))]
        )
        #expect(Sample.store.evaluate(weakAndWrong.chain, host: host, at: now) == .refused(TrustFailure(.tooWeak)))
    }

    @Test func `writes its anchors as PEM by origin, and the first of several again at the end`() throws {
        let other = try Authority(rootNamed: "Other", now: now)
        let store = try TrustStore([
            TrustAnchor(Sample.root.certificate), TrustAnchor(other.certificate, origin: .user),
        ])

        let first = Sample.root.certificate.pem
        #expect(store.pem() == first + other.certificate.pem + first)
        #expect(store.pem([.system]) == first)
        #expect(store.pem([.user]) == other.certificate.pem)
        #expect(store.pem([.app]).isEmpty)
    }

    @Test(
        arguments: [
            (TrustFailure(.expired), "it has expired"),
            (TrustFailure(.expired, depth: 1), "an authority above it has expired"),
            (TrustFailure(.notYetValid), "it is not valid yet"),
            (TrustFailure(.notYetValid, depth: 2), "an authority above it is not valid yet"),
            (TrustFailure(.noCertificate), "no certificate was shown"),
            (TrustFailure(.unknownAuthority), "its issuer is not trusted"),
            (TrustFailure(.selfSigned), "it vouches only for itself"),
            (TrustFailure(.wrongHost), "it does not name the host"),
            (TrustFailure(.malformedHost), "the host asked for is no name"),
            (TrustFailure(.badSignature), "a signature is forged"),
            (TrustFailure(.notAnAuthority), "its issuer is no authority"),
            (TrustFailure(.pathTooLong), "its path is longer than an authority allows"),
            (TrustFailure(.wrongPurpose), "it is not meant for servers"),
            (TrustFailure(.nameNotPermitted), "an authority above it may not vouch for this name"),
            (TrustFailure(.unknownCriticalExtension), "a critical extension is unknown"),
            (TrustFailure(.tooWeak), "a key or a digest is too weak"), (TrustFailure(.revoked), "it is revoked"),
            (TrustFailure(.malformed), "a field cannot be read"),
        ]
    )
    func `says why in a clause for people`(failure: TrustFailure, text: String) {
        #expect(failure.description == text)
    }
}
