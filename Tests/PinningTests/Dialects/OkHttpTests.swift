import Foundation
import TLSCore
import TestSupport
import Testing

@testable import Pinning

struct OkHttpTests {
    private let world = MatrixWorld.shared

    @Test func `the pins of every matching pattern are taken together`() throws {
        let other = Pin(hashing: [1])
        let okHttp = OkHttp([
            .init(try OkHttpPattern("**.example.com"), [OkHttpPin(other)]),
            .init(try OkHttpPattern("EXAMPLE.com"), [OkHttpPin(world.rootPin)]),
        ])

        #expect(okHttp.pins(for: "Example.COM").count == 2)
        #expect(okHttp.decide(try #require(world.situation("E01"))).demand == .accept)
    }

    @Test func `a host with a trailing dot is not pinned`() throws {
        let okHttp = OkHttp([.init(try OkHttpPattern("example.com"), [OkHttpPin(Pin(hashing: [1]))])])
        var situation = try #require(world.situation("E01"))

        #expect(okHttp.decide(situation).isRefusalByPin)
        situation.host += "."
        #expect(okHttp.decide(situation) == Decision(.accept, .trusted))
    }

    @Test func `a SHA-1 pin is looked for`() throws {
        let okHttp = OkHttp([
            .init(try OkHttpPattern("example.com"), [.sha1(FingerprintDigest.sha1.hash(world.root.publicKey))])
        ])

        #expect(okHttp.decide(try #require(world.situation("E01"))).demand == .accept)
        #expect(okHttp.decide(try #require(world.situation("E07"))).isRefusalByPin)
    }

    @Test func `a key stands for the one that a SHA-1 pin is of`() throws {
        let name = try OkHttpPattern("example.com")
        let production = OkHttpPin.sha1(FingerprintDigest.sha1.hash([1]))
        let okHttp = OkHttp([.init(name, [production, .sha1([1, 2, 3])])])
        let pins = okHttp.pins
        let situation = try #require(world.situation("E01"))

        #expect(pins.map(\.label) == [production.description])
        #expect(okHttp.decide(situation).isRefusalByPin)
        #expect(okHttp.mapPins { $0 } == okHttp)
        let standIn = okHttp.mapPins { $0 == pins.first?.pin ? world.rootPin : $0 }
        #expect(standIn.pins.map(\.pin) == [world.rootPin])
        #expect(standIn.decide(situation).demand == .accept)
    }

    @Test(arguments: [
        ("*.*.example.com", "Unexpected pattern: *.*.example.com: expected '*' only in a leading '*.' or '**.'"),
        ("*example.com", "Unexpected pattern: *example.com: expected '*' only in a leading '*.' or '**.'"),
        ("***.example.com", "Unexpected pattern: ***.example.com: expected '*' only in a leading '*.' or '**.'"),
        (
            "example.com/",
            "Invalid pattern: example.com/: expected a host name (OkHttp 4 and later; OkHttp 3 pins 'example.com')"
        ),
        (
            "example.com:443",
            "Invalid pattern: example.com:443: expected a host name (OkHttp 4 and later; OkHttp 3 pins 'example.com')"
        ),
        (
            "https://example.com",
            "Invalid pattern: https://example.com: expected a host name (OkHttp 4 and later; OkHttp 3 pins a host 'https', which nobody asks)"
        ),
        ("example.com:abc", "Invalid pattern: example.com:abc: expected a host name"),
        ("sha256/AAAA", "Invalid pattern: sha256/AAAA: expected a host name"),
        ("a..example.com", "Invalid pattern: a..example.com: expected a host name"),
        ("", "Invalid pattern: : expected a host name"),
    ])
    func `a pattern that OkHttp throws at is refused`(text: String, message: String) {
        #expect { try OkHttpPattern(text) } throws: { "\($0)" == message }
    }

