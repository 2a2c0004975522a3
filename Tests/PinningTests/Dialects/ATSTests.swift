import Foundation
import Pinning
import TLSCore
import TestSupport
import Testing

@Suite struct `Apple's pinned domains` {
    /// JSON is no property list; the old kind of list begins like it.
    @Test(arguments: [("Info.plist", true), ("app.json", false)])
    func `is known in a property list of the old kind, and not in JSON`(file: String, isKnown: Bool) throws {
        let text = """
            { NSAppTransportSecurity = { NSPinnedDomains = { "api.example.com" = { NSPinnedLeafIdentities = (
            { "SPKI-SHA256-BASE64" = "\(AppleSamples.pins[0].base64)"; } ); }; }; }; }
            """

        let dialect = try? PolicyFile.dialect(of: Data(text.utf8), file: file)

        #expect((dialect == .ats) == isKnown)
        if isKnown {
            let domains = try ATSConfiguration(parsing: Data(text.utf8), file: file).domains
            #expect(domains.map(\.leaf) == [[AppleSamples.pins[0]]])
        }
    }

    @Test(
        arguments: [
            ("example.org", true), ("math.example.org", true), ("history.example.org", true), ("EXAMPLE.org.", true),
            ("advanced.math.example.org", false), ("ancient.history.example.org", false), ("example.com", false),
            ("notexample.org", false), ("example.net", true), ("www.example.net", false),
        ]
    )
    func `of Apple's example reach one label deep`(host: String, isPinned: Bool) throws {
        let configuration = try AppleSamples.ats(AppleSamples.plist(AppleSamples.transportSecurity))

        #expect(configuration.policy(for: host).requirements.isEmpty != isPinned)
    }

    @Test func `may stand in a file as documentation prints it`() throws {
        let fragment = AppleSamples.transportSecurity

        let read = try AppleSamples.ats(fragment)

        #expect(read == (try AppleSamples.ats(AppleSamples.plist(fragment))))
        #expect(read.domains.map(\.name) == ["example.net", "example.org"])
        #expect(throws: PolicyFileError.self) { try AppleSamples.ats(String(fragment.dropLast(8))) }
    }

    @Test func `of Apple's example hold one pin twice, which is taken`() throws {
        let configuration = try AppleSamples.ats(AppleSamples.plist(AppleSamples.transportSecurity))

        #expect(configuration.domains.map(\.name) == ["example.net", "example.org"])
        #expect(configuration.domains[0].leaf?.map(\.base64) == .init(repeating: twice, count: 2))
        #expect(configuration.domains[1].authority?.map(\.base64) == ["r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E="])
        #expect(configuration.warnings.isEmpty)
    }

    private let twice = "i9HaIScvf6T/skE3/A7QOq5n5cTYs8UHNOEFCnkguSI="

    @Test func `are read from a binary file too`() throws {
        let xml = try AppleSamples.ats(AppleSamples.plist(AppleSamples.transportSecurity))
        let list = try PropertyListSerialization.propertyList(from: Data(xml.rendered().utf8), format: nil)
        let binary = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)

        let configuration = try ATSConfiguration(parsing: binary, file: "Info.plist")

