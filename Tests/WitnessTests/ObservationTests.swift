import Testing
import Witness

@testable import TLSCore

private typealias Event = ConnectionEvent

private let fingerprint = Pin(hashing: [])
private let connected = Event.connected(target: nil)
private let hello = Event.hello(
    ClientHello(serverName: "api.acme.example", applicationProtocols: ["h2"], versions: [.tls1_2, .tls1_3])
)
private let presented = Event.presented(identity: "today", fingerprint: fingerprint, epoch: 7)
private let established = Event.established(
    TLSSession(version: .tls1_3, cipherSuite: "TLS_AES_256_GCM_SHA384", applicationProtocol: nil, isResumed: false)
)
private let flight = [connected, hello, presented]
private let finished = [connected, hello, presented, established]
private let crowdedOut = Event.closed(by: .us, .crowdedOut(open: 9))
private let clientClosed = Event.closed(by: .client, .ended)

private func fatal(_ number: UInt8) -> Event { .alert(.inward, Alert(number, isFatal: true)) }

@Suite struct `What a client did` {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let events: [ConnectionEvent]
        let reaction: Reaction

        init(_ name: String, _ events: [ConnectionEvent], _ reaction: Reaction) {
            testDescription = name
            self.events = events
            self.reaction = reaction
        }
    }

    static let cases: [Case] = [
        Case("nothing at all", [], .inconclusive(.nothingPresented)),
        Case("it connected", [connected], .inconclusive(.nothingPresented)),
        Case("it connected and left", [connected, clientClosed], .inconclusive(.nothingPresented)),
        Case("it said hello and left", [connected, hello, clientClosed], .inconclusive(.nothingPresented)),
        Case("an alert before anything was shown", [connected, hello, fatal(48)], .inconclusive(.nothingPresented)),
        Case(
            "we had nobody to show",
            [connected, hello, .closed(by: .us, .refused)],
            .inconclusive(.nothingPresented)
        ),
        Case(
            "we lost patience before its hello",
            [connected, .closed(by: .us, .timedOut)],
            .inconclusive(.nothingPresented)
        ),
        Case(
            "we lacked its version",
            [connected, hello, .alert(.outward, Alert(70, isFatal: true)), .closed(by: .us, .protocolError("x"))],
            .inconclusive(.nothingInCommon(.version(offered: ["TLS 1.2", "TLS 1.3"])))
        ),
        Case(
            "H25: we lacked its ciphers",
            [connected, hello, .alert(.outward, Alert(40, isFatal: true)), .closed(by: .us, .protocolError("x"))],
            .inconclusive(.nothingInCommon(.cipher))
        ),
        Case(
            "H25: we could not read its hello",
            [connected, .alert(.outward, Alert(40, isFatal: true)), .closed(by: .us, .protocolError("x"))],
            .inconclusive(.nothingPresented)
        ),
        Case(
            "H25: we lacked its application protocol",
            [connected, hello, .alert(.outward, Alert(120, isFatal: true)), .closed(by: .us, .protocolError("x"))],
            .inconclusive(.nothingInCommon(.applicationProtocol(offered: ["h2"])))
        ),
        Case("it is looking", flight, .inconclusive(.stillOpen)),
        Case("it has finished, and says nothing", finished, .inconclusive(.stillOpen)),
        Case("it sent a request", finished + [.data(count: 90), .request], .accepted),
        Case("it sent a request and left", finished + [.data(count: 9), .request, clientClosed], .accepted),
        Case("it sent a request, then an alert", finished + [.request, fatal(48), clientClosed], .accepted),
        Case("we ended it after its request", finished + [.request, .closed(by: .us, .ended)], .accepted),
        Case("it hung up", flight + [clientClosed], .rejected(.hungUp)),
        Case(
            "it said goodbye and hung up",
            flight + [.alert(.inward, .closeNotify), clientClosed],
            .rejected(.hungUp)
        ),
        Case("it withheld its request", finished + [clientClosed], .rejected(.withheldRequest)),
        Case(
            "it said goodbye instead of its request",
            finished + [.alert(.inward, .closeNotify), .alert(.outward, .closeNotify), clientClosed],
            .rejected(.withheldRequest)
        ),
        Case("a late alert", finished + [fatal(46), clientClosed], .rejected(.alert(Alert(46, isFatal: true)))),
        Case("an alert, and it stays", flight + [fatal(48)], .rejected(.alert(Alert(48, isFatal: true)))),
        Case(
            "an alert, and we close",
            flight + [fatal(48), .closed(by: .us, .timedOut)],
            .rejected(.alert(Alert(48, isFatal: true)))
        ),
        Case(
            "a warning, and it hung up",
            flight + [.alert(.inward, Alert(42, isFatal: false)), clientClosed],
            .rejected(.hungUp)
        ),
        Case("only a warning", flight + [.alert(.inward, Alert(42, isFatal: false))], .inconclusive(.stillOpen)),
        Case(
            "an alert of ours",
            flight + [.alert(.outward, Alert(48, isFatal: true)), .closed(by: .us, .protocolError("bad"))],
            .inconclusive(.closedByUs(.protocolError("bad")))
        ),
        Case(
            "the first of two alerts counts",
            flight + [fatal(80), fatal(40)],
            .rejected(.alert(Alert(80, isFatal: true)))
        ),
        Case("bytes that are no request", finished + [.data(count: 3), clientClosed], .inconclusive(.unknownData)),
        Case("bytes, and an alert", finished + [.data(count: 3), fatal(42)], .inconclusive(.unknownData)),
        Case(
            "bytes, an alert and the end",
            finished + [.data(count: 3), fatal(42), clientClosed],
            .inconclusive(.unknownData)
        ),
        Case("bytes that may become one", finished + [.data(count: 3)], .inconclusive(.stillOpen)),
        Case(
            "we lost patience in the handshake",
            flight + [.closed(by: .us, .timedOut)],
            .inconclusive(.closedByUs(.timedOut))
        ),
        Case(
            "we lost patience afterwards",
            finished + [.closed(by: .us, .timedOut)],
            .inconclusive(.closedByUs(.timedOut))
        ),
        Case(
            "another presentation came",
            finished + [.closed(by: .us, .superseded)],
            .inconclusive(.closedByUs(.superseded))
        ),
        Case("we closed in order", finished + [.closed(by: .us, .ended)], .inconclusive(.closedByUs(.ended))),
        Case(
            "R9: there was no room for it",
            [connected, crowdedOut],
            .inconclusive(.closedByUs(.crowdedOut(open: 9)))
        ),
        Case("R9: it left as soon as it came", [connected, clientClosed], .inconclusive(.nothingPresented)),
        Case(
            "R4: more alerts than were noted, and it withheld its request",
            finished + [.unnoted(alerts: 3), clientClosed],
            .inconclusive(.unnoted(alerts: 3))
        ),
        Case("R4: more alerts than were noted, and a request", finished + [.unnoted(alerts: 3), .request], .accepted),
        Case("it spoke in the clear", [connected, .cleartext(host: "api.acme.example"), clientClosed], .cleartext),
        Case("it spoke in the clear to nobody", [connected, .cleartext(host: nil)], .cleartext),
        Case("it spoke in the clear after a refusal", flight + [fatal(48), .cleartext(host: nil)], .cleartext),
        Case("it spoke in the clear beside a request", [.cleartext(host: nil)] + finished + [.request], .cleartext),
        Case("it was relayed", [connected, hello, .passedThrough(count: 1)], .blind),
        Case("it was relayed in the clear too", [.passedThrough(count: 1), .cleartext(host: nil)], .cleartext),
        Case(
            "it could have been relayed",
            [connected, hello, .passedThrough(count: 0)],
            .inconclusive(.nothingPresented)
        ),
    ]

    @Test(arguments: cases)
    func `is read from the facts in order`(example: Case) {
        let observation = Observation(example.events)

        #expect(observation.reaction == example.reaction)
        #expect(observation.reaction.isRejected == { if case .rejected = example.reaction { true } else { false } }())
    }

    @Test(arguments: 0...255)
    func `is a rejection with any fatal alert but those about the protocol`(number: Int) {
        let alert = Alert(UInt8(number), isFatal: true)
        let isAboutProtocol = [10, 20, 22, 47, 50, 70, 71, 86, 109, 110, 120].contains(number)

        let observation = Observation(flight + [.alert(.inward, alert), clientClosed])

        #expect(
            observation.reaction == (isAboutProtocol ? .inconclusive(.protocolAlert(alert)) : .rejected(.alert(alert)))
        )
    }

    @Test(
        arguments: [
            (.accepted, "sent its request"), (.blind, "talked past us"), (.cleartext, "sent its request in the clear"),
            (.rejected(.alert(Alert(48, isFatal: true))), "rejected with unknown_ca (48)"),
            (.rejected(.alert(Alert(199, isFatal: true))), "rejected with alert 199"),
            (.rejected(.hungUp), "hung up in the handshake"), (.rejected(.withheldRequest), "withheld its request"),
            (.inconclusive(.nothingPresented), "never saw a certificate"),
            (
                .inconclusive(.nothingInCommon(.version(offered: ["TLS 1.2", "TLS 1.3"]))),
                "was turned away by us before it saw a certificate: it offers TLS 1.2, TLS 1.3, and this server speaks "
                    + "another version of TLS"
            ),
            (
                .inconclusive(.nothingInCommon(.applicationProtocol(offered: ["h2"]))),
                "was turned away by us before it saw a certificate: it offers the application protocol h2 only, and this "
                    + "server speaks another"
            ),
            (
                .inconclusive(.protocolAlert(Alert(70, isFatal: true))),
                "broke off with protocol_version (70), which is not about the certificate"
            ),
            (.inconclusive(.unknownData), "sent bytes that are no request"),
            (.inconclusive(.closedByUs(.timedOut)), "said nothing until we hung up"),
            (.inconclusive(.closedByUs(.protocolError("x"))), "broke the protocol"),
            (.inconclusive(.closedByUs(.superseded)), "was cut off by us"),
            (.inconclusive(.stillOpen), "was still connected at the deadline"),
        ] as [(Reaction, String)]
    )
    func `has a phrase for people`(reaction: Reaction, phrase: String) {
        #expect(reaction.description == phrase)
    }
}

