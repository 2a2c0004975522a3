import Foundation
import TestSupport
import Testing

/// What is told of a project beside the flaws of one configuration, and what is not.
struct CommonFindingTests {
    private static let pins = [
        "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=",
        "fwza0LRMXouZHRC8Ei+4PyuldPDcf3UKgO/04cDM1oE=",
    ]

    @Test func `a host with different pins on iOS and Android, and one that only one pins, is told`() async throws {
        let different = try await audit([
            "ios/Info.plist": plist(host: "api.acme.example", [0, 1]),
            "android/network_security_config.xml": xml(host: "api.acme.example", [0, 2]),
        ])
        let single = try await audit([
            "ios/Info.plist": plist(host: "api.acme.example", [0, 1]),
            "android/network_security_config.xml": xml(host: "shop.acme.example", [0, 1]),
        ])
        let alike = try await audit([
            "ios/Info.plist": plist(host: "api.acme.example", [1, 0]),
            "android/network_security_config.xml": xml(host: "api.acme.example", [0, 1]),
        ])

        #expect(different.output.hasPrefix("1 warning: "), "\(different.output)")
        #expect(words(different).contains("iOS and Android pin different keys for 'api.acme.example'"))
        #expect(words(different).contains("only iOS knows \(Self.pins[1]); only Android knows \(Self.pins[2])"))
        #expect(words(single).contains("'api.acme.example' is pinned for iOS, and not for Android [platforms-differ]"))
        #expect(words(single).contains("'shop.acme.example' is pinned for Android, and not for iOS [platforms-differ]"))
        #expect(alike.output.hasPrefix("No findings: "), "\(alike.output)")
    }

    @Test func `an app that refuses all has a finding of its own, and no difference`() async throws {
        let empty = plist(host: "api.acme.example", [0]).replacing(
            /<array>.*?<\/array>/.dotMatchesNewlines(),
            with: "<array/>"
        )

        let found = try await audit([
            "ios/Info.plist": empty, "android/network_security_config.xml": xml(host: "api.acme.example", [0, 1]),
        ])

        #expect(words(found).contains("[locks-out]"), "\(found.output)")
        #expect(!words(found).contains("[platforms-differ]"), "\(found.output)")
    }

    @Test func `a pattern for many hosts is told as it is written`() async throws {
        let kotlin = """
            val a = CertificatePinner.Builder().add("**.acme.example", "sha256/\(Self.pins[0])", "sha256/\(Self.pins[1])").build()
            val b = OkHttpClient.Builder().certificatePinner(a).build()
            """

        let found = try await audit(["ios/Info.plist": plist(host: "api.shop.example", [0, 1]), "app/Pins.kt": kotlin])

        #expect(words(found).contains("'**.acme.example' is pinned for Android, and not for iOS"), "\(words(found))")
    }

    @Test func `the worst configuration stands first in every kind of answer`() async throws {
        let files = [
            "a/Info.plist": plist(host: "a.acme.example", [0, 1]), "b/Info.plist": plist(host: "b.acme.example", [0]),
        ]

        for format in ["text", "markdown", "html"] {
            let output = try await audit(files, options: ["--format", format]).output
            let places = ["b/Info.plist (ats)", "a/Info.plist (ats)"].map { name in
                output.firstRange(of: name)?.lowerBound
            }
            #expect(!places.contains(nil), "\(output)")
            #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted(), "\(format)")
        }
    }

    @Test func `that only one pins a host is not told where something could not be read`() async throws {
        let partly = try await audit([
            "ios/Info.plist": plist(host: "api.acme.example", [0, 1]),
            "android/network_security_config.xml": xml(host: "shop.acme.example", [0, 1]),
            "app/Pins.kt": "val a = CertificatePinner.Builder().add(\"pay.acme.example\", fetched()).build()\n",
        ])

        #expect(partly.output.contains("[not-read]"), "\(partly.output)")
        #expect(!partly.output.contains("[platforms-differ]"), "\(partly.output)")
    }

