import Foundation
import TLSCore
import TestSupport

/// Chains that chance does not make, for all clients: two anchors of one key, old and new certificates of one authority,
/// constraints on addresses, leaves that are trusted themselves.
struct OddChains {
    private static let host = "www.lattice.example"
    private static let day = CertificateTemplate.day

    private let now: Date
    private(set) var all: [RandomChain] = []
    private let key: PrivateKey
    private let root: Authority

    init(now: Date) throws {
        self.now = now
        key = try PrivateKey()
        root = try Authority(root: .authority(named: "Root", now: now), key: key)
        try addAnchors()
        try addTrustedLeaves()
        try addTwins()
        try addConstraints()
        try addOddPaths()
    }

    private typealias Change = (inout CertificateTemplate) -> Void

    private func authority(_ name: String, _ change: Change = { _ in }) -> CertificateTemplate {
        var template = CertificateTemplate.authority(named: name, now: now)
        change(&template)
        return template
    }

    private func leaf(_ host: String = host, _ change: Change = { _ in }) -> CertificateTemplate {
        var template = CertificateTemplate.leaf(names: [SubjectName(host)], now: now)
        change(&template)
        return template
    }

    private mutating func add(
        _ words: String,
        host: String = host,
        _ identity: Identity,
        above: [Certificate]? = nil,
        anchors: [Certificate]? = nil
    ) {
        var identity = identity
        if let above { identity.chain = [identity.leaf] + above }
        all.append(RandomChain(words, host: host, identity, anchors: anchors ?? [root.certificate]))
    }

    private func expired(_ template: inout CertificateTemplate) {
        (template.notBefore, template.notAfter) = (now - 30 * OddChains.day, now - OddChains.day)
    }

    private mutating func addAnchors() throws {
        let old = try Authority(root: authority("Root", expired), key: key)
        let server = try root.identity(leaf(), key: PrivateKey())
        add("two anchors of one name and key, the expired one first", server, anchors: [old, root].map(\.certificate))
        add("two anchors of one name and key, the valid one first", server, anchors: [root, old].map(\.certificate))
        add("the expired anchor sent, the valid one trusted", server, above: [old.certificate])
        add(
            "the valid anchor sent, the expired one trusted",
            server,
            above: [root.certificate],
            anchors: [old.certificate]
        )
        let other = try Authority(rootNamed: "Root", now: now)
        add("two anchors of one name, the wrong key first", server, anchors: [other, root].map(\.certificate))
        add("an anchor of the right name and the wrong key", server, anchors: [other.certificate])
        for (words, length, isDeep) in [
            ("an anchor with none below, right above the leaf", 0, false),
            ("an anchor with none below, and one below", 0, true),
            ("an anchor with one below, and one below", 1, true),
        ] {
            let narrow = try Authority(root: authority("Narrow") { $0.pathLength = length }, key: PrivateKey())
            let issuer = isDeep ? try narrow.authority(authority("Issuer"), key: PrivateKey()) : narrow
            add(words, try issuer.identity(leaf(), key: PrivateKey()), anchors: [narrow.certificate])
        }
        let weak = try Authority(root: authority("Weak") { $0.digest = .sha1 }, key: PrivateKey())
        add("an anchor signed over SHA-1", try weak.identity(leaf(), key: PrivateKey()), anchors: [weak.certificate])
        let odd = try Authority(
            root: authority("Odd") {
                $0.extraExtensions = [CertificateExtension("1.3.6.1.4.1.55555.2", isCritical: true, value: [5, 0])]
            },
            key: PrivateKey()
        )
        add(
            "an anchor with an unknown critical extension",
            try odd.identity(leaf(), key: PrivateKey()),
            anchors: [odd.certificate]
        )
    }

    private mutating func addTrustedLeaves() throws {
        let server = try root.identity(leaf(), key: PrivateKey())
        add("a leaf trusted itself, and its root not", server, anchors: [server.leaf])
        add("a leaf trusted itself, and its root too", server, anchors: [server.leaf, root.certificate])
        let changes: KeyValuePairs<String, Change> = [
            "a leaf that vouches for itself": { _ in },
            "a leaf that vouches for itself, expired": expired,
            "a leaf that vouches for itself, of another name": { $0.names = [.dns("other.example")] },
            "a leaf that vouches for itself, for TLS clients": {
                $0.extendedKeyUsage = [CertificateTemplate.clientAuthentication]
            },
            "a leaf that vouches for itself, and may vouch for others": {
                ($0.isAuthority, $0.keyUsage) = (true, [.digitalSignature, .keyCertSign])
            },
        ]
        for (words, change) in changes {
            let itself = try Identity(selfSigned: leaf(Self.host, change), key: PrivateKey())
            add("\(words), trusted", itself, anchors: [itself.leaf])
            add("\(words), not trusted", itself)
        }
    }

