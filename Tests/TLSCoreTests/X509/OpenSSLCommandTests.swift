import Foundation
import TestSupport
import Testing

@testable import TLSCore

/// The `openssl` command judges what we mint, and is asked the same questions.
@Suite(.enabled(if: Tool.openssl != nil, "there is no 'openssl' command, version 3 or newer"))
struct `The openssl command` {
    static let batches = 21
    static let chainsPerBatch = 10

    @Test(arguments: 0..<batches)
    func `agrees about generated chains`(batch: Int) throws {
        let openssl = try #require(Tool.openssl)
        let chains = try GeneratedChain.batch(batch, count: Self.chainsPerBatch)

        try withTemporaryFolder { folder in
            for (number, chain) in chains.enumerated() {
                let ours = chain.store.evaluate(chain.presented, host: Sample.host, at: chain.instant)
                let theirs = try openssl.verify(chain, in: folder, as: "\(number)")

                #expect(theirs.status == (ours.isTrusted ? 0 : 2), "\(chain): we say \(ours), it \(theirs.output)")
            }
        }
    }

    @Test func `is asked about chains of every kind and both outcomes`() throws {
        let chains = try (0..<Self.batches).flatMap { try GeneratedChain.batch($0, count: Self.chainsPerBatch) }

        let results = chains.map { $0.store.evaluate($0.presented, host: Sample.host, at: $0.instant) }
        let reasons = Set(results.compactMap { if case .refused(let failure) = $0 { failure.reason } else { nil } })

        #expect(chains.count >= 200)
        #expect(results.count(where: \.isTrusted) >= 60)
        #expect(results.count { !$0.isTrusted } >= 60)
        #expect(reasons.count >= 9)
        #expect(Set(chains.map(\.fault)).count == GeneratedChain.Fault.allCases.count)
    }

    @Test(arguments: KeyType.allCases.filter { $0 != .rsa3072 && $0 != .rsa4096 })
    func `reads the facts that we read`(type: KeyType) throws {
        let openssl = try #require(Tool.openssl)
        let template = Sample.leaf {
            $0.names = [.dns(Sample.host), .dns("*.acme.example"), .ip([192, 0, 2, 7])]
            $0.commonName = "Acme, Inc."
        }
        let leaf = try Sample.issuing.identity(template, key: Sample.key(type)).leaf

        try withTemporaryFolder { folder in
            let file = try openssl.save(leaf.pem, as: "leaf.pem", in: folder)
            let facts = [
                "-subject", "-issuer", "-nameopt", "RFC2253", "-dates", "-ext", "subjectAltName", "-fingerprint",
                "-sha256",
            ]
            let text = try openssl.run(["x509", "-noout", "-in", file] + facts, environment: Tool.bareOpenSSL).output

            #expect(text.contains("subject=\(leaf.subject)\n"))
            #expect(text.contains("issuer=\(leaf.issuer)\n"))
            #expect(text.contains("notBefore=Sep 20 14:13:20 2026 GMT\nnotAfter=Apr  7 14:13:20 2027 GMT\n"))
            #expect(text.contains("DNS:api.acme.example, DNS:*.acme.example, IP Address:192.0.2.7\n"))
            let printed = try #require(text.split(separator: "\n").first { $0.contains("ingerprint=") })
            #expect(try Pin(parsing: String(printed.split(separator: "=")[1])) == leaf.fingerprint)
        }
    }

    @Test(arguments: KeyType.allCases.filter { $0 != .rsa3072 && $0 != .rsa4096 })
    func `makes the same pin`(type: KeyType) throws {
        let openssl = try #require(Tool.openssl)
        let leaf = try Sample.issuing.identity(Sample.leaf(), key: Sample.key(type)).leaf

        try withTemporaryFolder { folder in
            let file = try openssl.save(leaf.pem, as: "leaf.pem", in: folder)
            let der = folder.appending(path: "key.der").path
            let key = try openssl.run(["x509", "-noout", "-pubkey", "-in", file], environment: Tool.bareOpenSSL).output
            let keyFile = try openssl.save(key, as: "key.pem", in: folder)
            _ = try openssl.run(
                ["pkey", "-pubin", "-in", keyFile, "-outform", "der", "-out", der],
                environment: Tool.bareOpenSSL
            )
            let digest = try openssl.run(["dgst", "-sha256", "-r", der], environment: Tool.bareOpenSSL).output

            #expect(digest.hasPrefix(leaf.pin.hex + " "))
        }
    }
}

/// A chain, the store that judges it and the instant, all drawn from a seed.
struct GeneratedChain: CustomStringConvertible {
    /// What is wrong with the chain, or merely unusual.
    enum Fault: CaseIterable {
        case none, anchoredIntermediate, past, future, expiredAuthority, wrongHost, onlyCommonName, wildcard
        case wrongPurpose, wrongPurposeAbove, notAuthority, mayNotSign, corrupted, corruptedAbove
        case pathTooLong, permitted, notPermitted, excluded, omitted, untrusted, selfSigned, sha1, unknownCritical
        case reversed, stuffed
    }

    let fault: Fault
    let depth: Int
    let presented: [Certificate]
    let anchors: [Certificate]
    let store: TrustStore
    let instant: Date

    var description: String { "\(fault) at depth \(depth)" }

