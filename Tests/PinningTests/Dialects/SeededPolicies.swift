import Foundation
import TLSCore
import TestSupport

@testable import Pinning

/// Policies of every dialect of this folder, drawn by a seed.
struct SeededPolicies {
    var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func flag() -> Bool { .random(using: &random) }
    mutating func pin() -> Pin { Pin(hashing: random.bytes(8)) }
    mutating func pins() -> [Pin] { some { $0.pin() } }

    mutating func some<Value>(_ make: (inout SeededPolicies) -> Value) -> [Value] {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in make(&self) }
    }

    mutating func host() -> String {
        let names = [
            "example.com", "Example.COM", "*.x", "true", "a: b", "é.example", "\"q\" \\", "-", "1.2.3.4", "::1",
        ]
        return names.randomElement(using: &random)! + String(random.next(), radix: 36)
    }

    mutating func alamofire() -> Alamofire {
        Alamofire(
            hosts: some { .init($0.host(), $0.evaluator(depth: 0)) },
            allHostsMustBeEvaluated: flag(),
            transportSecurity: flag() ? .enforced : .relaxed
        )
    }

    mutating func evaluator(depth: Int) -> Alamofire.Evaluator {
        switch Int.random(in: 0...(depth < 2 ? 5 : 4), using: &random) {
        case 0: return .default(validateHost: flag())
        case 1:
            return .revocation(
                performDefaultValidation: flag(),
                validateHost: flag(),
                requirePositiveResponse: flag()
            )
        case 2:
            let acceptSelfSigned = flag()
            return .pinnedCertificates(
                some { !acceptSelfSigned && $0.flag() ? .init($0.pin()) : .init(Sample.server.leaf) },
                acceptSelfSigned: acceptSelfSigned,
                performDefaultValidation: flag(),
                validateHost: flag()
            )
        case 3: return .publicKeys(pins(), performDefaultValidation: flag(), validateHost: flag())
        case 4: return .disabled
        default: return .composite(some { $0.evaluator(depth: depth + 1) })
        }
    }

    mutating func curl() -> Curl {
        let sources: [Curl.Source] = [
            .list([.pin(pin())] + some { $0.flag() ? .pin($0.pin()) : .never("ffff") }),
            .publicKey(Sample.server.leaf.publicKey),
            .certificate(Sample.server.leaf),
        ]
        return Curl(
            sources.randomElement(using: &random)!,
            tool: Curl.Tool.allCases.randomElement(using: &random)!,
            isInsecure: flag()
        )
    }

    mutating func fingerprint() -> Fingerprint {
        if flag() {
            let digests = some {
                let algorithm: FingerprintDigest = $0.flag() ? .sha1 : .sha256
                return PinnedDigest($0.random.bytes(algorithm.count), algorithm, of: .certificate)
            }
            let library: Fingerprint.Library = [.httpCertificatePinning, .dio, .dotNet].randomElement(using: &random)!
            return Fingerprint(digests, library: library, requiresCertificate: flag())
        }
        let isModern = flag()
        let count = isModern ? 32 : [16, 20, 32].randomElement(using: &random)!
        // Every one of these lengths is a digest's, and aiohttp gets the only one that it takes.
        return Fingerprint(
            random.bytes(count),
            library: isModern ? .aiohttp : .urllib3,
            requiresCertificate: flag()
        )!
    }

    mutating func callback() -> Callback {
        Callback(Callback.Form.allCases.randomElement(using: &random)!, keys: pins())
    }

    mutating func chromium() -> ChromiumStatic {
        ChromiumStatic(
            hosts: some {
                .init($0.host(), includesSubdomains: $0.flag(), required: $0.pins(), forbidden: $0.pins())
            },
            builtAt: flag()
                ? Date(timeIntervalSince1970: Double(Int.random(in: 0...20000, using: &random)) * 86400) : nil
        )
    }

    mutating func hpkp() -> HPKP {
        let isReportOnly = flag()
        return HPKP(
            keys: pins() + [pin()],
            maxAge: isReportOnly && flag() ? nil : Int.random(in: 0...10_000_000, using: &random),
            includesSubdomains: flag(),
            reportURI: flag() ? "https://example.com/r?a=1&b=%20;c" : nil,
            isReportOnly: isReportOnly
        )
    }

    mutating func afnetworking() -> AFNetworking {
        AFNetworking(
            flag() ? .publicKeys(pins()) : .certificates(pins().map { .init($0) }),
            allowInvalidCertificates: flag(),
            validatesDomainName: flag()
        )
    }

    mutating func electron() -> Electron {
        Electron(
            rules: some {
                let domain = ($0.flag() ? "*." : "") + "a\($0.random.next()).example"
                return .init(domain, strict: $0.flag(), fingerprints: $0.pins())
            }
        )
    }

    /// One of each.
    mutating func all() -> [any PinConfiguration] {
        [alamofire(), curl(), fingerprint(), callback(), chromium(), hpkp(), afnetworking(), electron()]
    }
}
