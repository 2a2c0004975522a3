import Foundation
import TLSCore
import TestSupport
import Testing

@testable import Pinning

@Suite struct `Public roots that are pinned` {
    private static let now = Sample.now
    private static let isrg = "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M="
    private static let dst = "Vjs8r4z+80wjNcr1YKepWQboSIRi63WsWXhIMN+eWys="
    private static let globalTrust = "GLOBALTRUST 2020"

    private static func pin(_ text: String) throws -> Pin { try Pin(parsing: text) }

    private static func findings(leaf: [Pin]? = nil, authority: [Pin]? = nil) -> [PolicyFinding] {
        ATSConfiguration([.init("api.example.org", leaf: leaf, authority: authority)]).findings(at: now)
    }

    @Test func `are known by name, owner and end, and other keys are not`() throws {
        let isrg = try #require(KnownAuthority.of(try Self.pin(Self.isrg)))
        let day = isrg.end.formatted(.iso8601.year().month().day())

        #expect("\(isrg), \(day)" == "ISRG Root X1 (Internet Security Research Group), 2035-06-04")
        #expect(isrg.isTrusted(at: Self.now))
        #expect(KnownAuthority.of(Pin(hashing: [1])) == nil)
    }

    @Test func `are all read, and each has a name and an end`() {
        let text = "# a comment\nno line of ours\n\(Self.isrg)\tA\tB\t2035-06-04\t\t2026-04-22\n"

        #expect(KnownAuthority.parse(text).values.map(\.description) == ["A (B)"])
        #expect(KnownAuthority.parse(text).values.first?.isTrusted(at: Self.now) == false)
        #expect(KnownAuthority.all.count > 250)
        #expect(KnownAuthority.all.values.allSatisfy { !$0.name.isEmpty })
        #expect(KnownAuthority.all.values.contains { $0.endsIssuing != nil })
    }

    @Test func `never match where only the leaf is compared`() throws {
        let root = try Self.pin(Self.isrg)

        let leaf = Self.findings(leaf: [root, Pin(hashing: [1])])
        let authority = Self.findings(authority: [root, Pin(hashing: [1])])

        #expect(leaf.map(\.rule) == [.wrongPosition])
        #expect(leaf.map(\.severity) == [.outage])
        #expect(leaf.first?.message.contains("the public root ISRG Root X1 (Internet Security Research Group)") == true)
        #expect(authority == [])
    }

    @Test func `that have ended or were taken out are told, and are an outage unless two others are left`() throws {
        let removed = try #require(KnownAuthority.all.first { $1.name == Self.globalTrust })
        let (old, good) = (try Self.pin(Self.dst), try Self.pin(Self.isrg))

        let alone = Self.findings(authority: [old, removed.key])
        let withOne = Self.findings(authority: [old, removed.key, good])
        let withTwo = Self.findings(authority: [old, removed.key, good, Pin(hashing: [1])])

        #expect(alone.map(\.rule) == [.endedAuthority, .distrustedAuthority])
        #expect(alone.map(\.severity) == [.outage, .outage])
        #expect(alone.first?.message.contains("ended on 2021-09-30") == true)
        #expect(withOne.map(\.severity) == [.outage, .outage])
        #expect(withOne.allSatisfy { $0.message.hasSuffix("; one pin is left, and no backup") })
        #expect(withTwo.map(\.severity) == [.warning, .warning])
    }

    @Test func `that may issue no more are told`() throws {
        let text = "\(Self.isrg)\tA\tB\t2035-06-04\t2024-11-30\t\n"
        let authority = try #require(KnownAuthority.parse(text).values.first)

        #expect(!authority.isTrusted(at: Self.now))
        #expect(authority.isTrusted(at: Date(timeIntervalSince1970: 1_700_000_000)))
    }