    static func batch(_ batch: Int, count: Int) throws -> [GeneratedChain] {
        var random = SplitMix64(seed: UInt64(batch))
        return try (0..<count).map { number in
            let place = batch * count + number
            // Every other chain is sound, and the faults take turns: chance decides only the rest.
            let faults = Fault.allCases
            let fault = place % 3 == 0 ? .none : faults[(place / 3 * 2 + place % 3) % faults.count]
            return try GeneratedChain(fault, random: &random)
        }
    }

    private init(_ fault: Fault, random: inout SplitMix64) throws {
        let types: [KeyType] = [.p256, .p256, .p384, .p521, .ed25519, .rsa2048]
        func key() throws -> PrivateKey { try Sample.key(types.randomElement(using: &random)!) }
        let needsAuthority: Set<Fault> = [
            .anchoredIntermediate, .expiredAuthority, .wrongPurposeAbove, .notAuthority, .mayNotSign, .corruptedAbove,
            .permitted, .notPermitted, .excluded, .omitted, .reversed,
        ]
        let least = fault == .pathTooLong || fault == .reversed ? 2 : needsAuthority.contains(fault) ? 1 : 0
        let depth = Int.random(in: least...2, using: &random)
        let instant = Sample.now + Double(Int.random(in: -20_000...20_000, using: &random))

        let root = try Authority(root: Sample.authority("Root \(depth)"), key: key())
        var authority = root
        for level in 0..<depth {
            // The fault sits on the last one, right above the leaf; a path length on the first.
            let isLast = level == depth - 1
            let template = Sample.authority("Authority \(level)") { template in
                if fault == .pathTooLong, level == 0 { template.pathLength = 0 }
                if isLast { GeneratedChain.apply(fault, to: &template, at: instant) }
            }
            authority = try authority.authority(template, key: key())
        }
        let leaf = Sample.leaf { template in
            template.commonName = "nobody"
            GeneratedChain.apply(fault, toLeaf: &template, at: instant)
        }
        let server =
            try fault == .selfSigned
            ? Identity(selfSigned: leaf, key: key()) : authority.identity(leaf, key: key())

        var presented = server.chain
        switch fault {
        case .omitted: presented.remove(at: Int.random(in: 1..<presented.count, using: &random))
        case .reversed: presented = [presented[0]] + presented.dropFirst().reversed()
        case .stuffed: presented += Sample.server.chain
        default: break
        }
        let anchor =
            switch fault {
            case .untrusted: Sample.root.certificate
            case .anchoredIntermediate: authority.certificate
            default: root.certificate
            }
        self.fault = fault
        self.depth = depth
        self.presented = presented
        self.instant = instant
        anchors = [anchor]
        store = try TrustStore([TrustAnchor(anchor)])
    }

    private static func apply(_ fault: Fault, to template: inout CertificateTemplate, at instant: Date) {
        switch fault {
        case .expiredAuthority: template.notAfter = instant - 1
        case .wrongPurposeAbove: template.extendedKeyUsage = [CertificateTemplate.clientAuthentication]
        case .notAuthority:
            template.isAuthority = false
            template.keyUsage = nil
        case .mayNotSign: template.keyUsage = [.crlSign]
        case .corruptedAbove: template.corruptsSignature = true
        case .permitted: template.nameConstraints = NameConstraints(permitted: [.dns("acme.example")])
        case .notPermitted: template.nameConstraints = NameConstraints(permitted: [.dns("other.example")])
        case .excluded: template.nameConstraints = NameConstraints(excluded: [.dns("acme.example")])
        default: break
        }
    }

    private static func apply(_ fault: Fault, toLeaf template: inout CertificateTemplate, at instant: Date) {
        switch fault {
        case .past: template.notAfter = instant
        case .future: template.notBefore = instant + 1
        case .wrongHost: template.names = [.dns("shop.acme.example")]
        // Not the host: unlike us, the command would take a common name for one.
        case .onlyCommonName: template.names = []
        case .wildcard: template.names = [.dns("*.acme.example")]
        case .wrongPurpose: template.extendedKeyUsage = [CertificateTemplate.clientAuthentication]
        case .corrupted: template.corruptsSignature = true
        case .sha1: template.digest = .sha1
        case .unknownCritical:
            template.extraExtensions = [CertificateExtension("1.2.3.4", isCritical: true, value: [5, 0])]
        default: break
        }
    }
}

extension Tool {
    /// `openssl verify`, asked what `TrustStore.evaluate` is asked.
    fileprivate func verify(_ chain: GeneratedChain, in folder: URL, as name: String) throws -> Result {
        let files = try [
            save(PEM.encode(chain.anchors), as: "\(name)-anchors.pem", in: folder),
            save(PEM.encode(chain.presented.dropFirst()), as: "\(name)-others.pem", in: folder),
            save(chain.presented[0].pem, as: "\(name)-leaf.pem", in: folder),
        ]
        let untrusted = chain.presented.count > 1 ? ["-untrusted", files[1]] : []
        let question = [
            "-purpose", "sslserver", "-verify_hostname", Sample.host, "-attime",
            "\(Int(chain.instant.timeIntervalSince1970))", "-partial_chain", "-trusted_first", "-auth_level", "2",
        ]
        return try run(
            ["verify", "-no-CApath", "-no-CAstore", "-CAfile", files[0]] + untrusted + question + [files[2]],
            environment: Tool.bareOpenSSL
        )
    }

    fileprivate func save(_ text: String, as name: String, in folder: URL) throws -> String {
        let file = folder.appending(path: name)
        try text.write(to: file, atomically: false, encoding: .utf8)
        return file.path
    }
}
