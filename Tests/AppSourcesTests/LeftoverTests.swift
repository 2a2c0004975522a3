import Testing

@testable import AppSources

/// Pins that no form uses, and whom their tables say they are for.
struct LeftoverTests {
    private let one = "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="
    private let two = "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="

    private func leftovers(_ text: String, _ language: SourceLanguage, path: String = "A") -> Leftovers? {
        let file = SourceModule.File(path: path, language: language, text: text)
        return SourceReader(SourceModule([file])).leftovers(of: file, used: [])
    }

    @Test func `a pin that a form took with a blank before it is none`() {
        let file = SourceModule.File(path: "A.kt", language: .kotlin, text: "val pin = \" sha256/\(one)\"")
        let reader = SourceReader(SourceModule([file]))

        #expect(reader.leftovers(of: file, used: [FoundPins.digest(of: " sha256/\(one)")]) == nil)
        #expect(reader.leftovers(of: file, used: [FoundPins.digest(of: " sha256/\(two)")]) != nil)
    }

    @Test func `a pin that a form took with more before it is none`() {
        let source = "val pinner = CertificatePinner.Builder().add(\"a.acme.example\", \"pin-sha256/\(one)\").build()"
        let file = SourceModule.File(path: "A.kt", language: .kotlin, text: source)
        let reader = SourceReader(SourceModule([file]))
        let used = Set(reader.read(file).flatMap(\.digests))

        #expect(reader.leftovers(of: file, used: used) == nil)
        #expect(reader.leftovers(of: file, used: []) != nil)
    }

    @Test func `a certificate that a form took is none, however its lines are ended`() {
        let certificate = "-----BEGIN CERTIFICATE-----\nMIIBgzCCASmg\nAwIBAgIUIG\n-----END CERTIFICATE-----"
        let source = "val root = \"\"\"\n\(certificate)\n\"\"\".trimIndent()\nval all = HandshakeCertificates.Builder()"
        let file = SourceModule.File(path: "A.kt", language: .kotlin, text: source)
        let reader = SourceReader(SourceModule([file]))

        let used = FoundPins.digest(of: certificate.filter { !$0.isNewline })
        #expect(reader.leftovers(of: file, used: [used]) == nil)
        #expect(reader.leftovers(of: file, used: [FoundPins.digest(of: certificate + "A")]) != nil)
    }

    @Test func `a pin with a blank behind its algorithm is one as it is written`() {
        let text = "buildConfigField(\"String\", \"PIN\", \"\\\"sha256/ \(one)\\\"\")"

        #expect(leftovers(text, .kotlin, path: "build.gradle.kts")?.pins == ["sha256/ \(one)"])
    }

    @Test(arguments: ["pinnedKeyHash", "signature"])
    func `a longer digest is one where its name says so`(name: String) {
        let digest = String(repeating: "Abc4+/", count: 14) + "Ab=="
        let found = leftovers("class PinnedPlayer { let \(name) = \"\(digest)\"; let pinning = true }", .swift)

        #expect(found?.pins == (name == "signature" ? nil : [digest]))
    }

    @Test(arguments: [("ServerCertificateThumbprint", true), ("ServerThumbprint", true), ("ClientThumbprint", false)])
    func `a thumbprint is one in .NET where its name says that it is a server's`(name: String, isPin: Bool) {
        let source = "var options = new Options { \(name) = \"9a7b2c3d4e5f60718293a4b5c6d7e8f901234567\" };"

        #expect((leftovers(source, .cSharp) != nil) == isPin)
    }

    @Test(arguments: [(";", false), (" + \"MIIB\" + END;", true)])
    func `the first line of a certificate is a pin where the rest is added to it`(rest: String, isPin: Bool) {
        let source = "class A { TrustManagerFactory factory; String HEAD = \"-----BEGIN CERTIFICATE-----\\n\"\(rest) }"

        #expect((leftovers(source, .java) != nil) == isPin)
    }

    @Test func `a table gives each host its pins`() throws {
        let found = try #require(
            leftovers(
                "val all = mapOf(\"a.acme.example\" to listOf(\"\(one)\"), \"b.acme.example\" to \"\(two)\")",
                .kotlin
            )
        )

