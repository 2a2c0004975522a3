import MitmProxy
import TLSCore
import Testing
import Witness

/// Ports of their own for other places than the host under test.
struct NamedListenerTests {
    private static let broker = Routing.Place(host: "mqtt.acme.example", port: 8883)

    private static func configuration() -> ProxyConfiguration {
        var configuration = ProxyConfiguration()
        configuration.listeners = [NamedListener(name: "mqtt", place: broker)]
        return configuration
    }

    @Test(arguments: [Socket.Family.v4, .v6])
    func `who comes there without a name is shown what its place shows`(family: Socket.Family) async throws {
        let rules: [(Presentation.HostPattern, Presentation.Selection)] = [
            (.exactly(Self.broker.host), .always(.identity(Fixture.forged))),
            (.meaning(Fixture.host), .always(.identity(Fixture.today))),
        ]
        try await Fixture.withProxy(Self.configuration(), presenting: Presentation(rules: rules)) { proxy in
            let port = try #require(proxy.ports["mqtt"])
            for (port, shown) in [(proxy.port, "today"), (port, "forged")] {
                let client = try TLSClient(port, host: "127.0.0.1", family: family)
                #expect(client.shakeHands())
                client.close()

                let seen = try await proxy.settle().last
                #expect(seen?.shown == [shown])
                #expect(seen?.target == (shown == "forged" ? Self.broker.host : nil))
            }
        }
    }

    @Test(arguments: [("mqtt.acme.example", false), (":8883", false), (":8884", true)])
    func `routes by host and port hold for it`(pattern: String, isServed: Bool) async throws {
        var presentation = Presentation(Fixture.today)
        presentation.routing.routes = [.init(try #require(HostPattern(pattern)), .refuse)]
        try await Fixture.withProxy(Self.configuration(), presenting: presentation) { proxy in
            let client = try TLSClient(try #require(proxy.ports["mqtt"]), host: "127.0.0.1")

            #expect(client.shakeHands() == isServed)
        }
    }
}