@Suite struct `An observation` {
    @Test(
        arguments: [
            ([], nil), ([connected], nil), ([connected, hello], "api.acme.example"),
            ([.connected(target: "other.example:443"), hello], "other.example"),
            ([.connected(target: "other.example")], "other.example"),
            ([.connected(target: "192.0.2.7:8443")], "192.0.2.7"),
            ([.connected(target: "[2001:db8::7]:443")], "2001:db8::7"),
            ([.connected(target: "[2001:db8::7]")], "2001:db8::7"),
            ([.connected(target: "2001:db8::7")], "2001:db8::7"),
            ([.connected(target: "[")], "["), ([.connected(target: ":443")], ""), ([.connected(target: "]:[")], "]"),
            ([connected, .cleartext(host: "api.acme.example:80")], "api.acme.example"),
            ([connected, .cleartext(host: nil)], nil), ([connected, .hello(ClientHello())], nil),
            ([connected, .hello(ClientHello()), .cleartext(host: "x")], "x"),
        ] as [([ConnectionEvent], String?)]
    )
    func `knows whom the client was after`(events: [ConnectionEvent], target: String?) {
        #expect(Observation(events).target == target)
    }

    @Test(
        arguments: [
            (nil, "api.acme.example", true), ("api.acme.example:443", "api.acme.example", true),
            ("API.Acme.Example:443", "api.acme.example", true), ("api.acme.example:443", "API.ACME.EXAMPLE", true),
            ("other.example:443", "api.acme.example", false), ("x.api.acme.example:443", "api.acme.example", false),
            ("[::1]:443", "::1", true), ("[::1]", "::1", true),
            ("api.acme.example.:443", "api.acme.example", true), ("api.acme.example:443", "api.acme.example.", true),
        ] as [(String?, String, Bool)]
    )
    func `counts for the host it was after, or where it names none`(target: String?, host: String, counts: Bool) {
        #expect(Observation([.connected(target: target)]).counts(for: host) == counts)
    }

