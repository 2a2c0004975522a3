import TestSupport
import Testing

/// JSON beside the sources.
extension ProjectAuditTests {
    private static let table = """
        { "host": "relay.acme.example",
          "pins": [ { "name": "today", "spki": "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=" } ] }
        """

    @Test func `a script is given what it requires of a JSON file`() async throws {
        let plugin = """
            const { host, pins } = require('./relay-pins.json');
            module.exports = (config) => {
              config.NSAppTransportSecurity = {
                NSPinnedDomains: { [host]: { NSPinnedLeafIdentities: pins.map((p) => ({ 'SPKI-SHA256-BASE64': p.spki })) } },
              };
              return config;
            };
            """

        let ending = try await audit(["app/plugin.js": plugin, "app/relay-pins.json": Self.table], "app")
        let alone = try await audit(["app/plugin.js": plugin], "app")

        #expect(ending.output.contains("app/plugin.js:3 (ats)\n"), "\(ending.output)")
        #expect(ending.output.contains("\n  relay.acme.example\n"), "\(ending.output)")
        #expect(!ending.output.contains("[not-read]"), "\(ending.output)")
        #expect(alone.status == 65)
        #expect(alone.output.contains("[not-read]"), "\(alone.output)")
    }

    @Test func `pins in JSON that nothing uses are listed`() async throws {
        let lock = #"{"packages": {"a": {"integrity": "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="}}}"#

        let ending = try await audit(["assets/pins.json": Self.table, "package.json": lock], ".")
        let without = try await audit(["package.json": lock], ".")

        #expect(ending.status == 65)
        #expect(
            ending.output.contains(
                "assets/pins.json:2 (text): a pin stands here, and nothing that is known uses it [not-read]\n"
                    + "            relay.acme.example: utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=\n"
            ),
            "\(ending.output)"
        )
        #expect(!ending.output.contains("package.json"))
        #expect(without.errors == ".: found no pins in 1 file\n")
    }
}

/// What a build gives property lists.
extension ProjectAuditTests {
    private static let pins = [
        "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=",
    ]
    private static let list = """
        <plist version="1.0"><dict><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict>
        <key>$(API_HOST)</key><dict><key>NSPinnedLeafIdentities</key><array>
        <dict><key>SPKI-SHA256-BASE64</key><string>${PIN}</string></dict>
        <dict><key>SPKI-SHA256-BASE64</key><string>\(pins[1])</string></dict>
        </array></dict></dict></dict></dict></plist>
        """

    @Test func `a property list is read with the settings of each build`() async throws {
        let files = [
            "ios/Info.plist": Self.list, "ios/Base.xcconfig": "PIN = \(Self.pins[0])",
            "ios/Debug.xcconfig": "#include \"Base.xcconfig\"\nAPI_HOST = test.acme.example",
            "ios/Release.xcconfig": "#include \"Base.xcconfig\"\nAPI_HOST = api.acme.example",
        ]

        let ending = try await audit(files, "ios")

        for (build, host) in [("Debug", "test"), ("Release", "api")] {
            let head = "ios/Info.plist (ats, if the settings are those of \(build).xcconfig)\n"
            #expect(ending.output.contains(head), "\(ending.output)")
            #expect(ending.output.contains("\n  \(host).acme.example\n"), "\(ending.output)")
        }
        #expect(!ending.output.contains("[not-read]"), "\(ending.output)")
    }