    private mutating func addTwins() throws {
        let issuerKey = try PrivateKey()
        let past = try root.authority(authority("Issuer", expired), key: issuerKey)
        let valid = try root.authority(authority("Issuer"), key: issuerKey)
        let server = try valid.identity(leaf(), key: PrivateKey())
        add(
            "an issuer's expired certificate sent before its valid one",
            server,
            above: [past, valid].map(\.certificate)
        )
        add(
            "an issuer's expired certificate sent behind its valid one",
            server,
            above: [valid, past].map(\.certificate)
        )
        let cousin = try root.authority(authority("Issuer"), key: PrivateKey())
        add("an issuer of the right name and the wrong key first", server, above: [cousin, valid].map(\.certificate))
        let oldRoot = try Authority(rootNamed: "Old Root", now: now)
        let crossed = try oldRoot.authority(authority("Root"), key: key).certificate
        let lapsed = try oldRoot.authority(authority("Root", expired), key: key).certificate
        add("a trusted root sent as its cross-signature", server, above: [valid.certificate, crossed])
        add("a trusted root sent as its expired cross-signature", server, above: [valid.certificate, lapsed])
        for (words, above) in [("expired", [lapsed, crossed]), ("valid", [crossed, lapsed])] {
            add(
                "two cross-signatures, the \(words) one first, the old root trusted",
                server,
                above: [valid.certificate] + above,
                anchors: [oldRoot.certificate]
            )
        }
        let lapsedRoot = try Authority(root: authority("Old Root", expired), key: oldRoot.key).certificate
        add(
            "a cross-signature to an expired root, and the new root, both trusted",
            server,
            above: [valid.certificate, crossed],
            anchors: [lapsedRoot, root.certificate]
        )
        let itself = try Authority(root: authority("Issuer"), key: issuerKey).certificate
        add(
            "an issuer that vouches for itself, and is trusted so",
            server,
            above: [valid.certificate],
            anchors: [itself]
        )
        add(
            "an issuer that vouches for itself, trusted beside the root",
            server,
            above: [valid.certificate],
            anchors: [itself, root.certificate]
        )
    }

    private mutating func addConstraints() throws {
        let address = "127.0.0.1"
        let rows: [(words: String, host: String, constraints: NameConstraints, names: [SubjectName])] = [
            (
                "names permitted, an address asked for", address, NameConstraints(permitted: [.dns("lattice.example")]),
                [.ip([127, 0, 0, 1])]
            ),
            (
                "its network permitted", address, NameConstraints(permitted: [.ip([127, 0, 0, 0, 255, 0, 0, 0])]),
                [.ip([127, 0, 0, 1])]
            ),
            (
                "its network excluded", address, NameConstraints(excluded: [.ip([127, 0, 0, 0, 255, 0, 0, 0])]),
                [.ip([127, 0, 0, 1])]
            ),
            (
                "another network permitted", address, NameConstraints(permitted: [.ip([10, 0, 0, 0, 255, 0, 0, 0])]),
                [.ip([127, 0, 0, 1])]
            ),
            (
                "another network excluded", address, NameConstraints(excluded: [.ip([10, 0, 0, 0, 255, 0, 0, 0])]),
                [.ip([127, 0, 0, 1])]
            ),
            (
                "a network permitted, a name asked for", Self.host,
                NameConstraints(permitted: [.ip([10, 0, 0, 0, 255, 0, 0, 0])]), [.dns(Self.host)]
            ),
            (
                "a name permitted, an address beside it", Self.host,
                NameConstraints(permitted: [.dns("lattice.example")]), [.dns(Self.host), .ip([127, 0, 0, 1])]
            ),
            (
                "another name of it not permitted", Self.host, NameConstraints(permitted: [.dns("lattice.example")]),
                [.dns(Self.host), .dns("other.test")]
            ),
            ("every name excluded", Self.host, NameConstraints(excluded: [.dns("")]), [.dns(Self.host)]),
            ("every name permitted", Self.host, NameConstraints(permitted: [.dns("")]), [.dns(Self.host)]),
            ("capitals permitted", Self.host, NameConstraints(permitted: [.dns("LATTICE.example")]), [.dns(Self.host)]),
            ("the host itself permitted", Self.host, NameConstraints(permitted: [.dns(Self.host)]), [.dns(Self.host)]),
            (
                "a name of which it is the end permitted", Self.host,
                NameConstraints(permitted: [.dns("a.\(Self.host)")]), [.dns(Self.host)]
            ),
            (
                "the end of a label permitted", Self.host, NameConstraints(permitted: [.dns("tice.example")]),
                [.dns(Self.host)]
            ),
            (
                "a wildcard's parent excluded", Self.host, NameConstraints(excluded: [.dns("lattice.example")]),
                [.dns("*.lattice.example")]
            ),
            (
                "permitted and excluded at once", Self.host,
                NameConstraints(permitted: [.dns("lattice.example")], excluded: [.dns(Self.host)]), [.dns(Self.host)]
            ),
        ]
        for row in rows {
            for isAnchor in [false, true] {
                let template = authority("Held") { $0.nameConstraints = row.constraints }
                let held =
                    try isAnchor
                    ? Authority(root: template, key: PrivateKey()) : root.authority(template, key: PrivateKey())
                let identity = try held.identity(leaf(row.host) { $0.names = row.names }, key: PrivateKey())
                add(
                    "constraints of \(isAnchor ? "an anchor" : "an issuer"): \(row.words)",
                    host: row.host,
                    identity,
                    anchors: isAnchor ? [held.certificate] : nil
                )
            }
        }
    }

