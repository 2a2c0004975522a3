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
            try expectSame(policies.afnetworking())
            try expectSame(policies.electron())
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
