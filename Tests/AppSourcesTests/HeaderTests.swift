import Testing

@testable import AppSources

/// `Public-Key-Pins` as languages write it.
@Suite struct `Headers with pins` {
    @Test(arguments: [
        (
            "a.go", "\"Public-Key-Pins\": \"pin-sha256=\\\"a\\\"; \" + // one\n  \"max-age=5\",\n",
            "pin-sha256=\"a\"; max-age=5"
        ),
        ("a.py", "h['Public-Key-Pins'] = 'pin-sha256=\"a\"; ' \\\n  'max-age=5'\n", "pin-sha256=\"a\"; max-age=5"),
        ("a.php", "header('Public-Key-Pins: pin-sha256=\"a\"; ' . 'max-age=5');\n", "pin-sha256=\"a\"; max-age=5"),
        (
            "lines.php", "header(trim(\"\n  Public-Key-Pins:\n    pin-sha256=\\\"a\\\";\n    max-age=5\"));\n",
            "pin-sha256=\"a\"; max-age=5"
        ),
        (
            "report.php",
            "header(\"Public-Key-Pins: pin-sha256=\\\"a\\\"; max-age=5; report-uri=\\\"https://\".host($x).\"/r\\\"\");\n",
            "pin-sha256=\"a\"; max-age=5; report-uri=\"https://unknown/r\""
        ),
        (
            "a.vcl", "set resp.http.Public-Key-Pins = {\"pin-sha256=\"a\"; max-age=5\"};\n",
            "pin-sha256=\"a\"; max-age=5"
        ),
        (
            "a.tcl",
            "set static::age 5 ;# days\nHTTP::header insert Public-Key-Pins \"pin-sha256=\\\"a\\\"; max-age=$static::age\"\n",
            "pin-sha256=\"a\"; max-age=5"
        ),
        (
            "b.py", "h = {'Public-Key-Pins': ('pin-sha256=\"a\"; '\n    'max-age=5')}\n", "pin-sha256=\"a\"; max-age=5"
        ),
        ("c.py", "h['Public-Key-Pins'] = b'pin-sha256=\"a\"; max-age=5'\n", "pin-sha256=\"a\"; max-age=5"),
        (
            "a.rs", "h.insert(\"Public-Key-Pins\", HeaderValue::from_static(r#\"pin-sha256=\"a\"; max-age=5\"#));\n",
            "pin-sha256=\"a\"; max-age=5"
        ),
        ("a.rb", "h[\"Public-Key-Pins\"] = %q(pin-sha256=\"a\"; max-age=5)\n", "pin-sha256=\"a\"; max-age=5"),
        (
            "d.py", "h['Public-Key-Pins'] = \\\n    'pin-sha256=\"a\"; ' \\\n    'max-age=5'\n",
            "pin-sha256=\"a\"; max-age=5"
        ),
    ])
    func `a header's value may be several texts, or a part of one`(name: String, text: String, expected: String) {
        let found = ServerHeaders.read(text)

        #expect(found.map { $0.value.split(separator: " ").joined(separator: " ") } == [expected])
        #expect(found.map(\.gap) == [nil])
    }

    @Test(arguments: [
        ("listen 80; return 301 https://$host$request_uri;", true),
        ("listen *:80; listen [::]:80 default_server; return 308 https://$server_name/;", true),
        ("listen 80; return 301 https://www.a.acme.example$request_uri;", false),
        ("listen 80; # listen 443 ssl; return 301 https://$host;", true),
        // What stands before it may end TLS.
        ("listen 80;", false), ("listen 127.0.0.1:80; return 301 https://$host;", false),
        ("listen 80; return 301 http://b.acme.example;", false),
        ("listen 80; if ($http_x_forwarded_proto = http) { return 301 https://$host; }", false),
        ("listen 80; listen 443 ssl; return 301 https://$host;", false),
        ("listen 80; include tls.conf; return 301 https://$host;", false), ("return 301 https://$host;", false),
    ])
    func `are heeded by nobody without TLS`(listening: String, isPlain: Bool) {
        let lines = listening.replacing("; ", with: ";\n  ")
        let text = """
            server {
              listen 443 ssl;
            }
            server {
              \(lines)
              server_name a.acme.example;
              add_header Public-Key-Pins 'pin-sha256="a"; max-age=5';
            }
            """
        #expect(ServerHeaders.read(text, fileName: "nginx.conf").map { $0.gap != nil } == [isPlain])
    }

