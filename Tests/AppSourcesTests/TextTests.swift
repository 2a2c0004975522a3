import Testing

@testable import AppSources

/// Pins in texts that are not read as a language.
@Suite struct `Pins in texts` {
    private static let pin = "sha256//utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="

    @Test(arguments: [
        (
            "get.cpp",
            "  setopt(c, URL, \"https://a.acme.example/x\");\n  setopt(c, CURLOPT_PINNEDPUBLICKEY, \"sha256//KEY\");\n"
        ),
        ("get.py", "es = Client(\"https://a.acme.example:9200\",\n            ssl_assert_fingerprint=\"BARE\")\n"),
        (
            "a.py",
            "es = Client([\"https://a.acme.example\"], ssl_assert_fingerprint=\"BARE\", user=\"b.acme.example\")\n"
        ),
        ("pins.rb", "pins \"a.acme.example\" => [\n  {sha256: \"KEY\"},\n]\n"),
        (
            "dns.yml",
            "up:\n  - tls_auth_name: a.acme.example\n    tls_pubkey_pinset:\n      - digest: sha256\n        value: KEY\n  - tls_auth_name: b.acme.example\n"
        ),
        (
            "dns.yml",
            "up:\n  - address_data: 192.0.2.1\n    tls_auth_name: a.acme.example\n    tls_pubkey_pinset:\n      - value: KEY\n"
        ),
        (
            "dns.nix",
            "  all = [\n    {\n      tls_auth_name = \"a.acme.example\";\n      tls_pubkey_pinset = [\n        {\n          value = \"KEY\";\n        }\n      ];\n    }\n    {\n      tls_auth_name = \"b.acme.example\";\n    }\n  ];\n"
        ),
        ("pins.yaml", "pins:\n  - host: a.acme.example\n    sha256:\n      - KEY\n  - host: b.acme.example\n"),
        ("proxy.yaml", "tls:\n  sni: a.acme.example\n  verify_certificate_spki:\n    - KEY\n"),
        ("proxy.yaml", "tls:\n  sni: a.acme.example\n  verify_certificate_hash:\n    - BARE\n"),
        ("vpn.nix", "  \"certificate:a.acme.example:443\" = \"pin-sha256:KEY\";\n  x = \"b.acme.example\";\n"),
        ("vpn.conf", "host = a.acme.example\ntrusted-cert = BARE\n"),
        (
            "sketch.ino",
            "const char* host = \"a.acme.example\";\nconst char* fingerprint =\n  \"PAIRS\";\nWiFiClientSecure client;\n"
        ),
        ("sketch.ino.cpp", "  client.setFingerprint(\"PAIRS\");\n  client.get(\"https://a.acme.example/\");\n"),
        (
            "a.sh",
            "<key>a.acme.example</key>\n<dict>\n  <key>Pins</key>\n  <string>KEY</string>\n</dict>\n<key>b.acme.example</key>\n"
        ),
    ])
    func `the block around a pin gives it its host`(name: String, text: String) throws {
        let bare = String(repeating: "0a", count: 32)
        let pairs = repeatElement("0A", count: 32).joined(separator: ":")
        let text = text.replacing("KEY", with: Self.pin.dropFirst(8)).replacing("BARE", with: bare)
            .replacing("PAIRS", with: pairs)

        let found = try #require(TextPins.read(text, path: name) { _ in false })

        #expect(found.pins.count == 1)
        #expect(found.known.map(\.host) == ["a.acme.example"])
    }

    @Test(arguments: [
        "  setopt(URL, \"https://a.acme.example/\");\n  setopt(URL, \"https://b.acme.example/\");\n  pin(\"sha256/KEY\");\n",
        "host = \"a.acme.example\"\nother = \"b.acme.example\"\npins = \"sha256/KEY\"\n",
        "def get():\n  host = \"a.acme.example\"\npins = \"sha256/KEY\"\n",
        "  all = {\n    a = \"a.acme.example\";\n    b = \"b.acme.example\";\n    pins = [\n      \"sha256/KEY\",\n    ];\n  };\n",
        "send(server, \"a.acme.example\")\npins = \"sha256/KEY\"\n",
        "pins = [\n  \"sha256/KEY\",\n]\nhosts = [\n  \"https://a.acme.example\",\n]\n",
        "  config.hpkp = {\n    report_uri: \"https://a.acme.example/r\",\n    pins: \"sha256/KEY\",\n  }\n",
        "  load(\"main.py\")\n  pin(\"sha256/KEY\")\n",
    ])
    func `a pin of code with several hosts around it, or one elsewhere, has none`(text: String) throws {
        let text = text.replacing("KEY", with: Self.pin.dropFirst(8))

        let found = try #require(TextPins.read(text, path: "a.py") { _ in false })

        #expect(found.known == [])
        #expect(found.hosts == [])
    }

