import Foundation
import TLSCore
import TestSupport

/// A chain as a careless or hostile server might send it, and a device for it. Its number and a seed decide all but the keys.
struct RandomChain: CustomStringConvertible {
    static let host = "www.lattice.example"

    let identity: Identity
    let anchors: [Certificate]
    /// What was chosen, in words.
    let description: String

    init(seed: UInt64, number: Int, now: Date) throws {
        var maker = Maker(random: SplitMix64(seed: seed &* 1_000_003 &+ UInt64(number)), now: now)
        (identity, anchors) = try maker.make()
        description = maker.words.joined(separator: "; ")
    }
}

private struct Maker {
    var random: SplitMix64
    let now: Date
    var words: [String] = []

    private static let day: TimeInterval = 86400

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        // Callers pass one value at least.
        values[Int.random(in: 0..<values.count, using: &random)]
    }

    mutating func make() throws -> (Identity, [Certificate]) {
        var roots: [Authority] = []
        for name in ["Root A", "Root B"].prefix(chance(60) ? 2 : 1) { roots.append(try root(named: name)) }
        var above = roots
        var sendable: [Certificate] = roots.map(\.certificate)
        // Each level has a name, of which there may be two keys; each key is signed by one or two of those above.
        for level in 1...pick([1, 1, 1, 2, 2, 3]) {
            var own: [Authority] = []
            for key in 0..<(chance(15) ? 2 : 1) {
                let secret = try PrivateKey()
                for (index, issuer) in above.shuffled(using: &random).prefix(chance(40) ? 2 : 1).enumerated() {
                    let name = "Authority \(level)"
                    let template = authority(named: name, "\(name) key \(key) by \(index)")
                    own.append(try issuer.authority(template, key: secret))
                }
            }
            if chance(12), let kept = own.first {
                // The same name and key, vouching for itself: a new root beside its cross-signature.
                own.append(try Authority(root: authority(named: "Authority \(level)", "self-signed"), key: kept.key))
            }
            sendable += own.map(\.certificate)
            above = own
        }
        let issuer = pick(above)
        let identity = try issuer.identity(leaf(), key: leafKey())
        return (identity: sent(identity, sendable), trusted(roots, sendable))
    }

    private mutating func sent(_ identity: Identity, _ sendable: [Certificate]) -> Identity {
        var others = sendable.filter { !$0.isSelfSigned || chance(25) }
        if chance(8), !others.isEmpty {
            words.append("one is missing")
            others.remove(at: Int.random(in: 0..<others.count, using: &random))
        }
        if chance(10), let again = others.first { others.append(again) }
        if chance(60) { others.reverse() } else { others.shuffle(using: &random) }
        var copy = identity
        copy.chain = [identity.leaf] + others
        words.append("sent: " + others.map { $0.subject + " by " + $0.issuer }.joined(separator: ", "))
        return copy
    }

    private mutating func trusted(_ roots: [Authority], _ sendable: [Certificate]) -> [Certificate] {
        var anchors = roots.map(\.certificate).prefix(chance(50) ? 1 : 2).shuffled(using: &random)
        if chance(12) { anchors = [pick(sendable)] }
        if chance(5) { anchors.append(pick(sendable)) }
        words.append("trusted: " + anchors.map { $0.subject + " by " + $0.issuer }.joined(separator: ", "))
        return anchors
    }

    private mutating func root(named name: String) throws -> Authority {
        try Authority(root: authority(named: name, name), key: PrivateKey())
    }

    private mutating func authority(named name: String, _ word: String) -> CertificateTemplate {
        var template = CertificateTemplate.authority(named: name, now: now)
        guard chance(25) else { return template }
        let fault = pick([
            "expired", "not yet valid", "no authority", "no basic constraints", "may not sign", "for any purpose",
            "for clients", "for servers", "no path below", "one below", "permits it", "permits another", "excludes it",
            "excludes another", "SHA-1", "unknown critical extension",
        ])
        words.append("\(word): \(fault)")
        switch fault {
        case "expired": template.notAfter = now - Maker.day / 2
        case "not yet valid": template.notBefore = now + Maker.day
        case "no authority": template.isAuthority = false
        case "no basic constraints": template.isAuthority = nil
        case "may not sign": template.keyUsage = [.digitalSignature]
        case "for any purpose": template.extendedKeyUsage = ["2.5.29.37.0"]
        case "for clients": template.extendedKeyUsage = [CertificateTemplate.clientAuthentication]
        case "for servers": template.extendedKeyUsage = [CertificateTemplate.serverAuthentication]
        case "no path below": template.pathLength = 0
        case "one below": template.pathLength = 1
        case "permits it": template.nameConstraints = NameConstraints(permitted: [.dns("lattice.example")])
        case "permits another": template.nameConstraints = NameConstraints(permitted: [.dns("other.example")])
        case "excludes it": template.nameConstraints = NameConstraints(excluded: [.dns("lattice.example")])
        case "excludes another": template.nameConstraints = NameConstraints(excluded: [.dns("other.example")])
        case "SHA-1": template.digest = .sha1
        default:
            template.extraExtensions = [CertificateExtension("1.3.6.1.4.1.55555.1", isCritical: true, value: [5, 0])]
        }
        return template
    }

    private mutating func leaf() -> CertificateTemplate {
        var template = CertificateTemplate.leaf(names: [.dns(RandomChain.host)], now: now)
        guard chance(45) else { return template }
        let fault = pick([
            "wildcard", "another name", "common name only", "wildcard two labels up", "no purpose", "any purpose",
            "for clients", "for clients and servers", "expired", "not yet valid", "SHA-1", "SHA-384", "no key usage",
            "corrupt", "unknown critical extension",
        ])
        words.append("leaf: \(fault)")
        switch fault {
        case "wildcard": template.names = [.dns("*.lattice.example")]
        case "another name": template.names = [.dns("other.lattice.example")]
        case "common name only": template.names = []
        case "wildcard two labels up": template.names = [.dns("*.example")]
        case "no purpose": template.extendedKeyUsage = []
        case "any purpose": template.extendedKeyUsage = ["2.5.29.37.0"]
        case "for clients": template.extendedKeyUsage = [CertificateTemplate.clientAuthentication]
        case "for clients and servers": template.extendedKeyUsage.append(CertificateTemplate.clientAuthentication)
        case "expired": template.notAfter = now - Maker.day / 2
        case "not yet valid": template.notBefore = now + Maker.day
        case "SHA-1": template.digest = .sha1
        case "SHA-384": template.digest = .sha384
        case "no key usage": template.keyUsage = nil
        case "corrupt": template.corruptsSignature = true
        default:
            template.extraExtensions = [CertificateExtension("1.3.6.1.4.1.55555.1", isCritical: true, value: [5, 0])]
        }
        return template
    }

    private mutating func leafKey() throws -> PrivateKey {
        guard chance(10) else { return try PrivateKey() }
        let type = pick([KeyType.p384, .rsa2048, .rsa1024])
        words.append("leaf: \(type.rawValue)")
        return try Sample.key(type)
    }
}
