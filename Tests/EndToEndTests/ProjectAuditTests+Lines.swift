import TestSupport
import Testing

/// Scripts, and files in languages that are not read.
extension ProjectAuditTests {
    private static let pin = "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="

    @Test func `a single script is audited as its folder is, and one without pins is of no dialect`() async throws {
        let files = [
            "vpn.sh": "openconnect --servercert pin-sha256:\(Self.pin) vpn.acme.example\n", "empty.sh": "echo\n",
        ]

        let ending = try await audit(files, "vpn.sh")
        let folder = try await audit(files, ".")
        let other = try await audit(files, "empty.sh")

        let expected = """
            vpn.sh:1 (openconnect): keys that openconnect takes from its server; it looks at nothing else of the certificate
                vpn.acme.example: sha256/\(Self.pin)

            """
        #expect(ending.output.contains(expected), "\(ending.output)")
        #expect(folder.output.contains(expected), "\(folder.output)")
        #expect(other.errors.contains("no dialect claims"), "\(other.errors)")
    }

    @Test func `pins beside those of a command or a header are listed, and none of them twice`() async throws {
        let other = "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="
        let text = "BACKUP_PIN=pin-sha256:\(other)\nopenconnect --servercert pin-sha256:\(Self.pin) vpn.acme.example\n"

        let ending = try await audit(["vpn.sh": text], ".")

        #expect(ending.output.split(separator: Self.pin).count == 2, "\(ending.output)")
        #expect(ending.output.contains("vpn.sh:1 (text): a pin stands here, and nothing"), "\(ending.output)")
    }

    @Test func `a program that looks for a key in PEM is none, and its header is named with what is known`()
        async throws
    {
        let text = """
            $start = '-----BEGIN PUBLIC KEY-----';
            echo "Header set Public-Key-Pins 'pin-sha256=\\"" . hash_of($key) ."\\"; pin-sha256=\\"\(Self.pin)\\"; max-age=5'";

            """

        let ending = try await audit(["hash.php": text], "hash.php")

        #expect(ending.output.contains("hash.php:2 (header): the value of the header is not"), "\(ending)")
        #expect(ending.output.contains("a host that is not known: \(Self.pin)\n"), "\(ending)")
    }

    @Test func `a tunnel that a program of a language that is read starts is found, and its digest is listed once`()
        async throws
    {
        let digest = String(repeating: "ab12", count: 16)
        let text = "spawn('openconnect', ['--servercert', 'sha256:\(digest)', 'vpn.acme.example'])\n"

        let ending = try await audit(["main.js": text], ".")

        #expect(ending.output.split(separator: digest).count == 2, "\(ending)")
        #expect(ending.output.contains("    vpn.acme.example: \(digest)\n"), "\(ending)")
    }

