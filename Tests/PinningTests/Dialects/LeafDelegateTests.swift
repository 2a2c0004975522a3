import Foundation
import TLSCore
import TestSupport
import Testing

@testable import Pinning

@Suite struct `A delegate that compares leaves` {
    private var today: Situation {
        Situation(chain: Sample.server.chain, store: Sample.store, host: Sample.host, at: Sample.now)
    }

    @Test func `as printed turns away the very certificate that it carries`() {
        let delegate = LeafDelegate(.asPrinted, certificates: [Sample.server.leaf.fingerprint])

        let decision = delegate.decide(today)

        #expect(decision.demand == .reject)
        #expect(!decision.isRefusalByPin)
    }

    @Test(arguments: [(LeafDelegate.Form.asIntended, Decision.Demand.reject), (.anyPresented, .accept)])
    func `is fooled by a copy behind another leaf only where it looks there`(
        form: LeafDelegate.Form,
        demand: Decision.Demand
    ) throws {
        let delegate = LeafDelegate(form, certificates: [Sample.server.leaf.fingerprint])
        var stuffed = today
        stuffed.chain.insert(try Identity(selfSigned: Sample.leaf(), key: PrivateKey()).leaf, at: 0)

        #expect(delegate.decide(today).demand == .accept)
        #expect(delegate.decide(stuffed).demand == demand)
    }

    @Test func `asks nobody whether the certificate is trusted`() throws {
        let delegate = LeafDelegate(.asIntended, certificates: [Sample.server.leaf.fingerprint])
        var strange = today
        strange.store = try TrustStore([])
        strange.host = "elsewhere.example"
        strange.instant += 10_000 * Sample.day

        #expect(delegate.decide(strange).demand == .accept)
    }

    @Test func `is written down as it is declared`() {
        let pin = Sample.server.leaf.fingerprint
        let delegate = LeafDelegate(.anyPresented, certificates: [pin])

        #expect(delegate.rendered() == "delegate:\n  form: any-presented\n  certificates:\n    - \(pin)\n")
        #expect(delegate.pins == [ConfiguredPin(domain: nil, pin: pin, match: .certificate, position: .any)])
        #expect(delegate.mapPins { _ in AppleSamples.pins[0] }.certificates == [AppleSamples.pins[0]])
    }
}

@Suite struct `public-key-pinning-ios` {
    @Test(
        arguments: [
            (.rsa2048, .accept), (.rsa3072, .reject), (.p256, .reject), (.p384, .reject),
        ] as [(KeyType, Decision.Demand)]
    )
    func `knows RSA 2048 alone`(type: KeyType, demand: Decision.Demand) throws {
        let identity = try Sample.issuing.identity(Sample.leaf(), key: Sample.key(type))
        let situation = Situation(chain: identity.chain, store: Sample.store, host: Sample.host, at: Sample.now)

        let decision = PublicKeyPinning(keys: [identity.pin]).decide(situation)

        #expect(decision.demand == demand)
        #expect(decision.isRefusalByPin == (demand == .reject))
    }

    @Test func `holds every host to its keys, and evaluates trust first`() throws {
        let identity = try Sample.issuing.identity(Sample.leaf(), key: Sample.key(.rsa2048))
        let pinning = PublicKeyPinning(keys: [identity.pin])
        var situation = Situation(chain: identity.chain, store: Sample.store, host: "b.example", at: Sample.now)
        let elsewhere = pinning.decide(situation)
        situation.host = Sample.host
        situation.store = try TrustStore([])

        #expect(elsewhere.reason == .untrusted(TrustFailure(.wrongHost)))
        #expect(pinning.decide(situation).demand == .reject)
        #expect(pinning.rendered() == "public-key-pinning-ios:\n  keys:\n    - \(identity.pin)\n")
    }
}
