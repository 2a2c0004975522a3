import CVerify
import Foundation
import Pinning
import Scenarios
import TLSCore

/// What a decision costs: one of a policy on every TLS stack beside OpenSSL's bare verification, the worst that a server can
/// send, and all of an audit.
struct Evaluations {
    let rounds: Int

    func measure() throws -> [Table] { try [evaluation(), worst(), audit()] }

    // MARK: One decision

    private static let repetitions = 2000

    /// A leaf, its intermediate and its root, pinned by the leaf's key, beside `X509_verify_cert(3)` on the same chain.
    private func evaluation() throws -> Table {
        let (host, now) = ("api.acme.example", Date())
        let root = try Authority(rootNamed: "Root", now: now)
        let issuing = try root.authority(.authority(named: "Issuing", now: now), key: PrivateKey())
        let identity = try issuing.identity(.leaf(names: [.dns(host)], now: now), key: PrivateKey())
        let store = try TrustStore([TrustAnchor(root.certificate)])
        let policy = PinPolicy(requirements: [PinRequirement(pins: [identity.pin], position: .leaf)])
        let bare = try BareChain(identity.chain, root: root.certificate)
        var least: [Double] = []
        var ours: [TrustStack: [Double]] = [:]
        for round in 0...rounds {
            Progress.show("evaluations, round \(round) of \(rounds)")
            let verified = try microseconds { bare.verifies(host: host, at: now) }
            let evaluated = try TrustStack.allCases.map { stack in
                let store = store.on(stack)
                return try microseconds {
                    policy.evaluate(identity.chain, in: store, host: host, at: now).demand == .accept
                }
            }
            // The first round only warms up.
            guard round > 0 else { continue }
            least.append(verified)
            for (stack, time) in zip(TrustStack.allCases, evaluated) { ours[stack, default: []].append(time) }
        }
        let unit = "µs of CPU; ratio to X509_verify_cert"
        var table = Table("Evaluation of a three-certificate chain", unit: unit, digits: 1)
        for stack in TrustStack.allCases {
            let ratio = Samples(zip(ours[stack, default: []], least).map { $0 / $1 })
            table.add(stack.rawValue, Samples(ours[stack, default: []]), ratio: ratio)
            table.judge("\(stack.rawValue) / X509_verify_cert", ratio.median, atMost: 1.5)
        }
        table.add("X509_verify_cert", Samples(least))
        return table
    }

    // MARK: The worst of chains

    /// Twelve authorities of which each vouches for every other, and the only one below the anchor may have none below: a
    /// thousand certificates, each path of which is wrong.
    private func worst() throws -> Table {
        let (host, now) = ("api.acme.example", Date())
        let keys = try (0..<12).map { _ in try PrivateKey() }
        let root = try Authority(rootNamed: "Root", now: now)
        let peers = try keys.indices.map {
            try Authority(root: .authority(named: "Peer \($0)", now: now), key: keys[$0])
        }
        var narrow = CertificateTemplate.authority(named: "Peer 11", now: now)
        narrow.pathLength = 0
        let end = try root.authority(narrow, key: keys[11]).certificate
        var sent = [try peers[0].identity(.leaf(names: [.dns(host)], now: now), key: PrivateKey()).leaf]
        // Not the same again: each is another certificate.
        for copy in 0..<8 where sent.count < 999 {
            for (index, key) in keys.enumerated() {
                for signer in peers.indices where signer != index {
                    let later = now + Double(copy)
                    sent.append(
                        try peers[signer].authority(.authority(named: "Peer \(index)", now: later), key: key)
                            .certificate
                    )
                }
            }
        }
        sent = sent.prefix(999) + [end]
        let store = try TrustStore([TrustAnchor(root.certificate)])
        var table = Table("The worst lattice, \(sent.count) certificates", unit: "ms of CPU", digits: 1)
        for stack in TrustStack.allCases {
            Progress.show("the worst lattice on \(stack.rawValue)")
            var times: [Double] = []
            for round in 0...rounds {
                let start = processorSeconds()
                let decision = PinPolicy.unpinned.evaluate(sent, in: store.on(stack), host: host, at: now)
                guard decision.demand != .accept else { throw Failure("the lattice was accepted") }
                if round > 0 { times.append((processorSeconds() - start) * 1e3) }
            }
            table.add(stack.rawValue, Samples(times))
            table.judge("\(stack.rawValue), ms", Samples(times).median, atMost: 50)
        }
        return table
    }

    // MARK: The parts

    /// - Throws: `Failure` when the body said no, for then something else was measured.
    private func microseconds(_ body: () -> Bool) throws -> Double {
        let start = processorSeconds()
        for _ in 0..<Evaluations.repetitions {
            guard body() else { throw Failure("the chain was not accepted") }
        }
        return (processorSeconds() - start) * 1e6 / Double(Evaluations.repetitions)
    }

    // MARK: A whole audit

    private static let domains = 100

    /// A configuration of a hundred domains, each with two keys, against what an audit tells of the shipped catalogue.
    private func audit() throws -> Table {
        let pins = (0..<UInt8(Evaluations.domains)).map { [Pin(hashing: [$0, 0]), Pin(hashing: [$0, 1])] }
        let configuration = ATSConfiguration(
            pins.enumerated().map { .init("host-\($0).example", includesSubdomains: true, leaf: $1) }
        )
        let data = Data(configuration.rendered().utf8)
        var seconds: [Double] = []
        var events = 0
        for round in 0...rounds {
            Progress.show("audits, round \(round) of \(rounds)")
            let start = processorSeconds()
            let parsed = try PolicyFile.load(data, file: "Info.plist")
            let policy = ImportedPolicy(file: "Info.plist", configuration: parsed)
            let audit = try PolicyAudit(AppCatalogue(of: policy, with: .shippedEvents()), instant: Date())
            let findings = parsed.findings(at: Date())
            guard audit.hosts.count == Evaluations.domains, !audit.hosts.contains(where: \.refusesToday) else {
                throw Failure("the audit did not see every domain: \(findings)")
            }
            events = audit.hosts.reduce(0) { $0 + $1.events.count }
            if round > 0 { seconds.append(processorSeconds() - start) }
        }
        var table = Table("Audit of \(Evaluations.domains) domains, \(events) events", unit: "s of CPU", digits: 2)
        table.add("audit", Samples(seconds))
        table.judge("seconds", Samples(seconds).median, atMost: 2)
        return table
    }

    /// Of this process, user and kernel.
    private func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// A chain and its root as OpenSSL has them, parsed by itself.
private final class BareChain {
    private let store: OpaquePointer
    private let leaf: OpaquePointer
    private let others: OpaquePointer

    init(_ chain: [Certificate], root: Certificate) throws {
        let parsed = try (chain + [root]).map { certificate in
            guard let parsed = bare_certificate(certificate.der, certificate.der.count) else {
                throw Failure("OpenSSL cannot read a certificate that it wrote")
            }
            return parsed
        }
        guard let store = X509_STORE_new(), let others = bare_stack() else { throw Failure("out of memory") }
        X509_STORE_add_cert(store, parsed[parsed.count - 1])
        for certificate in parsed.dropFirst().dropLast() { bare_push(others, certificate) }
        self.store = store
        self.others = others
        leaf = parsed[0]
    }

    func verifies(host: String, at instant: Date) -> Bool {
        bare_verify(store, leaf, others, host, time_t(instant.timeIntervalSince1970)) == 1
    }
}
