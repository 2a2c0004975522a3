import Foundation
import TestSupport
import Testing

@testable import TLSCore

/// What the TLS stacks of clients make of chains on which they differ.
@Suite struct `TLS stacks` {
    private static let now = Sample.now

    /// A new root, also signed by the old one, as after a rotation.
    private struct Rotation {
        let oldRoot: Authority
        let newRoot: Authority
        let server: Identity
        /// The new root's name and key, signed by the old one.
        let crossed: Certificate

        init() throws {
            let key = try PrivateKey()
            oldRoot = try Authority(rootNamed: "Old Root", now: now)
            newRoot = try Authority(root: Sample.authority("New Root"), key: key)
            crossed = try oldRoot.authority(Sample.authority("New Root"), key: key).certificate
            server = try newRoot.identity(Sample.leaf(), key: PrivateKey())
        }
    }

    private static func answer(_ chain: [Certificate], _ anchors: [Certificate], _ stack: TrustStack) throws
        -> TrustResult
    {
        try TrustStore(anchors.map { TrustAnchor($0) }).on(stack).evaluate(chain, host: Sample.host, at: now)
    }

    @Test(arguments: TrustStack.allCases)
    func `T1: a new root sent before its cross-signature is passed over by who tries another path`(
        stack: TrustStack
    ) throws {
        let rotation = try Rotation()
        let sent = rotation.server.chain + [rotation.newRoot.certificate, rotation.crossed]
        let orderly = rotation.server.chain + [rotation.crossed, rotation.newRoot.certificate]
        let anchors = [rotation.oldRoot.certificate]

        let result = try Self.answer(sent, anchors, stack)
        let control = try Self.answer(orderly, anchors, stack)
        let stranger = try Self.answer(sent, [Authority(rootNamed: "Old Root", now: Self.now).certificate], stack)

        #expect(result.isTrusted == ![.openSSL, .openSSLToRoots, .boringSSL, .unknown].contains(stack))
        #expect(control.isTrusted)
        #expect(!stranger.isTrusted)
    }

    @Test(arguments: TrustStack.allCases)
    func `T2: an anchor that has expired is a key to Java and Android, and no anchor to others`(stack: TrustStack)
        throws
    {
        func result(expired: Bool) throws -> TrustResult {
            let root = try Authority(
                root: Sample.authority("Root") { if expired { $0.notAfter = Self.now - 10 } },
                key: PrivateKey()
            )
            let server = try root.identity(Sample.leaf(), key: PrivateKey())
            return try Self.answer(server.chain, [root.certificate], stack)
        }

        #expect(try result(expired: false).isTrusted)
        #expect(try result(expired: true).isTrusted == [.java, .conscrypt].contains(stack))
    }

    @Test(arguments: TrustStack.allCases)
    func `T3: a certificate for any purpose is a server's to some, and one for clients to wget alone`(
        stack: TrustStack
    ) throws {
        func result(_ purpose: String) throws -> TrustResult {
            let leaf = Sample.leaf { $0.extendedKeyUsage = [purpose] }
            return try Self.answer(
                [Sample.root.identity(leaf, key: PrivateKey()).leaf],
                [Sample.root.certificate],
                stack
            )
        }

        #expect(try result(CertificateTemplate.serverAuthentication).isTrusted)
        #expect(try result("2.5.29.37.0").isTrusted == [.go, .java, .conscrypt, .gnuTLS].contains(stack))
        #expect(try result(CertificateTemplate.clientAuthentication).isTrusted == (stack == .gnuTLS))
    }

    @Test(arguments: TrustStack.allCases)
    func `T4: the path goes on above an anchor on Android, and for GnuTLS`(stack: TrustStack) throws {
        let anchors = [Sample.issuing.certificate, Sample.root.certificate]

        let result = try Self.answer(Sample.server.chain, anchors, stack)

        guard case .trusted(let path) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(path.contains(Sample.root.certificate) == [.conscrypt, .gnuTLS, .boringSSL].contains(stack))
    }

    @Test(arguments: TrustStack.allCases)
    func `T6: an IPv4 address written as IPv6 is itself to Go, Java and Android`(stack: TrustStack) throws {
        let leaf = Sample.leaf { $0.names = [.ip([192, 168, 1, 1])] }
        let chain = [try Sample.root.identity(leaf, key: PrivateKey()).leaf]
        let store = Sample.store.on(stack)
        func isTrusted(_ host: String) -> Bool { store.evaluate(chain, host: host, at: Self.now).isTrusted }

        #expect(isTrusted("192.168.1.1"))
        #expect(isTrusted("::ffff:192.168.1.1") == [.go, .java, .conscrypt].contains(stack))
        #expect(!isTrusted("::ffff:192.168.1.2"))
    }

