import Foundation
import Pinning
import TLSCore
import TestSupport
import Testing

@Suite struct `A bad policy file` {
    private static let good = "WRDXOK5qRcUhlYgUdgYrjDJyKJjsmS9mHwOeJxruUlM="
    private static let backup = "bSIggTf+ikMG0CtmDlpMVBd7yi7H1md4URogRPqerso="
    private static let expected = "expected the Base64 of 32 bytes: 44 characters, the last of them '='"

    @Test(
        arguments: [
            ("sha256/\(good)", "found the prefix 'sha256/' in 'sha256/\(good)', \(expected)"),
            (
                "5910d738ae6a45c5219588147606" + "2b8c32722898ec992f661f039e271aee5253",
                "found hexadecimal, '5910d738ae6a45c52195881476062b8c32722898ec992f661f039e271aee5253', \(expected)"
            ),
            ("bSIggTf-ikMG0CtmDlpMVBd7yi7H1md4URogRPqerso=", nil as String?),
            ("ffff", "found 3 bytes in 'ffff', \(expected)"),
            ("'\(good)'", "found quotes inside ''\(good)'', \(expected)"),
        ]
    )
    func `has the mistake of a pin named`(pin: String, complaint: String?) throws {
        let header = "Public-Key-Pins: pin-sha256=\"\(pin)\"; max-age=1"

        let error = #expect(throws: PolicyFileError.self) { try HPKP(parsing: header, file: "h.txt") }

        let wanted = complaint ?? "found URL-safe Base64, '\(pin)', \(Self.expected)"
        #expect(error?.description == "h.txt:1: pin-sha256: \(wanted)")
    }

