import Foundation
import TLSCore
import TestSupport

/// A chain as a careless or hostile server might send it, and a device for it. Its number and a seed decide all but the keys.
struct RandomChain: CustomStringConvertible {
    let host: String
    let identity: Identity
    let anchors: [Certificate]
    /// How many faults were chosen, those left out included.
    let faultCount: Int
    /// What was chosen, in words.
    let description: String

    /// - Parameter spared: the faults that are left out, counted in the order in which they are chosen.
    init(seed: UInt64, number: Int, now: Date, without spared: Set<Int> = []) throws {
        var maker = ChainMaker(random: SplitMix64(seed: seed &* 1_000_003 &+ UInt64(number)), now: now, spared: spared)
        (identity, anchors) = try maker.make()
        (host, faultCount) = (maker.host, maker.faultCount)
        description = maker.words.joined(separator: "; ")
    }

    /// One that was not left to chance.
    init(_ words: String, host: String, _ identity: Identity, anchors: [Certificate]) {
        (description, self.host, self.identity, self.anchors, faultCount) = (words, host, identity, anchors, 0)
    }

    /// The same, but for some of the certificates that were sent above the leaf, and some of the anchors.
    init(_ other: RandomChain, withoutSent sent: Set<Int>, anchors: Set<Int>) {
        var identity = other.identity
        identity.chain = identity.chain.enumerated().filter { !sent.contains($0.offset) }.map(\.element)
        self.identity = identity
        self.anchors = other.anchors.enumerated().filter { !anchors.contains($0.offset) }.map(\.element)
        (host, faultCount, description) = (other.host, other.faultCount, other.description)
    }
}

/// What chooses, and mints.
struct ChainMaker {
    var random: SplitMix64
    let now: Date
    let spared: Set<Int>
    private(set) var words: [String] = []
    private(set) var faultCount = 0
    private(set) var host = "www.lattice.example"

    static let day: TimeInterval = 86400

    init(random: SplitMix64, now: Date, spared: Set<Int>) {
        (self.random, self.now, self.spared) = (random, now, spared)
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        // Callers pass one value at least.
        values[Int.random(in: 0..<values.count, using: &random)]
    }

    /// One of several, or none; what is spared takes as much of chance as what is not.
    private mutating func fault<Value>(_ whose: String, _ percent: Int, of all: KeyValuePairs<String, Value>) -> Value?
    {
        guard chance(percent) else { return nil }
        let chosen = all[Int.random(in: 0..<all.count, using: &random)]
        defer { faultCount += 1 }
        guard !spared.contains(faultCount) else { return nil }
        words.append("\(whose): \(chosen.key)")
        return chosen.value
    }

    mutating func make() throws -> (Identity, [Certificate]) {
        host = pick(Array(repeating: host, count: 17) + ["xn--bcher-kva.lattice.example", "127.0.0.1", "127.0.0.1"])
        if host != "www.lattice.example" { words.append("host \(host)") }
        var roots: [Authority] = []
        for name in ["Root A", "Root B"].prefix(chance(60) ? 2 : 1) {
            roots.append(try Authority(root: authority(named: name, name), key: authorityKey(name)))
        }
        var above = roots
        var sendable: [Certificate] = roots.map(\.certificate)
        // Each level has a name, of which there may be two keys; each key is signed by one or two of those above.
        for level in 1...pick([1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 5, 7]) {
            var own: [Authority] = []
            let name = "Authority \(level)"
            for key in 0..<(chance(15) ? 2 : 1) {
                let secret = try authorityKey("\(name) key \(key)")
                for (index, issuer) in above.shuffled(using: &random).prefix(chance(40) ? 2 : 1).enumerated() {
                    let template = authority(named: name, "\(name) key \(key) by \(index)")
                    own.append(try issuer.authority(template, key: secret))
                }
            }
            if chance(12), let kept = own.first {
                // The same name and key, vouching for itself: a new root beside its cross-signature.
                own.append(try Authority(root: authority(named: name, "\(name) by itself"), key: kept.key))
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
        if chance(4) { others.append(identity.leaf) }
        if chance(60) { others.reverse() } else { others.shuffle(using: &random) }
        if chance(5) {
            let strangers = ChainMaker.strangers.prefix(pick([2, 5, 20]))
            words.append("\(strangers.count) strangers are sent")
            others = chance(50) ? strangers + others : others + strangers
        }
        var copy = identity
        copy.chain = [identity.leaf] + others
        words.append("sent: " + others.prefix(12).map { $0.subject + " by " + $0.issuer }.joined(separator: ", "))
        return copy
    }

    /// Authorities that have nothing to do with anything.
    private static let strangers: [Certificate] = (0..<20).compactMap { index in
        let root = try? Authority(rootNamed: "Stranger \(index)", now: Sample.now)
        return try? root?.authority(.authority(named: "Stranger's \(index)", now: Sample.now), key: PrivateKey())
            .certificate
    }

    private mutating func trusted(_ roots: [Authority], _ sendable: [Certificate]) -> [Certificate] {
        var anchors = roots.map(\.certificate).prefix(chance(50) ? 1 : 2).shuffled(using: &random)
        if chance(12) { anchors = [pick(sendable)] }
        if chance(5) { anchors.append(pick(sendable)) }
        words.append("trusted: " + anchors.map { $0.subject + " by " + $0.issuer }.joined(separator: ", "))
        return anchors
    }

    private mutating func authorityKey(_ whose: String) throws -> PrivateKey {
        let types: KeyValuePairs<String, KeyType> = [
            "RSA 1024": .rsa1024, "RSA 2048": .rsa2048, "P-384": .p384, "P-521": .p521, "Ed25519": .ed25519,
        ]
        return try fault(whose, 4, of: types).map(Sample.key) ?? PrivateKey()
    }

    private mutating func leafKey() throws -> PrivateKey {
        let types: KeyValuePairs<String, KeyType> = [
            "P-384": .p384, "RSA 2048": .rsa2048, "RSA 1024": .rsa1024, "Ed25519": .ed25519, "P-521": .p521,
        ]
        return try fault("leaf's key", 10, of: types).map(Sample.key) ?? PrivateKey()
    }

    private mutating func authority(named name: String, _ whose: String) -> CertificateTemplate {
        var template = CertificateTemplate.authority(named: name, now: now)
        fault(whose, 25, of: ChainMaker.authorityFaults)?(&template, ChainMaker.Place(host: host, now: now))
        return template
    }

    private mutating func leaf() -> CertificateTemplate {
        var template = CertificateTemplate.leaf(names: [SubjectName(host)], now: now)
        fault("leaf", 45, of: ChainMaker.leafFaults)?(&template, ChainMaker.Place(host: host, now: now))
        return template
    }
}
