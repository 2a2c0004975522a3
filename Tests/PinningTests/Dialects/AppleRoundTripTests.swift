import Foundation
import Pinning
import TLSCore
import TestSupport
import Testing

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

    @Test(arguments: Format.allCases)
    func `survive being cut at any byte`(format: Format) throws {
        let sample = try format.sample(AppleSamples.plist(AppleSamples.transportSecurity), AppleSamples.trustKit)

        let refused = sample.indices.count { !format.reads(sample.prefix($0)) }

        #expect(refused > sample.count * 9 / 10)
    }

    /// 20,001 times in all.
    @Test(arguments: Format.allCases)
    func `survive changed bytes`(format: Format) throws {
        let pins = AppleSamples.pins
        let ats = AppleSamples.pinning(
            "<dict><key>a.com</key><dict><key>NSPinnedLeafIdentities</key><array/></dict></dict>"
        )
        let json =
            "{\"TSKPinnedDomains\":{\"a.com\":{\"TSKPublicKeyHashes\":[\"\(pins[0].base64)\",\"\(pins[1].base64)\"]}}}"
        let sample = try format.sample(ats, json)
        var random = SplitMix64(seed: 4)
        var refused = 0

        for _ in 0..<6667 {
            var damaged = sample
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                let place = Int.random(in: damaged.indices, using: &random)
                damaged[place] = UInt8.random(in: 0...255, using: &random)
            }
            if !format.reads(damaged) { refused += 1 }
        }

        #expect(refused > 2000)
    }

    enum Format: CaseIterable {
        case xml, binary, json

        func sample(_ plist: String, _ json: String) throws -> Data {
            switch self {
            case .xml: return Data(plist.utf8)
            case .json: return Data(json.utf8)
            case .binary:
                let list = try PropertyListSerialization.propertyList(from: Data(plist.utf8), format: nil)
                return try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
            }
        }

        func reads(_ data: Data) -> Bool {
            do {
                if self == .json {
                    _ = try TrustKitConfiguration(parsing: data, file: "damaged")
                } else {
                    _ = try ATSConfiguration(parsing: data, file: "damaged")
                }
                return true
            } catch {
                if error.problems.isEmpty { Issue.record("refused without a reason") }
                return false
            }
        }
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