    @Test(arguments: ["ab12", "ABCD"])
    func `a source whose only sign of pins is a digest in quotes is read`(digits: String) async throws {
        let digest = String(repeating: digits, count: 16)
        func text(_ digest: String) -> String {
            """
            const own = '\(digest)';
            Future<void> load() async {
              final answer = await HttpClient().getUrl(Uri.https('api.acme.example')).then((it) => it.close());
              if (digestOf(answer.certificate.der) != own) throw const HandshakeException();
            }

            """
        }

        let ending = try await audit(["load.dart": text(digest)], ".")
        let other = try await audit(["load.dart": text(String(digest.dropLast()))], ".")

        #expect(
            ending.output.contains("load.dart:4 (certificate check; nothing else names 'load'): compared with"),
            "\(ending)"
        )
        #expect(ending.output.contains("    pin: \(digest)\n"), "\(ending)")
        #expect(other.output.contains("no pins were found"), "\(other)")
    }

    @Test func `Android's configuration that is no XML is named with its pins, and one in UTF-16 is read`() async throws
    {
        let text = """
            <?xml version="1.0" encoding="utf-16"?>
            <network-security-config><domain-config>
              <domain>api.acme.example</domain>
              <pin-set><pin digest="SHA-256">\(Self.pin)</pin></pin-set>
            </domain-config></network-security-config>

            """
        // What is ASCII has a zero behind each letter.
        func wide(_ text: String) -> String { String(text.flatMap { [$0, "\u{0}"] }) }
        let narrow = text.replacing("utf-16", with: "utf-8")

        let late = try await audit(["res/xml/a.xml": "<!-- Acme -->\n" + narrow], ".")
        let merged = try await audit(
            ["res/xml/a.xml": narrow.replacing("<pin-set>", with: "<<<<<<< HEAD\n<pin-set>")],
            "."
        )
        let other = try await audit(["res/xml/a.xml": wide(text)], ".")
        let declared = try await audit(["res/xml/a.xml": wide(narrow)], ".")

        #expect(late.output.contains("a.xml:2 (file): found '<?xml' that is not the first in the file"), "\(late)")
        #expect(late.output.contains("    api.acme.example: \(Self.pin)\n"), "\(late)")
        #expect(merged.output.contains("    api.acme.example: \(Self.pin)\n"), "\(merged)")
        #expect(other.output.contains("  api.acme.example\n    sha256/utmg5NIuXjXc"), "\(other)")
        #expect(declared.output.contains("found the encoding 'utf-8 in UTF-16', expected UTF-8"), "\(declared)")
    }

    @Test func `a script without a kind is found by its first line, and its digest is listed once`() async throws {
        let digest = String(repeating: "ab12", count: 16)
        let command = "openconnect --servercert=sha256:\(digest) vpn.acme.example\n"

        let script = try await audit(["bin/vpn": "#!/bin/sh\n" + command], ".")
        let text = try await audit(["bin/vpn": command], ".")

        #expect(script.output.split(separator: digest).count == 2, "\(script.output)")
        #expect(script.output.contains("    vpn.acme.example: \(digest)\n"), "\(script.output)")
        #expect(!text.output.contains(digest), "\(text.output)")
    }

    @Test func `a language that is not read ends with its pins, and not without a word`() async throws {
        let code = """
            int main() {
                setopt(c, CURLOPT_URL, "https://api.acme.example/");
                setopt(c, CURLOPT_PINNEDPUBLICKEY, "sha256//\(Self.pin)");
            }

            """

        let ending = try await audit(["main.cpp": code], "main.cpp")

        #expect(ending.status == 65)
        #expect(ending.output.contains("            api.acme.example: sha256//\(Self.pin)\n"), "\(ending.output)")
    }

    @Test func `a script of tests is left out, unless there is nothing else`() async throws {
        let test = ["tests/get.sh": "curl --pinnedpubkey sha256//\(Self.pin) https://a.acme.example\n"]
        let app = ["get.sh": "curl --pinnedpubkey sha256//\(Self.pin) https://b.acme.example\n"]

        let alone = try await audit(test, ".")
        let beside = try await audit(test.merging(app) { one, _ in one }, ".")

        #expect(alone.output.contains("a.acme.example"), "\(alone.output)")
        #expect(beside.output.contains("b.acme.example"), "\(beside.output)")
        #expect(!beside.output.contains("a.acme.example"), "\(beside.output)")
        #expect(beside.output.contains("tests/get.sh"), "\(beside.output)")
    }

    @Test func `a header of C++ is read as its other files are, and one of Objective-C for tunnels`() async throws {
        let code =
            "namespace acme { inline void vpn() { run(\"openconnect --servercert pin-sha256:\(Self.pin)\"); } }\n"

        let ending = try await audit(["vpn.h": code], ".")
        let objects = try await audit(["vpn.h": "#import <Foundation/Foundation.h>\n" + code], ".")

        for output in [ending.output, objects.output] {
            #expect(output.split(separator: "sha256/\(Self.pin)").count == 2, "\(output)")
        }
    }

    @Test
    func `a program of a language that is not read has pins of its own, whoever else has them; settings have not`()
        async throws
    {
        let source =
            "import 'dart:io';\nconst pins = ['\(Self.pin)'];\n" + """
                void set(HttpClient client) {
                  client.badCertificateCallback = (cert, host, port) =>
                      host == 'api.acme.example' && pins.contains(base64.encode(sha256.convert(cert.der).bytes));
                }

                """
        let program = "func main() { pin(\"api.acme.example\", \"sha256//\(Self.pin)\") }\n"

        let ending = try await audit(
            ["lib/pins.dart": source, "server/main.go": program, "server/.env": "API_PIN=\(Self.pin)\n"],
            "."
        )

        #expect(ending.output.contains("server/main.go:1 (text)"), "\(ending.output)")
        #expect(!ending.output.contains("server/.env"), "\(ending.output)")
    }

    @Test(arguments: [("http", 1), ("https", 0)])
    func `a pin beside an address without TLS is a breach`(scheme: String, status: Int32) async throws {
        let pins =
            "sha256//utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=;sha256//vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="
        let script = "curl --pinnedpubkey '\(pins)' \(scheme)://api.acme.example/"

        let ending = try await audit(["get.sh": script], "get.sh", "--fail-on", "breach")

        #expect(ending.status == status, "\(ending)")
        let words = "used with http, which has no TLS: no certificate is looked at [not-pinned]"
        #expect(ending.output.contains("breach get.sh:1 (curl): \(words)") == (scheme == "http"), "\(ending.output)")
    }
}
