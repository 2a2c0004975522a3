import Foundation
import TestSupport
import Testing

/// Where pins are used, and hosts that no source tells.
extension ProjectAuditTests {
    private static let pin = "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="

    @Test func `a host that only the running app knows is named by its expression`() async throws {
        let source = """
            fun pinner(site: Site) = CertificatePinner.Builder()
                .add(site.host, "\(Self.pin)")
                .build()
            """

        let ending = try await audit(["a.kt": source], "a.kt")
        let json = try await audit(["a.kt": source], "a.kt", "--format", "json")

        #expect(
            ending.output.contains("\n            a host that is not known, 'site.host': \(Self.pin)\n"),
            "\(ending.output)"
        )
        #expect(json.output.contains("\"expression\" : \"site.host\","), "\(json.output)")
        let schema = try Schema(at: Places.package.appending(path: "docs/output.schema.json"))
        let document = try JSONDecoder().decode(JSONValue.self, from: Data(json.output.utf8))
        #expect(schema.complaints(about: document, as: "audit-project") == [])
    }

    @Test(arguments: [
        ("47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "it is the digest of nothing"),
        (String(repeating: "ab", count: 32), "its characters follow a pattern"),
        ("utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", nil),
    ])
    func `a pin in code that nobody computed is told so`(pin: String, reason: String?) async throws {
        let source = """
            final class Pinning: NSObject, URLSessionDelegate {
                func urlSession(_ session: URLSession, didReceive challenge: URLAuthenticationChallenge) -> Bool {
                    "\(pin)" == digest(of: SecTrustCopyKey(challenge.protectionSpace.serverTrust!))
                }
            }
            """

        let ending = try await audit(["a.swift": source], "a.swift")

        #expect(ending.output.contains("pin: \(pin)\n"), "\(ending.output)")
        let told = "; the pin \(pin) stands for no key (\(reason ?? "")"
        #expect(ending.output.contains(told) == (reason != nil), "\(ending.output)")
        // Where its host is not known, too.
        let partly = "fun pinner(site: Site) = CertificatePinner.Builder().add(site.host, \"sha256/\(pin)\").build()"
        let part = try await audit(["a.kt": partly], "a.kt")
        let toldOfPart = told.replacing("pin \(pin)", with: "pin sha256/\(pin)")
        #expect(part.output.contains(toldOfPart) == (reason != nil), "\(part.output)")
        // Where nothing uses it, too.
        let unused = try await audit(["a.ts": "export const API_PINS = ['sha256/\(pin)'];"], "a.ts")
        #expect(unused.output.contains("nothing that is known uses it"), "\(unused.output)")
        #expect(unused.output.contains(toldOfPart) == (reason != nil), "\(unused.output)")
    }

    @Test(arguments: [
        ("sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", false),
        ("sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RT=", true),
        ("sha256/PRIMARYPINPRIMARYPINPRIMARYPINPRIMARY", true),
    ])
    func `a text in the place of a pin that nothing uses is told`(pin: String, isBroken: Bool) async throws {
        let ending = try await audit(["a.ts": "export const API_PINS = ['\(pin)'];"], "a.ts")

        #expect(ending.output.contains("; the pin \(pin) is no digest") == isBroken, "\(ending.output)")
    }

    @Test func `a resource of a build type counts under it, one of all does not`() async throws {
        let resource = """
            <network-security-config><domain-config><domain>api.acme.example</domain><pin-set>
            <pin digest="SHA-256">utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=</pin>
            </pin-set></domain-config></network-security-config>
            """

        let ending = try await audit(
            ["app/src/debug/res/xml/pins.xml": resource, "app/src/main/res/xml/pins.xml": resource],
            "."
        )

        #expect(
            ending.output.contains("app/src/debug/res/xml/pins.xml (android, if the source set is debug)\n"),
            "\(ending.output)"
        )
        #expect(ending.output.contains("app/src/main/res/xml/pins.xml (android)\n"), "\(ending.output)")
    }

    @Test func `a resource counts where a manifest names it, and on the devices that it is for`() async throws {
        let resource = """
            <network-security-config><domain-config><domain>api.acme.example</domain><pin-set>
            <pin digest="SHA-256">utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=</pin>
            </pin-set></domain-config></network-security-config>
            """
        func manifest(_ name: String) -> String {
            "<manifest><application android:networkSecurityConfig=\"@xml/\(name)\"/></manifest>"
        }
        let main = "app/src/main"

        let ending = try await audit(
            [
                "\(main)/res/xml/named.xml": resource, "\(main)/res/xml/other.xml": resource,
                "\(main)/res/xml-v28/named.xml": resource, "\(main)/AndroidManifest.xml": manifest("named"),
                "app/src/debug/AndroidManifest.xml": manifest("loose"),
            ],
            "."
        )

        for line in [
            "\(main)/res/xml/named.xml (android, if the source set is not debug and the resources are not xml-v28)\n",
            "\(main)/res/xml-v28/named.xml (android, if the resources are xml-v28 and the source set is not debug)\n",
            "\(main)/res/xml/other.xml (android, if a manifest names it, and not @xml/loose or @xml/named)\n",
        ] { #expect(ending.output.contains(line), "\(ending.output)") }
    }

    @Test func `a script's pins have its conditions, and pins of settings are listed with their hosts`() async throws {
        let script = """
            #!/bin/sh
            if [ "$1" = live ]; then
              curl --proxy https://proxy.acme.example --pinnedpubkey "\(Self.pin.replacing("/", with: "//", maxReplacements: 1))" https://a.acme.example
            fi
            """

        let ending = try await audit(["get.sh": script, ".env": "HOST=b.acme.example\nPIN=\(Self.pin)\n"], ".")

        #expect(ending.output.contains("get.sh:3 (curl, if \"$1\" = live)\n"), "\(ending.output)")
        #expect(!ending.output.contains("proxy.acme.example"), "\(ending.output)")
    }

    @Test(arguments: [
        ("if (isLive)", "if (isBeta || isTried)", "isLive and (isBeta || isTried)"),
        ("if (isBeta || isTried)", "run", "isBeta || isTried"),
        ("if (isLive)", "if (isBeta && isTried)", "isLive and isBeta && isTried"),
    ])
    func `conditions that hold together are told apart`(outer: String, inner: String, words: String) async throws {
        let text = """
            fun make(): CertificatePinner? {
                \(outer) {
                    \(inner) { return CertificatePinner.Builder().add("a.acme.example", "\(Self.pin)").build() }
                }
                return null
            }
            """

        let ending = try await audit(["Pins.kt": text], ".")

        #expect(ending.output.contains("(okhttp, if \(words); nothing else names 'make')\n"), "\(ending.output)")
    }

    @Test func `fields of Gradle that nothing uses are told by their build type`() async throws {
        let script = """
            android { buildTypes {
                release {
                    buildConfigField "String", "API_URL", '"https://api.acme.example/v1"'
                    buildConfigField "String", "API_PIN", '"\(Self.pin)"'
                }
            } }
            """

        let ending = try await audit(["app/build.gradle": script], ".")

        #expect(ending.output.contains("(text, if buildType release)"), "\(ending.output)")
        #expect(ending.output.contains("            api.acme.example: \(Self.pin)\n"), "\(ending.output)")
    }

    @Test(arguments: [
        "9A:7B:2C:3D:4E:5F:60:71:82:93:A4:B5:C6:D7:E8:F9:01:23:45:67",
        "9a-7b-2c-3d-4e-5f-60-71-82-93-a4-b5-c6-d7-e8-f9-01-23-45-67",
        "f30c3959de6b062374f037c505fb3864e1b0678086252ab457ddd97c729d06ac",
        "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=",
        "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=",
    ])
    func `a pin of settings is listed in whatever way it is written`(pin: String) async throws {
        let ending = try await audit(["app.properties": "mapping=on\nserver.pin=\(pin)\n"], ".")

        #expect(ending.output.contains(pin), "\(ending.output)")
    }

    @Test func `pins of settings go with the hosts of their names`() async throws {
        let other = "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="
        let settings = """
            API_HOST=api.acme.example
            AUTH_HOST=auth.acme.example
            API_PIN=\(Self.pin)
            AUTH_PIN=sha256/\(other)
            """

        let ending = try await audit([".env": settings], ".")

        #expect(ending.output.contains("api.acme.example: \(Self.pin)\n"), "\(ending.output)")
        #expect(ending.output.contains("auth.acme.example: sha256/\(other)\n"), "\(ending.output)")
    }

    @Test func `a digest that an object is made with is listed`() async throws {
        let digest = "f30c3959de6b062374f037c505fb3864e1b0678086252ab457ddd97c729d06ac"

        let ending = try await audit(["App.swift": "let delegate = Delegate(publicKeyHash: \"\(digest)\")\n"], ".")

        #expect(ending.output.contains(digest), "\(ending.output)")
    }

    @Test func `pins of a command without a URL are those of any host`() async throws {
        let ending = try await audit(
            ["curlrc.conf": "pinnedpubkey = sha256//utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=\n"],
            "."
        )

        #expect(ending.output.contains("any host that it asks, tried as api.acme.example"), "\(ending.output)")
    }

    @Test(arguments: [("true", true), ("false", false), ("__DEV__", false)])
    func `code that accepts whatever a server shows is a breach, but in a build for its makers`(
        flag: String,
        isOpen: Bool
    )
        async throws
    {
        let source = """
            import { fetch } from 'react-native-ssl-pinning';
            export const get = () =>
              fetch('https://api.acme.example/a', { disableAllSecurity: \(flag), sslPinning: { certs: ['acme'] } });
            """

        let text = try await audit(["a.ts": source], ".")
        let json = try await audit(["a.ts": source], ".", "--format", "json")
        let page = try await audit(["a.ts": source], ".", "--format", "markdown")

        #expect(text.status == (isOpen ? 1 : 65))
        #expect(text.output.hasPrefix("1 breach: code accepts whatever a server shows\n") == isOpen, "\(text.output)")
        #expect(text.output.contains("  breach ./a.ts:3 (react-native-ssl-pinning): ") == isOpen, "\(text.output)")
        #expect(text.output.contains("whatever is pinned beside it [not-pinned]\n") == isOpen, "\(text.output)")
        #expect(json.output.contains("\"rule\" : \"not-pinned\"") == isOpen, "\(json.output)")
        #expect(page.output.contains("\n- **breach** ./a.ts:3 ") == isOpen, "\(page.output)")
        let schema = try Schema(at: Places.package.appending(path: "docs/output.schema.json"))
        let document = try JSONDecoder().decode(JSONValue.self, from: Data(json.output.utf8))
        #expect(schema.complaints(about: document, as: "audit-project") == [])
    }

    @Test(arguments: [("true", true), ("false", false)])
    func `a pin that nothing uses is a breach where every certificate is let through`(answer: String, isOpen: Bool)
        async throws
    {
        let source = """
            const pins = ['sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM='];
            class Api { Api() { client = HttpClient()..badCertificateCallback = (cert, host, port) => \(answer); } }
            """

        let ending = try await audit(["api.dart": source], ".")

        #expect(ending.status == (isOpen ? 1 : 65))
        #expect(ending.output.contains("every certificate is let through [not-pinned]\n") == isOpen, "\(ending.output)")
        #expect(ending.output.contains("nothing that is known uses it [not-read]\n") != isOpen, "\(ending.output)")
    }

    @Test(arguments: [("Date.now() > LAST", true), ("!certificate.raw", false)])
    func `what code asks and no rule accounts for is told in each format`(condition: String, isTold: Bool) async throws
    {
        let source = """
            const PINS = ['146de983c5730650d8eeb9952f34fc6416a08342e61dbea88a0496b23fcf44e5'];
            https.get({ checkServerIdentity: (host, certificate) => {
              if (\(condition)) return undefined;
              if (!PINS.includes(digestOf(certificate.raw))) return new Error('pin');
            } });
            """
        let told = [
            "text": "\n    also asked: line 3: \(condition)\n", "json": "\"condition\" : \"\(condition)\"",
            "sarif": "It also asks: \(condition) (line 3)", "markdown": "also asked: line 3: Date.now() ",
            "html": "also asked: line 3: Date.now() ",
        ]
        for (format, words) in told {
            let output = try await audit(["a.ts": source], ".", "--format", format).output
            #expect(output.contains(words) == isTold, "\(format): \(output)")
        }
        let json = try await audit(["a.ts": source], ".", "--format", "json")
        let schema = try Schema(at: Places.package.appending(path: "docs/output.schema.json"))
        let document = try JSONDecoder().decode(JSONValue.self, from: Data(json.output.utf8))
        #expect(schema.complaints(about: document, as: "audit-project") == [])
    }

    @Test(arguments: ["", "<application android:name=\".ApiClient\"/>"])
    func `a type with pins that nothing else names is told of a folder`(manifest: String) async throws {
        let source = """
            class ApiClient {
                val client = OkHttpClient.Builder().certificatePinner(CertificatePinner.Builder()
                    .add("api.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build()).build()
            }
            """
        let words = "(okhttp; nothing else names 'ApiClient')"
        let files = ["Api.kt": source, "AndroidManifest.xml": manifest]

        let whole = try await audit(files, ".")
        let json = try await audit(files, ".", "--format", "json")
        let alone = try await audit(files, "Api.kt")

        #expect(whole.output.contains(words) == manifest.isEmpty, "\(whole.output)")
        #expect(json.output.contains("\"unreferenced\" : \"ApiClient\"") == manifest.isEmpty, "\(json.output)")
        #expect(!alone.output.contains("nothing else names"), "\(alone.output)")
        let schema = try Schema(at: Places.package.appending(path: "docs/output.schema.json"))
        let document = try JSONDecoder().decode(JSONValue.self, from: Data(json.output.utf8))
        #expect(schema.complaints(about: document, as: "audit-project") == [])
    }

    @Test(arguments: [("", "warning"), ("if (!BuildConfig.DEBUG) return null", ""), ("none", "")])
    func `code that accepts any certificate is told beside pins`(condition: String, severity: String) async throws {
        let open = """
            fun open(): X509TrustManager? {
                \(condition)
                return object : X509TrustManager {
                    override fun checkServerTrusted(chain: Array<X509Certificate>, authType: String) {}
                }
            }
            val manager = open()
            """
        let pins = "val pins = CertificatePinner.Builder().add(\"a.acme.example\", \"\(Self.pin)\").build()"
        let files = ["Open.kt": open, "Pins.kt": condition == "none" ? "" : pins]

        let text = try await audit(files, ".", "--fail-on", "warning")
        let json = try await audit(files, ".", "--format", "json")

        let words = "lets a connection through whatever certificate the server shows"
        #expect(text.output.contains(words) == (condition != "none"), "\(text.output)")
        #expect(
            text.output.contains("  warning ./Open.kt:4 (TrustManager): \(words) [accepts-any-certificate]\n")
                == !severity.isEmpty,
            "\(text.output)"
        )
        #expect(json.output.contains("\"rule\" : \"accepts-any-certificate\"") == !severity.isEmpty, "\(json.output)")
    }
}
