import Foundation
import TLSCore
import TestSupport
import Testing

@testable import Pinning

/// The rules of libraries whose pins apps write in code: each acceptance beside its rejection.
struct LibraryRuleTests {
    private let leaf = Sample.server.leaf

    private func meet(
        _ chain: [Certificate] = Sample.server.chain,
        store: TrustStore = Sample.store,
        host: String = Sample.host
    ) -> Situation {
        Situation(chain: chain, store: store, host: host, at: Sample.now)
    }

    /// A server of the same name, from the same authority.
    private func other() throws -> [Certificate] { try Sample.issuing.identity(Sample.leaf(), key: PrivateKey()).chain }

    private func load<Policy: PinConfiguration>(_ text: String, as: Policy.Type = Policy.self) throws -> Policy {
        try #require(
            try PolicyFile.load(Data(text.utf8), file: "policy", dialect: Policy.dialect) { _ in
                [Sample.root.certificate]
            } as? Policy
        )
    }

    private func rules(_ policy: any PinConfiguration) -> [String] {
        policy.findings(at: Sample.now).map { "\($0.severity.rawValue) \($0.rule.rawValue)" }
    }

    // MARK: http_certificate_pinning

    @Test(arguments: ["", " ", ":"])
    func `http_certificate_pinning takes spaces and colons, and guards another connection`(mark: String) throws {
        let pairs = leaf.fingerprint.digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        let text = pairs.joined(separator: mark).uppercased()

        let policy: Fingerprint = try load(
            "fingerprint: {library: http_certificate_pinning, fingerprints: ['\(text)']}\n"
        )

        #expect(policy.decide(meet()).demand == .accept)
        #expect(policy.decide(meet(try other())).isRefusalByPin)
        #expect(rules(policy) == ["breach unguarded-request", "outage single-pin", "outage certificate-pin"])
        // As the file writes it.
        #expect(policy.findings(at: Sample.now).contains { $0.message.contains(", \(text): the day") })
    }

    @Test func `http_certificate_pinning takes what is no digest without a word, and it never matches`() throws {
        let policy: Fingerprint = try load(
            "fingerprint: {library: http_certificate_pinning, fingerprints: ['sha256/\(leaf.fingerprint.base64)']}\n"
        )

        #expect(policy.decide(meet()).isRefusalByPin)
        #expect(rules(policy).filter { $0.hasPrefix("outage") } == ["outage unusable-pin", "outage locks-out"])
    }

    @Test func `http_certificate_pinning compares the digest that it is told to compute, beside ordinary trust`() throws
    {
        let sha1 = PinnedDigest(leaf.fingerprint(.sha1), .sha1, of: .certificate).hexadecimal
        func policy(_ sha: String) throws -> Fingerprint {
            try load("fingerprint: {library: http_certificate_pinning, sha: \(sha), fingerprints: ['\(sha1)']}\n")
        }

        #expect(try policy("sha1").decide(meet()).demand == .accept)
        #expect(try policy("sha256").decide(meet()).isRefusalByPin)
        #expect(try policy("sha1").decide(meet(store: TrustStore([]))).demand == .reject)
        #expect(try policy("sha1").decide(meet(host: "elsewhere.example")).demand == .reject)
    }

    // MARK: .NET and dio

    @Test(arguments: [("dotnet", "kept", false), ("dotnet", "dropped", true), ("dio", "kept", false)])
    func `a callback of .NET may be the last word, and then nothing else counts`(
        library: String,
        checks: String,
        accepts: Bool
    ) throws {
        let policy: Fingerprint = try load(
            "fingerprint: {library: \(library), ordinaryChecks: \(checks), fingerprints: [\(leaf.fingerprint.hex)]}\n"
        )

        #expect(policy.decide(meet()).demand == .accept)
        #expect(policy.decide(meet(try other())).isRefusalByPin)
        let stranger = policy.decide(meet(store: try TrustStore([]), host: "elsewhere.example"))
        #expect((stranger.demand == .accept) == accepts)
        #expect(rules(policy).contains("warning skipped-check") == accepts)
        #expect(rules(policy).contains("breach unguarded-request") == (library == "dio"))
    }

    @Test func `a fingerprint in letters that the platform does not print never matches`() throws {
        func policy(_ digits: String) throws -> Fingerprint {
            try load("fingerprint: {library: dotnet, case: upper, fingerprints: ['\(digits)']}\n")
        }

        #expect(try policy(leaf.fingerprint.hex.uppercased()).decide(meet()).demand == .accept)
        #expect(try policy(leaf.fingerprint.hex).decide(meet()).isRefusalByPin)
        #expect(rules(try policy(leaf.fingerprint.hex)).contains("outage unusable-pin"))
    }

    @Test func `a key of ours stands for a certificate that is known by its SHA-1`() throws {
        let sha1 = leaf.fingerprint(.sha1)
        let policy = try #require(Fingerprint(sha1, library: .dotNet, requiresCertificate: false))
        let ours = try other()

        let mapped = policy.mapPins { _ in ours[0].fingerprint }

        #expect(policy.pins.map(\.label) == [PinnedDigest(sha1, .sha1, of: .certificate).hexadecimal])
        #expect(mapped.decide(meet(ours)).demand == .accept)
        #expect(mapped.decide(meet()).isRefusalByPin)
    }

    // MARK: AFNetworking

    @Test func `AFNetworking in the mode of certificates trusts them alone`() throws {
        let root = Alamofire.PinnedCertificate(Sample.root.certificate)
        let stranger = try Authority(rootNamed: "Stranger", now: Sample.now)
        let strange = try stranger.identity(Sample.leaf(), key: PrivateKey()).chain
        let both = try TrustStore([TrustAnchor(Sample.root.certificate), TrustAnchor(stranger.certificate)])
        let policy = AFNetworking(.certificates([root]))

        #expect(policy.decide(meet(store: both)).demand == .accept)
        #expect(policy.decide(meet(strange, store: both)).demand == .reject)
        #expect(policy.decide(meet(store: both, host: "elsewhere.example")).demand == .reject)
        #expect(AFNetworking(.certificates([])).decide(meet()).demand == .reject)
    }

    @Test func `AFNetworking without a list takes nobody, and with keys any renewal`() throws {
        let policy = AFNetworking(.publicKeys([Sample.issuing.key.pin]))

        #expect(policy.decide(meet()).demand == .accept)
        #expect(policy.decide(meet(try other())).demand == .accept)
        #expect(AFNetworking(.publicKeys([Sample.root.key.pin])).decide(meet(try other())).demand == .accept)
        #expect(AFNetworking(.publicKeys([Pin(hashing: [1])])).decide(meet()).isRefusalByPin)
    }

    @Test func `AFNetworking: invalid certificates are allowed for every host`() throws {
        let policy: AFNetworking = try load(
            "afnetworking: {SSLPinningMode: public-key, pinnedCertificates: [\(leaf.pin)], allowInvalidCertificates: true}\n"
        )

        #expect(policy.allowInvalidCertificates)
        #expect(rules(policy).contains("breach skipped-check"))
    }

    // MARK: Electron

    @Test func `Electron looks for its fingerprints in all that is sent, and asks Chromium as well`() throws {
        let policy = Electron(rules: [.init("*.acme.example", fingerprints: [leaf.fingerprint])])
        let stuffed = try other() + [leaf]

        #expect(policy.decide(meet()).demand == .accept)
        #expect(policy.decide(meet(try other())).isRefusalByPin)
        #expect(policy.decide(meet(stuffed)).demand == .accept)
        #expect(policy.decide(meet(store: try TrustStore([]))).demand == .reject)
        #expect(rules(policy).contains("breach presented-chain"))
    }

    @Test func `Electron, strict: every certificate that is sent must be listed`() throws {
        func policy(_ listed: [Certificate]) -> Electron {
            Electron(rules: [.init(Sample.host, strict: true, fingerprints: listed.map(\.fingerprint))])
        }

        #expect(policy(Sample.server.chain).decide(meet()).demand == .accept)
        #expect(policy([leaf]).decide(meet()).isRefusalByPin == (Sample.server.chain.count > 1))
        #expect(policy(Sample.server.chain).decide(meet(try other() + [leaf])).isRefusalByPin)
    }

    @Test(arguments: [
        ("*.acme.example", "api.acme.example", true), ("*.acme.example", "a.b.acme.example", true),
        ("*.acme.example", "acme.example", true), ("*.acme.example", "evilacme.example", true),
        ("*.acme.example", "acme.example.org", false), ("api.acme.example", "api.acme.example", true),
        ("api.acme.example", "apixacme.example", true), ("api.acme.example", "www.acme.example", false),
    ])
    func `Electron takes a domain for a regular expression`(domain: String, host: String, matches: Bool) {
        let policy = Electron(rules: [.init(domain, fingerprints: [leaf.fingerprint])])

        let decision = policy.decide(meet(host: host))

        #expect("\(decision)".contains("no rule is for") != matches, "\(decision)")
        #expect((policy.scope(for: host) != nil) == matches)
    }
}
