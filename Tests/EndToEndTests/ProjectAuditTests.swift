import Foundation
import TLSCore
import TestSupport
import Testing

/// `pindrill audit` of folders and of sources.
struct ProjectAuditTests {
    @Test(
        arguments: [
            ("ios", ["Acme/Info.plist (ats)", "Acme/Pinning.swift:4 (trustkit)", "api.acme.com", "shop.acme.example"]),
            (
                "android",
                [
                    "Network.kt:8 (okhttp, if BuildConfig.DEBUG)", "Network.kt:8 (okhttp, if not BuildConfig.DEBUG)",
                    "network_security_config.xml (android)", "stage.acme.example",
                    "Network.kt:18 (okhttp): what the loop goes over: 'pins' is a parameter of pinner()", "[not-read]",
                ]
            ),
            (
                "react-native",
                [
                    "network.ts:5 (trustkit)", "network.ts:5 (okhttp)", "api.acme.com",
                    "give it with --define STAGE_PIN=VALUE",
                ]
            ),
        ]
    )
    func `every pin of an example is found`(project: String, words: [String]) async throws {
        let ending = try await Program.run("audit", "Examples/projects/\(project)")

        // One pin alone, in a debug build, is an outage.
        #expect(ending.status == (project == "android" ? 1 : 0), "\(ending.output)\(ending.errors)")
        for word in words { #expect(ending.output.contains(word), "\(word) in \(ending.output)") }
        #expect(!ending.output.contains("No verdict"))
    }

    @Test func `forms without a model are listed without a verdict`() async throws {
        let pin = "abcdef0123456789abcdef0123456789abcdef0123456789abcdef012345678a"
        let source = """
            bool isPinned(X509Certificate certificate) => '\(pin)' == sha256.convert(certificate.der).toString();
            HttpClient client() => HttpClient()..badCertificateCallback = (certificate, host, port) => isPinned(certificate);
            """

        let ending = try await audit(["a.dart": source], "a.dart")

        #expect(ending.status == 65)
        #expect(ending.errors == "a.dart: its pins are in forms whose rules are not modelled\n")
        #expect(ending.output.hasPrefix("No verdict: no model has the rules of these pins\n"))
        #expect(ending.output.contains("pin: \(pin)"))
        let log = try await audit(["a.dart": source], "a.dart", "--format", "sarif")
        #expect(log.output.contains("\"ruleId\" : \"not-modelled\""), "\(log.output)")
    }

    @Test(arguments: ["vue", "svelte"])
    func `a component's script is read, on its own lines`(kind: String) async throws {
        let pins = ["w14FsSqwEbNJ1mOxBLfAN0Rk0d8fzlbyNJdHNsdJb4M=", "VYxe9LAwK2QoyJmSqbSDVRF6SLhGpDZz3Iwv6rvWkXg="]
        let source = """
            <template><p>const no = fetch('https://other.acme.example/', { sslPinning: {} })</p></template>
            <script setup lang="ts">
            import { fetch } from 'react-native-ssl-pinning';
            fetch('https://api.acme.example/', {
              sslPinning: { certs: ['sha256/\(pins[0])', 'sha256/\(pins[1])'] }, pkPinning: true });
            </script>
            <style>p { color: red }</style>
            """

        let ending = try await audit(["Home.\(kind)": source], ".")

        #expect(ending.output.contains("Home.\(kind):4 (react-native-ssl-pinning)"), "\(ending.output)\(ending.errors)")
        #expect(ending.output.contains("\n  api.acme.example\n") && !ending.output.contains("other.acme.example"))
    }

    // OkHttp decodes it as well.
    @Test(arguments: [("4", false), ("", true)])
    func `a pin without its last sign is a digest, and a shorter one is none`(end: String, isBroken: Bool) async throws
    {
        let source = """
            class Api { OkHttpClient c = new OkHttpClient.Builder().certificatePinner(new CertificatePinner.Builder()
              .add(Elsewhere.HOST, "sha256/x4QzPSC810K5/cMjb05Qm4k3Bw5zBn4lTdO/nEW2Td\(end)").build()).build(); }
            """

        let ending = try await audit(["Api.java": source], ".")

        #expect(ending.output.contains("the host: 'Elsewhere' is declared nowhere"), "\(ending.output)")
        #expect(ending.output.contains("is no digest") == isBroken, "\(ending.output)")
    }

    @Test func `a script of expect is read`() async throws {
        let digest = String(repeating: "9293411775d8808b", count: 4)
        let source = "#!/usr/bin/expect\nspawn sudo openconnect --servercert sha256:\(digest) vpn.acme.example\n"

        let ending = try await audit(["vpn.exp": source], ".")

        #expect(ending.output.contains("vpn.acme.example: \(digest)"), "\(ending.output)\(ending.errors)")
    }

    // A source of which a folder's words say nothing is not read.
    @Test(arguments: [
        (
            "a.dart",
            "ClientChannel open(List<int> own) { final bytes = File('acme.pem').readAsBytesSync(); return ClientChannel('rpc.acme.example', options: ChannelOptions(credentials: ChannelCredentials.secure(certificates: bytes))); }",
            "pin: acme.pem"
        ),
        (
            "a.cs",
            "class C { static readonly X509Certificate2 Root = new X509Certificate2(\"acme.cer\"); X509ChainPolicy P = new X509ChainPolicy { TrustMode = X509ChainTrustMode.CustomRootTrust, CustomTrustStore = { Root } }; }",
            "pin: acme.cer"
        ),
        (
            "a.js",
            "const own = fs.readFileSync('acme.pem');\nnew Api('api.acme.example:443', credentials.createSsl(own));",
            "pin: acme.pem"
        ),
        (
            "b.cs",
            "class C { object Own = new SslCredentials(File.ReadAllText(\"acme.pem\")); }", "pin: acme.pem"
        ),
        (
            "c.java",
            "class C { Object o = GrpcSslContexts.forClient().trustManager(new File(\"acme.pem\")).build(); }",
            "pin: acme.pem"
        ),
        (
            ".msmtprc", "host mail.acme.example\ntls_fingerprint \(String(repeating: "A1", count: 32))",
            "mail.acme.example: A1A1"
        ),
    ])
    func `a folder's sources are read for each form`(name: String, source: String, pin: String) async throws {
        let ending = try await audit([name: source], ".")

        #expect(ending.output.contains(pin), "\(ending.output)\(ending.errors)")
    }

    @Test func `a network security configuration that a script writes is found by its name alone`() async throws {
        let source = """
            module.exports = (other) => `<network-security-config><domain-config>
              <domain includeSubdomains="true">api.acme.example</domain>
              <pin-set><pin digest="SHA-256">${other}</pin><pin digest="SHA-256">\(Self.lonePin)</pin></pin-set>
            </domain-config></network-security-config>`;
            """

        let ending = try await audit(["a.js": source], "a.js")

        #expect(ending.output.contains("(network-security-config)"), "\(ending.output)")
        #expect(ending.output.contains("api.acme.example"), "\(ending.output)")
    }

    @Test func `pins that are looked up and compared with nothing are told`() async throws {
        let source = """
            const pins = {'api.acme.example': ['\(Self.lonePin)']};
            void guard(IOHttpClientAdapter adapter) {
              adapter.validateCertificate = (certificate, host, port) {
                if (certificate == null) return false;
                return pins[host] == null || certificate.der.isNotEmpty;
              };
            }
            """

        let ending = try await audit(["a.dart": source], "a.dart")

        #expect(ending.status == 65)
        #expect(ending.output.contains("compared with no certificate"), "\(ending.output)")
        #expect(ending.output.contains("api.acme.example"), "\(ending.output)")
    }

    @Test func `pins beside what could not be read are listed with it`() async throws {
        let source = """
            const kept = ['sha256/\(Self.lonePin)'];
            session.setCertificateVerifyProc(createSslVerificator(remoteRules(kept)));
            """

        let ending = try await audit(["a.js": source], "a.js", "--format", "json")

        #expect(ending.status == 65)
        #expect(ending.output.contains("sha256/\(Self.lonePin)"), "\(ending.output)")
        #expect(!ending.output.contains("nothing that is known uses it"), "\(ending.output)")
    }

    private static let lonePin = "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="

    @Test func `fingerprints of Flutter have a verdict, and the same pins are OkHttp's on Android`() async throws {
        let ending = try await Program.run("audit", "Examples/projects/flutter")

        #expect(ending.status == 1, "\(ending.errors)")
        for words in [
            "main.dart:8 (flutter_ssl_pinning)", "main.dart:11 (http_certificate_pinning)", "[unguarded-request]",
            "59:10:D7:38:AE:6A", "renewed-same-key", "no pin that Android takes matches there",
        ] { #expect(ending.output.contains(words), "\(words) in \(ending.output)") }
        #expect(!ending.output.contains("No verdict"))
    }

    /// Each is the only thing in its callback, so that its rules can be told.
    @Test(arguments: [
        (
            "a.cs", "handler.ServerCertificateCustomValidationCallback = (m, c, ch, e) => c.Thumbprint == PIN;",
            ["(fingerprint)", "[weak-digest]", "[skipped-check]", "renewed-same-key"]
        ),
        (
            "a.cs",
            "h.ServerCertificateCustomValidationCallback = (m, c, ch, e) => e == SslPolicyErrors.None && c.GetCertHashString() == PIN;",
            ["(fingerprint)", "[certificate-pin]"]
        ),
        (
            "a.dart",
            "final adapter = IOHttpClientAdapter(validateCertificate: (c, host, port) => sha1.convert(c!.der).toString() == PIN);",
            ["(fingerprint)", "[unguarded-request]"]
        ),
        (
            "a.ts",
            "s.setCertificateVerifyProc(createSslVerificator([{domain: '*.acme.example', fingerprints: ['KEY']}]));",
            ["(electron)", "[presented-chain]", "any-host.acme.example"]
        ),
    ])
    func `a callback that does nothing but compare has a verdict`(file: String, code: String, words: [String])
        async throws
    {
        let isOfNET = file == "a.cs"
        let pin = "59 10 d7 38 ae 6a 45 c5 21 95 88 14 76 06 2b 8c 32 72 28 98".filter { $0 != " " }
        let source = code.replacing("PIN", with: "\"\(isOfNET ? pin.uppercased() : pin)\"")
            .replacing("KEY", with: "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=")

        let ending = try await audit([file: isOfNET ? "class A { void B(H h) { \(source) } }" : source], file)

        #expect(ending.status == 1, "\(ending.output)\(ending.errors)")
        for word in words { #expect(ending.output.contains(word), "\(word) in \(ending.output)") }
        #expect(!ending.output.contains("The server of today is rejected"), "\(ending.output)")
        #expect(code.contains("SslPolicyErrors") != ending.output.contains("[skipped-check]") || !isOfNET)
    }

    @Test func `AFNetworking's certificates are found in the project`() async throws {
        let source = """
            NSString *path = [[NSBundle mainBundle] pathForResource:@"acme" ofType:@"cer"];
            AFSecurityPolicy *policy = [AFSecurityPolicy policyWithPinningMode:AFSSLPinningModePublicKey];
            policy.pinnedCertificates = [NSSet setWithObject:[NSData dataWithContentsOfFile:path]];
            [policy setAllowInvalidCertificates:YES];
            manager.securityPolicy = policy;
            """
        let certificate = Sample.server.leaf.pem

        let ending = try await audit(["A.m": "+ (void)a {\n\(source)\n}\n", "certs/acme.cer": certificate], ".")

        #expect(ending.status == 1, "\(ending.output)\(ending.errors)")
        #expect(ending.output.contains("A.m:3 (AFSecurityPolicy)"), "\(ending.output)")
        #expect(ending.output.contains("[skipped-check]"))
    }

    @Test func `an audit is a page`() async throws {
        let ending = try await Program.run("audit", "Examples/projects/android", "--format", "html")

        #expect(ending.status == 1, "\(ending.errors)")
        #expect(ending.output.hasPrefix("<!doctype html>\n"))
        for words in ["Network.kt:8 (okhttp, if BuildConfig.DEBUG)", "<h2>Not read</h2>", "default-src "] {
            #expect(ending.output.contains(words), "\(words)")
        }
        let both = try await Program.run("audit", "Examples/projects/android", "--format", "html", "--json")
        #expect(both.status == 64)
    }

    @Test func `a value of the environment is given by name`() async throws {
        let pin = "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="

        let ending = try await Program.run("audit", "Examples/projects/react-native", "--define", "STAGE_PIN=\(pin)")

        #expect(ending.output.contains("stage.acme.com"))
        #expect(!ending.output.contains("[not-read]"), "\(ending.output)")
    }

    @Test func `W5: branches are configurations of their own`() async throws {
        let pins = ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="]
        let add = pins.map { "CertificatePinner.Builder().add(\"a.acme.example\", \"sha256/\($0)\").build()" }
        let source = "val pinner = if (BuildConfig.DEBUG) {\n  \(add[0])\n} else {\n  \(add[1])\n}\n"

        let ending = try await audit(["two.kt": source], "two.kt")

        #expect(ending.status == 1, "\(ending.output)")
        #expect(ending.output.contains("two.kt:2 (okhttp, if BuildConfig.DEBUG)"))
        #expect(ending.output.contains("two.kt:4 (okhttp, if not BuildConfig.DEBUG)"))
        #expect(ending.output.contains(/2 outages/))
    }

    @Test func `W4: a constant of the same file is read, and the line of its use is named`() async throws {
        let source = """
            String hostname = "publicobject.com";
            CertificatePinner certificatePinner = new CertificatePinner.Builder()
                .add(hostname, "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")
                .build();
            """

        let ending = try await audit(["okdoc.java": source], "okdoc.java")

        #expect(ending.status == 1)
        #expect(ending.output.contains("\nokdoc.java (okhttp)\n"), "\(ending.output)")
        #expect(ending.output.contains("okdoc.java:3: add(\"publicobject.com\"): one key is pinned"))
    }

    @Test func `a source that cannot be read never ends well`() async throws {
        let source =
            "fun pinner(pins: Array<String>) = CertificatePinner.Builder().add(\"a.acme.example\", *pins).build()\n"

        let ending = try await audit(["a.kt": source], "a.kt")

        #expect(ending.status == 65)
        #expect(ending.output.contains("a.kt:1 (okhttp): a pin: 'pins' is a parameter of pinner()"), "\(ending.output)")
        #expect(ending.errors == "a.kt: none of its pins can be read\n")
    }

    @Test func `what is told without a model is not said to be unread, where something else is`() async throws {
        let told =
            "spawn('openconnect', ['--servercert', 'pin-sha256:utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=', 'vpn.acme.example']);\n"
        let unread =
            "fun pinner(pins: Array<String>) = CertificatePinner.Builder().add(\"a.acme.example\", *pins).build()\n"

        let ending = try await audit(["a.js": told, "b.kt": unread], ".")

        #expect(ending.status == 65)
        #expect(ending.output.hasPrefix("No verdict: no model has the rules of these pins, and not all were read\n"))
        #expect(ending.errors == ".: its pins are in forms whose rules are not modelled, or cannot be read\n")
    }

    /// A verdict would be wrong without the pin that is not known, and hosts and pins are what the reader looks for.
    @Test func `what is known of a configuration is told where the rest is not`() async throws {
        let source = """
            let backup = Data(count: 32).base64EncodedString()
            let configuration = [kTSKPinnedDomains: [
                "a.acme.example": [kTSKPublicKeyHashes: ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", backup]],
                "b.acme.example": [kTSKPublicKeyHashes: ["vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=", backup]],
            ]]
            TrustKit.initSharedInstance(withConfiguration: configuration)
            """

        let ending = try await audit(["a.swift": source], "a.swift")
        let json = try await audit(["a.swift": source], "a.swift", "--format", "json")
        let markdown = try await audit(["a.swift": source], "a.swift", "--format", "markdown")

        #expect(ending.status == 65)
        #expect(ending.errors == "a.swift: none of its configurations can be read as a whole\n")
        #expect(ending.output.hasPrefix("No verdict: nothing could be read as a whole\n"))
        #expect(
            ending.output.contains(
                """
                Read in part: no verdict
                  warning   a.swift:1 (trustkit): TSKPublicKeyHashes: 'base64EncodedString()' is computed when the app runs [not-read]
                            a.acme.example: utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=
                            b.acme.example: vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=

                """
            ),
            "\(ending.output)"
        )
        #expect(!ending.output.contains("\nNot read\n"))
        #expect(json.output.contains("\"host\" : \"b.acme.example\",\n"), "\(json.output)")
        #expect(markdown.output.contains("\n  - a.acme.example: utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="))
    }

    @Test func `what git ignores and what links lead out to is left alone`() async throws {
        let pinner =
            "val a = CertificatePinner.Builder().add(\"a.acme.example\", \"sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=\").build()\n"

        let ending = try await audit(["app/A.kt": pinner, "build/B.kt": pinner, "node_modules/C.kt": pinner], ".")

        #expect(ending.output.contains("app/A.kt:1"), "\(ending.output)")
        #expect(!ending.output.contains("B.kt"))
        #expect(!ending.output.contains("C.kt"))
    }

    @Test func `a folder without pins is an error`() async throws {
        let ending = try await audit(["a.kt": "val a = 1\n"], ".")

        #expect(ending.status == 65)
        #expect(ending.errors == ".: found no pins in 1 file\n")
    }

    @Test func `programs are told of each configuration`() async throws {
        let ending = try await Program.run("audit", "Examples/projects/android", "--json")

        let answer = try #require(try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any])
        let configurations = try #require(answer["configurations"] as? [[String: Any]])
        let unread = try #require(answer["not_read"] as? [[String: Any]])
        #expect(configurations.map { $0["dialect"] as? String } == ["android", "okhttp", "okhttp"])
        #expect(configurations[2]["conditions"] as? [String] == ["not BuildConfig.DEBUG"])
        #expect(unread.count == 1)
        let schema = try Schema(at: Places.package.appending(path: "docs/output.schema.json"))
        let document = try JSONDecoder().decode(JSONValue.self, from: Data(ending.output.utf8))
        #expect(schema.complaints(about: document, as: "audit-project") == [])
    }

    func audit(_ files: [String: String], _ name: String, _ options: String...) async throws -> Program.Ending {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pindrill-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for (path, text) in files {
            let file = folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: file)
        }
        return try await Program.run(["audit", name] + options, in: folder)
    }
}
