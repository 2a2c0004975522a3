import Foundation
import NIOCore
import TLSCore
import TestSupport
import Testing
import Witness

@testable import MitmProxy

/// What a device is given in the clear, and what is none of its business.
@Suite struct `The page for devices` {
    private static let text = "<p>roots</p>"
    private static let checked = "trust-1.api.acme.example"

    private static func page(tested: [String] = [Fixture.host]) throws -> DevicePage {
        let identity = try Fixture.stranger.identity(
            .leaf(names: [SubjectName(checked)], now: Fixture.now),
            key: PrivateKey(),
            label: "check"
        )
        let check = DevicePage.Check(host: checked, root: "mallory", identity: identity)
        let page = DevicePage(checks: [check], tested: tested)
        page.show(["/": DevicePage.File("text/html", Array(text.utf8)), "/trust": DevicePage.File("text/html", [])])
        return page
    }

    private static func wire(_ page: DevicePage?, canary: Canary? = nil) throws -> FirstBytesTests.Wire {
        var configuration = ProxyConfiguration()
        (configuration.page, configuration.canary) = (page, canary)
        return try FirstBytesTests.Wire(configuration)
    }

    @Test(arguments: [
        "GET http://pindrill.test/ HTTP/1.1\r\nHost: pindrill.test\r\n\r\n",
        "GET http://PinDrill.test HTTP/1.1\r\nHost: pindrill.test\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: pindrill.test\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: 192.168.1.5:8899\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: [2001:db8::5]:8899\r\n\r\n",
        "CONNECT pindrill.test:80 HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\nHost: pindrill.test\r\n\r\n",
    ])
    func `is had through the proxy, and at our own address`(request: String) throws {
        let page = try Self.page()
        let wire = try Self.wire(page)

        wire.receive(request)

        let answer = try wire.sentText()
        #expect(answer.contains("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 12\r\n"), "\(answer)")
        #expect(answer.hasSuffix("\r\n\r\n\(Self.text)"))
        let seen = try #require(wire.seen)
        #expect(page.concerns(seen))
        #expect(!seen.counts(for: Fixture.host))
        #expect(seen.reaction != .cleartext)
    }

    @Test(arguments: [
        // The host under test, another's host, a file that there is not, a host that an app asks through the proxy.
        "GET / HTTP/1.1\r\nHost: api.acme.example\r\n\r\n",
        "GET http://api.acme.example/ HTTP/1.1\r\nHost: pindrill.test\r\n\r\n",
        "GET http://other.example/ HTTP/1.1\r\nHost: other.example\r\n\r\n",
        "GET http://pindrill.test/login HTTP/1.1\r\nHost: pindrill.test\r\n\r\n",
        "GET http://192.168.1.5/ HTTP/1.1\r\nHost: 192.168.1.5\r\n\r\n",
        "POST http://pindrill.test/ HTTP/1.1\r\nHost: pindrill.test\r\ncontent-length: 0\r\n\r\n",
    ])
    func `what asks for something else is in the clear, as ever`(request: String) throws {
        let page = try Self.page()
        let wire = try Self.wire(page)

        wire.receive(request)

        #expect(try wire.sentText().contains("400 Bad Request"))
        #expect(wire.seen?.reaction == .cleartext)
    }

    @Test func `a host under test that is asked for behind its name is not overlooked`() throws {
        let page = try Self.page()
        let wire = try Self.wire(page)

        wire.receive("CONNECT pindrill.test:80 HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\nHost: \(Fixture.host)\r\n\r\n")

        let seen = try #require(wire.seen)
        #expect(!page.concerns(seen))
        #expect(seen.reaction == .cleartext && seen.counts(for: Fixture.host))
    }

    @Test func `is not there where nobody asked for it`() throws {
        let wire = try Self.wire(nil)

        wire.receive("GET http://pindrill.test/ HTTP/1.1\r\nHost: pindrill.test\r\n\r\n")

        #expect(wire.seen?.reaction == .cleartext)
    }

    @Test(arguments: ["192.168.1.5", "localhost"])
    func `an address that is under test has none`(tested: String) throws {
        let wire = try Self.wire(Self.page(tested: [tested]))

        wire.receive("GET / HTTP/1.1\r\nHost: 192.168.1.5:8899\r\n\r\n")

        #expect(wire.seen?.reaction == .cleartext)
    }

    @Test func `a secret of the app's is never taken for a question about it`() throws {
        let canary = Canary()
        let wire = try Self.wire(Self.page(), canary: canary)

        wire.receive("GET http://pindrill.test/ HTTP/1.1\r\nHost: pindrill.test\r\nCookie: \(canary.token())\r\n\r\n")

        #expect(wire.seen?.reaction == .cleartext)
    }

    @Test func `a browser tells what time it has`() throws {
        let page = try Self.page()
        let later = Int(Date().timeIntervalSince1970 + 7200) * 1000

        try Self.wire(page).receive(
            "GET http://pindrill.test/trust?now=\(later) HTTP/1.1\r\nHost: pindrill.test\r\n\r\n"
        )

        #expect(try abs(#require(page.clockError) - 7200) < 60)
    }

    @Test(arguments: [(Self.checked, "check"), (Fixture.host, "today"), ("trust-2.api.acme.example", "today")])
    func `each host that checks a root has a certificate of it`(host: String, shown: String) throws {
        let wire = try Self.wire(Self.page())
        let engine = try TLSEngine(client: TLSContext(client: TLSSettings(), trust: nil), host: host, at: nil)

        for case .send(let bytes) in engine.start() { wire.receive(bytes.readableBytesView) }

        #expect(wire.seen?.shown == [shown])
    }
}