        #expect(configuration == xml)
    }

    @Test func `are united within a kind, and ANDed across kinds`() {
        let pins = AppleSamples.pins
        let configuration = ATSConfiguration([
            .init("example.org", includesSubdomains: true, leaf: [pins[0]], authority: [pins[1]]),
            .init("Math.example.org", leaf: [pins[2]]),
        ])

        let policy = configuration.policy(for: "math.example.org")

        #expect(
            policy.requirements == [
                PinRequirement(pins: [pins[2], pins[0]], position: .leaf),
                PinRequirement(pins: [pins[1]], position: .authority),
            ]
        )
    }

    @Test(
        arguments: [
            ("<string>none</string>", nil, "found the string 'none', expected a dictionary; the system pins nothing"),
            ("<dict/>", nil, nil),
            (
                domain(""), .accept,
                "found neither NSPinnedLeafIdentities nor NSPinnedCAIdentities; the system does not pin it"
            ),
            (
                "<dict><key>api.acme.example</key><array/></dict>", .accept,
                "found an array, expected a dictionary; the system does not pin this domain"
            ),
            (domain("<key>NSPinnedLeafIdentities</key><array/>"), .reject, "found no usable pin; no server can match"),
            (domain("<key>NSPinnedCAIdentities</key><array/>"), .reject, "found no usable pin; no server can match"),
            (
                domain("<key>NSPinnedCAIdentities</key><true/>"), .reject,
                "found true, expected an array; no server can match"
            ),
            (
                leaf("<string>x</string>"), .reject,
                "found the string 'x', expected a dictionary with SPKI-SHA256-BASE64; it never matches"
            ),
            (leaf("<dict/>"), .reject, "found nothing, expected a string; it never matches"),
            (
                domain("<key>NSIncludesSubdomains</key><string>YES</string><key>NSPinnedLeafIdentities</key><array/>"),
                .reject, "found the string 'YES', expected true or false; the system takes it for false"
            ),
            (
                domain("<key>NSIncludesSubdomains</key><integer>1</integer><key>NSPinnedLeafIdentities</key><array/>"),
                .reject, "found the number 1, expected true or false; the system takes it for false"
            ),
        ] as [(String, Decision.Demand?, String?)]
    )
    func `that are malformed are taken as the system takes them`(
        domains: String,
        demand: Decision.Demand?,
        warning: String?
    ) throws {
        let configuration = try AppleSamples.ats(AppleSamples.pinning(domains))

        let decision = configuration.decide(today)

        #expect(decision.demand == demand ?? .accept)
        #expect(decision.isRefusalByPin == (demand == .reject))
        #expect(configuration.warnings.first?.message == warning)
        #expect(configuration.domains.allSatisfy { !$0.includesSubdomains })
    }

    @Test(
        arguments: [
            ("8bd1da21272f7fa4ffb24137fc0ed03aae67e5c4d8b3c50734e1050a7920b922", "hexadecimal"),
            ("i9HaIScvf6T_skE3_A7QOq5n5cTYs8UHNOEFCnkguSI=", "URL-safe"), ("\"i9Ha\"", "quotes"),
            ("YOUR_PIN_HERE", "the placeholder 'YOUR_PIN_HERE'"),
            ("TLS_PIN_HERE", "'TLS_PIN_HERE', which is not Base64"),
            ("sha256/i9HaIScvf6T/skE3/A7QOq5n5cTYs8UHNOEFCnkguSI=", "the prefix 'sha256/'"),
            ("i9HaIScvf6T/skE3/A7QOq5n5cTYs8UHNOEFCnkguSI", "without its padding"), ("AAAA", "3 bytes"),
            ("", "an empty text"), ("it is not", "not Base64"),
            (" i9HaIScvf6T/skE3/A7QOq5n5cTYs8UHNOEFCnkguSI=", "white space"),
        ]
    )
    func `name the mistake in a pin that never matches`(text: String, mistake: String) throws {
        let dictionary = "<dict><key>SPKI-SHA256-BASE64</key><string>\(text)</string></dict>"

        let configuration = try AppleSamples.ats(AppleSamples.pinning(Self.leaf(dictionary)))

        #expect(configuration.domains[0].leaf == [])
        #expect(configuration.warnings[0].message.contains(mistake), "\(configuration.warnings)")
        let keyPath =
            "NSAppTransportSecurity.NSPinnedDomains.api.acme.example.NSPinnedLeafIdentities[0].SPKI-SHA256-BASE64"
        #expect(configuration.warnings[0].keyPath == keyPath)
        #expect(configuration.warnings[0].line == 6)
    }

    @Test(
        arguments: [("REPLACE_ME", .placeholderPin), ("SERVERS_PIN", .unusablePin)] as [(String, PolicyFinding.Rule)]
    )
    func `tell a pin that was never written from a damaged one`(text: String, rule: PolicyFinding.Rule) throws {
        let dictionary = "<dict><key>SPKI-SHA256-BASE64</key><string>\(text)</string></dict>"

        let configuration = try AppleSamples.ats(AppleSamples.pinning(Self.leaf(dictionary)))

        #expect(configuration.warnings[0].rule == rule)
    }

    @Test(
        arguments: [
            ("", "Info.plist: found an empty file, expected a property list"),
            ("hello", "Info.plist: found the string 'hello', expected a dictionary"),
            (
                AppleSamples.plist(""),
                "Info.plist: found no NSAppTransportSecurity, expected it with NSPinnedDomains in it"
            ),
            (
                AppleSamples.plist("<key>NSAppTransportSecurity</key><true/>"),
                "Info.plist:3: NSAppTransportSecurity: found true, expected a dictionary"
            ),
            (
                AppleSamples.plist("<key>NSAppTransportSecurity</key><dict/>"),
                "Info.plist:3: NSAppTransportSecurity: found no NSPinnedDomains: nothing is pinned"
            ),
            (
                "<plist>\n<dict>\n<key>a</key>\n</array>\n</plist>",
                "Info.plist:4: found </array> where <dict> of line 2 is to end, expected a property list"
            ),
            ("<plist>\n<dict>\n<key>a</key>", "Info.plist:2: found <dict> without its end, expected a property list"),
            (
                "<plist>\n<ky/>\n</plist>",
                "Info.plist:2: found <ky>, which no property list has, expected a property list"
            ),
            ("<plist>\n<dict", "Info.plist:2: found a tag that does not end, '<dict', expected a property list"),
            ("\u{0}", "Info.plist:1: found a zero byte, expected UTF-8 ('plutil -convert xml1' makes it that)"),
            (
                String(repeating: "<array>\n", count: 200),
                "Info.plist:101: found nesting deeper than any configuration has"
            ),
        ]
    )
    func `are refused where there are none`(text: String, message: String) {
        let refusal = AppleSamples.refusal { _ = try AppleSamples.ats(text) }

        #expect(refusal == [message])
    }

    @Test(
        arguments: [
            (.tls1_1, nil, .reject), (.tls1_2, nil, .accept), (.tls1_1, "TLSv1.0", .accept),
            (.tls1_2, "TLSv1.3", .reject),
        ] as [(TLSVersion, String?, Decision.Demand)]
    )
    func `come after the version of TLS`(version: TLSVersion, oldest: String?, demand: Decision.Demand) throws {
        let exception = oldest.map {
            "<key>NSExceptionDomains</key><dict><key>acme.example</key><dict><key>NSIncludesSubdomains</key><true/>"
                + "<key>NSExceptionMinimumTLSVersion</key><string>\($0)</string></dict></dict>"
        }
        let keys = "<key>NSAppTransportSecurity</key><dict>\(exception ?? "")<key>NSPinnedDomains</key><dict/></dict>"
        let configuration = try AppleSamples.ats(AppleSamples.plist(keys))
        var situation = today
        situation.version = version

        let decision = configuration.decide(situation)

        #expect(decision.demand == demand)
        #expect(!decision.isRefusalByPin)
        #expect(try AppleSamples.ats(configuration.rendered()) == configuration)
    }

    private var today: Situation {
        Situation(chain: Sample.server.chain, store: Sample.store, host: Sample.host, at: Sample.now)
    }

    private static func domain(_ keys: String) -> String {
        "<dict><key>api.acme.example</key><dict>\(keys)</dict></dict>"
    }

    private static func leaf(_ entries: String) -> String {
        domain("<key>NSPinnedLeafIdentities</key><array>\(entries)</array>")
    }
}