    @Test func `T8: a wildcard below constraints on names is disputed among versions of Go`() throws {
        func dispute(_ name: String, _ stack: TrustStack) throws -> String? {
            let authority = try Sample.root.authority(
                Sample.authority("Held") { $0.nameConstraints = NameConstraints(excluded: [.dns("www.acme.example")]) },
                key: PrivateKey()
            )
            let leaf = Sample.leaf { $0.names = [.dns(name)] }
            let chain = try authority.identity(leaf, key: PrivateKey()).chain
            return stack.dispute(sent: chain, path: chain + [Sample.root.certificate])
        }

        #expect(try dispute("*.acme.example", .go) == "a wildcard stands below constraints on names")
        #expect(try dispute(Sample.host, .go) == nil)
        #expect(try dispute("*.acme.example", .openSSL) == nil)
    }

    @Test func `T9: an extension that cannot be read, and too many names, are called so`() throws {
        let unread = try Sample.root.authority(
            Sample.authority("Unread") { $0.extraExtensions = [CertificateExtension("2.5.29.30", value: [1])] },
            key: PrivateKey()
        )
        let many = try Sample.root.authority(
            Sample.authority("Many") { template in
                template.nameConstraints = NameConstraints(excluded: (0..<1100).map { .dns("x\($0).example") })
            },
            key: PrivateKey()
        )
        let leaf = Sample.leaf { $0.names += (0..<1100).map { .dns("y\($0).example") } }

        let unreadable = Sample.store.evaluate(
            try unread.identity(Sample.leaf(), key: PrivateKey()).chain,
            host: Sample.host,
            at: Self.now
        )
        let excessive = Sample.store.evaluate(
            try many.identity(leaf, key: PrivateKey()).chain,
            host: Sample.host,
            at: Self.now
        )

        #expect(unreadable == .refused(TrustFailure(.malformed, depth: 1)))
        guard case .refused(let failure) = excessive else {
            Issue.record("accepted")
            return
        }
        #expect(failure.reason == .tooManyNames)
        #expect("\(failure)" == "it has more names than are held to an authority's constraints")
    }

