import Testing
import Witness

struct RoutingTests {
    @Test(arguments: [
        ("example.org", "example.org", 443, true), ("Example.org", "example.ORG.", 1, true),
        ("example.org", "a.example.org", 443, false), ("*.example.org", "a.b.example.org", 443, true),
        ("*.example.org", "example.org", 443, false), ("*.example.org", "badexample.org", 443, false),
        (":8883", "a.example", 8883, true), (":8883", "a.example", 443, false),
        ("example.org:8443", "example.org", 8443, true), ("example.org:8443", "example.org", 443, false),
        ("127.0.0.1", "127.0.0.1", 1, true), ("[::1]:443", "::1", 443, true), ("[::1]", "::1", 9, true),
    ])
    func `a pattern stands for some hosts`(pattern: String, host: String, port: Int, isMatch: Bool) throws {
        #expect(try #require(HostPattern(pattern)).matches(host, port: port) == isMatch)
    }

    @Test(arguments: [
        "", "*", ":", ":0", ":65536", ":x", "*.", "a.*", "https://a.example/", "a b", "a:b", "[::1", "*:80",
    ])
    func `what is no pattern is none`(text: String) { #expect(HostPattern(text) == nil) }

    @Test(
        arguments: [
            ("api.example", 443, .present), ("API.example.", 8443, .present), ("localhost", 443, .present),
            ("127.0.0.2", 443, .present), ("ads.example", 443, .refuse), ("api.example", 8883, .pass),
            ("other.example", 443, .pass), ("192.0.2.1", 443, .pass),
        ] as [(String, Int, Routing.Treatment)]
    )
    func `routes come first, then the hosts under test, then all others`(
        host: String,
        port: Int,
        treatment: Routing.Treatment
    ) throws {
        var routing = Routing(
            routes: [
                Routing.Route(try #require(HostPattern("ads.example")), .refuse),
                Routing.Route(try #require(HostPattern(":8883")), .pass),
            ],
            others: .pass
        )
        routing.tested = ["api.example"]

        #expect(routing.route(to: Routing.Place(host: host, port: port)).treatment == treatment)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("10.9.8.7", true), ("172.16.0.1", true), ("172.32.0.1", false), ("192.168.1.1", true),
        ("169.254.169.254", true), ("100.64.0.1", true), ("0.0.0.0", true), ("224.0.0.1", true), ("8.8.8.8", false),
        ("192.0.2.1", false), ("::1", true), ("::", true), ("fe80::1", true), ("fd00::1", true), ("ff02::1", true),
        ("2606:4700::1111", false), ("::ffff:127.0.0.1", true), ("::ffff:8.8.8.8", false), ("64:ff9b::a00:1", true),
    ])
    func `addresses that are not public are known`(address: String, isInternal: Bool) throws {
        #expect(AddressRange.isInternal(try #require(AddressRange(address)).first) == isInternal)
    }

    @Test func `a range holds what begins alike`() throws {
        let range = try #require(AddressRange("10.1.0.0/15"))

        #expect(try range.contains(#require(AddressRange("10.0.255.1")).first))
        #expect(try !range.contains(#require(AddressRange("10.2.0.0")).first))
        #expect(try !range.contains(#require(AddressRange("::1")).first))
    }

    @Test(arguments: ["", "a.example", "10.0.0.0/33", "10.0.0/8", "10.0.0.0/", "10.0.0.0/8/8", "::1/129", "/8"])
    func `what is no range is none`(text: String) { #expect(AddressRange(text) == nil) }
}
