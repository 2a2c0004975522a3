import Testing

@testable import AppSources

/// Fingerprints in the settings of programs.
@Suite struct `Settings of programs` {
    private static let digits = String(repeating: "AB:CD:EF:01:", count: 8).dropLast()
    private static let other = String(repeating: "01:23:45:67:", count: 8).dropLast()

    private func read(_ text: String) -> [ProgramSettings.Found] {
        ProgramSettings.read(
            text.replacing("PIN", with: Self.digits).replacing("OTHER", with: Self.other),
            path: "openvpn/acme.conf"
        )
    }

    @Test(arguments: [
        ("smtp_tls_fingerprint_cert_match = PIN\nrelayhost = [mail.acme.example]:587", "mail.acme.example"),
        ("mail.acme.example fingerprint match=PIN", "mail.acme.example"),
        ("[mail.acme.example]:587\tfingerprint match=PIN", "mail.acme.example"),
        (
            "account other\nhost other.example\n\naccount acme\nhost mail.acme.example\ntls_fingerprint PIN",
            "mail.acme.example"
        ),
        ("remote vpn.acme.example 1194\npeer-fingerprint PIN", "vpn.acme.example"),
        ("remote vpn.acme.example 1194\n<peer-fingerprint>\nPIN\n</peer-fingerprint>", "vpn.acme.example"),
        ("verify-hash PIN SHA256\nremote vpn.acme.example 1194", "vpn.acme.example"),
        ("[Repository Remote]\nremotehost = imap.acme.example\ncert_fingerprint = PIN", "imap.acme.example"),
        ("servers = (\n{\n address = \"irc.acme.example\";\n tls_pinned_cert = \"PIN\";\n}\n);", "irc.acme.example"),
    ])
    func `have pins and a host`(text: String, host: String) {
        let found = read(text)

        #expect(found.map(\.pins) == [[String(Self.digits)]])
        #expect(found.map(\.hosts) == [[host]])
    }

    @Test func `have several`() {
        #expect(read("a.example fingerprint match=PIN match=OTHER").map(\.pins.count) == [2])
        #expect(
            read("<peer-fingerprint>\nPIN\nOTHER\n</peer-fingerprint>\nverify-hash PIN").map(\.pins.count) == [2, 1]
        )
    }

    @Test(arguments: [
        "# tls_fingerprint PIN", "tls_fingerprint", "my_tls_fingerprint_note PIN", "tls_trust_file PIN",
        "a.example secure match=PIN", "<peer-fingerprint>", "peer-fingerprint AB:CD",
    ])
    func `have none`(text: String) {
        #expect(read(text).isEmpty)
    }

    @Test func `are those of the program's own files`() {
        let text = "remotehost = imap.acme.example\ncert_fingerprint = \(Self.digits)"

        #expect(ProgramSettings.read(text, path: ".offlineimaprc").count == 1)
        #expect(ProgramSettings.read(text, path: "app.ini").isEmpty)
    }

    @Test func `have their lines, however those are ended`() {
        let text = "host a.example\r\n\u{0B}\u{2028}\r\ntls_fingerprint PIN\r\n"

        #expect(read(text).map(\.line) == [3])
    }

    @Test func `have the host of their own server`() {
        let text = """
            [server]
            acme.addresses = "irc.acme.example/6697"
            acme.tls_fingerprint = "PIN"
            other.addresses = "irc.other.example/6697"
            # host old.example
            """

        #expect(read(text).map(\.hosts) == [["irc.acme.example"]])
        #expect(read("smtp_tls_fingerprint_cert_match =\n    PIN,\n    OTHER\nx = 1").map(\.pins.count) == [2])
    }
}
