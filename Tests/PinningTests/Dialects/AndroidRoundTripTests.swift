import Foundation
import TLSCore
import TestSupport
import Testing

@testable import Pinning

struct AndroidRoundTripTests {
    private var random = SplitMix64(seed: 11)

    @Test func `rendering and parsing give the same configuration`() throws {
        var generator = self
        for round in 0..<300 {
            let configuration = generator.configuration(isDebuggable: round % 2 == 0)

            let again = try AndroidNetworkSecurity(
                parsing: Data(configuration.rendered().utf8),
                file: "nsc.xml",
                device: configuration.device
            )

            #expect(again == configuration, "\(configuration.rendered())")
        }
    }

    @Test func `rendering and parsing give the same TrustKit policies`() throws {
        var generator = self
        var count = 0
        for _ in 0..<300 {
            guard let trustKit = try? TrustKitAndroid(generator.configuration(isDebuggable: false)) else { continue }
            count += 1

            let again = try TrustKitAndroid(
                parsing: Data(trustKit.rendered().utf8),
                file: "nsc.xml",
                device: trustKit.networkSecurity.device
            )

            #expect(again == trustKit)
        }
        #expect(count > 20)
    }

    private mutating func configuration(isDebuggable: Bool) -> AndroidNetworkSecurity {
        var names = 0
        return AndroidNetworkSecurity(
            baseConfig: flag() == nil ? nil : settings(),
            domainConfigs: (0..<upTo(3)).map { _ in domainConfig(depth: 0, names: &names) },
            debugOverrides: flag() == nil ? nil : settings(),
            device: .init(isDebuggable: isDebuggable)
        )
    }

    private mutating func domainConfig(depth: Int, names: inout Int) -> AndroidNetworkSecurity.DomainConfig {
        var domains: [AndroidNetworkSecurity.Domain] = []
        for _ in 0...upTo(2) {
            names += 1
            domains.append(.init("host\(names).acme.org", includesSubdomains: flag()))
        }
        return .init(
            domains,
            settings: settings(),
            pinSet: flag() == nil ? nil : pinSet(),
            trustKit: flag() == nil
                ? nil
                : .init(
                    enforcesPinning: flag(),
                    disablesDefaultReportURI: flag(),
                    reportURIs: flag() == true ? ["https://a.acme.org/?x=1&y=<2>", "http://b.acme.org/"] : []
                ),
            nested: (0..<(depth < 3 ? upTo(2) : 0)).map { _ in domainConfig(depth: depth + 1, names: &names) }
        )
    }

    private mutating func settings() -> AndroidNetworkSecurity.Settings {
        let sources: [AndroidNetworkSecurity.Certificates.Source] = [
            .system, .user, .wifiAlliance, .resource("@raw/my_ca"), .resource("@xml/a&b"),
        ]
        let anchors = (0..<upTo(3)).map { _ in
            AndroidNetworkSecurity.Certificates(sources[upTo(4)], overridesPins: flag())
        }
        return .init(permitsCleartext: flag(), trustAnchors: flag() == nil ? nil : anchors)
    }

    private mutating func pinSet() -> AndroidNetworkSecurity.PinSet {
        let pins = (0..<upTo(3)).compactMap { _ in
            let pin = Pin(hashing: random.bytes(4))
            return flag() == true ? try? AndroidPin(parsing: "\"\(pin.base64)\"") : AndroidPin(pin)
        }
        return .init(
            pins,
            expiration: flag() == nil
                ? nil : AndroidExpiration(year: 1 + upTo(9998), month: 1 + upTo(11), day: 1 + upTo(27))
        )
    }

    private mutating func upTo(_ maximum: Int) -> Int { Int.random(in: 0...maximum, using: &random) }

    private mutating func flag() -> Bool? { [nil, true, false].randomElement(using: &random)! }
}