        #expect(found.known.map(\.host) == ["a.acme.example", "b.acme.example"])
        #expect(found.known.map(\.pins) == [[one], [two]])
    }

    @Test func `a table of lists by their names gives each host its pins`() throws {
        let source = """
            class Pins {
              static const List<String> first = ['sha256/\(one)'];
              static const second = 'sha256/\(two)';
              static const Map<String, List<String>> all = {
                'a.acme.example': first,
                'b.acme.example': [second],
              };
            }
            """
        let found = try #require(leftovers(source, .dart))

        #expect(found.known.map(\.host) == ["a.acme.example", "b.acme.example"])
        #expect(found.known.map(\.pins) == [["sha256/\(one)"], ["sha256/\(two)"]])
    }

    @Test(arguments: [
        "const options = [LIST]", "export function options() { return { hosts: [LIST] } }", "pin([LIST])",
    ])
    func `an object gives its own host its pins`(statement: String) throws {
        let list = """
            { hostname: 'a.acme.example', pins: ['\(one)'], help_url: 'https://r.acme.example' },
            { baseUrl: 'https://b.acme.example/v1', keys: { pins: ['\(two)'] } },
            """
        let found = try #require(leftovers(statement.replacing("LIST", with: list), .script))

        #expect(found.known.map(\.host) == ["a.acme.example", "b.acme.example"])
        #expect(found.known.map(\.pins) == [[one], [two]])
    }

    @Test func `one host beside pins is theirs, and of two none is`() throws {
        let pins = "val PINS = listOf(\"\(one)\", \"\(two)\")\n"
        let alone = try #require(leftovers("val HOST = \"a.acme.example\"\n" + pins, .kotlin))
        let both = try #require(
            leftovers("val HOST = \"a.acme.example\"\nval OTHER_HOST = \"b.acme.example\"\n" + pins, .kotlin)
        )

        #expect(alone.known.map(\.pins) == [[one, two]])
        #expect(alone.known.map(\.host) == ["a.acme.example"])
        #expect(both.known.isEmpty)
        #expect(both.hosts == ["a.acme.example", "b.acme.example"])
        #expect(both.pins == [one, two])
    }

    @Test(arguments: [
        "config = AndroidConfig(packageName: 'com.acme.app', signingCertHashes: const ['NONE', 'PIN'])",
        "const links = { package_name: 'com.acme.app', sha256_cert_fingerprints: ['PIN'] }",
        "const links = { 'sha256_cert_fingerprints': ['NONE', 'PIN'] }", "const APP_SIGNATURE = 'PIN'",
    ])
    func `what signed the app is no pin`(source: String) {
        let colons = "14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5"

        for pin in [one, colons] { #expect(leftovers(source.replacing("PIN", with: pin), .script) == nil) }
        #expect(leftovers("const signer = 'x'\nconst PINS = ['\(one)']", .script)?.pins == [one])
        #expect(leftovers("call({ signature: 'x', pins: ['\(one)'] })", .script)?.pins == [one])
    }

    @Test(arguments: [
        "static const encryptionKey = 'PIN';", "final keyHex = 'PIN';", "static const String keyBase64 = 'PIN';",
        "const config = {'hmac_secret': 'PIN'};", "final apiKey = 'PIN';", "connect(token: 'PIN');",
    ])
    func `a secret by its name is no pin`(source: String) {
        let hex = "146de983c5730650d8eeb9952f34fc6416a08342e61dbea88a0496b23fcf44e5"
        let head = "const apiHost = 'a.acme.example'; const spkiPins = [];\n"

        for pin in [one, hex] {
            #expect(leftovers(head + source.replacing("PIN", with: pin), .dart) == nil)
            let prefixed = source.replacing("PIN", with: "sha256/\(one)")
            #expect(leftovers(head + prefixed, .dart)?.pins == ["sha256/\(one)"])
        }
        for name in ["publicKey", "leafKey", "serverKeyHash", "backupKey", "pinnedSecret", "letsEncryptE7"] {
            #expect(leftovers(head + "const \(name) = '\(one)';", .dart)?.pins == [one])
        }
    }

    @Test func `an object's own package is no host of its pins`() throws {
        let source = "val a = Settings(packageName = \"com.acme.app\", pins = listOf(\"\(one)\"))"

        #expect(try #require(leftovers(source, .kotlin)).known.isEmpty)
        let other = "val a = Settings(hostName = \"a.acme.example\", pins = listOf(\"\(one)\"))"
        #expect(try #require(leftovers(other, .kotlin)).known.map(\.host) == ["a.acme.example"])
    }

    @Test func `the only host of a source is that of pins elsewhere in it`() throws {
        let pins = "const PINS = { leaf: '\(one)', backup: '\(two)' };\n"
        let alone = try #require(
            leftovers("const API = { API_HOST: 'a.acme.example', url: 'https://a.acme.example/v1' };\n" + pins, .script)
        )
        let list = try #require(leftovers("const trustedDomains = ['a.acme.example'];\n" + pins, .script))

        let within = "const API_HOSTS = (() => { try { return [of(A)]; } catch { return ['a.acme.example']; } })();\n"
        let computed = try #require(leftovers(within + pins, .script))

        #expect(alone.known.map(\.host) == ["a.acme.example"])
        #expect(alone.known.map(\.pins) == [[one, two]])
        #expect(list.known.map(\.host) == ["a.acme.example"])
        #expect(computed.known.map(\.host) == ["a.acme.example"])
    }

    @Test(arguments: [
        // Another host, if only in a text.
        "const API = { API_HOST: 'a.acme.example' };\nconst more = 'https://b.acme.example/more';\n",
        "const API = { API_HOST: 'a.acme.example', local: 'http://localhost:3000' };\n",
        // Named as something else.
        "const API = { label: 'a.acme.example' };\n", "const API = { reportUrl: 'https://a.acme.example' };\n",
    ])
    func `else the pins are nobody's`(source: String) throws {
        let found = try #require(leftovers(source + "const PINS = { leaf: '\(one)', backup: '\(two)' };\n", .script))

        #expect(found.known.isEmpty)
        #expect(found.pins == [one, two])
    }

    @Test(arguments: [
        ("apiBase", "https://a.acme.example", true), ("BACKEND", "https://a.acme.example/v1", true),
        ("host", "192.0.2.1", true), ("version", "192.0.2.1", false),
        ("apiBase", "a.acme.example", false), ("privacyBase", "https://a.acme.example", false),
        ("link", "https://a.acme.example", false), ("database", "https://a.acme.example", false),
    ])
    func `a URL says by less that its host is that of the pins`(name: String, text: String, isTold: Bool) {
        let found = leftovers("enum A { static let \(name) = \"\(text)\"; static let pins = [\"\(one)\"] }", .swift)

        #expect(found?.hosts == (isTold ? [text.contains("192") ? text : "a.acme.example"] : []))
    }

    @Test func `a placeholder is listed where the source speaks of pins`() throws {
        let placeholder = String(repeating: "B", count: 43) + "="

        #expect(leftovers("let pins = [\"\(placeholder)\"]", .swift)?.pins == [placeholder])
        #expect(leftovers("let images = [\"\(placeholder)\"]", .swift) == nil)
    }

    @Test func `constants go together by what else their names say`() throws {
        let named = try #require(
            leftovers(
                """
                object Pins {
                    const val API_HOST = "a.acme.example"
                    const val API_PIN = "sha256/\(one)"
                    const val CDN_HOST = "cdn.acme.example"
                    const val CDN_PIN = "sha256/\(two)"
                }
                """,
                .kotlin
            )
        )
        let crossed = try #require(
            leftovers(
                """
                const prodUrl = 'https://a.acme.example';
                const prodPin = 'sha256/\(one)';
                const devUrl = 'https://b.acme.example';
                const devPin = 'sha256/\(two)';
                const all = {prodUrl: [devPin], devUrl: [prodPin]};
                """,
                .dart
            )
        )

        #expect(named.known.map(\.host) == ["a.acme.example", "cdn.acme.example"])
        #expect(named.known.map(\.pins) == [["sha256/\(one)"], ["sha256/\(two)"]])
        // A table says it, whatever the names say.
        #expect(crossed.known.map(\.host) == ["a.acme.example", "b.acme.example"])
        #expect(crossed.known.map(\.pins) == [["sha256/\(two)"], ["sha256/\(one)"]])
    }

    @Test(arguments: [
        (
            "String[][] all = {{\"a.acme.example\", \"sha256/ONE\"}, {\"b.acme.example\", \"sha256/TWO\"}};",
            SourceLanguage.java
        ),
        (
            "const HOST = 'a.acme.example'; f() { pin(pins: ['sha256/ONE'], hostname: HOST); pin(hostname: 'b.acme.example', pins: ['sha256/TWO']); }",
            .dart
        ),
        (
            "for (Map.Entry e : MapsKt.mapOf(Tuples4.m1to(\"a.acme.example\", CollectionsKt.listOf(\"sha256/ONE\")), Tuples4.m1to(\"b.acme.example\", \"sha256/TWO\")).entrySet()) { }",
            .java
        ),
    ])
    func `pairs, named arguments and loops give each host its pins`(text: String, language: SourceLanguage) throws {
        let found = try #require(
            leftovers(text.replacing("ONE", with: one).replacing("TWO", with: two), language)
        )

        #expect(found.known.map(\.host) == ["a.acme.example", "b.acme.example"])
        #expect(found.known.map(\.pins) == [["sha256/\(one)"], ["sha256/\(two)"]])
    }

    @Test func `hexadecimal behind a prefix is a pin, whatever its length`() throws {
        let odd = "sha256/" + Array(repeating: "AB", count: 31).joined(separator: ":")
        let found = try #require(leftovers("const pins = {'a.acme.example': '\(odd)'};", .dart))

        #expect(found.known.map(\.host) == ["a.acme.example"])
        #expect(found.pins == [odd])
    }

    @Test func `fields of Gradle are told with the host of their name`() {
        let text = """
            android { defaultConfig {
              buildConfigField("String", "SHOP_HOST", "\\"shop.acme.example\\"")
              buildConfigField("String", "SHOP_SPKI_PIN", "\\"\(one)\\"")
              buildConfigField("String", "IMAGES_HOST", "\\".acme.example\\"")
              buildConfigField("String", "IMAGES_SPKI_PIN", "\\"\(two)\\"")
            } }
            """
        let file = SourceModule.File(path: "build.gradle.kts", language: .kotlin, text: text)

        let found = AndroidResources.pinnedFields(of: [one, two], in: file)

        #expect(found.map(\.hosts) == [["shop.acme.example", ".acme.example"]])
        #expect(found.flatMap(\.known).map(\.host) == ["shop.acme.example", ".acme.example"])
        #expect(found.flatMap(\.known).map(\.pins) == [[one], [two]])
    }

    @Test(arguments: [
        "cfg(\"PIN_HOST\", \"a.acme.example\")", "\"\\\"${cfg(\"PIN_HOST\", \"a.acme.example\")}\\\"\"",
        "\"\\\"${props.getProperty(\"PIN_HOST\") ?: \"a.acme.example\"}\\\"\"", "\"\\\"a.acme.example\\\"\"",
    ])
    func `fields of Gradle are told with what stands in for them`(host: String) {
        let text = """
            buildConfigField("String", "PIN_HOST", \(host))
            buildConfigField("String", "PIN", cfg("PIN", "sha256/\(one)"))
            buildConfigField("String", "NAME", cfg("b.acme.example", version))
            """
        let file = SourceModule.File(path: "build.gradle.kts", language: .kotlin, text: text)

        let found = AndroidResources.pinnedFields(of: ["sha256/\(one)"], in: file)

        #expect(found.map(\.known) == [[.init(host: "a.acme.example", pins: ["sha256/\(one)"], line: 0)]])
    }

    @Test func `fields of Gradle are those of the one host that is named so`() {
        let text = """
            android { defaultConfig {
              buildConfigField("String", "IMAGE_URL", "\\"https://images.acme.example/t\\"")
              buildConfigField("String", "HOSTNAME", "\\"api.acme.example\\"")
              buildConfigField("String", "CERTIFICATE_PIN_1", "\\"\(one)\\"")
            } }
            """
        let file = SourceModule.File(path: "build.gradle.kts", language: .kotlin, text: text)

        let found = AndroidResources.pinnedFields(of: [one], in: file)

        #expect(found.flatMap(\.known).map(\.host) == ["api.acme.example"])
        #expect(found.flatMap(\.known).map(\.pins) == [[one]])
    }

    @Test(arguments: [true, false])
    func `a whole key is listed beside code that looks at certificates`(isHandler: Bool) {
        let key = "3082010A" + String(repeating: "0F", count: 80)
        let text = """
            class Handler : \(isHandler ? "CertificateHandler" : "Cipher") {
              static string Key = "\(key.prefix(60))" +
                "\(key.dropFirst(60))";
              protected override bool ValidateCertificate(byte[] data) { return true; }
            }
            """

        #expect(leftovers(text, .cSharp)?.pins == (isHandler ? [key] : nil))
    }

    @Test(arguments: ["SHA1_PREFIX + ", "\"sha1/\" + ", "NAME + "])
    func `a digest behind its prefix is listed`(prefix: String) {
        let short = "utmg5NIuXjXc321JwUBw4B1DNpI="

        let found = leftovers("class A { void f() { pins.add(new Pin(host, \(prefix)\"\(short)\")); } }", .java)

        #expect(found?.pins == (prefix.hasPrefix("NAME") ? nil : [short]))
    }

    @Test(arguments: ["10.0.2.2", "127.0.0.1", "localhost", "10.0.0.1"])
    func `have the address of an emulator's computer as well`(host: String) {
        let pin = "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="
        let text = "val pins = mapOf(\"\(host)\" to listOf(\"sha256/\(pin)\"))"
        let file = SourceModule.File(path: "a.kt", language: .kotlin, text: text)

        let known = SourceReader(SourceModule([file])).leftovers(of: file, used: [])?.known
        #expect(known?.map(\.host) == [host])
    }
}
