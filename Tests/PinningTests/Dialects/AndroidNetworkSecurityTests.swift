import Foundation
import TLSCore
import TestSupport
import Testing

@testable import Pinning

struct AndroidNetworkSecurityTests {
    private let world = MatrixWorld.shared
    private var leafPin: String { world.leafPins[0].base64 }

    private func parse(
        _ body: String,
        device: AndroidNetworkSecurity.Device = .init()
    ) throws -> AndroidNetworkSecurity {
        let text = "<network-security-config>\n\(body)\n</network-security-config>"
        return try AndroidNetworkSecurity(parsing: Data(text.utf8), file: "nsc.xml", device: device)
    }

    /// The error of a file with this in it, one line for each problem; `nil` when it is taken.
    private func complaint(_ body: String, device: AndroidNetworkSecurity.Device = .init()) -> String? {
        do {
            _ = try parse(body, device: device)
            return nil
        } catch {
            return "\(error)"
        }
    }

    private func domainConfig(_ inner: String) -> String {
        "<domain-config><domain>example.com</domain>\n\(inner)</domain-config>"
    }

    private func pinSet(_ pin: String, expiration: String? = nil) -> String {
        let attribute = expiration.map { " expiration=\"\($0)\"" } ?? ""
        return "<pin-set\(attribute)><pin digest=\"SHA-256\">\(pin)</pin></pin-set>"
    }

    private func decide(_ configuration: AndroidNetworkSecurity, _ event: String) throws -> Decision {
        configuration.decide(try #require(world.situation(event)))
    }

    @Test func `the longest domain decides, in any case and with a trailing dot`() throws {
        let configuration = try parse(
            """
            <domain-config><domain includeSubdomains="true">Example.COM</domain>
            \(pinSet(Pin(hashing: [1]).base64))
            <domain-config><domain>a.example.com</domain></domain-config>
            <domain-config><domain includeSubdomains="true">b.example.com</domain><pin-set/></domain-config>
            </domain-config>
            """
        )

        for host in ["example.com", "EXAMPLE.com.", "x.y.example.com", "a.example.com", "x.a.example.com"] {
            #expect(configuration.scope(for: host)?.lists.isEmpty == false, "\(host)")
        }
        for host in ["notexample.com", "b.example.com", "x.b.example.com", "com", "example.com.."] {
            #expect(configuration.scope(for: host)?.lists.isEmpty != false, "\(host)")
        }
    }

    @Test func `a pin set ends at midnight of the device's time zone`() throws {
        let body = domainConfig(pinSet(Pin(hashing: [1]).base64, expiration: "2027-01-15"))
        var situation = try #require(world.situation("E01"))
        // 2027-01-15 00:00:00 in UTC.
        situation.instant = Date(timeIntervalSince1970: 1_799_971_200)

        #expect(try parse(body).decide(situation).isRefusalByPin)
        situation.instant += 1
        #expect(
            try parse(body).decide(situation)
                == Decision(.accept, .systemRule("it is trusted, and the pin-set expired on 2027-01-15"))
        )
        let west = try #require(TimeZone(secondsFromGMT: -3600))
        #expect(try parse(body, device: .init(timeZone: west)).decide(situation).isRefusalByPin)
        let east = try #require(TimeZone(secondsFromGMT: 3600))
        situation.instant -= 3600
        #expect(try parse(body, device: .init(timeZone: east)).decide(situation).demand == .accept)
    }

    /// What no test authority can prove is neither demanded nor forbidden.
    @Test func `K6: where certificate transparency is asked for, nothing is sure to be accepted`() throws {
        let on = "<certificateTransparency enabled=\"true\"/>"
        let off = "<certificateTransparency enabled=\"false\"/>"
        let base = "<base-config>\(on)</base-config>"
        let user = "<trust-anchors><certificates src=\"system\"/><certificates src=\"user\"/></trust-anchors>"
        let words = "Android 16 and newer ask for proof of certificate transparency, which is not looked for here"
        func demand(_ body: String, targetSDK: Int = 36) throws -> Decision.Demand {
            try decide(parse(body, device: .init(targetSDK: targetSDK)), "E01").demand
        }

        #expect(try decide(parse(base), "E01") == Decision(.either, .systemRule(words)))
        #expect(try decide(parse(base), "E11").demand == .reject)
        #expect(try decide(parse(domainConfig(on + pinSet(Pin(hashing: [1]).base64))), "E01").isRefusalByPin)
        #expect(try demand("<base-config>\(off)</base-config>") == .accept)
        // What is in nobody's log switches it off, unless it is written beside that.
        #expect(try demand(base + domainConfig("")) == .either)
        #expect(try demand(base + domainConfig(off)) == .accept)
        #expect(try demand(base + domainConfig(user)) == .accept)
        #expect(try demand(base + domainConfig(user + on)) == .either)
        // Android 17 asks by itself.
        #expect(try demand("", targetSDK: 37) == .either)
        #expect(try demand("<base-config>\(off)</base-config>", targetSDK: 37) == .accept)
        #expect(try demand("") == .accept)
    }

