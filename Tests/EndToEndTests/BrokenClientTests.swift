import Foundation
import TestSupport
import Testing

/// The right red for each way to break the shipped client.
// Most of these break curl itself.
@Suite(.enabled(if: Shipped.hasCurl, "curl is not installed"))
struct BrokenClientTests {
    private let attack = [
        "--scenario", "attacker-installed-root", "--policy", "leaf-and-backup", "--width", "1000",
    ]

    @Test func `a curl that checks nothing is intercepted`() async throws {
        let file = try Shipped.withCurl {
            $0.replacing("--cacert {trust} [--pinnedpubkey {pins}]", with: "-k")
        }

        let ending = try await Shipped.run(file, "--scenario", "attacker-*", "--verbose", "--width", "1000")

        #expect(ending.status == 1)
        #expect(ending.output.contains("intercepted"))
        #expect(
            ending.output.contains(
                "attacker-installed-root · leaf-only, leaf-and-backup · app, forged: talked to the wrong server (intercepted)"
            ),
            "\(ending.output.suffix(3000))"
        )
        #expect(
            ending.output.contains("attacker-unknown-root · no-pins, leaf-only, leaf-and-backup · app, forged"),
            "\(ending.output.suffix(3000))"
        )
    }

    @Test(arguments: ["true", "false"])
    func `a client that never connects proves nothing`(program: String) async throws {
        let ending = try await Shipped.run(
            try Shipped.with(app: "    run: \(program)"),
            "--scenario",
            "attacker-*",
            "--verbose"
        )

        #expect(ending.status == 2)
        #expect(ending.output.contains(" 0 passed, 0 failed, "))
        #expect(!ending.output.contains("  pass "))
    }

    @Test func `a pin of another key locks everybody out`() async throws {
        let wrong = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
        let file = try Shipped.withCurl { $0.replacing("[--pinnedpubkey {pins}]", with: "--pinnedpubkey \(wrong)") }

        let ending = try await Shipped.run(file, attack)

        #expect(ending.status == 1)
        #expect(
            ending.output.contains(
                "attacker-installed-root · leaf-and-backup · app, today: rejected what its policy accepts (locked-out)"
            ),
            "\(ending.output)"
        )
        #expect(ending.output.contains("locked-out by the pin"))
        // Without a control, what it refuses of the attacker is no merit.
        #expect(ending.output.contains("  inconclusive  forged"))
        #expect(!ending.output.contains("  pass "))
    }

    @Test func `a client without its trust file passes nothing`() async throws {
        let file = try Shipped.withCurl { $0.replacing("--cacert {trust} ", with: "") }

        let ending = try await Shipped.run(file, attack)

        #expect(ending.status == 1)
        #expect(ending.output.contains("locked-out, not by the pin"), "\(ending.output)")
        #expect(!ending.output.contains("  pass "))
    }

    @Test func `another chain than the declared one is seen`() async throws {
        let steps = "      - { at: 55d, present: renewed, locks-out: [] }"
        #expect(Shipped.text.contains(steps))
        let file = Shipped.text.replacing(steps, with: "      - { at: 55d, present: rotated, locks-out: [] }")

        let ending = try await Shipped.run(file)

        #expect(ending.status == 65)
        #expect(ending.output.isEmpty)
        #expect(
            ending.errors.contains("'locks-out' leaves out the policy 'leaf-only', but here its users are kept from")
        )
        #expect(ending.errors.contains("it must reject the owner's 'rotated' (no pin matches)"))
    }

    @Test func `a client that pins less than its policy says is intercepted`() async throws {
        let file = try Shipped.withCurl { $0.replacing(" [--pinnedpubkey {pins}]", with: "") }

        let ending = try await Shipped.run(file, attack)

        #expect(ending.status == 1)
        #expect(ending.output.contains("app, forged: talked to the wrong server (intercepted)"), "\(ending.output)")
    }
}