    @Test func `each kind of wrong pin is named`() {
        let pin = world.rootPin
        func message(_ text: String) -> String? {
            do {
                _ = try OkHttpPin(parsing: text)
                return nil
            } catch {
                return "\(error)"
            }
        }
        let start = "pins must start with 'sha256/' or 'sha1/': found "

        #expect(message(pin.base64) == start + "'\(pin.base64)'")
        #expect(message("\"\(pin)\"") == start + "'\"\(pin)\"' (it is quoted)")
        #expect(message(pin.hex) == start + "'\(pin.hex)' (it is hexadecimal)")
        #expect(message("sha256/\(pin.base64.dropLast())*") != nil)
        // Okio takes the other alphabet, and any length.
        #expect(message("sha256/\(Pin(hashing: [2]).base64.changing("+", to: "-").changing("/", to: "_"))") == nil)
        #expect(message(pin.curl) == nil)
    }

    @Test func `an error names file, line, call and argument`() {
        let source = """
            val pinner = CertificatePinner.Builder()
                // .add("ignored.example", "nonsense")
                .add("example.com", "sha512/AAAA")
                .add(host, "sha256/AAAA")
                .build()
            """

        #expect { try OkHttp(parsing: Data(source.utf8), file: "Pins.kt") } throws: { error in
            "\(error)" == """
                Pins.kt:3: add("example.com"): pins must start with 'sha256/' or 'sha1/': \
                found 'sha512/AAAA' (it has the prefix 'sha512/')
                Pins.kt:4: add: found 'host', expected a plain string literal
                """
        }
    }

    private static let pinned = "\"example.com\", \"sha256/\(Pin(hashing: []).base64)\""

    @Test(arguments: [
        "CertificatePinner.Builder().apply { add(\(pinned)) }.build()",
        "CertificatePinner.Builder().run {\n    add(\(pinned))\n    build()\n}",
        "CertificatePinner.Builder().also { it.add(\(pinned)) }.build()",
        "new CertificatePinner.Builder ()\n    .add (\(pinned))\n    .build ();",
        "CertificatePinner.Builder b = new CertificatePinner.Builder();\nb.add(\(pinned));\nb.build();",
        "fun pin(builder: okhttp3.CertificatePinner.Builder) { builder.add(\(pinned)) }",
        "val client = OkHttpClient.Builder().certificatePinner(CertificatePinner.Builder().add(\(pinned)).build())",
        "val p = CertificatePinner.Builder()\nval q = p // the same\nq.add(\(pinned))",
        // What belongs to somebody else is passed over.
        "hosts.add(\"metrics.example.com\")\nval p = CertificatePinner.Builder().add(\(pinned)).build()",
        "val h = Headers.Builder().add(\"Accept\", type).build()\nval p = CertificatePinner.Builder().add(\(pinned)).build()",
        "val p = CertificatePinner.Builder().add(\(pinned)).build()\nhosts.add(name)\nset += Headers.Builder().add(\"A\", \"b\")",
    ])
    func `apps write the same in many ways`(source: String) throws {
        let okHttp = try OkHttp(parsing: Data(source.utf8), file: "Pins.kt")

        #expect(okHttp.entries == [OkHttp.Entry(try OkHttpPattern("example.com"), [OkHttpPin(Pin(hashing: []))])])
    }

    @Test(arguments: [
        ("CertificatePinner.Builder().apply { add(host, pin) }.build()", "expected a plain string literal"),
        ("CertificatePinner.Builder().apply(::add).build()", "no call of add that can be read"),
        ("Headers.Builder().add(\(pinned))", "found no CertificatePinner.Builder"),
        (
            "val a = CertificatePinner.Builder().add(\(pinned)).build()\nval b = CertificatePinner.Builder().add(\(pinned)).build()",
            "found a second CertificatePinner.Builder"
        ),
    ])
    func `what cannot be read is an error, and no configuration without pins`(source: String, complaint: String) {
        #expect { try OkHttp(parsing: Data(source.utf8), file: "Pins.kt") } throws: { "\($0)".contains(complaint) }
    }

    @Test func `rendering and parsing give the same pins`() throws {
        var random = SplitMix64(seed: 7)
        for _ in 0..<200 {
            let entries = try (0..<Int.random(in: 0...4, using: &random)).map { _ in
                OkHttp.Entry(
                    try OkHttpPattern(
                        ["", "*.", "**."].randomElement(using: &random)! + [
                            "a.example", "σkhttp.com", "B-1.example.org",
                        ]
                        .randomElement(using: &random)!
                    ),
                    (0..<Int.random(in: 0...3, using: &random)).map { _ in
                        Bool.random(using: &random)
                            ? .sha256(random.bytes(Bool.random(using: &random) ? 32 : 7)) : .sha1(random.bytes(20))
                    }
                )
            }
            let okHttp = OkHttp(
                entries,
                release: OkHttp.Release.allCases.randomElement(using: &random)!,
                targetSDK: Bool.random(using: &random) ? 30 : nil
            )

            let again = try OkHttp(parsing: Data(okHttp.rendered().utf8), file: "Pins.kt")

            #expect(again == okHttp)
        }
    }

    @Test func `what OkHttp takes without a word is warned of`() throws {
        let pin = OkHttpPin(world.rootPin)
        let okHttp = OkHttp(
            [
                .init(try OkHttpPattern("*.example.com"), [pin, pin]),
                .init(try OkHttpPattern("example.org"), [.sha256([1]), pin]),
            ],
            release: .beforeCVE2016_2402
        )

        #expect(
            okHttp.findings(at: MatrixWorld.now).map { "\($0.rule.rawValue) \($0.keyPath)" } == [
                "presented-chain ", "unusable-pin add(\"example.org\")", "single-pin add(\"*.example.com\")",
                "duplicate-pin add(\"*.example.com\")", "scope-gap add(\"*.example.com\")",
                "scope-gap add(\"example.org\")",
            ]
        )
    }

    @Test func `a declaration says the same as the source`() throws {
        let yaml = """
            okhttp:
              release: before CVE-2016-2402
              targetSdk: 30
              pins:
                "*.example.com": [\(world.rootPin), sha1/uBzOlpjfHRiPMZ7tcAYCCZh69qs=]
            """

        let declared = try #require(try PolicyFile.load(Data(yaml.utf8), file: "pins.yaml") as? OkHttp)
        let again = try PolicyFile.load(Data(declared.rendered().utf8), file: "Pins.kt") as? OkHttp

        #expect(declared.entries.count == 1 && declared.entries[0].pins.count == 2)
        #expect(declared.release == .beforeCVE2016_2402 && declared.targetSDK == 30)
        #expect(again == declared)
    }

    @Test func `T5: on the JVM a chain of nine signers at most is made`() throws {
        func cleaned(_ authorities: Int) throws -> [Certificate]? {
            var issuer = Sample.root
            for number in 1...authorities {
                issuer = try issuer.authority(Sample.authority("Authority \(number)"), key: PrivateKey())
            }
            return OkHttp.clean(try issuer.identity(Sample.leaf(), key: PrivateKey()).chain, in: Sample.store)
        }

        #expect(try cleaned(8)?.count == 10)
        #expect(try cleaned(9) == nil)
    }

    @Test func `T6: an IPv4 address that is written as IPv6 is the IPv4 address`() throws {
        let leaf = Sample.leaf { $0.names = [.ip([192, 168, 1, 1])] }
        let chain = [try Sample.root.identity(leaf, key: PrivateKey()).leaf]
        func decide(_ host: String) -> Decision {
            OkHttp().decide(Situation(chain: chain, store: Sample.store, host: host, at: Sample.now))
        }

        #expect(decide("::ffff:192.168.1.1").demand == .accept)
        #expect(decide("192.168.1.1").demand == .accept)
        #expect(decide("::ffff:192.168.1.2").demand == .reject)
    }
}