    private mutating func addOddPaths() throws {
        let narrow = try root.authority(authority("Issuer") { $0.pathLength = 0 }, key: PrivateKey())
        let rolled = try narrow.authority(authority("Issuer"), key: PrivateKey())
        add("a new key of an issuer that may have none below", try rolled.identity(leaf(), key: PrivateKey()))
        let namesake = try root.authority(authority("Namesake"), key: PrivateKey())
        add(
            "a leaf of its issuer's name",
            try namesake.identity(leaf { $0.commonName = "Namesake" }, key: PrivateKey())
        )
        add("a leaf without a subject", try namesake.identity(leaf { $0.commonName = "" }, key: PrivateKey()))
        let peerKeys = (try PrivateKey(), try PrivateKey())
        let one = try Authority(root: authority("One"), key: peerKeys.0)
        let two = try Authority(root: authority("Two"), key: peerKeys.1)
        let circle = [
            try two.authority(authority("One"), key: peerKeys.0).certificate,
            try one.authority(authority("Two"), key: peerKeys.1).certificate,
        ]
        let round = try one.identity(leaf(), key: PrivateKey())
        add("two that vouch for each other, neither trusted", round, above: circle)
        add("two that vouch for each other, the second trusted", round, above: circle, anchors: [two.certificate])
        var deep = root
        for level in 1...8 {
            deep = try deep.authority(authority("Level \(level)"), key: PrivateKey())
            if level == 5 { add("five below the root", try deep.identity(leaf(), key: PrivateKey())) }
        }
        add("eight below the root", try deep.identity(leaf(), key: PrivateKey()))
        let mixed = try root.authority(
            authority("Mixed") {
                $0.extendedKeyUsage = [
                    CertificateTemplate.clientAuthentication, CertificateTemplate.serverAuthentication,
                ]
            },
            key: PrivateKey()
        )
        add("an issuer for clients and servers", try mixed.identity(leaf(), key: PrivateKey()))
        add(
            "the root alone sent, the issuer missing",
            try mixed.identity(leaf(), key: PrivateKey()),
            above: [root.certificate]
        )
        let trusted = try mixed.identity(leaf(), key: PrivateKey())
        add(
            "an issuer trusted beside its root, and not sent",
            trusted,
            above: [],
            anchors: [mixed.certificate, root.certificate]
        )
        add(
            "an issuer trusted, its root sent",
            trusted,
            above: [mixed.certificate, root.certificate],
            anchors: [mixed.certificate]
        )
        add("the leaf sent three times", trusted, above: [trusted.leaf, trusted.leaf, mixed.certificate])
        for type in [KeyType.ed25519, .p521] {
            let other = try root.authority(authority("Signer"), key: PrivateKey(type))
            add("an issuer with a key of \(type)", try other.identity(leaf(), key: PrivateKey()))
            let above = try Authority(root: authority("Signer"), key: PrivateKey(type))
            add(
                "an anchor with a key of \(type)",
                try above.identity(leaf(), key: PrivateKey()),
                anchors: [above.certificate]
            )
        }
    }
}