    @Test(arguments: [("2035-07-01", true), ("2035-06-01", false)])
    func `that end before the pins do are told`(expiration: String, isTold: Bool) throws {
        let text = AuditSamples.android.changing("<pin-set>", to: "<pin-set expiration=\"\(expiration)\">")
            .changing(AuditSamples.pins[0], to: Self.isrg)

        let found = try AuditSamples.load(text).findings(at: Self.now)

        #expect(found.map(\.rule) == (isTold ? [.endedAuthority] : []))
        #expect(found.map(\.severity) == (isTold ? [.warning] : []))
    }

    @Test func `are named where one is alone`() throws {
        let found = Self.findings(authority: [try Self.pin(Self.isrg)])

        #expect(found.map(\.rule) == [.singlePin])
        #expect(found.first?.message.contains("that of ISRG Root X1") == true)
    }
}

@Suite struct `Pins that stand for no key` {
    @Test(arguments: [
        (
            "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
            "it is the digest of nothing, as of a command that was given no key"
        ),
        ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "its characters follow a pattern"),
        ("ABCDEFABCDEFABCDEFABCDEFABCDEFABCDEFABCDEFA=", "its characters follow a pattern"),
        ("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ=", "its characters follow a pattern"),
        ("C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejzzzzzzzzz=", "its characters follow a pattern"),
        ("C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejnazzzzzzw=", nil),
        ("ThisIsTheBackupPinThatNobodyHasYetComputedA=", "it has the word 'backup' in it"),
        (
            "OWE3YjJjM2Q0ZTVmNjA3MTgyOTNhNGI1YzZkN2U4Zjk=",
            "it is a text in Base64, '9a7b2c3d4e5f60718293a4b5c6d7e8f9', and no digest"
        ),
        ("C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=", nil),
    ])
    func `are known by their form`(text: String, reason: String?) throws {
        #expect(PinnedDigest(try Pin(parsing: text)).placeholder == reason)
    }

    @Test func `are no digest of anything`() {
        for number in 0..<2000 {
            let pin = Pin(hashing: Array("\(number)".utf8))
            #expect(PinnedDigest(pin).placeholder == nil, "\(pin)")
        }
    }

    /// Two bits of the last digit mean nothing, so that two texts are one pin.
    @Test(arguments: ["B", "A"])
    func `are quoted as the source writes them`(last: String) throws {
        let text = String(repeating: "B", count: 42) + last + "="
        let other = String(repeating: "B", count: 42) + (last == "A" ? "B" : "A") + "="
        let configurations: [any PinConfiguration] = [
            ATSConfiguration([.init("api.example.org", leaf: [try Pin(parsing: text)])]),
            OkHttp([.init(try OkHttpPattern("api.example.org"), [try OkHttpPin(parsing: "sha256/\(text)")])]),
        ]

        for configuration in configurations {
            let found = configuration.findings(at: Sample.now).filter { $0.message.contains("BBBB") }
            #expect(!found.isEmpty)
            for finding in found {
                #expect(finding.message.contains(text), "\(finding)")
                #expect(!finding.message.contains(other), "\(finding)")
            }
            #expect(configuration.pins.map(\.label) == ["sha256/\(text)"])
        }
        #expect(try Pin(parsing: text) == Pin(parsing: other))
    }

    @Test func `are an outage unless two others are left`() throws {
        let made = try Pin(parsing: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")
        func found(_ others: Int) -> PolicyFinding? {
            let pins = [made] + (0..<others).map { Pin(hashing: [UInt8($0)]) }
            return ATSConfiguration([.init("api.example.org", leaf: pins)]).findings(at: Sample.now)
                .first { $0.rule == .placeholderPin }
        }

        let endings = [
            "so that every connection is rejected", "one pin is left, and no backup", "; it matches nothing",
        ]
        for (others, ending) in endings.enumerated() {
            let finding = try #require(found(others))
            #expect(finding.message.hasSuffix(ending), "\(finding)")
            #expect(finding.severity == (others < 2 ? .outage : .warning))
        }
    }
}