    @Test func `debug builds and apps for one system alone are not compared`() async throws {
        let debug = try await audit([
            "ios/Info.plist": plist(host: "api.acme.example", [0, 1]),
            "app/src/main/res/xml/pins.xml": xml(host: "api.acme.example", [0, 1]),
            "app/src/debug/res/xml/pins.xml": xml(host: "api.acme.example", [0, 2]),
        ])
        let one = try await audit(["ios/Info.plist": plist(host: "api.acme.example", [0, 1])])

        #expect(debug.output.hasPrefix("No findings: "), "\(debug.output)")
        #expect(one.output.hasPrefix("No findings: "), "\(one.output)")
    }

    @Test(arguments: [("2026-11-23", "note", "its pins end on 2026-12-31, in 38 days [pins-end]")])
    func `the end of pins is always told`(today: String, severity: String, message: String) async throws {
        let text = xml(host: "api.acme.example", [0, 1]).replacing(
            "<pin-set>",
            with: "<pin-set expiration=\"2026-12-31\">"
        )

        let early = try await audit(["pins.xml": text], options: ["--today", today])
        let late = try await audit(["pins.xml": text], options: ["--today", "2026-12-15"])

        #expect(early.output.hasPrefix("No findings: "), "\(early.output)")
        #expect(words(early).contains("\(severity) ./pins.xml:1: domain-config(api.acme.example): \(message)"))
        #expect(words(late).contains("from 2026-12-31 on, in 16 days, nothing is pinned any more [expires-soon]"))
    }

    @Test func `W15: connections without TLS beside Apple's pins are told, but for narrower keys`() async throws {
        let all = "<key>NSAllowsArbitraryLoads</key><true/>"
        let narrow = all + "<key>NSAllowsLocalNetworking</key><true/>"
        func text(_ keys: String) -> String {
            plist(host: "api.acme.example", [0, 1])
                .replacing("<key>NSPinnedDomains</key>", with: "\(keys)<key>NSPinnedDomains</key>")
        }

        let wide = try await audit(["Info.plist": text(all)])
        let narrowed = try await audit(["Info.plist": text(narrow)])

        #expect(
            words(wide).contains(
                "connections without TLS are allowed to every host, and no pin protects those [cleartext]"
            )
        )
        #expect(!narrowed.output.contains("[cleartext]"))
    }

    @Test func `W1, W10: an entry without pins for the own machine is no finding`() async throws {
        let own = """
            <domain-config cleartextTrafficPermitted="true"><domain includeSubdomains="true">localhost</domain>
            <domain>10.0.2.2</domain></domain-config></network-security-config>
            """
        let trustKit = "</pin-set><trustkit-config enforcePinning=\"true\" disableDefaultReportUri=\"true\"/>"
        let text = xml(host: "api.acme.com", [0, 1]).replacing("</network-security-config>", with: own)
            .replacing("</pin-set>", with: trustKit)

        let right = try await audit(["pins.xml": text])
        let wrong = try await audit(["pins.xml": text.replacing("10.0.2.2", with: "dev.acme.com")])

        #expect(right.output.contains("pins.xml (trustkit-android)\n"))
        #expect(right.output.hasPrefix("No findings: "), "\(right.output)")
        #expect(wrong.output.contains("[cleartext]"))
    }

    // MARK: Files

    private func plist(host: String, _ pins: [Int]) -> String {
        let values = pins.map { "<dict><key>SPKI-SHA256-BASE64</key><string>\(Self.pins[$0])</string></dict>" }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict>
            <key>\(host)</key><dict><key>NSPinnedLeafIdentities</key><array>\(values.joined())</array></dict>
            </dict></dict></dict></plist>

            """
    }

    private func xml(host: String, _ pins: [Int]) -> String {
        let values = pins.map { "<pin digest=\"SHA-256\">\(Self.pins[$0])</pin>" }
        return "<network-security-config><domain-config><domain>\(host)</domain><pin-set>\(values.joined())</pin-set>"
            + "</domain-config></network-security-config>\n"
    }

    /// Lines are wrapped.
    private func words(_ ending: Program.Ending) -> String {
        ending.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private func audit(_ files: [String: String], options: [String] = []) async throws -> Program.Ending {
        try await withTemporaryFolder { folder in
            for (path, text) in files {
                let file = folder.appending(path: path)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try Data(text.utf8).write(to: file)
            }
            return try await Program.run(["audit", "."] + options, in: folder)
        }
    }
}
