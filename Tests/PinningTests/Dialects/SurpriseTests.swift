import Foundation
import TLSCore
import TestSupport
import Testing

@testable import Pinning

private let host = Sample.host
private let now = Sample.now

private func meet(
    _ chain: [Certificate] = Sample.server.chain,
    store: TrustStore = Sample.store,
    host: String = host,
    at instant: Date = now
) -> Situation {
    Situation(chain: chain, store: store, host: host, at: instant)
}

/// What the table of events does not show.
@Suite struct `The surprises of` {
    @Test func `Alamofire: a self-signed certificate is trusted, but not for years`() throws {
        func policy(_ days: Double) throws -> (Alamofire, Certificate) {
            let template = Sample.leaf { $0.notAfter = $0.notBefore + days * Sample.day }
            let leaf = try Identity(selfSigned: template, key: PrivateKey()).leaf
            let evaluator = Alamofire.Evaluator.pinnedCertificates([.init(leaf)], acceptSelfSigned: true)
            return (Alamofire(hosts: [.init(host, evaluator)], transportSecurity: .relaxed), leaf)
        }

        let (short, young) = try policy(800)
        let (long, old) = try policy(900)

        #expect(short.decide(meet([young])).demand == .accept)
        let decision = long.decide(meet([old]))
        #expect(decision.demand == .reject)
        #expect("\(decision)".contains("825 days"), "\(decision)")
    }

    @Test func `Alamofire: a certificate that another stands for is trusted by its fingerprint alone`() throws {
        func selfSigned() throws -> Certificate {
            try Identity(selfSigned: Sample.leaf { $0.notAfter = now + 90 * Sample.day }, key: PrivateKey()).leaf
        }
        let (theirs, ours, other) = (try selfSigned(), try selfSigned(), try selfSigned())
        let evaluator = Alamofire.Evaluator.pinnedCertificates([.init(theirs)], acceptSelfSigned: true)

        let policy = Alamofire(hosts: [.init(host, evaluator)], transportSecurity: .relaxed)
            .mapPins { _ in ours.fingerprint }

        #expect(policy.decide(meet([ours])).demand == .accept)
        #expect(policy.decide(meet([theirs])).demand == .reject)
        #expect(policy.decide(meet([other])).demand == .reject)
    }

    @Test(arguments: [false, true])
    func `Alamofire: one of two checks switched off is none switched off`(validateHost: Bool) {
        let evaluator = Alamofire.Evaluator.publicKeys(
            [Sample.issuing.key.pin],
            performDefaultValidation: !validateHost,
            validateHost: validateHost
        )
        let policy = Alamofire(hosts: [.init(host, evaluator)], transportSecurity: .relaxed)

        #expect(policy.decide(meet()).demand == .accept)
        #expect(policy.decide(meet(at: now + 900 * Sample.day)).demand == .reject)
    }

    @Test func `Alamofire: hosts are compared letter by letter, and an empty list is an error`() {
        let policy = Alamofire(hosts: [.init(host, .publicKeys([])), .init(host.uppercased(), .default())])

        #expect(policy.decide(meet()).demand == .reject)
        #expect(policy.decide(meet(host: host.uppercased())).demand == .accept)
        #expect(policy.decide(meet(host: host.capitalized)).demand == .reject)
    }

    @Test func `Alamofire: the first refusal of a composite is final, and none of them accepts`() {
        let parts: [Alamofire.Evaluator] = [.disabled, .publicKeys([Sample.root.key.pin]), .default()]
        let good = Alamofire(hosts: [.init(host, .composite(parts))])
        let bad = Alamofire(hosts: [.init(host, .composite(parts + [.publicKeys([Pin(hashing: [])])]))])

        #expect(good.decide(meet()).reason == .pinned(matched: [Sample.root.certificate]))
        #expect(bad.decide(meet()).isRefusalByPin)
    }

    @Test func `curl: a pin is text, so that what stands behind it belongs to it`() throws {
        let pin = Sample.server.leaf.pin
        let backup = Pin(hashing: [])

        for (value, demand) in [
            ("\(pin.curl)", Decision.Demand.accept), ("\(backup.curl);\(pin.curl)", .accept), ("\(pin.curl);", .reject),
            ("\(pin.curl); \(backup.curl)", .reject), ("sha256//\(pin.base64.dropLast())", .reject),
        ] {
            let policy = try Curl(parsing: Array(value.utf8), file: "-")
            #expect(policy.decide(meet()).demand == demand, "\(value)")
            #expect(policy.rendered() == value + "\n")
        }
    }

    @Test func `aiohttp: the digest replaces every check`() throws {
        let digest = Sample.server.leaf.fingerprint.digest
        let policy = try #require(Fingerprint(digest, library: .aiohttp))
        let nobody = try TrustStore([])

        #expect(policy.decide(meet(store: nobody, host: "elsewhere.example", at: .distantFuture)).demand == .accept)
        #expect(policy.decide(meet([Sample.issuing.certificate])).isRefusalByPin)
    }