    @Test func `K6: nobody is told to take out what Android obeys`() throws {
        let on = "<certificateTransparency enabled=\"true\"/>"
        let debug = "<debug-overrides>\(on)</debug-overrides>"
        func rules(_ inner: String) throws -> Set<PolicyFinding.Rule> {
            Set(try parse(domainConfig(inner + pinSet(leafPin))).ownFindings(at: Sample.now).map(\.rule))
        }

        #expect(try rules(on + "<domainEncryption mode=\"enabled\"/>") == [])
        #expect(try rules("<nonsense/>") == [.ignoredEntry])
        #expect(try rules("<certificateTransparency/>") == [.misreadValue])
        #expect(complaint(debug) == nil)
        #expect(
            complaint(debug, device: .init(isDebuggable: true))
                == "nsc.xml:2: debug-overrides.certificateTransparency: certificateTransparency not allowed in debug-overrides"
        )
        let configuration = try parse("<base-config>\(on)</base-config>" + domainConfig(on))
        #expect(
            try AndroidNetworkSecurity(parsing: Data(configuration.rendered().utf8), file: "a.xml") == configuration
        )
    }

    @Test func `only the anchors that are named are trusted`() throws {
        let plain = try parse("")
        let old = try parse("", device: .init(targetSDK: 23))
        let user = try parse("<base-config><trust-anchors><certificates src=\"user\"/></trust-anchors></base-config>")
        let nobody = try parse("<base-config><trust-anchors/></base-config>")

        #expect(try decide(plain, "E10").demand == .reject)
        #expect(try decide(old, "E10").demand == .accept)
        #expect(try decide(user, "E10").demand == .accept)
        #expect(try decide(user, "E01").demand == .reject)
        #expect(try decide(nobody, "E01").demand == .reject)
    }

    @Test func `debug overrides count in a build that can be debugged, and override pins`() throws {
        let body =
            domainConfig(pinSet(leafPin))
            + "<debug-overrides><trust-anchors><certificates src=\"user\"/></trust-anchors></debug-overrides>"

        #expect(try decide(parse(body), "E10").demand == .reject)
        #expect(try decide(parse(body, device: .init(isDebuggable: true)), "E10").demand == .accept)
        #expect(try decide(parse(body, device: .init(isDebuggable: true)), "E09").isRefusalByPin)
    }

    @Test func `what Android throws at is refused for the same reason, with its place`() {
        let pin = world.rootPin.base64
        let set = pinSet(pin)
        let cases: [(String, String)] = [
            (
                domainConfig(set + "\n" + set),
                "nsc.xml:4: domain-config.pin-set[1]: Multiple pin-set elements not allowed"
            ),
            (
                "<base-config>\(set)</base-config>",
                "nsc.xml:2: base-config.pin-set: pin-set element not allowed in base-config"
            ),
            (
                domainConfig("") + domainConfig(""),
                "nsc.xml:3: domain-config[1].domain: example.com has already been specified"
            ),
            (
                "<domain-config>\(set)</domain-config>",
                "nsc.xml:2: domain-config: No domain elements in domain-config: expected at least one"
            ),
            (
                domainConfig(pinSet(pin, expiration: "2026-02-29")),
                "nsc.xml:3: domain-config.pin-set.expiration: Invalid expiration date in pin-set: "
                    + "found '2026-02-29', expected a day as in 2027-01-31"
            ),
            (
                domainConfig("<pin-set><pin digest=\"SHA-1\">AAAA</pin></pin-set>"),
                "nsc.xml:3: domain-config.pin-set.pin: Unsupported pin digest algorithm: found 'SHA-1', expected 'SHA-256'"
            ),
            (
                domainConfig("<trust-anchors><certificates src=\"raw/ca\"/></trust-anchors>"),
                "nsc.xml:3: domain-config.trust-anchors.certificates.src: Unknown certificates src. "
                    + "Should be one of system|user|@resourceVal: found 'raw/ca'"
            ),
            (
                "<domain-config><domain> </domain></domain-config>",
                "nsc.xml:2: domain-config.domain: Domain name missing: found no text"
            ),
            (
                "<base-config/>\n<base-config/>",
                "nsc.xml:3: base-config[1]: Only one base-config allowed: found another"
            ),
        ]
        for (body, message) in cases { #expect(complaint(body) == message) }
        #expect(complaint("<debug-overrides>\(set)</debug-overrides>") == nil)
        #expect(complaint("<debug-overrides>\(set)</debug-overrides>", device: .init(isDebuggable: true)) != nil)
    }

    @Test func `each kind of wrong pin is named`() {
        let pin = Pin(hashing: [3, 1])
        let start = "nsc.xml:3: domain-config.pin-set.pin: "
        let expected = ", expected a SHA-256 digest in Base64"
        func length(_ count: Int) -> String {
            start + "digest length \(count) does not match expected length for SHA-256 of 32: found "
        }
        let urlSafe = Pin(hashing: [2]).base64.changing("/", to: "_").changing("+", to: "-")

        #expect(
            complaint(domainConfig(pinSet("YOUR_PIN_HERE"))) == length(8) + "'YOUR_PIN_HERE' (it is a placeholder)"
        )
        #expect(complaint(domainConfig(pinSet("ANY_PIN_HERE"))) == length(7) + "'ANY_PIN_HERE'")
        #expect(complaint(domainConfig(pinSet(pin.hex))) == length(48) + "'\(pin.hex)' (it is hexadecimal)")
        #expect(
            complaint(domainConfig(pinSet(pin.curl))) == length(38) + "'\(pin.curl)' (it has the prefix 'sha256//')"
        )
        #expect(
            complaint(domainConfig(pinSet("\(pin)")))
                == start + "Invalid pin digest: found '\(pin)' (it has the prefix 'sha256/')" + expected
        )
        #expect(urlSafe.contains { "-_".contains($0) })
        #expect(complaint(domainConfig(pinSet(urlSafe)))?.contains("(it is URL-safe Base64)") == true)
        #expect(complaint(domainConfig(pinSet("AAAA"))) == length(3) + "'AAAA'")
        #expect(
            complaint(domainConfig("<pin-set><pin digest=\"SHA-256\"/></pin-set>")) == start
                + "Missing pin digest: found no text"
        )
    }

    @Test func `the digest's name is taken in any case`() throws {
        let text = "<domain-config><domain>example.com</domain>" + pinSet(world.leafPins[0].base64) + "</domain-config>"

        let configuration = try parse(text.changing("SHA-256", to: "sha-256"))

        #expect(try configuration.pins == parse(text).pins)
        #expect(try decide(configuration, "E09").isRefusalByPin)
    }

    @Test func `odd spellings that Android takes are taken, and warned of`() throws {
        let pin = world.leafPins[0]
        let quoted = "'\(pin.base64)'"

        let configuration = try parse(
            "<domain-config cleartextTrafficPermitted=\"true\"><domain>*.example.com</domain><domain>example.com</domain>"
                + pinSet(quoted, expiration: "2027-6-1T00:00") + "</domain-config>"
        )

        #expect(try decide(configuration, "E01").demand == .accept)
        #expect(try decide(configuration, "E09").isRefusalByPin)
        #expect(
            configuration.findings(at: MatrixWorld.now).map(\.description) == [
                "domain-config(*.example.com): '*.example.com' is never the name of a host here, so that the entry pins "
                    + "nothing",
                "domain-config(*.example.com): one key is pinned and nothing else, \(quoted): the day it is replaced "
                    + "or lost, every user is locked out",
                "domain-config.pin-set.expiration: Android reads '2027-6-1T00:00' as 2027-06-01",
                "domain-config(*.example.com): cleartextTrafficPermitted: unencrypted HTTP is allowed, which no pin "
                    + "protects",
                "domain-config(*.example.com): found the pin '\(quoted)' (it is quoted), "
                    + "which Android reads as \(pin.base64)",
                "domain-config(*.example.com): 'example.com' is pinned, and not the hosts below it, as 'www.example.com'",
            ]
        )
        #expect(configuration.findings(at: .distantFuture).first?.rule == .expired)
    }

    @Test func `pins are listed and mapped`() throws {
        let other = Pin(hashing: [9])
        let configuration = try parse(domainConfig(pinSet(leafPin)))

        #expect(configuration.pins == [ConfiguredPin(domain: "example.com", pin: world.leafPins[0])])
        #expect(configuration.mapPins { _ in other }.pins.map(\.pin) == [other])
        #expect(try decide(configuration.mapPins { _ in other }, "E01").isRefusalByPin)
    }
}