    @Test(
        arguments: [
            ("GET /ok HTTP/1.1\r\nHost: x\r\n", true, "GET /ok HTTP/1.1"),
            ("GET /ok HTTP/1.1\nHost", true, "GET /ok HTTP/1.1"),
            ("GE", true, "GE"), ("", true, ""), ("GET / HTTP/1.1\r\n", false, nil),
            (String(repeating: "a", count: 300), true, String(repeating: "a", count: 200)),
        ] as [(String, Bool, String?)]
    )
    func `keeps a request's first line`(text: String, isRequest: Bool, line: String?) {
        let observation = Observation(finished + (isRequest ? [.request] : []), firstBytes: Array(text.utf8))

        #expect(observation.requestLine == line)
    }

    @Test func `may have been ended by our hand`() {
        let withheld = Observation(finished + [clientClosed])

        #expect(withheld.endedByUs.reaction == .inconclusive(.closedByUs(.ended)))
        #expect(Observation(flight + [fatal(48), clientClosed]).endedByUs.reaction.isRejected)
        #expect(Observation(finished + [.request, clientClosed]).endedByUs.reaction == .accepted)
    }

    @Test func `adds up what the client sent, and knows its epoch and its end`() {
        let open = Observation(finished + [.data(count: 3), .data(count: 4)])
        let closed = Observation(finished + [clientClosed])

        #expect(open.bytesReceived == 7 && closed.bytesReceived == 0)
        #expect(open.epoch == 7 && Observation([connected]).epoch == nil)
        #expect(!open.isClosed && closed.isClosed)
    }
}
