import Foundation
import TestSupport
import Testing

/// What people do wrong, and the one sentence that they are told.
struct MistakeTests {
    /// Some files, a command line, and what it comes to.
    struct Mistake: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var files: [String: String] = [:]
        let words: [String]
        var environment: [String: String] = [:]
        var status: Int32 = 65
        /// All that is said.
        let complaint: String
    }

    private static let plist = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>NSAppTransportSecurity</key><dict>
        <key>NSPinnedDomains</key><dict>
        <key>api.acme.example</key><dict><key>NSPinnedLeafIdentities</key><array>
        <dict><key>SPKI-SHA256-BASE64</key><string>r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E=</string></dict>
        </array></dict></dict></dict></dict></plist>

        """

    private static let android = """
        <network-security-config>
            <domain-config>
                <domain>api.acme.example</domain>
                <pin-set><pin digest="SHA-256">r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E=</pin></pin-set>
            </domain-config>
        </network-security-config>

        """

    private static func file(run: String) -> [String: String] {
        let lines = ["version: 1", "host: api.acme.example", "include: [shipped]", "clients: { c: { run: \(run) } }"]
        return ["f.yaml": lines.joined(separator: "\n")]
    }

    static let all =
        [
            ("rnu", "did you mean 'run'?"), ("pin", "did you mean 'pins'?"), ("lst", "did you mean 'list'?"),
            ("dance", "'pindrill --help' lists them"),
        ].map { word, advice in
            Mistake(
                testDescription: "'\(word)' is no command",
                words: [word, "file.yaml"],
                status: 64,
                complaint: "Error: there is no command '\(word)'; \(advice)"
            )
        }
        + [
            Mistake(
                testDescription: "help for what is no command",
                words: ["help", "rnu"],
                status: 64,
                complaint: "Error: there is no command 'rnu'; did you mean 'run'?"
            ),
            Mistake(
                testDescription: "pins of a URL without TLS",
                words: ["pins", "http://api.acme.example/"],
                complaint: "http://api.acme.example/: only https is known of URLs; write the server as host:port"
            ),
            Mistake(
                testDescription: "a folder for temporary files that is not there",
                words: ["run", "--scenario", "same-certificate"],
                environment: ["TMPDIR": "/nonexistent"],
                status: 2,
                complaint: "no folder can be made in '/nonexistent'; set TMPDIR to one that can be written to"
            ),
            Mistake(
                testDescription: "a scenario file without its packs",
                files: ["f.yaml": "version: 1\nhost: a.example\ninclude: [a.yaml, b.yaml, c.yaml]\n"],
                words: ["list", "f.yaml"],
                complaint:
                    "f.yaml:3:11: cannot include 'a.yaml' and 2 more: no such file; copy them along with this file, "
                    + "or write 'include: [shipped]'"
            ),
        ]
        + [
            ("curl {url} | grep ok", "'|'", " (character 12)"), ("curl {url} > out", "'>'", " (character 12)"),
            ("cd x && curl {url}", "'&&'", " (character 6)"),
            ("curl $HOME {url}", "'$HOME'", " (character 6)"), ("curl {url}; echo", "';'", " (character 11)"),
            ("~/app {url}", "'~'", ""),
        ].map { run, sign, place in
            Mistake(
                testDescription: "run: \(run)",
                files: file(run: "\"\(run)\""),
                words: ["list", "f.yaml"],
                complaint:
                    "f.yaml:4:22: \(sign) is for a shell, and none reads this line: write sh -c '…', or quote "
                    + "what the client is to be given\(place)"
            )
        }
        + [
            Mistake(
                testDescription: "a variable before a command",
                files: file(run: "\"PINS={pins} app {url}\""),
                words: ["list", "f.yaml"],
                complaint:
                    "f.yaml:4:22: 'PINS=' is for a shell, and none reads this line: write the variable under 'env:', "
                    + "or in --env"
            ),
            Mistake(
                testDescription: "$(API_HOST) in a property list",
                files: ["Info.plist": plist.replacing("api.acme.example", with: "$(API_HOST)")],
                words: ["audit", "Info.plist"],
                complaint:
                    "Info.plist:5: NSAppTransportSecurity.NSPinnedDomains.$(API_HOST): the name '$(API_HOST)' is filled "
                    + "in when the app is built: give audit its value with --define NAME=VALUE, give the file of the built "
                    + "app, or write the host's name there"
            ),
            Mistake(
                testDescription: "${apiHost} in XML",
                files: ["nsc.xml": android.replacing("api.acme.example", with: "${apiHost}")],
                words: ["audit", "nsc.xml"],
                complaint:
                    "nsc.xml:2: domain-config(${apihost}): the name '${apihost}' is filled in when the app is built: "
                    + "give audit its value with --define NAME=VALUE, give the file of the built app, or write the host's "
                    + "name there"
            ),
            Mistake(
                testDescription: "NSPinnedDomains at the top",
                files: [
                    "Info.plist": plist.replacing("<key>NSAppTransportSecurity</key><dict>\n", with: "")
                        .replacing("</dict></plist>", with: "</plist>")
                ],
                words: ["check", "--policy", "Info.plist", "--chain", "k.pem", "--host", "api.acme.example"],
                complaint:
                    "Info.plist:3: NSPinnedDomains: the system does not look here: move it into NSAppTransportSecurity"
            ),
            Mistake(
                testDescription: "NSPinnedDomains among the exceptions",
                files: [
                    "Info.plist": plist.replacing(
                        "<key>NSPinnedDomains",
                        with: "<key>NSExceptionDomains</key><dict>\n<key>NSPinnedDomains"
                    )
                    .replacing("</dict></plist>", with: "</dict></dict></plist>")
                ],
                words: ["check", "--policy", "Info.plist", "--chain", "k.pem", "--host", "api.acme.example"],
                complaint:
                    "Info.plist:5: NSAppTransportSecurity.NSExceptionDomains.NSPinnedDomains: the system does not look "
                    + "here: move it into NSAppTransportSecurity"
            ),
            Mistake(
                testDescription: "a tag that is not closed",
                files: ["nsc.xml": android.replacing("</pin-set>", with: "")],
                words: ["audit", "nsc.xml"],
                complaint:
                    "nsc.xml:5: found </domain-config> where <pin-set> of line 4 is to end, expected well-formed XML"
            ),
            Mistake(
                testDescription: "an ampersand in XML",
                files: ["nsc.xml": android.replacing("</pin-set>", with: "</pin-set> a & b")],
                words: ["audit", "nsc.xml"],
                complaint: "nsc.xml:4: found '<' or '&' before no name: write &lt; or &amp;, expected well-formed XML"
            ),
            Mistake(
                testDescription: "a key for a chain",
                files: [
                    "Info.plist": plist, "k.pem": "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
                ],
                words: ["audit", "Info.plist", "--chain", "k.pem"],
                complaint: "k.pem:1: no certificate found, but a key"
            ),
        ]

    @Test(arguments: all)
    func `mistake: is told in one sentence, with the culprit and the next step`(mistake: Mistake) async throws {
        try await withTemporaryFolder { folder in
            for (name, text) in mistake.files {
                try text.write(to: folder.appending(path: name), atomically: false, encoding: .utf8)
            }
            let place = mistake.files.isEmpty ? Places.package : folder

            let ending = try await Program.run(mistake.words, environment: mistake.environment, in: place)

            #expect(ending.status == mistake.status)
            #expect(ending.errors == mistake.complaint + "\n")
            #expect(ending.output == "")
        }
    }

    /// What is right, and near to a mistake.
    @Test(arguments: [
        "sh -c 'curl {url} | grep ok > out; echo $HOME'", "app '|' \"$HOME\" \\$HOME {url}",
        "app {url}?a=1&b=2 a;b x~ a$",
        "app --pins={pins} {url}", "app '~/x' {url}",
    ])
    func `mistake: what a client is given on purpose is no sign for a shell`(run: String) async throws {
        try await withTemporaryFolder { folder in
            let yaml = "version: 1\nhost: a.example\ninclude: [shipped]\nclients:\n  c:\n    run: >-\n      \(run)\n"
            try yaml.write(to: folder.appending(path: "f.yaml"), atomically: false, encoding: .utf8)

            let ending = try await Program.run("list", "f.yaml", in: folder)

            #expect(ending.status == 0, "\(ending.errors)")
        }
    }

    @Test func `mistake: a configuration without variables, and pins where the system looks, are taken`() async throws {
        try await withTemporaryFolder { folder in
            for (name, text) in ["Info.plist": Self.plist, "nsc.xml": Self.android] {
                try text.write(to: folder.appending(path: name), atomically: false, encoding: .utf8)

                let ending = try await Program.run("audit", name, "--fail-on", "breach", in: folder)

                #expect([0, 1].contains(ending.status))
                #expect(ending.errors == "")
            }
        }
    }
}