    @Test func `what no settings give is named, and can be defined`() async throws {
        let (host, pin) = ("API_HOST=api.acme.example", "PIN=\(Self.pins[0])")
        let files = ["ios/Info.plist": Self.list]

        let without = try await audit(files, "ios", "--define", host)
        let with = try await audit(files, "ios", "--define", host, "--define", pin)
        let single = try await audit(files, "ios/Info.plist", "--define", host, "--define", pin)

        #expect(
            without.output.contains("found '${PIN}', which is filled in when the app is built"),
            "\(without.output)"
        )
        #expect(without.status == 65)
        for ending in [with, single] {
            #expect(ending.status == 0, "\(ending.errors)")
            #expect(ending.output.contains("\n  api.acme.example\n"), "\(ending.output)")
            #expect(ending.errors == "")
        }
    }

    /// A name that is mistyped would give nothing, and nobody would know why.
    @Test func `a definition that nothing uses is told`() async throws {
        let files = ["ios/Info.plist": Self.list]
        for place in ["ios", "ios/Info.plist"] {
            let ending = try await audit(files, place, "--define", "API_HOTS=api.acme.example")

            #expect(ending.errors.contains("--define API_HOTS: no file that was looked at holds this name\n"))
        }
    }

    @Test func `pins of app.json that were read are not unused`() async throws {
        let identities = Self.pins.map { #"{"SPKI-SHA256-BASE64": "\#($0)"}"# }.joined(separator: ", ")
        let json = """
            {"expo": {"ios": {"infoPlist": {"NSAppTransportSecurity": {"NSPinnedDomains": {"api.acme.example":
            {"NSPinnedLeafIdentities": [\(identities)]}}}}}}}
            """

        let folder = try await audit(["app/app.json": json], "app")
        let file = try await audit(["app/app.json": json], "app/app.json")

        for ending in [folder, file] {
            #expect(ending.status == 0, "\(ending.errors)")
            #expect(ending.output.contains(#/app.json(:1)? \(ats/#), "\(ending.output)")
            #expect(ending.output.contains("api.acme.example\n"), "\(ending.output)")
            #expect(!ending.output.contains("[not-read]"), "\(ending.output)")
        }
    }

    @Test func `YAML of a project's generator is read as the property list that it makes`() async throws {
        let yaml = """
            targets:
              App:
                info:
                  path: App/Info.plist
                  properties:
                    NSAppTransportSecurity:
                      NSPinnedDomains:
                        $(API_HOST):
                          NSIncludesSubdomains: true
                          NSPinnedLeafIdentities:
                            - SPKI-SHA256-BASE64: \(Self.pins[0])
                            - SPKI-SHA256-BASE64: "\(Self.pins[1])"
            """
        let rules = "rules:\n  - id: pins\n    pattern: NSPinnedDomains\n"

        let files = ["ios/project.yml": yaml, "ios/rules.yml": rules]
        let given = try await audit(files, "ios", "--define", "API_HOST=api.acme.example")
        let bare = try await audit(files, "ios/project.yml")

        #expect(given.status == 0, "\(given.errors)")
        #expect(given.output.contains("ios/project.yml:7 (ats)\n"), "\(given.output)")
        #expect(given.output.contains("api.acme.example\n"), "\(given.output)")
        #expect(!given.output.contains("[not-read]"), "\(given.output)")
        #expect(
            bare.output.contains("'$(API_HOST)' is set when the app is built: give it with --define API_HOST=VALUE")
        )
        #expect(bare.output.contains("a host that is not known: \(Self.pins[0]), \(Self.pins[1])"), "\(bare.output)")
    }
}

/// Property lists that are not read as a whole.
extension ProjectAuditTests {
    @Test func `the literal pins beside those of the build are listed by their hosts`() async throws {
        func domain(_ name: String, _ pins: String...) -> String {
            let entries = pins.map { "<dict><key>SPKI-SHA256-BASE64</key><string>\($0)</string></dict>" }.joined()
            return "<key>\(name)</key>\n<dict><key>NSPinnedCAIdentities</key><array>\(entries)</array></dict>\n"
        }
        let list = """
            <plist version="1.0"><dict><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict>
            \(domain("api.acme.example", Self.pins[0], "$(BACKUP)", "REPLACE_WITH_YOUR_PIN"))\
            \(domain("$(HOST)", Self.pins[1]))</dict></dict></dict></plist>
            """

        let ending = try await audit(["ios/Info.plist": list], "ios")

        #expect(ending.status == 65)
        #expect(ending.output.contains("found '$(BACKUP)'"), "\(ending.output)")
        #expect(ending.output.contains("api.acme.example: \(Self.pins[0])\n"), "\(ending.output)")
        #expect(ending.output.contains("'$(HOST)': \(Self.pins[1])\n"), "\(ending.output)")
        #expect(ending.output.split(separator: Self.pins[0]).count == 2, "\(ending.output)")
    }

    @Test func `the pins of a property list that is none are listed`() async throws {
        let list = """
            <plist version="1.0">
              <dict>
                <key>NSPinnedDomains</key>
                <dict>
                  <key>api.acme.example</key>
                  <dict>
                    <key>NSPinnedLeafIdentities</key>
                    <array>
                      <dict><key>SPKI-SHA256-BASE64</key><string>\(Self.pins[0])</string></dict>
                    </dict>
                  </dict>
                </dict>
              </dict>
            </plist>
            """

        let ending = try await audit(["ios/Info.plist": list], "ios")

        #expect(ending.status == 65)
        #expect(ending.output.contains("found </dict> where <array>"), "\(ending.output)")
        #expect(ending.output.contains("api.acme.example: \(Self.pins[0])\n"), "\(ending.output)")
    }

    @Test(arguments: [
        ("connect(roots);", "text", "a certificate stands here, and nothing that is known uses it"),
        ("Agent({ ca: roots });", "TLS options", "only certificates that the app carries are trusted"),
    ])
    func `a certificate that nothing known uses is listed once`(use: String, form: String, what: String) async throws {
        let digits = "MIIBbDCCAROgAwIBAgIU" + String(repeating: "aw6lJB9BXK4wob6s5rU5yaf73", count: 16)
        let pem = "-----BEGIN CERTIFICATE-----\n\(digits)\n-----END CERTIFICATE-----"

        let ending = try await audit(["a.js": "const roots = `\(pem)`;\nnew https.\(use)\n"], ".")

        #expect(ending.status == 65)
        #expect(ending.output.contains("(\(form)): \(what)\n"), "\(ending.output)")
        #expect(ending.output.split(separator: digits).count == 2, "\(ending.output)")
    }
}
