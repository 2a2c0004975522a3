import Foundation
import TLSCore
import TestSupport
import Testing

@testable import Pinning

@Suite struct `Apple's configurations` {
    @Test(arguments: 0..<200)
    func `of pinned domains are the same when they are written and read`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let domains = Self.names(&random).map { name in
            ATSConfiguration.Domain(
                name,
                includesSubdomains: .random(using: &random),
                leaf: .random(using: &random) ? Self.pins(0..<4, &random) : nil,
                authority: .random(using: &random) ? Self.pins(0..<4, &random) : nil
            )
        }
        let exceptions = Self.names(&random).map { name in
            ATSConfiguration.ExceptionDomain(
                name,
                includesSubdomains: .random(using: &random),
                oldestVersion: TLSVersion.allCases.randomElement(using: &random)!  // There are four.
            )
        }
        let configuration = ATSConfiguration(domains, exceptions: exceptions)

        let read = try AppleSamples.ats(configuration.rendered())

        #expect(read == configuration)
        #expect(read.pins == configuration.pins)
        #expect(read.mapPins { $0 } == configuration)
    }

    @Test(arguments: 0..<200)
    func `of TrustKit are the same when they are written and read`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var domains = Self.names(&random).map { name in
            TrustKitConfiguration.Domain(
                name,
                .pinned(
                    TrustKitConfiguration.Policy(
                        keys: Self.pins(2..<5, &random),
                        includesSubdomains: .random(using: &random),
                        enforcesPinning: .random(using: &random),
                        expiration: .random(using: &random)
                            ? Date(timeIntervalSince1970: Double(Int.random(in: 0..<40_000, using: &random)) * 86400)
                            : nil,
                        reportURIs: .random(using: &random) ? ["https://r.example/?a=1&b=<\(seed)>"] : [],
                        disablesDefaultReportURI: .random(using: &random)
                    )
                )
            )
        }
        let parents = domains.filter {
            if case .pinned(let policy) = $0.rule { policy.includesSubdomains } else { false }
        }
        domains += parents.map { TrustKitConfiguration.Domain("open." + $0.name, .excluded) }
        if domains.isEmpty { domains = [.init("a.com", .pinned(.init(keys: AppleSamples.pins)))] }
        let configuration = TrustKitConfiguration(
            domains,
            platform: .macOS,
            swizzlesNetworkDelegates: .random(using: &random),
            ignoresPinningForUserAnchors: .random(using: &random)
        )

        let read = try AppleSamples.trustKit(configuration.rendered(), platform: .macOS)

        #expect(read == configuration)
        #expect(read.warnings.isEmpty)
        #expect(read.mapPins { $0 } == configuration)
    }

    /// A binary property list whose arrays hold one another, which unfolds without end.
    @Test func `survive a list that holds itself`() {
        var data = Array("bplist00".utf8) + [0xA4, 0, 0, 0, 0, 8]
        data += [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 0]
        data += [0, 0, 0, 0, 0, 0, 0, 13]

        let refusal = AppleSamples.refusal { _ = try ATSConfiguration(parsing: Data(data), file: "Info.plist") }

        #expect(refusal == ["Info.plist: found a property list that holds itself, expected one with an end"])
    }

    private static func names(_ random: inout SplitMix64) -> [String] {
        let suffixes = ["com", "co.uk", "example.org", "github.io", "jp"]
        let count = Int.random(in: 0..<6, using: &random)
        return (0..<count).map {
            "a\($0)-\(UInt16(truncatingIfNeeded: random.next())).\(suffixes[$0 % suffixes.count])"
        }
    }

    private static func pins(_ count: Range<Int>, _ random: inout SplitMix64) -> [Pin] {
        (0..<Int.random(in: count, using: &random)).map { _ in Pin(hashing: random.bytes(8)) }
    }
}
