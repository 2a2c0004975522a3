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