    @Test(arguments: FingerprintDigest.allCases)
    func `urllib3: the length tells the digest`(digest: FingerprintDigest) throws {
        let policy = try #require(Fingerprint(Sample.server.leaf.fingerprint(digest)))

        #expect(policy.digests.map(\.algorithm) == [digest])
        #expect(policy.decide(meet()).demand == .accept)
        #expect(policy.decide(meet(host: "elsewhere.example")).demand == .accept)
    }

    @Test func `HPKP: one pin is never noted, and a backup is not in the chain`() throws {
        let path = Sample.server.chain + [Sample.root.certificate]
        let leaf = Sample.server.leaf.pin
        let wrong = Pin(hashing: [])

        #expect(HPKP(keys: [wrong]).decide(meet()).demand == .accept)
        #expect(HPKP(keys: [wrong, wrong]).decide(meet()).demand == .accept)
        #expect(HPKP(keys: [wrong, Pin(hashing: [1])]).decide(meet()).isRefusalByPin)
        #expect(HPKP(keys: [leaf, wrong]).remembered(from: host, path: path).canBeNoted)
        #expect(!HPKP(keys: [leaf, Sample.root.key.pin]).remembered(from: host, path: path).canBeNoted)
    }

    @Test(arguments: [false, true])
    func `HPKP: a header that only reports takes nothing from one that enforces`(isFirst: Bool) throws {
        let pins = "pin-sha256=\"\(Pin(hashing: []).base64)\"; pin-sha256=\"\(Pin(hashing: [1]).base64)\"; max-age=9"
        let headers = ["Public-Key-Pins-Report-Only: \(pins)", "Public-Key-Pins: \(pins)"]

        let both = try HPKP(parsing: (isFirst ? headers : headers.reversed()).joined(separator: "\n"), file: "h.txt")
        let alone = try HPKP(parsing: headers[0], file: "h.txt")

        #expect(both.decide(meet()).isRefusalByPin)
        #expect(alone.decide(meet()).reason == .reportedOnly)
    }

    @Test func `HPKP: the header covers its host, and below it what it says`() {
        let keys = [Pin(hashing: []), Pin(hashing: [1])]
        let policy = HPKP(host: "acme.example", keys: keys)
        let wide = HPKP(host: "acme.example", keys: keys, includesSubdomains: true)

        #expect(policy.decide(meet()).demand == .accept)
        #expect(wide.decide(meet()).demand == .reject)
        #expect(HPKP(keys: keys, isReportOnly: true).decide(meet()).reason == .reportedOnly)
    }

    @Test func `HPKP: a slip of the pen is ignored`() throws {
        let text = "public-key-pins-report-only: includeSubDomain; ;Strict=1"

        let policy = try HPKP(parsing: text, file: "h.txt", host: host)

        #expect(policy.ignored == ["includeSubDomain", "Strict"])
        #expect(!policy.includesSubdomains)
    }

    @Test func `Chromium: a forbidden key refuses, ten weeks forgive, and the longest name decides`() {
        let forbids = ChromiumStatic.Host(host, required: [], forbidden: [Sample.issuing.key.pin])
        let parent = ChromiumStatic.Host("acme.example", includesSubdomains: true, required: [Pin(hashing: [])])
        let free = ChromiumStatic.Host(host, required: [])

        #expect(ChromiumStatic(hosts: [forbids]).decide(meet()).demand == .reject)
        #expect(ChromiumStatic(hosts: [parent]).decide(meet()).isRefusalByPin)
        #expect(ChromiumStatic(hosts: [parent, free]).decide(meet()).demand == .accept)
        #expect(ChromiumStatic(hosts: [parent], builtAt: now - 69 * Sample.day).decide(meet()).demand == .reject)
        #expect(ChromiumStatic(hosts: [parent], builtAt: now - 71 * Sample.day).decide(meet()).demand == .accept)
    }

    @Test func `Chromium: a root that somebody installed is exempt, from forbidden keys too`() throws {
        let store = try TrustStore([TrustAnchor(Sample.root.certificate, origin: .user)])
        let forbids = ChromiumStatic.Host(host, required: [], forbidden: [Sample.issuing.key.pin])
        let requires = ChromiumStatic.Host(host, required: [Pin(hashing: [])])

        #expect(ChromiumStatic(hosts: [forbids]).decide(meet(store: store)).reason == .exempt(.user))
        #expect(ChromiumStatic(hosts: [requires]).decide(meet(store: store)).reason == .exempt(.user))
    }

    @Test func `every dialect: other pins are put in place of all`() {
        var policies = SeededPolicies(seed: 8)
        let ours = Pin(hashing: [9])

        for policy in (0..<20).flatMap({ _ in policies.all() }) {
            let mapped = policy.mapPins { _ in ours }
            #expect(mapped.pins.count == policy.pins.count)
            #expect(mapped.pins.allSatisfy { $0.pin == ours })
        }
    }
}
