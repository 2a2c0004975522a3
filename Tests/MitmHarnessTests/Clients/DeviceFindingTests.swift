import Foundation
import MitmHarness
import MitmProxy
import Testing
import Witness

@testable import TLSCore

/// From what was seen of a device to what is in its way.
@Suite struct `What is in a device's way` {
    private static let host = "api.acme.example"

    private static func connection(_ host: String, _ events: ConnectionEvent...) -> Observation {
        Observation([.connected(target: "\(host):443"), .hello(ClientHello(serverName: host))] + events)
    }

    private static let shown = ConnectionEvent.presented(identity: "today", fingerprint: Pin(hashing: []), epoch: 1)
    private static let finished = ConnectionEvent.established(
        TLSSession(version: .tls1_3, cipherSuite: "TLS_AES_256_GCM_SHA384", applicationProtocol: nil, isResumed: false)
    )
    private static let left = ConnectionEvent.closed(by: .client, .ended)

    private static func accepted(_ host: String) -> Observation { connection(host, shown, finished, .request) }

    private static func rejected(_ host: String, alert: UInt8 = 48) -> Observation {
        connection(host, shown, .alert(.inward, Alert(alert, isFatal: true)), left)
    }

    private static func withheld(_ host: String) -> Observation { connection(host, shown, finished, left) }

    private static func passed(_ host: String) -> Observation {
        Observation([.connected(target: "\(host):443"), .passedThrough(count: 900)])
    }

    private static let page = Observation([.connected(target: "pindrill.test:80"), .closed(by: .us, .ended)])
    private static let quic = Observation([.redirected(to: "198.18.0.1:443"), .datagrams(count: 3, isQUIC: true)])

    /// Checks of two roots.
    private static func guide() throws -> DevicePage {
        let checks = try ["acme-root", "mallory"].enumerated().map { index, root in
            let identity = try Identity(selfSigned: .leaf(names: [], now: Date()), key: PrivateKey())
            return DevicePage.Check(host: "trust-\(index + 1).\(host)", root: root, identity: identity)
        }
        return DevicePage(checks: checks, tested: [host])
    }

    private static let (first, second) = ("trust-1.\(host)", "trust-2.\(host)")

    static let cases: [(seen: [Observation], finding: DeviceFinding)] = [
        ([], .nothingArrives),
        ([accepted(host)], .ready),
        // What went wrong before it went right is mended.
        ([rejected(host), accepted(host)], .ready),
        ([page], .appIsSilent),
        ([page, accepted(first), accepted(second)], .appIsSilent),
        ([page, accepted(first), rejected(second)], .untrusted(["mallory"])),
        ([page, rejected(first), accepted(first), accepted(second)], .appIsSilent),
        ([page, rejected(first), rejected(second), rejected(host)], .untrusted(["acme-root", "mallory"])),
        ([rejected(host)], .refusesEverything),
        ([rejected("other.example")], .refusesEverything),
        ([rejected(host), rejected("other.example")], .refusesEverything),
        ([page, accepted(first), accepted(second), rejected(host)], .appRefuses),
        ([accepted("other.example"), rejected(host)], .appRefuses),
        ([withheld(host)], .pinnedElsewhere),
        ([accepted(first), withheld(host)], .pinnedElsewhere),
        ([rejected(host, alert: 45)], .wrongClock(nil)),
        ([page, rejected(first, alert: 45)], .wrongClock(nil)),
        ([passed("other.example"), passed("more.example")], .bypassed(others: ["other.example", "more.example"])),
        ([accepted("other.example"), page], .bypassed(others: ["other.example"])),
        ([quic], .wentByQUIC),
        ([quic, passed("other.example")], .wentByQUIC),
        ([quic, accepted(host)], .ready),
        ([Observation([.connected(target: nil), .cleartext(host: host)])], .cleartext),
        ([connection(host)], .unclear(.inconclusive(.nothingPresented))),
    ]

    @Test(arguments: cases)
    func `is found, one thing at a time`(seen: [Observation], finding: DeviceFinding) throws {
        #expect(DeviceFinding(seen: seen, host: Self.host, page: try Self.guide()) == finding)
    }

    @Test(arguments: [(7200.0, true), (-7200, true), (600, false)])
    func `a clock that its browser tells is compared`(error: Double, isWrong: Bool) throws {
        let page = try Self.guide()
        page.show(["/trust": DevicePage.File("text/html", [])])
        page.note(clock: Date() + error, at: Date())

        let finding = DeviceFinding(seen: [Self.page], host: Self.host, page: page)

        if case .wrongClock(let told?) = finding {
            #expect(isWrong && abs(told - error) < 60)
        } else {
            #expect(!isWrong)
        }
    }

    @Test func `each has a remedy that names the host or a setting`() {
        for (_, finding) in Self.cases {
            let advice = finding.advice(host: Self.host, proxy: "192.168.1.5:8899")
            #expect(advice.allSatisfy { !$0.isEmpty })
            #expect(advice.count > 1 || finding == .ready, "\(finding)")
        }
        #expect(
            DeviceFinding.nothingArrives.advice(host: Self.host, proxy: "192.168.1.5:8899")[1].contains(
                "192.168.1.5:8899"
            )
        )
    }
}
