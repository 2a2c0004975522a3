import Foundation
import TLSCore
import TestSupport
import Testing

@testable import Pinning

struct TrustKitAndroidTests {
    private let world = MatrixWorld.shared

    private func parse(
        _ pins: [String],
        trustKit: String = "<trustkit-config enforcePinning=\"true\"/>",
        domains: String = "<domain includeSubdomains=\"true\">example.com</domain>",
        expiration: String = "",
        debug: String = "",
        device: AndroidNetworkSecurity.Device = .init(),
        apiLevel: Int = 35
    ) throws -> TrustKitAndroid {
        let text = """
            <network-security-config><domain-config>\(domains)
            <pin-set\(expiration)>\(pins.map { "<pin digest=\"SHA-256\">\($0)</pin>" }.joined())</pin-set>
            \(trustKit)</domain-config>\(debug)</network-security-config>
            """
        return try TrustKitAndroid(parsing: Data(text.utf8), file: "nsc.xml", device: device, apiLevel: apiLevel)
    }

    private var wrongPins: [String] { [Pin(hashing: [1]).base64, Pin(hashing: [2]).base64] }
    private var rightPins: [String] { [world.rootPin.base64, Pin(hashing: [2]).base64] }

    private func decide(_ configuration: TrustKitAndroid, _ event: String = "E01") throws -> Decision {
        configuration.decide(try #require(world.situation(event)))
    }

    @Test(arguments: [(35, "stops nobody whose connection TrustKit checks: "), (23, "stops nobody: ")])
    func `from Android 7 on it only reports on connections of its own`(level: Int, words: String) throws {
        let found = try parse(wrongPins, trustKit: "<trustkit-config/>", apiLevel: level).findings(at: .now)

        #expect(found.first { $0.rule == .reportOnly }?.message.contains(words) == true, "\(found)")
    }

    @Test func `what TrustKit throws at is refused for the same reason`() {
        func complaint(_ pins: [String], trustKit: String? = nil, domains: String? = nil) -> String? {
            do {
                _ = try parse(
                    pins,
                    trustKit: trustKit ?? "<trustkit-config enforcePinning=\"true\"/>",
                    domains: domains ?? "<domain>example.com</domain>"
                )
                return nil
            } catch {
                return "\(error)"
            }
        }
        let one = [world.rootPin.base64]
        let fewer = "nsc.xml: domain-config(example.com): Less than two pins were supplied for domain example.com: "

        #expect(complaint(one) == fewer + "found 1, expected a backup pin too")
        #expect(complaint(one + one) == fewer + "found 1, expected a backup pin too")
        #expect(complaint(one, trustKit: "<trustkit-config/>") == nil)
        #expect(complaint([])?.contains("An empty pin-set was supplied") == true)
        #expect(complaint([], trustKit: "") == nil)
        #expect(
            complaint(rightPins, domains: "<domain>localhost</domain>")
                == "nsc.xml: domain-config(localhost): Tried to pin an invalid domain: localhost"
        )
        #expect(
            complaint(rightPins, trustKit: "<trustkit-config><report-uri>nonsense</report-uri></trustkit-config>")
                == "nsc.xml: domain-config(example.com): found the report-uri 'nonsense', "
                + "expected a URL as in https://reports.example.org/pins"
        )
    }

    /// As apps have it, with an entry for cleartext to a development server.
    private let withLocalhost = "</domain-config><domain-config><domain>localhost</domain><domain>10.0.2.2</domain>"

    @Test func `K1: entries without pins are passed over, and a file may pin nothing`() throws {
        let apps = try parse(rightPins, trustKit: "<trustkit-config enforcePinning=\"true\"/>" + withLocalhost)
        let forced = try parse(rightPins, trustKit: withLocalhost + "<trustkit-config enforcePinning=\"true\"/>")

        #expect(apps.policies.map(\.domain) == ["example.com"])
        #expect(try decide(apps).demand == .accept)
        #expect(forced.policies.map(\.domain) == ["example.com"])
        #expect(try TrustKitAndroid(AndroidNetworkSecurity()).policies.isEmpty)
        // With pins, what is no domain still throws.
        #expect(throws: PolicyFileError.self) {
            try parse(rightPins, trustKit: withLocalhost + "<pin-set/>")
        }
    }

    @Test func `K2: a nested trustkit-config that does not say so enforces nothing`() throws {
        func policy(_ tag: String) throws -> TrustKitAndroid {
            try parse(
                wrongPins,
                trustKit: """
                    <trustkit-config enforcePinning="true"/>
                    <domain-config><domain>www.example.com</domain>\(tag)</domain-config>
                    """,
                domains: "<domain>example.org</domain>"
            )
        }
        let report = "<report-uri>https://r.example.com/</report-uri>"
        let host = "www.example.com"

        let silent = try policy("<trustkit-config>\(report)</trustkit-config>")

        #expect(silent.policy(for: host)?.enforcesPinning == false)
        #expect(silent.policy(for: host)?.reportURIs == ["https://r.example.com/"])
        #expect(silent.scope(for: host)?.failure == .report)
        #expect(silent.policy(for: "example.org")?.enforcesPinning == true)
        #expect(try policy("").policy(for: host)?.enforcesPinning == true)
        #expect(try policy("<trustkit-config enforcePinning=\"true\"/>").policy(for: host)?.enforcesPinning == true)
    }

    @Test func `K3: white space around a domain throws where it has pins`() throws {
        func read(_ name: String, _ pins: [String]) throws {
            let pinSet = "<pin-set>" + pins.map { "<pin digest=\"SHA-256\">\($0)</pin>" }.joined() + "</pin-set>"
            let text = """
                <network-security-config><domain-config><domain>\(name)</domain>\(pins.isEmpty ? "" : pinSet)
                <trustkit-config/></domain-config></network-security-config>
                """
            _ = try AndroidNetworkSecurity(parsing: Data(text.utf8), file: "nsc.xml")
            _ = try TrustKitAndroid(parsing: Data(text.utf8), file: "nsc.xml")
        }

        let error = #expect(throws: PolicyFileError.self) { try read("\n  example.com\n", rightPins) }

        #expect(
            "\(error!)" == "nsc.xml: domain-config(example.com): Tried to pin an invalid domain: "
                + "found white space around 'example.com'"
        )
        try read("example.com", rightPins)
        try read("\n  example.com\n", [])
    }

    @Test func `K4: a domain in capitals is found by nobody but the system`() throws {
        func capitals(_ apiLevel: Int) throws -> TrustKitAndroid {
            try parse(wrongPins, trustKit: "", domains: "<domain>EXAMPLE.com</domain>", apiLevel: apiLevel)
        }
        let modern = try capitals(35)
        let old = try capitals(23)

        #expect(modern.policy(for: "EXAMPLE.com") != nil)
        #expect(modern.policy(for: "example.com") == nil)
        // Nobody is there to overrule the system, which ignores case.
        #expect(try decide(modern).isRefusalByPin)
        #expect(modern.scope(for: "example.com")?.failure == .block)
        #expect(try decide(old) == Decision(.accept, .trusted))
        #expect(old.scope(for: "example.com")?.lists.isEmpty == true)
        #expect(modern.findings(at: Sample.now).contains { $0.rule == .deadEntry && $0.severity == .warning })
        #expect(try decide(parse(wrongPins, trustKit: "")) == Decision(.accept, .reportedOnly))
        #expect(try TrustKitAndroid(parsing: Data(modern.rendered().utf8), file: "again.xml") == modern)
    }

    @Test func `K4: the name of the digest is compared letter for letter`() throws {
        let pins = rightPins.map { "<pin digest=\"sha-256\">\($0)</pin>" }.joined()
        let text = """
            <network-security-config><domain-config><domain>example.com</domain><pin-set>\(pins)</pin-set>
            </domain-config></network-security-config>
            """

        let system = try AndroidNetworkSecurity(parsing: Data(text.utf8), file: "nsc.xml")
        let error = #expect(throws: PolicyFileError.self) { try TrustKitAndroid(system, file: "nsc.xml") }

        #expect("\(error!)".contains("Unexpected digest value: sha-256"))
        #expect(try AndroidNetworkSecurity(parsing: Data(system.rendered().utf8), file: "again.xml") == system)
    }

    @Test(arguments: ["localhost", "server", "api.localhost", "api.localdomain"])
    func `K5: asking for a local name throws nothing, and pinning it does`(host: String) throws {
        var situation = try #require(world.situation("E01"))
        situation.host = host
        let configuration = try parse(rightPins)

        #expect(configuration.decide(situation) == configuration.networkSecurity.decide(situation))
        #expect(throws: PolicyFileError.self) { try parse(rightPins, domains: "<domain>\(host)</domain>") }
    }

    @Test(arguments: [35, 24, 23, 17])
    func `a mismatch blocks only when it is enforced`(apiLevel: Int) throws {
        let enforcing = try parse(wrongPins, apiLevel: apiLevel)
        let reporting = try parse(wrongPins, trustKit: "", apiLevel: apiLevel)

        #expect(try decide(enforcing).isRefusalByPin)
        #expect(try decide(reporting) == Decision(.accept, .reportedOnly))
        #expect(try decide(reporting, "E11").demand == .reject)
        #expect(try decide(parse(rightPins, apiLevel: apiLevel)).demand == .accept)
    }

    @Test func `before Android 4-2 nothing is pinned`() throws {
        #expect(try decide(parse(wrongPins, apiLevel: 16)) == Decision(.accept, .trusted))
    }

    @Test func `before Android 7 the user's anchors are trusted, and spellings are compared`() throws {
        let quoted = ["'\(world.rootPin.base64)'", Pin(hashing: [2]).base64]

        #expect(try decide(parse(wrongPins, trustKit: "", apiLevel: 23), "E10") == Decision(.accept, .reportedOnly))
        #expect(try decide(parse(wrongPins, trustKit: "", apiLevel: 24), "E10").demand == .reject)
        #expect(try decide(parse(quoted, apiLevel: 23)).isRefusalByPin)
        #expect(try decide(parse(quoted, apiLevel: 24)).demand == .accept)
    }

    @Test func `only the last domain of a domain-config counts`() throws {
        let trustKit = try parse(
            rightPins,
            domains: "<domain>example.com</domain><domain>example.org</domain>"
        )

        #expect(trustKit.policies.map(\.domain) == ["example.org"])
        #expect(trustKit.policy(for: "example.com") == nil)
    }

    @Test(arguments: [35, 23])
    func `an expired pin set pins nothing`(apiLevel: Int) throws {
        let expired = try parse(wrongPins, expiration: " expiration=\"2020-01-01\"", apiLevel: apiLevel)

        #expect(try decide(expired).demand == .accept)
    }

    @Test func `a global switch lets a build that can be debugged ignore pins`() throws {
        func debug(_ attribute: String) -> String {
            """
            <debug-overrides><trust-anchors><certificates src="user"\(attribute)/></trust-anchors></debug-overrides>
            """
        }
        let device = AndroidNetworkSecurity.Device(isDebuggable: true)
        let overriding = debug(" overridePins=\"true\"")

        #expect(try decide(parse(wrongPins, debug: overriding, device: device, apiLevel: 23)).demand == .accept)
        #expect(try decide(parse(wrongPins, debug: overriding, apiLevel: 23)).isRefusalByPin)
        #expect(try decide(parse(wrongPins, debug: debug(""), device: device, apiLevel: 23)).isRefusalByPin)
    }

    @Test func `a host that is no domain throws`() throws {
        var situation = try #require(world.situation("E01"))
        situation.host = "192.0.2.1"

        #expect(
            try parse(rightPins).decide(situation)
                == Decision(.reject, .systemRule("TrustKit throws: Invalid domain supplied: 192.0.2.1"))
        )
    }

    @Test(arguments: [35, 23])
    func `a mismatch is reported as TrustKit does`(apiLevel: Int) throws {
        let zone = try #require(TimeZone(secondsFromGMT: 3600))
        let trustKit = try parse(
            wrongPins,
            trustKit: "<trustkit-config><report-uri>https://r.example.org/</report-uri></trustkit-config>",
            device: .init(timeZone: zone),
            apiLevel: apiLevel
        )
        let situation = try #require(world.situation("E01"))
        let app = TrustKitAndroidReport.App(bundleID: "org.example.app", version: "7", vendorID: "v")

        let report = try #require(trustKit.report(situation, from: app))
        let json = try #require(JSONSerialization.jsonObject(with: report.json()) as? [String: Any])

        #expect(
            trustKit.policies[0].allReportURIs == ["https://r.example.org/", TrustKitAndroidPolicy.defaultReportURI]
        )
        #expect(json.count == 15)
        #expect(json["app-bundle-id"] as? String == "org.example.app")
        #expect(json["app-platform"] as? String == "ANDROID")
        #expect(json["port"] as? Int == 0)
        #expect(json["noted-hostname"] as? String == "example.com")
        #expect(json["include-subdomains"] as? Bool == true)
        #expect(json["enforce-pinning"] as? Bool == false)
        #expect(json["validation-result"] as? Int == 1)
        // 2027-01-15 08:00:00 in UTC.
        #expect(json["date-time"] as? String == "2027-01-15T09:00:00Z")
        #expect(json["known-pins"] as? [String] == wrongPins.map { "pin-sha256=\"\($0)\"" })
        #expect((json["served-certificate-chain"] as? [String])?.count == situation.chain.count)
        let validated = try #require(json["validated-certificate-chain"] as? [String])
        #expect(validated.count == (apiLevel < 24 ? 3 : situation.chain.count))
        #expect(try PEM.certificates(in: validated.joined()).first == situation.chain.first)
    }

    @Test func `nothing is reported of a server that passes, and the chain's failure of one that does not`() throws {
        let trustKit = try parse(rightPins)
        let app = TrustKitAndroidReport.App(bundleID: "org.example.app", version: "7", vendorID: "v")

        #expect(trustKit.report(try #require(world.situation("E01")), from: app) == nil)
        let report = trustKit.report(try #require(world.situation("E11")), from: app)
        #expect(report?.validationResult == .untrustedChain)
    }
}