    @Test(arguments: [
        ("PINNED_SHA256 = \"BARE\"", false), ("pinned = \"BARE\"\nder = s.getpeercert(True)", true),
        ("PINNED_CERT_SHA256 = \"BARE\"", true), ("fingerprint = \"BARE\"", true),
        // What a server shows is asked for, whatever the constant is called.
        ("CERT = \"BARE\"\nif sha256(s.getpeercert(True)).hexdigest() != CERT: raise", true),
        ("own = \"BARE\"\nsha256(ssl.get_server_certificate((host, 443)))", true), ("own = \"BARE\"", false),
        ("EXPECTED=\"BARE\"\nopenssl s_client -connect $HOST | sha256sum", true),
        ("ARCHIVE_SHA256 = \"BARE\"\ns.getpeercert(True)", false),
    ])
    func `hexadecimal digits in code are a pin where the line or the file speaks of certificates`(
        text: String,
        expected: Bool
    ) {
        let text = text.replacing("BARE", with: String(repeating: "0a", count: 32))

        let found = TextPins.read(text, path: "get.py") { _ in false }

        #expect((found != nil) == expected)
    }

    @Test(arguments: [
        ("a.ino", "const char fingerprint[] PROGMEM = \"PAIRS\";\nWiFiClientSecure c;\n", ["PAIRS"]),
        ("a.cpp", "  http.begin(\"https://a.acme.example\", \"PAIRS\"); // ESP8266HTTPClient\n", ["PAIRS"]),
        ("a.h", "#define FINGERPRINT \"BARE\"\n#include <WiFiClientSecure.h>\n", ["BARE"]),
        ("a.cpp", "  draw(\"PAIRS\");\n", nil),
        ("a.cpp", "WiFiClientSecure c;\nconst uint8_t fingerprint[20] = {\n  BYTES,\n};\n", ["BARE"]),
        ("a.go", "x509.Parse()\nvar pin = []byte{BYTES}\n", ["BARE"]),
        ("a.go", "x509.Parse()\n// no pin\nvar picture = []byte{BYTES}\n", nil),
        ("a.c", "x509_parse();\nstatic const uint8_t pin[] =\n{\n  BYTES\n};\n", ["BARE"]),
        ("a.go", "x509.Parse()\nvar pin = []byte{BYTES, 0x1}\n", nil),
        // Words before a name, and a name that says what it is of.
        ("a.go", "x509.Parse()\nvar pins = []string{\"KEY\"}\n", ["KEY"]),
        ("a.go", "x509.Parse()\nvar picks = []string{\"KEY\"}\n", nil),
        ("a.py", "CERT_SHA256 = 'LONG'\ns.getpeercert(True)\n", ["LONG"]),
        ("a.py", "FILE_SHA256 = 'LONG'\ns.getpeercert(True)\n", nil),
        ("a.php", "$h->hpkp(array(\n  array('KEY', 'sha256'),\n));\n", ["KEY"]),
        ("a.rb", "  config.hpkp = {\n    pins: [\n      {sha256: 'LONG'},\n    ]\n  }\n", ["LONG"]),
        ("a.go", "  Header: \"max-age=5; pin-sha256=\\\"KEY\\\"; preload\",\n", ["sha256/KEY"]),
    ])
    func `programs that are not read write digests in more ways`(name: String, text: String, expected: [String]?) {
        func filled(_ text: String) -> String {
            text.replacing("PAIRS", with: repeatElement("0A", count: 20).joined(separator: " "))
                .replacing("BYTES", with: repeatElement("0xa", count: 20).joined(separator: ", "))
                .replacing("BARE", with: String(repeating: "0a", count: 20))
                .replacing("LONG", with: String(repeating: "0a", count: 32))
                .replacing("KEY", with: Self.pin.dropFirst(8))
        }

        let found = TextPins.read(filled(text), path: name) { _ in false }

        #expect(found?.pins == expected?.map(filled))
    }

    @Test func `a configuration that a program writes for Android is found, and what is put in is named`() {
        let text = """
            cat > network_security_config.xml <<END
            <network-security-config>
              <!-- <domain-config><domain>no.acme.example</domain><pin digest="SHA-256">x</pin></domain-config> -->
              <domain-config>
                <domain includeSubdomains="true">a.acme.example</domain>
                <domain>$HOST</domain>
                <pin-set><pin digest="SHA-256">AAAA</pin><pin digest="SHA-256">${PIN}</pin></pin-set>
              </domain-config>
            </network-security-config>
            END
            FILE = "<network-security-config><domain-config><domain x=\\"1\\">b.acme.example</domain><pin digest=\\"SHA-256\\">BBBB</pin>"
            """

        let found = WrittenConfigurations.read(text)

        #expect(found.map(\.line) == [2, 11])
        #expect(found.map(\.gap) == ["'${PIN}' is known only when the configuration is written", nil])
        #expect(found.map { $0.parts.map(\.host) } == [["a.acme.example", nil], ["b.acme.example"]])
        #expect(found.map { $0.parts.map(\.pins) } == [[["AAAA"], ["AAAA"]], [["BBBB"]]])
        #expect(found.map { $0.what.contains("; for the subdomains of a.acme.example as well") } == [true, false])
    }

