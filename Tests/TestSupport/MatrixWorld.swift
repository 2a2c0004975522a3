package import Foundation
package import Pinning
package import TLSCore

/// The events of the pinning matrix, minted: root R, intermediate I, and the leaf L with the RSA key K1.
///
/// Policies on leaf keys pin `leafPins`; on authorities `rootPin` or `intermediatePin`; on certificates
/// `pinnedCertificates(for:)`.
package struct MatrixWorld: Sendable {
    /// Minted once: RSA keys take their time.
    package static let shared: MatrixWorld = {
        // Every call that can throw has fixed arguments.
        try! MatrixWorld(now: MatrixWorld.now)
    }()

    /// The pinned host; a registrable domain, because TrustKit takes no other.
    package static let host = "example.com"
    package static let now = Date(timeIntervalSince1970: 1_800_000_000)

    /// Every event in the order of the table.
    package static let events = [
        "E01", "E02", "E03", "E04", "E05", "E05p", "E06", "E07", "E08", "E20", "E09", "E10", "E11", "E12", "E13t",
        "E13u", "E14", "E14k", "E15", "E16", "E17", "E18", "E19",
    ]

    /// K1, in use; K2, the backup; K4, an elliptic-curve key that is pinned before it is used.
    package let leafPins: [Pin]
    package let rootPin: Pin
    package let intermediatePin: Pin
    /// R's certificate.
    package let root: Certificate
    private let leaf: Certificate
    private let backup: Certificate
    private let meetings: [String: Meeting]

    /// What a client meets in an event.
    private struct Meeting {
        var server: Identity
        var situation: Situation
    }

    package func situation(_ event: String) -> Situation? { meetings[event]?.situation }

    /// What the server of an event proves itself with, for a client that really connects.
    package func server(_ event: String) -> Identity? { meetings[event]?.server }

    /// The leaf certificates that certificate policies pin: L and, where the policy holds two, the backup's. In the
    /// events that show a pinned certificate which is unacceptable for another reason, that very certificate.
    package func pinnedCertificates(for event: String, hasBackup: Bool = true) -> [Certificate] {
        let shown = ["E14k", "E15", "E16"].contains(event) ? server(event).map { [$0.leaf] } ?? [] : []
        return [leaf] + (hasBackup ? [backup] : []) + shown
    }

    /// - Parameter now: when clients meet the servers. A real one believes its own clock.
    package init(now: Date) throws {
        let (k1, k2, k3) = (try PrivateKey(.rsa2048), try PrivateKey(.rsa2048), try PrivateKey(.rsa2048))
        let (k4, k5, evil) = (try PrivateKey(), try PrivateKey(), try PrivateKey())
        let root = try Authority(rootNamed: "R", now: now)
        let issuing = try root.authority(.authority(named: "I", now: now), key: PrivateKey())
        let issuing2 = try root.authority(.authority(named: "I2", now: now), key: PrivateKey())
        let other = try Authority(rootNamed: "Another provider", now: now)
        let otherIssuing = try other.authority(.authority(named: "Another issuer", now: now), key: PrivateKey())
        let old = try Authority(rootNamed: "X", now: now)
        let crossed = try old.authority(.authority(named: "R", now: now), key: root.key)
        let attacker = try Authority(rootNamed: "R", now: now)

        func anchors(_ authorities: Authority..., user: Authority? = nil) throws -> TrustStore {
            try TrustStore(
                authorities.map { TrustAnchor($0.certificate) }
                    + (user.map { [TrustAnchor($0.certificate, origin: .user)] } ?? [])
            )
        }
        func show(
            _ key: PrivateKey,
            by authority: Authority,
            names: [String] = [MatrixWorld.host],
            from: Double = -1,
            to: Double = 180
        ) throws -> Identity {
            var template = CertificateTemplate.leaf(names: names.map { SubjectName($0) }, now: now)
            template.notBefore = now + from * CertificateTemplate.day
            template.notAfter = now + to * CertificateTemplate.day
            return try authority.identity(template, key: key)
        }
        let phone = try anchors(root, other)
        func meet(
            _ server: Identity,
            sending others: [Certificate] = [],
            store: TrustStore? = nil,
            host: String = MatrixWorld.host,
            version: TLSVersion = .tls1_3
        ) -> Meeting {
            var server = server
            server.chain += others
            let situation = Situation(
                chain: server.chain,
                store: store ?? phone,
                host: host,
                at: now,
                version: version
            )
            return Meeting(server: server, situation: situation)
        }

        let today = try show(k1, by: issuing)
        let backup = try show(k2, by: issuing)
        let forged = try show(evil, by: attacker)
        let stuffing = today.chain + [root.certificate]
        let (sub, subsub) = ("math." + MatrixWorld.host, "advanced.math." + MatrixWorld.host)
        leafPins = [k1.pin, k2.pin, k4.pin]
        rootPin = root.key.pin
        intermediatePin = issuing.key.pin
        self.root = root.certificate
        leaf = today.leaf
        self.backup = backup.leaf
        meetings = [
            "E01": meet(today),
            "E02": meet(try show(k1, by: issuing, from: -2)),
            "E03": meet(try show(k3, by: issuing)),
            "E04": meet(backup),
            "E05": meet(try show(k5, by: issuing)),
            "E05p": meet(try show(k4, by: issuing)),
            "E06": meet(try show(k1, by: issuing2)),
            "E07": meet(try show(k1, by: otherIssuing)),
            "E08": meet(today, sending: [crossed.certificate], store: try anchors(old)),
            "E20": meet(today, store: try anchors(issuing)),
            "E09": meet(try show(evil, by: otherIssuing)),
            "E10": meet(forged, store: try anchors(root, other, user: attacker)),
            "E11": meet(forged),
            "E12": meet(try Identity(selfSigned: .leaf(names: [.dns(MatrixWorld.host)], now: now), key: evil)),
            "E13t": meet(try show(evil, by: otherIssuing), sending: stuffing),
            "E13u": meet(forged, sending: [attacker.certificate] + stuffing),
            "E14": meet(try show(evil, by: issuing, names: ["shop.example.net"])),
            "E14k": meet(try show(k1, by: issuing, names: ["shop.example.net"])),
            "E15": meet(try show(k1, by: issuing, from: -90, to: -1)),
            "E16": meet(try show(k1, by: issuing, from: 1, to: 90)),
            "E17": meet(today, version: .tls1_1),
            "E18": meet(try show(k5, by: otherIssuing, names: [sub]), host: sub),
            "E19": meet(try show(k5, by: otherIssuing, names: [subsub]), host: subsub),
        ]
    }
}
