import Foundation
import TLSCore
import TestSupport
import Testing

@testable import Pinning

@Suite struct `Findings about redundancy` {
    private let now = Sample.now
    private let pins = AppleSamples.pins

    @Test func `of Apple's example are two single pins, one of them written twice`() throws {
        let configuration = try AppleSamples.ats(AppleSamples.plist(AppleSamples.transportSecurity))

        let found = configuration.findings(at: now).filter { [.singlePin, .duplicatePin].contains($0.rule) }

        let domains = "NSAppTransportSecurity.NSPinnedDomains."
        #expect(found.map(\.rule) == [.singlePin, .singlePin, .duplicatePin])
        #expect(found.map(\.severity) == [.outage, .outage, .warning])
        #expect(found.map(\.keyPath) == [domains + "example.org", domains + "example.net", domains + "example.net"])
        #expect(found.map(\.line) == [7, 19, 19])
        #expect(found[0].message.contains("r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E="))
    }

    @Test func `are none where each list has a backup`() throws {
        let configuration = ATSConfiguration([
            .init("example.org", includesSubdomains: true, authority: [pins[0], pins[1]]),
            .init("example.net", leaf: [pins[1], pins[2]]),
        ])

        let rules = configuration.findings(at: now).map(\.rule)

        #expect(!rules.contains(.singlePin) && !rules.contains(.duplicatePin))
    }

    @Test func `count the pins of a parent that reach the same host`() {
        let parent = ATSConfiguration.Domain("example.org", includesSubdomains: true, leaf: [pins[0], pins[1]])
        let apart = ATSConfiguration([.init("math.example.org", leaf: [pins[2]])])
        let united = ATSConfiguration([parent, .init("math.example.org", leaf: [pins[2]])])

        #expect(apart.findings(at: now).map(\.rule) == [.singlePin])
        #expect(!united.findings(at: now).map(\.rule).contains(.singlePin))
    }

    @Test(
        arguments: [
            ("i9HaIScvf6T/skE3/A7QOq5n5cTYs8UHNOEFCnkguSI=", "i9HalScvf6T/skE3/A7QOq5n5cTYs8UHNOEFCnkguSI=", true),
            ("i9HaIScvf6T/skE3/A7QOq5n5cTYs8UHNOEFCnkguSI=", "i9HaIScvf6T/skE3/A7Q0q5n5cTYs8UHNOEFCnkguSI=", true),
            ("i9HaIScvf6T/skE3/A7QOq5n5cTYs8UHNOEFCnkguSI=", "i9HaJScvf6T/skE3/A7QOq5n5cTYs8UHNOEFCnkguSI=", false),
        ]
    )
    func `name two spellings that look alike`(first: String, second: String, isConfusable: Bool) throws {
        let keys = try [first, second].map { try Pin(parsing: $0) }
        let configuration = ATSConfiguration([.init("api.example.org", leaf: keys)])

        let found = configuration.findings(at: now)

        #expect(found.map(\.rule) == (isConfusable ? [.confusablePin] : []))
        #expect(found.map(\.severity) == (isConfusable ? [.outage] : []))
    }

    @Test func `name look-alikes of two entries, once for each`() throws {
        let (first, second) = (
            try Pin(parsing: "i9HaIScvf6T/skE3/A7QOq5n5cTYs8UHNOEFCnkguSI="),
            try Pin(parsing: "i9HalScvf6T/skE3/A7QOq5n5cTYs8UHNOEFCnkguSI=")
        )
        let configuration = ATSConfiguration([
            .init("a.example.org", leaf: [first, pins[0]]), .init("b.example.org", leaf: [second, pins[0]]),
        ])

        let found = configuration.findings(at: now)

        #expect(found.map(\.rule) == [.confusablePin, .confusablePin])
        #expect(found.map(\.severity) == [.warning, .warning])
        #expect(configuration.findings(at: now, host: "b.example.org").count == 1)
    }

    @Test(arguments: [true, false])
    func `are warnings where a mismatch is only reported`(enforces: Bool) {
        let policy = TrustKitConfiguration.Policy(keys: [pins[0]], enforcesPinning: enforces)
        let configuration = TrustKitConfiguration([.init("api.example.com", .pinned(policy))])

        let found = configuration.findings(at: now)

        let single = found.first { $0.rule == .singlePin }
        #expect(single?.severity == (enforces ? .outage : .warning))
        #expect(single?.message.hasSuffix("every user is locked out, once the pins are enforced") == !enforces)
        #expect(found.contains { $0.rule == .reportOnly && $0.severity == .breach } != enforces)
    }
}