    @Test(arguments: [
        ("<pin-set expiration=\"2027-01-01\">", "2027-01-01"), ("<pin-set expiration=\"$DAY\">", nil),
        ("<pin-set>", nil),
    ])
    func `a configuration that a program writes for Android has a last day`(set: String, end: String?) {
        let text = """
            <network-security-config><domain-config><domain>a.acme.example</domain>
            \(set)<pin digest="SHA-256">\(Self.pin.dropFirst(8))</pin></pin-set></domain-config></network-security-config>
            """

        #expect(WrittenConfigurations.read(text).flatMap(\.parts).map(\.end) == [end])
    }

    @Test(arguments: [("REPLACE_ME", true), ("${PIN}", false), (String(Self.pin.dropFirst(8)), false)])
    func `a configuration that a program writes for Android may have what is no digest`(pin: String, isBroken: Bool) {
        let text = """
            <network-security-config><domain-config><domain>a.acme.example</domain>
            <pin-set><pin digest="SHA-256">\(pin)</pin></pin-set></domain-config></network-security-config>
            """
        let told = "; '\(pin)' is no digest, and Android reads no configuration with it"

        #expect(WrittenConfigurations.what(text).contains(told) == isBroken)
    }

    @Test(arguments: ["192.0.2.7", "2001:db8::7"])
    func `an address stands for a server without a name`(address: String) throws {
        let text = """
            up:
              - address_data: 192.0.2.1
                tls_auth_name: a.acme.example
              - address_data: \(address)
                tls_pubkey_pinset:
                  - digest: sha256
                    value: \(Self.pin.dropFirst(8))
            """

        let found = try #require(TextPins.read(text, path: "stubby.yml") { _ in false })

        #expect(found.known.map(\.host) == [address])
    }

    @Test func `an option of curl that a program is given is named, with the constants that the file tells`() {
        let text = """
            <?php
            // curl_setopt($c, CURLOPT_PINNEDPUBLICKEY, $no);
            $key = "\(Self.pin.dropFirst(8))";
            curl_setopt($c, CURLOPT_PINNEDPUBLICKEY, "sha256//" . $key);
            curl_setopt($c, CURLOPT_PINNEDPUBLICKEY, $other);
            curl_setopt($c, CURLOPT_PINNEDPUBLICKEY, "\(Self.pin)");
            define('CURLOPT_PINNEDPUBLICKEY', VALUE);
            """

        let found = LibraryOptions.read(text)

        #expect(found.map(\.line) == [4, 5])
        #expect(found.map(\.pins) == [[String(Self.pin.dropFirst(8))], []])
    }

    @Test func `what calls give a function that sets curl's option goes with their hosts`() {
        let text = """
            function get($url, $pin) {
                curl_setopt($ch, CURLOPT_PINNEDPUBLICKEY, $pin);
            }
            get("https://a.acme.example/x", "\(Self.pin)");
            get(
                "https://b.acme.example/x",
                "\(Self.pin)"
            );
            target("https://c.acme.example/x", "\(Self.pin)");
            """

        let found = LibraryOptions.read(text)

        #expect(found.map(\.line) == [4, 5])
        #expect(found.map(\.host) == ["a.acme.example", "b.acme.example"])
        #expect(found.map(\.pins) == [[Self.pin], [Self.pin]])
    }

    @Test(arguments: [
        ("    private static $api = \"https://a.acme.example/x\";\n", "a.acme.example"),
        ("    private static $apis = \"https://a.acme.example/x\";\n", nil),
        ("    static $api = \"https://a.acme.example/x\";\n    static $api = \"https://b.acme.example/x\";\n", nil),
    ])
    func `a handle of curl has the host of the constant that it is made with`(constants: String, expected: String?) {
        let text = """
            class Client {
                private static $key = "\(Self.pin)";
            \(constants)
                public static function ask() {
                    $ch = curl_init(self::$api);
                    curl_setopt($ch, CURLOPT_PINNEDPUBLICKEY, self::$key);
                }
            }
            """

        let found = LibraryOptions.read(text)

        #expect(found.map(\.host) == [expected])
        #expect(found.map(\.pins) == [[Self.pin]])
    }
}
