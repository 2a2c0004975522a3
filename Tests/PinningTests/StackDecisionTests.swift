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
}
