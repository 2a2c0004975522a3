import Foundation
import Pinning
import TLSCore
import TestSupport
import Testing

/// What is demanded of a client where TLS stacks differ.
@Suite struct `A decision on a TLS stack` {
    private static func demand(_ stack: TrustStack, _ change: (inout CertificateTemplate) -> Void) throws
        -> Decision.Demand
    {
        let root = try Authority(root: Sample.authority("Root", change), key: PrivateKey())
        let chain = try root.identity(Sample.leaf(), key: PrivateKey()).chain
        let store = try TrustStore([TrustAnchor(root.certificate)])
        return Situation(chain: chain, store: store, host: Sample.host, at: Sample.now).on(stack).decide(.unpinned)
            .demand
    }

    @Test(arguments: [
        (TrustStack.unknown, Decision.Demand.either), (.openSSL, .reject), (.java, .accept), (.conscrypt, .accept),
    ])
    func `an anchor that has expired is left to a client that nobody knows`(
        stack: TrustStack,
        demand: Decision.Demand
    ) throws {
        #expect(try Self.demand(stack) { $0.notAfter = Sample.now - 10 } == demand)
        #expect(try Self.demand(stack) { _ in } == .accept)
    }

    @Test(arguments: [
        (TrustStack.unknown, Decision.Demand.either), (.openSSL, .reject), (.java, .reject), (.conscrypt, .accept),
    ])
    func `an anchor that is no authority is left to a client that nobody knows`(
        stack: TrustStack,
        demand: Decision.Demand
    ) throws {
        #expect(try Self.demand(stack) { $0.isAuthority = false } == demand)
    }

    @Test func `what no stack accepts is rejected by a client that nobody knows`() throws {
        let leaf = Sample.leaf { $0.notAfter = Sample.now - 10 }
        let chain = try Sample.root.identity(leaf, key: PrivateKey()).chain
        let stranger = try Authority(rootNamed: "Stranger", now: Sample.now)
        func demand(_ chain: [Certificate], _ anchor: Authority) throws -> Decision.Demand {
            let store = try TrustStore([TrustAnchor(anchor.certificate)])
            return Situation(chain: chain, store: store, host: Sample.host, at: Sample.now).on(.unknown)
                .decide(.unpinned).demand
        }

        #expect(try demand(chain, Sample.root) == .reject)
        #expect(try demand(Sample.server.chain, stranger) == .reject)
        #expect(try demand(Sample.server.chain, Sample.root) == .accept)
    }

    @Test(arguments: [
        (TrustStack.unknown, Decision.Demand.either), (.openSSL, .reject), (.java, .accept), (.conscrypt, .accept),
    ])
    func `a policy that names its stack decides as that stack, and no handshake of OpenSSL for it`(
        stack: TrustStack,
        demand: Decision.Demand
    ) throws {
        func decide(_ change: (inout CertificateTemplate) -> Void) throws -> Decision {
            let root = try Authority(root: Sample.authority("Root", change), key: PrivateKey())
            let identity = try root.identity(Sample.leaf(), key: PrivateKey())
            let rules = UniformPolicy(PinPolicy(requirements: [PinRequirement(pins: [identity.pin])]), on: stack)
            #expect((rules.uniformPolicy == nil) == (stack != .unknown))
            let store = try TrustStore([TrustAnchor(root.certificate)])
            return rules.decide(Situation(chain: identity.chain, store: store, host: Sample.host, at: Sample.now))
        }

        #expect(try decide { $0.notAfter = Sample.now - 10 }.demand == demand)
        #expect(try decide { _ in }.demand == .accept)
    }

    @Test(arguments: [(TrustStack.apple, Decision.Demand.reject), (.unknown, .accept), (.go, .accept)])
    func `a policy on Apple's stack takes no server's certificate that is valid for ten years`(
        stack: TrustStack,
        demand: Decision.Demand
    ) throws {
        func decide(_ days: Double) throws -> Decision.Demand {
            let leaf = Sample.leaf { $0.notAfter = Sample.now + days * Sample.day }
            let chain = try Sample.root.identity(leaf, key: PrivateKey()).chain
            return UniformPolicy(.unpinned, on: stack)
                .decide(Situation(chain: chain, store: Sample.store, host: Sample.host, at: Sample.now)).demand
        }

        #expect(try decide(3650) == demand)
        #expect(try decide(90) == .accept)
    }

    @Test(arguments: [
        (TrustStack.openSSL, Decision.Demand.reject), (.gnuTLS, .either), (.chromium, .either), (.go, .either),
        (.java, .either), (.unknown, .either),
    ])
    func `the last second of a certificate is what its stack makes of it`(stack: TrustStack, demand: Decision.Demand)
        throws
    {
        let leaf = Sample.leaf { $0.notAfter = Sample.now }
        let chain = try Sample.root.identity(leaf, key: PrivateKey()).chain
        func decide(_ seconds: TimeInterval) -> Decision.Demand {
            Situation(chain: chain, store: Sample.store, host: Sample.host, at: Sample.now + seconds).on(stack)
                .decide(.unpinned).demand
        }

        #expect(decide(-1) == .accept)
        #expect(decide(0) == demand)
        #expect(decide(1) == .reject)
    }
}
