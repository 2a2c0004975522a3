import Foundation
import TestSupport
import Testing

/// What a project's `.pindrill.yml` lets be.
struct PermissionTests {
    private static let settings = """
        audit:
          allow:
            - rule: single-pin
              host: api.acme.example
              until: 2026-11-30
              because: The backup is made in December
            - { rule: duplicate-pin, until: 2026-11-30, because: Nobody asks those }

        """

    @Test func `a permitted finding does not count, and is told with its reason`() async throws {
        let ending = try await audit(".", today: "2026-11-30", options: ["--fail-on", "warning"])

        #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
        #expect(ending.output.contains(/^2 permitted: \d+ of \d+ events lock users out\n/))
        #expect(ending.output.contains("\n  permitted ./app/Info.plist:3: "))
        #expect(ending.output.contains("Until 2026-11-30: The backup is made in December (.pindrill.yml:3)"))
    }

    @Test func `on the day after its last the finding is back`() async throws {
        let ending = try await audit(".", today: "2026-12-01")

        #expect(ending.status == 1)
        #expect(ending.output.hasPrefix("1 outage, 1 warning: "))
        #expect(ending.output.contains("Its permission ended on 2026-11-30 (.pindrill.yml:3)"))
    }

    @Test(arguments: ["app", "app/Info.plist"])
    func `settings are found above what is audited, up to git's root`(audited: String) async throws {
        let inside = try await audit(audited, today: "2026-11-01", isGit: true)
        let outside = try await audit(audited, today: "2026-11-01")

        #expect(inside.status == 0, "\(inside.output)\(inside.errors)")
        #expect(inside.output.hasPrefix("2 permitted: "))
        #expect(outside.status == 1)
    }

    @Test func `a permission that is about nothing is told where the whole project is audited`() async throws {
        let settings = Self.settings.replacing("api.acme", with: "old.acme")

        let whole = try await audit(".", today: "2026-11-30", isGit: true, settings: settings)
        let part = try await audit("app", today: "2026-11-30", isGit: true, settings: settings)

        let told =
            "\nPermissions that are about nothing that was found\n  .pindrill.yml:3: single-pin, host old.acme.example\n"
        #expect(whole.status == 1)
        #expect(whole.output.contains(told))
        #expect(!part.output.contains("Permissions that"))
    }

    @Test func `an attacker who gets in can be permitted, too`() async throws {
        let settings = """
            audit:
              allow:
                - { rule: not-pinned, until: 2026-11-30, because: A kiosk }
                - { rule: attacker-gets-in, host: api.acme.example, until: 2026-11-30, because: A kiosk }
                - { rule: duplicate-pin, until: 2026-11-30, because: A kiosk }

            """
        let open = Self.plist.replacing(/<key>NSPinnedLeafIdentities(?s).*<\/array>/, with: "")

        let ending = try await audit(
            "app/Info.plist",
            today: "2026-11-30",
            isGit: true,
            settings: settings,
            plist: open
        )
        let twin = try await audit("app/Info.plist", today: "2026-12-01", isGit: true, settings: settings, plist: open)

        #expect(ending.status == 0, "\(ending.output)")
        #expect(ending.output.contains("[attacker-gets-in]"))
        #expect(twin.status == 1)
    }

    @Test func `programs are told what is permitted, and what is permitted in vain`() async throws {
        let settings = Self.settings + "    - { rule: not-read, until: 2026-12-31, because: x }\n"

        let ending = try await audit(".", today: "2026-11-30", options: ["--json"], settings: settings)

        let document = try JSONDecoder().decode(JSONValue.self, from: Data(ending.output.utf8))
        let schema = try Schema(at: Places.package.appending(path: "docs/output.schema.json"))
        #expect(schema.complaints(about: document, as: "audit-project") == [])
        let finding = document["configurations"]?[0]?["findings"]?[0]
        #expect(finding?["domain"]?.string == "api.acme.example")
        #expect(finding?["permitted"]?["because"]?.string == "The backup is made in December")
        #expect(document["severity"] == nil)
        #expect(document["unused_permissions"]?[0]?["line"]?.number == 8)
    }

    @Test func `code scanning gets them as suppressed`() async throws {
        let ending = try await audit(".", today: "2026-11-30", options: ["--format", "sarif"])

        let result = try JSONDecoder().decode(JSONValue.self, from: Data(ending.output.utf8))["runs"]?[0]?["results"]?[
            0
        ]
        #expect(result?["level"]?.string == "note")
        #expect(
            result?["suppressions"]?[0]?["justification"]?.string?.contains("The backup is made in December") == true
        )
    }

    @Test func `a mistake in the settings ends the audit with its place`() async throws {
        let ending = try await audit(
            ".",
            today: "2026-11-30",
            settings: Self.settings.replacing("single-pin", with: "singel-pin")
        )

        #expect(ending.status == 65)
        #expect(ending.output == "")
        #expect(
            ending.errors
                == ".pindrill.yml:3:13 'singel-pin' is not a rule of the audit; did you mean 'single-pin'?\n"
        )
    }

    @Test func `settings that are a link out of the project are not read`() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: ".pindrill.yml")
            try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: "/etc/hostname")
            try Data(Self.plist.utf8).write(to: folder.appending(path: "Info.plist"))

            let ending = try await Program.run("audit", "Info.plist", in: folder)

            #expect(ending.status == 65)
            #expect(ending.errors.hasPrefix(".pindrill.yml: found a link or a folder, expected a file"))
        }
    }

    @Test func `the example of the page is read`() async throws {
        let page = try String(contentsOf: Places.package.appending(path: "docs/audit.md"), encoding: .utf8)
        let block = try #require(page.firstMatch(of: /<!-- example:settings -->\n```yaml\n(?<text>(?s).*?)```/)).output
            .text

        let ending = try await audit(".", today: "2026-11-30", settings: String(block))

        #expect(ending.status == 0, "\(ending.errors)")
        #expect(ending.output.contains("not-read, file app/src/main/java/Remote.kt"))
    }

    // MARK: Files

    private static let plist = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict>
        <key>api.acme.example</key><dict><key>NSIncludesSubdomains</key><true/><key>NSPinnedLeafIdentities</key><array>
        <dict><key>SPKI-SHA256-BASE64</key><string>utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=</string></dict>
        <dict><key>SPKI-SHA256-BASE64</key><string>utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=</string></dict></array>
        </dict></dict></dict></dict></plist>

        """

    private func audit(
        _ name: String,
        today: String,
        options: [String] = [],
        isGit: Bool = false,
        settings: String = settings,
        plist: String = plist
    ) async throws -> Program.Ending {
        try await withTemporaryFolder { folder in
            let app = folder.appending(path: "app")
            try FileManager.default.createDirectory(at: app, withIntermediateDirectories: true)
            if isGit {
                try FileManager.default.createDirectory(
                    at: folder.appending(path: ".git"),
                    withIntermediateDirectories: true
                )
            }
            try Data(plist.utf8).write(to: app.appending(path: "Info.plist"))
            try Data(settings.utf8).write(to: folder.appending(path: ".pindrill.yml"))
            return try await Program.run(["audit", name, "--today", today] + options, in: folder)
        }
    }
}