    @Test(arguments: [
        "h.Add(\"Public-Key-Pins\", \"pin-sha256=\\\"a\\\"; pin-sha256=\\\"\" + other + \"\\\"; max-age=5\")\n",
        "h.Add(\"Public-Key-Pins\", \"pin-sha256=\\\"a\\\"; max-age=\" + age)\n",
        "h.Add(\"Public-Key-Pins\", fmt.Sprintf(\"pin-sha256=\\\"a\\\"; pin-sha256=\\\"%s\\\"; max-age=5\", b))\n",
        "Header set Public-Key-Pins \"pin-sha256=\\\"a\\\"; pin-sha256=\\\"${BACKUP}\\\"; max-age=5\"\n",
        // Python joins two texts, around that of the header.
        "4: 'Header set Public-Key-Pins \"pin-sha256=\\\"a\\\"; '\n   'max-age=5184000; includeSubDomains\"'}\n",
        // Quotes within that end the text before its end.
        "add_header Public-Key-Pins \"pin-sha256=\"a\"; max-age=5\";\n",
        "Header set Public-Key-Pins 'pin-sha256='a'; max-age=5'\n",
        "Header set Public-Key-Pins \"pin-sha256=\"a=^C\"; max-age=5\"\n",
        "echo \"Header set Public-Key-Pins 'pin-sha256=\\\"\" . f($key) . \"\\\"; pin-sha256=\\\"a=\\\"; max-age=5'\";\n",
    ])
    func `a header of which a part is made later is named, with the pins that are known`(text: String) {
        let found = ServerHeaders.read(text)

        #expect(found.map(\.gap) == ["the value of the header is not understood"])
        #expect(found.map(\.pins) == [[text.contains("a=") ? "a=" : "a"]])
    }

    @Test(arguments: [
        ("var config = struct{}{\n  Pins: \"pin-sha256=\\\"a\\\"; max-age=5\",\n}\n", "config.Pins", ["a"]),
        ("const pins = \"pin-sha256=\\\"a\\\"; \" +\n  \"max-age=5\"\n", "pins", ["a"]),
        ("// pins = \"pin-sha256=\\\"a\\\"; max-age=5\"\n", "pins", []),
        ("pins = \"pin-sha256=\\\"a\\\"; max-age=5\"\npins = \"pin-sha256=\\\"b\\\"; max-age=5\"\n", "pins", []),
        ("myPins = \"pin-sha256=\\\"a\\\"; max-age=5\"\n", "Pins", []),
        ("pins = \"pin-sha256=\\\"a\\\"; max-age=5\"\n", "pins(host)", []),
    ])
    func `a header that is set to a name has the one value that its file gives this`(
        text: String,
        name: String,
        expected: [String]
    ) {
        let found = ServerHeaders.read(text + "h.Set(\"Public-Key-Pins\", \(name))\n", fileName: "a.go")

        #expect(found.flatMap(\.pins) == expected)
        #expect(found.allSatisfy { $0.gap == nil })
    }

    @Test func `a header on a line that is too long is named with its pins`() {
        let digest = "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="
        let long = "add_header X '\(String(repeating: "x", count: 20_000))'; "
        let header = "add_header Public-Key-Pins 'pin-sha256=\"\(digest)\"; max-age=5';"

        let found = ServerHeaders.read(long + header)
        let others = ServerHeaders.read(long + "add_header Public-Key-Pins $pins;")

        #expect(found.map(\.gap) == ["the line is too long to be read"])
        #expect(found.map(\.pins) == [[digest]])
        #expect(others == [])
    }

    @Test func `Varnish's condition of a host is the host, and any other one a condition`() {
        let text = """
            if (req.http.host ~ "a.acme.example") {
              set resp.http.Public-Key-Pins = {"pin-sha256="a"; max-age=5"};
            }
            if (req.http.host ~ "acme" && req.url ~ "/x") {
              set resp.http.Public-Key-Pins = {"pin-sha256="b"; max-age=5"};
            }
            """

        let found = ServerHeaders.read(text)

        #expect(found.map(\.host) == ["a.acme.example", nil])
        #expect(found.map(\.conditions) == [[], ["(req.http.host ~ \"acme\" && req.url ~ \"/x\")"]])
    }

    @Test(arguments: [
        ("a.py", "def f(r):\n    if not app.debug:\n        HEADER\n", ["!app.debug"]),
        ("a.py", "def f(r):\n    if app.debug:\n        return r\n    HEADER\n", ["not app.debug"]),
        ("a.py", "def f(r):\n    if app.debug:\n        log()\n    HEADER\n", []),
        ("a.py", "if live:\n    def f(r):\n        HEADER\n", []),
        ("a.py", "if a:\n    x()\nelif b:\n    y()\nelse:\n    HEADER\n", ["not a", "not b"]),
        ("a.go", "\tif a {\n\t\tx()\n\t} else if b {\n\t\tHEADER\n\t}\n", ["not a", "b"]),
        ("a.go", "\tswitch e {\n\tcase \"live\":\n\t\tHEADER\n\t}\n", ["case \"live\""]),
        ("a.rb", "  unless debug?\n    HEADER\n  end\n", ["not debug?"]),
        ("a.rb", "  HEADER unless debug?\n", ["not debug?"]),
        ("a.rb", "  HEADER # never unless asked\n", []),
        ("a.py", "HEADER  # only if asked\n", []),
        ("a.php", "if ($live) {\n    HEADER\n}\nelse {\n}\n", ["$live"]),
        ("a.php", "if ($live) {\n    x();\n}\nHEADER\n", []),
    ])
    func `the blocks around a header of code are its conditions`(name: String, text: String, expected: [String]) {
        let header = "h[\"Public-Key-Pins\"] = 'pin-sha256=\"a\"; max-age=5'"

        let found = ServerHeaders.read(text.replacing("HEADER", with: header), fileName: name)

        #expect(found.map(\.conditions) == [expected])
    }
}