    @Test(arguments: [("\n", 2), ("\r", 2), ("\r\n", 2), ("\u{0B}", 1), ("\u{0C}", 1), ("\u{85}", 1), ("\u{2028}", 1)])
    func `is told of on the line that an editor shows`(separator: String, line: Int) {
        let text = "Server: x\(separator) y\nPublic-Key-Pins: pin-sha256=x"

        #expect { try HPKP(parsing: text, file: "h.txt") } throws: { error in
            "\(error)".hasPrefix("h.txt:\(line + 1): ")
        }
    }

    @Test(arguments: [
        (good.dropLast() + "", "its padding '=' is missing"), (" " + good, "it has white space around it"),
        ("\"\(good)\"", "it is quoted"), ("-__7" + good.dropFirst(4), "it is URL-safe Base64"),
        ("pin-sha256=\"\(good)\"", "it has the prefix 'pin-sha256='"), ("sha1/" + good, "it has the prefix 'sha1/'"),
    ])
    func `has the mistake of a declared pin named`(pin: String, hint: String) {
        let text = "chromium:\n  hosts:\n    example.com:\n      static_spki_hashes: ['\(pin)']\n"

        #expect { try PolicyFile.load(Data(text.utf8), file: "p.yaml") } throws: { error in
            "\(error)".hasPrefix("p.yaml:4: ") && "\(error)".contains("is neither Base64 nor hexadecimal (\(hint))")
        }
    }

    @Test(
        arguments: [
            ("pin-sha256=\(good); max-age=1", "pin-sha256: '\(good)' must stand in quotes"),
            ("pin-sha256=\"\(good)\"", "max-age is missing; without it the header is ignored"),
            ("max-age=1; max-age=2", "max-age: given twice; browsers ignore the whole header"),
            ("max-age=soon", "max-age: expected seconds, as in max-age=5184000, found 'soon'"),
            ("max-age=1; x=a/b", "x: 'a/b' must stand in quotes"),
            ("max-age=1; report-uri=\"/r", "report-uri: expected a word or a quoted text that ends, found '\"/r'"),
            ("max-age=1 includeSubDomains", "max-age: expected ';' before 'includeSubDomains'"),
        ]
    )
    func `has the mistake of a header named`(value: String, complaint: String) {
        let error = #expect(throws: PolicyFileError.self) {
            try HPKP(parsing: "Server: x\r\nPublic-Key-Pins: " + value, file: "h.txt")
        }

        let text = error?.description ?? ""
        #expect(text.hasPrefix("h.txt:2:"))
        #expect(text.hasSuffix(" " + complaint), "\(text)")
    }

    @Test(
        arguments: [
            (
                "callback:\n  form: go-lead\n  keys: []\n",
                "p:2: callback.form: 'go-lead' is not a form; did you mean 'go-leaf'?"
            ),
            (
                "callback:\n  form: go-leaf\n  key: []\n",
                "p:2: callback: the entry has no 'keys'\np:3: callback.key: unknown key 'key'; did you mean 'keys'?"
            ),
            (
                "callback:\n  form: go-leaf\n  keys: [x]\n",
                "p:3: callback.keys[0]: 'x' is neither Base64 nor hexadecimal"
            ),
            ("callback:\n  form: go-leaf\n  keys: sha256\n", "p:3: callback.keys: expected a list of pins, found text"),
            (
                "alamofire:\n  hosts:\n    a.b:\n      evaluator: default\n      keys: []\n",
                "p:5: alamofire.hosts.a.b.keys: the evaluator 'default' has no such key"
            ),
            (
                "alamofire:\n  hosts:\n    a.b: {evaluator: disabled}\n    a.b: {evaluator: default}\n",
                "p:4: alamofire.hosts.a.b: 'a.b' is given twice; first on line 3"
            ),
            (
                "fingerprint:\n  library: aiohttp\n  assert_fingerprint: 00112233445566778899aabbccddeeff\n",
                "p:3: fingerprint.assert_fingerprint: aiohttp takes SHA-256 only: md5 and sha1 are insecure and not supported"
            ),
            (
                "chromium:\n  built: 2026-02-31\n  hosts: {}\n",
                "p:2: chromium.built: expected a date as in 2026-01-31, found '2026-02-31'"
            ),
            (
                "callback:\n  form: &a go-leaf\n  keys: [*a]\n",
                "p:2: anchors ('&name') are not supported here; write the values out"
            ),
            ("callback:\n\tform: go-leaf\n", "p:2: a tab cannot indent or begin a value; use spaces"),
            ("callback: {}\n---\ncallback: {}\n", "p:2: a second document begins here; a policy has one"),
            ("callback:\n  form: !t go-leaf\n", "p:2: tags such as '!t' are not supported"),
            (
                "callback:\n  <<: {}\n  keys: []\n  form: go-leaf\n",
                "p:2: callback.<<: merge keys are not supported; write the entries out"
            ),
            (
                "callback: {\n",
                "p:2: not valid YAML: did not find expected node content (while parsing a flow node, line 2)"
            ),
            (
                "alamofire:\n  hosts: {}\ncurl:\n  pinnedpubkey: x\n",
                "p: this may be alamofire or curl; say which with --dialect"
            ),
        ]
    )
    func `has its mistakes named with line and key`(text: String, complaint: String) {
        let error = #expect(throws: PolicyFileError.self) { try PolicyFile.load(Data(text.utf8), file: "p") }

        #expect(error?.description == complaint)
    }

    @Test func `is one with an alias, but not one with the signs of it in a remark`() throws {
        let text = "# R&D: &d\ncallback:\n  form: go-leaf # &f\n  keys: [sha256/\(Self.good)]\n"

        let read = try PolicyFile.load(Data(text.utf8), file: "p")

        #expect(read as? Callback == Callback(.goLeaf, keys: [try Pin(parsing: "sha256/\(Self.good)")]))
    }

    @Test func `that nobody knows lists what each dialect looks for`() {
        let error = #expect(throws: PolicyFileError.self) { try PolicyFile.load(Data("hello".utf8), file: "p") }

        #expect(
            error?.description == """
                p: found a text, which no dialect claims; --dialect names one. Each looks for something else:
                p: ats: no NSPinnedDomains in a property list
                p: trustkit: no TSKPinnedDomains in a property list or JSON
                p: alamofire: no key 'alamofire:' in YAML
                p: delegate: no key 'delegate:' in YAML
                p: public-key-pinning-ios: no key 'public-key-pinning-ios:' in YAML
                p: android: no <network-security-config>
                p: trustkit-android: no <trustkit-config> in a <network-security-config>
                p: okhttp: no CertificatePinner.Builder in source, or key 'okhttp:' in YAML
                p: curl: no 'sha256//…', public key in PEM or DER, or key 'curl:' in YAML
                p: fingerprint: no key 'fingerprint:' in YAML
                p: callback: no key 'callback:' in YAML
                p: hpkp: no header 'Public-Key-Pins' with pin-sha256="…"
                p: chromium: no key 'chromium:' in YAML
                p: afnetworking: no key 'afnetworking:' in YAML
                p: electron: no key 'electron:' in YAML
                """
        )
    }
}
