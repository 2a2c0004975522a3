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
    ])
    func `a header's value may be several texts, or a part of one`(name: String, text: String, expected: String) {
        let found = ServerHeaders.read(text)

        #expect(found.map { $0.value.split(separator: " ").joined(separator: " ") } == [expected])
        #expect(found.map(\.gap) == [nil])
    }

    @Test(arguments: [
        "h.Add(\"Public-Key-Pins\", \"pin-sha256=\\\"a\\\"; pin-sha256=\\\"\" + other + \"\\\"; max-age=5\")\n",
        "h.Add(\"Public-Key-Pins\", \"pin-sha256=\\\"a\\\"; max-age=\" + age)\n",
        "h.Add(\"Public-Key-Pins\", fmt.Sprintf(\"pin-sha256=\\\"a\\\"; pin-sha256=\\\"%s\\\"; max-age=5\", b))\n",
        "Header set Public-Key-Pins \"pin-sha256=\\\"a\\\"; pin-sha256=\\\"${BACKUP}\\\"; max-age=5\"\n",
        // Python joins two texts, around that of the header.
        "4: 'Header set Public-Key-Pins \"pin-sha256=\\\"a\\\"; '\n   'max-age=5184000; includeSubDomains\"'}\n",
    ])
    func `a header of which a part is made later is named, with the pins that are known`(text: String) {
        let found = ServerHeaders.read(text)

        #expect(found.map(\.gap) == ["the value of the header is not understood"])
        #expect(found.map(\.pins) == [["a"]])
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
}