    @Test(arguments: TrustStack.allCases)
    func `a self-signed certificate below its cross-signature is verified by GnuTLS and Java`(stack: TrustStack) throws
    {
        func result(may: Set<KeyUsage>) throws -> TrustResult {
            let key = try PrivateKey()
            let itself = try Authority(root: Sample.authority("Issuer") { $0.keyUsage = may }, key: key)
            let crossed = try Sample.root.authority(Sample.authority("Issuer"), key: key)
            let leaf = try crossed.identity(Sample.leaf(), key: PrivateKey()).leaf
            return try Self.answer(
                [leaf, itself.certificate, crossed.certificate],
                [Sample.root.certificate],
                stack
            )
        }

        #expect(
            try result(may: [.keyCertSign]).isTrusted
                == ![.openSSL, .openSSLToRoots, .boringSSL, .unknown].contains(stack)
        )
        #expect(
            try result(may: [.digitalSignature]).isTrusted
                == [.boringSSL, .go, .conscrypt, .apple, .chromium].contains(stack)
        )
    }

    @Test(arguments: TrustStack.allCases)
    func `an anchor that may not sign is found out by Java too late to try another`(stack: TrustStack) throws {
        func result(_ anchors: [Authority]) throws -> TrustResult {
            let chain = try anchors[0].identity(Sample.leaf(), key: PrivateKey()).chain
            return try Self.answer(chain, anchors.map(\.certificate), stack)
        }
        let key = try PrivateKey()
        let fit = try Authority(root: Sample.authority("Root"), key: key)
        let unfit = try Authority(root: Sample.authority("Root") { $0.keyUsage = [.digitalSignature] }, key: key)

        #expect(try result([fit]).isTrusted)
        #expect(try result([unfit]).isTrusted == (stack == .conscrypt))
        let both = try result([fit, unfit])
        #expect(stack == .java ? both == .refused(TrustFailure(.undecided)) : true)
    }

    @Test(arguments: TrustStack.allCases)
    func `Java reads ten certificates and GnuTLS sixteen`(stack: TrustStack) throws {
        let strangers = try (0..<16).map { try Authority(rootNamed: "Stranger \($0)", now: Self.now).certificate }
        func result(_ count: Int) throws -> TrustResult {
            try Self.answer(
                Sample.server.chain + strangers.prefix(count - Sample.server.chain.count),
                [Sample.root.certificate],
                stack
            )
        }

        #expect(try result(10).isTrusted)
        #expect(try result(11).isTrusted == (stack != .java))
        #expect(try result(16).isTrusted == (stack != .java))
        #expect(try result(17).isTrusted == ![.java, .gnuTLS].contains(stack))
    }

    @Test(arguments: TrustStack.allCases)
    func `the second that a certificate ends in is over for OpenSSL and BoringSSL, and in doubt for others`(
        stack: TrustStack
    ) throws {
        func result(_ second: TimeInterval, isLenient: Bool = false) throws -> TrustResult {
            let leaf = Sample.leaf { $0.notAfter = Self.now }
            let chain = try Sample.root.identity(leaf, key: PrivateKey()).chain
            return try TrustStore([TrustAnchor(Sample.root.certificate)]).on(stack)
                .evaluate(chain, host: Sample.host, at: Self.now + second, isLenient: isLenient)
        }

        #expect(try result(-1).isTrusted)
        let isOver = [.openSSL, .openSSLToRoots, .boringSSL].contains(stack)
        #expect(try result(0) == .refused(TrustFailure(isOver ? .expired : .lastSecond)))
        #expect(try !result(1, isLenient: true).isTrusted)
        #expect(try result(0, isLenient: true).isTrusted == !isOver)
    }

    @Test(arguments: TrustStack.allCases)
    func `the second that a certificate begins in counts`(stack: TrustStack) throws {
        func result(_ second: TimeInterval) throws -> TrustResult {
            let leaf = Sample.leaf { $0.notBefore = Self.now }
            let chain = try Sample.root.identity(leaf, key: PrivateKey()).chain
            return try TrustStore([TrustAnchor(Sample.root.certificate)]).on(stack)
                .evaluate(chain, host: Sample.host, at: Self.now + second)
        }

        #expect(try result(0).isTrusted)
        #expect(try !result(-1).isTrusted)
    }

    @Test(arguments: [TrustStack.boringSSL, .openSSLToRoots])
    func `BoringSSL asks of an anchor only its dates, its key and its constraints on names`(stack: TrustStack) throws {
        func isTrusted(_ change: (inout CertificateTemplate) -> Void) throws -> Bool {
            let root = try Authority(root: Sample.authority("Root", change), key: PrivateKey())
            let issuing = try root.authority(Sample.authority("Issuing"), key: PrivateKey())
            return try Self.answer(issuing.identity(Sample.leaf(), key: PrivateKey()).chain, [root.certificate], stack)
                .isTrusted
        }
        let isBoring = stack == .boringSSL

        #expect(try isTrusted { _ in })
        #expect(try isTrusted { $0.isAuthority = false } == isBoring)
        #expect(try isTrusted { $0.pathLength = 0 } == isBoring)
        #expect(try isTrusted { $0.extendedKeyUsage = [CertificateTemplate.clientAuthentication] } == isBoring)
        #expect(try !isTrusted { $0.keyUsage = [.digitalSignature] })
        #expect(try !isTrusted { $0.notAfter = Self.now - 10 })
        #expect(try !isTrusted { $0.nameConstraints = NameConstraints(excluded: [.dns("acme.example")]) })
    }

    @Test(arguments: TrustStack.allCases)
    func `a new key of an authority that may have none below is one too many for Go and GnuTLS`(stack: TrustStack)
        throws
    {
        func result(_ name: String, below length: Int) throws -> TrustResult {
            let narrow = try Sample.root.authority(
                Sample.authority("Issuer") { $0.pathLength = length },
                key: PrivateKey()
            )
            let next = try narrow.authority(Sample.authority(name), key: PrivateKey())
            let chain = try next.identity(Sample.leaf(), key: PrivateKey()).chain
            return try Self.answer(chain, [Sample.root.certificate], stack)
        }

        #expect(try result("Issuer", below: 0).isTrusted == ![.go, .gnuTLS].contains(stack))
        #expect(try !result("Another", below: 0).isTrusted)
        #expect(try result("Another", below: 1).isTrusted)
    }

    @Test(arguments: TrustStack.allCases)
    func `BoringSSL compares no address with constraints, and takes itself for no issuer of a leaf`(stack: TrustStack)
        throws
    {
        func isTrusted(below constraints: NameConstraints?) throws -> Bool {
            let held = try Sample.root.authority(
                Sample.authority("Held") { $0.nameConstraints = constraints },
                key: PrivateKey()
            )
            let leaf = Sample.leaf { $0.names = [.ip([192, 0, 2, 1])] }
            return try TrustStore([TrustAnchor(Sample.root.certificate)]).on(stack)
                .evaluate(held.identity(leaf, key: PrivateKey()).chain, host: "192.0.2.1", at: Self.now).isTrusted
        }
        func isTrustedItself(_ usage: Set<KeyUsage>) throws -> Bool {
            let itself = try Identity(selfSigned: Sample.leaf { $0.keyUsage = usage }, key: PrivateKey())
            return try Self.answer(itself.chain, itself.chain, stack).isTrusted
        }
        let network = NameConstraints(permitted: [.ip([192, 0, 2, 0, 255, 255, 255, 0])])

        #expect(try isTrusted(below: nil))
        #expect(try isTrusted(below: network) == (stack != .boringSSL))
        #expect(try isTrustedItself([.digitalSignature, .keyCertSign]))
        #expect(try isTrustedItself([.digitalSignature]) == (stack != .boringSSL))
    }

    @Test func `what Java cannot read, and what Chromium's store is not for, is in doubt`() throws {
        let free = try Sample.root.authority(
            Sample.authority("Free") { $0.nameConstraints = NameConstraints(permitted: [.dns("")]) },
            key: PrivateKey()
        )
        let path = try free.identity(Sample.leaf(), key: PrivateKey()).chain + [Sample.root.certificate]
        let plain = Sample.server.chain + [Sample.root.certificate]
        func isInDoubt(_ path: [Certificate], on stack: TrustStack) -> Bool {
            stack.dispute(sent: path, path: path) != nil
        }

        #expect(TrustStack.allCases.filter { isInDoubt(path, on: $0) } == [.unknown, .java, .conscrypt])
        #expect(TrustStack.allCases.filter { isInDoubt(Array(plain.prefix(1)), on: $0) } == [.chromium])
        #expect(TrustStack.allCases.filter { isInDoubt(plain, on: $0) } == [])
    }

    /// Two certificates for each authority: 2, 6 and 14 steps by their names for one, two and three authorities, and the root's.
    @Test func `Chromium gives up where names lead too many ways`() throws {
        func isInDoubt(_ count: Int, twice: Bool, on stack: TrustStack) throws -> Bool {
            var chain: [Certificate] = []
            var above = Sample.root
            for number in 1...count {
                let template = Sample.authority("Authority \(number)")
                let next = try above.authority(template, key: PrivateKey())
                if twice { chain.insert(try above.authority(template, key: PrivateKey()).certificate, at: 0) }
                chain.insert(next.certificate, at: 0)
                above = next
            }
            let leaf = try above.identity(Sample.leaf(), key: PrivateKey()).leaf
            let path = [leaf] + chain + [Sample.root.certificate]
            return stack.dispute(sent: [leaf] + chain, path: [leaf, above.certificate, Sample.root.certificate]) != nil
                && path.count == chain.count + 2
        }

        #expect(try TrustStack.allCases.filter { try isInDoubt(3, twice: true, on: $0) } == [.chromium])
        #expect(try TrustStack.allCases.filter { try isInDoubt(2, twice: true, on: $0) } == [])
        #expect(try TrustStack.allCases.filter { try isInDoubt(3, twice: false, on: $0) } == [])
    }

    @Test(arguments: TrustStack.allCases)
    func `GnuTLS takes no root of version 1 below its cross-signature`(stack: TrustStack) throws {
        func result(isOld: Bool) throws -> TrustResult {
            let key = try PrivateKey()
            let new = try Authority(root: Sample.authority("New Root") { $0.isVersion1 = isOld }, key: key)
            let crossed = try Sample.root.authority(Sample.authority("New Root"), key: key).certificate
            let server = try new.identity(Sample.leaf(), key: PrivateKey())
            return try Self.answer([server.leaf, new.certificate, crossed], [Sample.root.certificate], stack)
        }

        let takesIt: [TrustStack] = [.gnuTLS, .java, .go, .conscrypt, .apple, .chromium]
        #expect(try result(isOld: false).isTrusted == takesIt.contains(stack))
        #expect(try result(isOld: true).isTrusted == (takesIt.contains(stack) && stack != .gnuTLS))
    }

    @Test func `swift-nio-ssl reads IDNs below wildcards, and dots at the end of names, in its own way`() throws {
        func reason(_ names: String..., host: String, permitted: String? = nil) throws -> TrustFailure.Reason? {
            let held = try Sample.root.authority(
                Sample.authority("Held") { authority in
                    authority.nameConstraints = permitted.map { NameConstraints(permitted: [.dns($0)]) }
                },
                key: PrivateKey()
            )
            let chain = try held.identity(Sample.leaf { $0.names = names.map { .dns($0) } }, key: PrivateKey()).chain
            let store = try TrustStore([TrustAnchor(Sample.root.certificate)]).on(.boringSSL)
            guard case .refused(let failure) = store.evaluate(chain, host: host, at: Self.now) else { return nil }
            return failure.reason
        }

        #expect(try reason("*.acme.example", host: "xn--bcher-kva.acme.example") == .disputedName)
        #expect(try reason("*.acme.example", host: "api.acme.example") == nil)
        #expect(try reason("xn--bcher-kva.acme.example", host: "xn--bcher-kva.acme.example") == nil)
        #expect(
            try reason(Sample.host, "\(Sample.host).", host: Sample.host, permitted: "acme.example") == .disputedName
        )
        #expect(try reason(Sample.host, "\(Sample.host).", host: Sample.host) == nil)
        #expect(try reason(Sample.host, host: Sample.host, permitted: "other.example") == .nameNotPermitted)
    }

    @Test(arguments: TrustStack.allCases)
    func `Chromium verifies nothing with a key of Edwards', and of Android nobody is sure`(stack: TrustStack) throws {
        func result(_ type: KeyType, isLenient: Bool = false) throws -> TrustResult {
            let issuing = try Sample.root.authority(Sample.authority("Issuing"), key: PrivateKey(type))
            return try TrustStore([TrustAnchor(Sample.root.certificate)]).on(stack).evaluate(
                issuing.identity(Sample.leaf(), key: PrivateKey()).chain,
                host: Sample.host,
                at: Self.now,
                isLenient: isLenient
            )
        }

        #expect(try result(.p521).isTrusted)
        #expect(try result(.ed25519).isTrusted == ![.chromium, .conscrypt].contains(stack))
        #expect(try result(.ed25519, isLenient: true).isTrusted == (stack != .chromium))
    }

    @Test(arguments: TrustStack.allCases)
    func `a common name is held to constraints by OpenSSL and GnuTLS where it stands alone`(stack: TrustStack) throws {
        let narrow = try Sample.root.authority(
            Sample.authority("Narrow") { $0.nameConstraints = NameConstraints(permitted: [.dns("other.example")]) },
            key: PrivateKey()
        )
        func result(_ commonName: String) throws -> TrustResult {
            let leaf = Sample.leaf { ($0.names, $0.commonName) = ([.ip([192, 0, 2, 1])], commonName) }
            let chain = try narrow.identity(leaf, key: PrivateKey()).chain
            return try TrustStore([TrustAnchor(Sample.root.certificate)]).on(stack)
                .evaluate(chain, host: "192.0.2.1", at: Self.now)
        }

        #expect(try result("a server").isTrusted)
        #expect(try result("192.0.2.1").isTrusted == ![.openSSL, .openSSLToRoots, .gnuTLS].contains(stack))
    }

    @Test(arguments: [TrustStack.go, .java, .conscrypt, .apple, .chromium])
    func `authorities that vouch for one another end at a limit, and nobody says that there is no way`(
        stack: TrustStack
    ) throws {
        let keys = try (0..<12).map { _ in try PrivateKey() }
        let signers = try keys.indices.map { index in
            try Authority(root: Sample.authority("Peer \(index)"), key: keys[index])
        }
        // The root vouches for the last of them, who may have no authority below.
        let end = try Sample.root.authority(Sample.authority("Peer 11") { $0.pathLength = 0 }, key: keys[11])
        let crossed = try keys.indices.flatMap { index in
            try signers.indices.filter { $0 != index }.map { signer in
                try signers[signer].authority(Sample.authority("Peer \(index)"), key: keys[index]).certificate
            }
        }
        let leaf = try signers[0].identity(Sample.leaf(), key: PrivateKey()).leaf
        let stuffing = (0..<7).flatMap { _ in crossed }
        let start = ContinuousClock.now

        let result = try Self.answer([leaf] + stuffing + [end.certificate], [Sample.root.certificate], stack)

        print("\(stack): \(result) after \(ContinuousClock.now - start)")
        #expect(result == .refused(TrustFailure(stack == .java ? .tooManyCertificates : .tooManyPaths)))
    }
}
