import Foundation
import Pinning
import TLSCore
import TestSupport
import Testing

@Suite struct `A rendered policy` {
    @Test func `is the same when it is parsed again`() throws {
        var policies = SeededPolicies(seed: 4)

        for _ in 0..<200 {
            try expectSame(policies.alamofire())
            try expectSame(policies.curl())
            try expectSame(policies.fingerprint())
            try expectSame(policies.callback())
            try expectSame(policies.chromium())
            try expectSame(policies.hpkp())
        }
    }

    @Test func `is recognised`() throws {
        var policies = SeededPolicies(seed: 5)
        let certificate = Curl(.certificate(Sample.server.leaf))

        for policy in (0..<50).flatMap({ _ in policies.all() }) where policy as? Curl != certificate {
            let dialect = try PolicyFile.dialect(of: Data(policy.rendered().utf8), file: "policy")

            #expect(dialect == type(of: policy).dialect)
        }
    }

    private func expectSame<Policy: PinConfiguration & Equatable>(_ policy: Policy) throws {
        let text = policy.rendered()

        let parsed = try PolicyFile.load(Data(text.utf8), file: "policy", dialect: Policy.dialect)

        #expect(parsed as? Policy == policy, "\(text)")
    }
}

@Suite struct `Damaged policies` {
    static let samples: [Data] = {
        var policies = SeededPolicies(seed: 6)
        return (0..<2).flatMap { _ in policies.all() }.map { Data($0.rendered().utf8) }
            + [Data(Sample.server.leaf.publicKey), Data(Sample.server.leaf.der)]
    }()

    @Test func `never crash a parser when they are cut off`() {
        for sample in Self.samples {
            for count in 0..<min(sample.count, 1500) { load(sample.prefix(count)) }
        }
    }

    @Test func `never crash a parser when they are changed`() {
        var random = SplitMix64(seed: 7)

        for number in 0..<20_000 {
            var bytes = Array(Self.samples[number % Self.samples.count])
            for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch random.next() % 4 {
                case 0: bytes[index] = UInt8(truncatingIfNeeded: random.next())
                case 1: bytes.remove(at: index)
                case 2: bytes.insert(Array("\"':;{}[]-&*!|\t\n\\".utf8).randomElement(using: &random)!, at: index)
                default: bytes.swapAt(index, Int.random(in: 0..<bytes.count, using: &random))
                }
            }
            load(Data(bytes))
        }
    }

    @Test(.enabled(if: Places.hasVectors("wild"), "the vectors are not beside this checkout"))
    func `never crash a parser when they are certificates from the wild`() throws {
        let folder = Places.vectors.appending(path: "wild")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))

        for case let file as URL in files {
            guard let data = try? Data(contentsOf: file) else { continue }
            for dialect in Dialect.allCases {
                _ = try? PolicyFile.load(data, file: file.lastPathComponent, dialect: dialect)
            }
        }
    }

    /// By content, and where that says nothing as one dialect or another.
    private func load(_ data: Data) {
        do {
            _ = try PolicyFile.load(data, file: "policy")
        } catch {
            let dialect = Dialect.allCases[data.count % Dialect.allCases.count]
            _ = try? PolicyFile.load(data, file: "policy", dialect: dialect)
            #expect(!error.problems.isEmpty)
        }
    }
}
