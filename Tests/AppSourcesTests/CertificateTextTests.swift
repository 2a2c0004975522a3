import Testing

@testable import AppSources

/// Whole certificates in sources, which no form has made anything of.
struct CertificateTextTests {
    /// As long as certificates are, and none.
    private static let digits = "MIIBbDCCAROgAwIBAgIU" + String(repeating: "aw6lJB9BXK4wob6s5rU5yaf73", count: 16)
    private static let pem = "-----BEGIN CERTIFICATE-----\n\(digits)\n-----END CERTIFICATE-----"

    @Test(arguments: [
        (SourceLanguage.kotlin, "val roots =\n    \"\"\"TEXT\"\"\""), (.java, "String roots =\n    \"LINES\";"),
        (.swift, "let roots =\n\"\"\"\nTEXT\n\"\"\""), (.objectiveC, "NSString *roots =\n    @\"LINES\";"),
        (.dart, "const roots =\n    '''TEXT''';"), (.script, "const roots =\n    `TEXT`;"),
        (.cSharp, "const string Roots =\n    @\"TEXT\";"), (.script, "const roots = [\n    'PARTS'].join('\\n');"),
        (.java, "String roots =\n    \"BARE\";"),
    ])
    func `a certificate is found in each language, on the line where it begins`(language: SourceLanguage, form: String)
    {
        let lines = Self.pem.split(separator: "\n")
        let source =
            form.replacing("TEXT", with: Self.pem).replacing("BARE", with: Self.digits)
            .replacing("LINES", with: lines.joined(separator: "\\n\"\n        + \"") + "\\n")
            .replacing("PARTS", with: lines.joined(separator: "',\n    '"))

        let found = certificates(source, language)

        #expect(found.map(\.line) == [2], "\(source)")
        #expect(found.map { FoundPins.body(ofCertificate: $0.text) } == [Self.digits], "\(source)")
    }

    @Test(arguments: [
        "const key = '-----BEGIN PRIVATE KEY-----\\nMIIE\\n-----END PRIVATE KEY-----'",
        "const strategy = new SamlStrategy({ cert: roots })", "jwt.verify(word, roots)",
    ])
    func `what is no server's is none`(other: String) {
        let source = "const roots = `\(Self.pem)`\n"

        #expect(certificates(source, .script).count == 1)
        #expect(certificates(source + other, .script).isEmpty)
    }

    @Test(arguments: [
        "'-----BEGIN CERTIFICATE-----\\n' + body + '\\n-----END CERTIFICATE-----'",
        "text.split('-----BEGIN CERTIFICATE-----')[1]",
        // A key, and what is cut off.
        "'MIIBIjANBgkqhkiG\(digits)'", "'MIIBbDCCAROgAwIBAgIU'", "// \(digits)",
    ])
    func `what only looks like a certificate is none`(value: String) {
        #expect(certificates("const one = \(value);\nconst two = '\(Self.digits)';", .script).map(\.line) == [2])
    }

    @Test(arguments: [
        ("#include <WiFiClientSecure.h>\nconst char *root = R\"(\nTEXT\n)\";", [3]),
        ("#include <openssl/ssl.h>\n#define ROOT \\\nLINES", [3]),
        ("import ssl\nROOT = \"\"\"\\\nTEXT\n\"\"\"", [3]),
        ("import ssl\n# TEXT", []), ("import ssl\nKEY = '-----BEGIN PRIVATE KEY-----'\nROOT = \"\"\"\nTEXT\"\"\"", []),
        ("ROOT = \"\"\"\nTEXT\"\"\"", []),
    ])
    func `a certificate is found in languages that are not read`(form: String, lines: [Int]) {
        let quoted = Self.pem.split(separator: "\n").map { "    \"\($0)\\n\" \\" }.joined(separator: "\n")

        let found = TextPins.certificates(form.replacing("TEXT", with: Self.pem).replacing("LINES", with: quoted))

        #expect(found.map(\.line) == lines)
        #expect(found.map { FoundPins.body(ofCertificate: $0.text) } == lines.map { _ in Self.digits })
    }

    private func certificates(_ text: String, _ language: SourceLanguage) -> [(text: String, line: Int)] {
        SourceModule.File(path: "a", language: language, text: text).certificates
    }

    @Test(arguments: [4, 12, 30]) func `may be of many lines that are joined`(count: Int) {
        let lines = (0..<count).map { "\"\($0 == 0 ? "MII" : "AAA")\(String(repeating: "B", count: 61))\"" }
        let text = """
            object Trust : X509TrustManager {
                private val own = \(lines.joined(separator: " +\n        "))
                override fun checkServerTrusted(chain: Array<X509Certificate>, authType: String) {
                    if (Base64.encodeToString(chain[0].encoded, Base64.NO_WRAP) != own) throw CertificateException("pin")
                }
            }
            """

        #expect(Reading.found(text, .kotlin).map { $0.digests.map(\.utf8.count) } == [[64 * count]])
    }
}
