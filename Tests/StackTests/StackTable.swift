import Foundation
import Pinning
import TLSCore
import TestSupport

/// What each stack does with chains on which they differ, as `docs/stacks.md` shows it.
struct StackTable {
    /// One row.
    struct Case {
        var name: String
        var chain: [Certificate]
        var anchors: [Certificate]
        var host = Sample.host
    }

    private let cases: [Case]

    private static let stacks: [TrustStack] = [
        .openSSL, .openSSLToRoots, .boringSSL, .gnuTLS, .go, .java, .conscrypt, .apple, .chromium, .unknown,
    ]

    init() throws { cases = try StackTable.paths() + StackTable.anchors() + StackTable.certificates() }

    /// Markdown.
    func render() throws -> String {
        let head = ["Chain"] + StackTable.stacks.map(\.rawValue)
        let rows = try cases.map { row in
            try [row.name] + StackTable.stacks.map { try StackTable.word(for: row, on: $0) }
        }
        let lines = [head, head.map { _ in "---" }] + rows
        return lines.map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
    }

    private static func word(for row: Case, on stack: TrustStack) throws -> String {
        let store = try TrustStore(row.anchors.map { TrustAnchor($0) })
        let situation = Situation(chain: row.chain, store: store, host: row.host, at: Sample.now)
        // Apple's rules for every server stand beside its search.
        let decision = stack == .apple ? ATSConfiguration([]).decide(situation) : situation.on(stack).decide(.unpinned)
        return switch decision.demand {
        case .accept: "accepts"
        case .reject: "rejects"
        case .either: "either"
        }
    }

    // MARK: The chains

    private static func leaf(_ change: (inout CertificateTemplate) -> Void = { _ in }) throws -> [Certificate] {
        try Sample.issuing.identity(Sample.leaf(change), key: PrivateKey()).chain
    }

    private static func server(below authority: Authority) throws -> [Certificate] {
        try authority.identity(Sample.leaf(), key: PrivateKey()).chain
    }

    private static func paths() throws -> [Case] {
        let (key, newKey) = (try PrivateKey(), try PrivateKey())
        let stranger = try Authority(rootNamed: "Stranger", now: Sample.now)
        let strange = try stranger.authority(Sample.authority("Twice"), key: key)
        let known = try Sample.root.authority(Sample.authority("Twice"), key: key)
        let newRoot = try Authority(root: Sample.authority("New Root"), key: newKey)
        let crossed = try Sample.root.authority(Sample.authority("New Root"), key: newKey).certificate
        let rotated = try newRoot.identity(Sample.leaf(), key: PrivateKey()).leaf
        let twice = try known.identity(Sample.leaf(), key: PrivateKey()).leaf
        let root = [Sample.root.certificate]
        let strangers = try (0..<10).map { try Authority(rootNamed: "Stranger \($0)", now: Sample.now).certificate }
        return [
            Case(
                name: "two issuers of one name and key, the one without an anchor sent first [1]",
                chain: [twice, strange.certificate, known.certificate],
                anchors: root
            ),
            Case(
                name: "a new root sent before its cross-signature, only the old root trusted",
                chain: [rotated, newRoot.certificate, crossed],
                anchors: root
            ),
            Case(name: "authorities sent in the wrong order", chain: try unordered(), anchors: root),
            Case(
                name: "more than ten certificates, which need not be there",
                chain: try leaf() + strangers,
                anchors: root
            ),
            Case(
                name: "an anchor that another vouches for, which is not trusted",
                chain: Sample.server.chain,
                anchors: [Sample.issuing.certificate]
            ),
        ]
    }

    private static func unordered() throws -> [Certificate] {
        let below = try Sample.issuing.authority(Sample.authority("Below"), key: PrivateKey())
        return [
            try below.identity(Sample.leaf(), key: PrivateKey()).leaf, Sample.issuing.certificate, below.certificate,
        ]
    }

    private static func anchors() throws -> [Case] {
        func anchored(_ name: String, _ change: (inout CertificateTemplate) -> Void) throws -> Case {
            let root = try Authority(root: Sample.authority("Root", change), key: PrivateKey())
            return Case(name: name, chain: try server(below: root), anchors: [root.certificate])
        }
        return try [
            anchored("an anchor that has expired [2]") { $0.notAfter = Sample.now - 10 },
            anchored("an anchor for TLS clients only") {
                $0.extendedKeyUsage = [CertificateTemplate.clientAuthentication]
            },
            anchored("an anchor that is no authority") { $0.isAuthority = false },
            anchored("an anchor that may not sign certificates") { $0.keyUsage = [.digitalSignature] },
            anchored("an anchor whose constraints exclude the host") {
                $0.nameConstraints = NameConstraints(excluded: [.dns("acme.example")])
            },
        ]
    }

    private static func certificates() throws -> [Case] {
        let root = [Sample.root.certificate]
        func leaf(_ name: String, host: String = Sample.host, _ change: (inout CertificateTemplate) -> Void) throws
            -> Case
        {
            Case(name: name, chain: try Self.leaf(change), anchors: root, host: host)
        }
        func issuer(_ name: String, _ change: (inout CertificateTemplate) -> Void) throws -> Case {
            let authority = try Sample.root.authority(Sample.authority("Issuer", change), key: PrivateKey())
            return Case(name: name, chain: try server(below: authority), anchors: root)
        }
        let client = CertificateTemplate.clientAuthentication
        let short = try Sample.issuing.identity(Sample.leaf(), key: Sample.rsa1024).chain
        return try [
            leaf("a leaf for any purpose") { $0.extendedKeyUsage = ["2.5.29.37.0"] },
            issuer("an issuer for any purpose") { $0.extendedKeyUsage = ["2.5.29.37.0"] },
            leaf("a leaf that names no purpose") { $0.extendedKeyUsage = [] },
            leaf("a leaf for TLS clients only [3]") { $0.extendedKeyUsage = [client] },
            issuer("an issuer for TLS clients only [3]") { $0.extendedKeyUsage = [client] },
            issuer("a signature over SHA-1 below the anchor") { $0.digest = .sha1 },
            Case(name: "a leaf with RSA of 1024 bits", chain: short, anchors: root),
            leaf("a leaf that is valid for ten years") { $0.notAfter = Sample.now + 3650 * Sample.day },
            leaf("a leaf in the second that it ends in [4]") { $0.notAfter = Sample.now },
            leaf("a common name and no other") { $0.names = [] },
            leaf("a wildcard for a part of a label") { $0.names = [.dns("a*.acme.example")] },
            leaf("an IPv4 address asked for as `::ffff:192.0.2.1`", host: "::ffff:192.0.2.1") {
                $0.names = [.ip([192, 0, 2, 1])]
            },
            leaf("an address that only the common name has", host: "192.0.2.1") {
                ($0.names, $0.commonName) = ([], "192.0.2.1")
            },
        ]
    }
}
