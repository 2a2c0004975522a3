import Foundation
import Pinning
import TLSCore
import TestSupport
import Testing

@testable import Scenarios

/// Keys and roots that outlive a run, and what their constraints must not hide.
struct KeyringTests {
    private static let now = Sample.now

    private static let text = """
        version: 1
        host: api.acme.example
        keys:
          leaf: {}
          evil: { by: attacker }
        authorities:
          root: {}
          issuing: { issuer: root }
          mallory: { by: attacker }
          moved: { valid: [-30d, 60d] }
        stores:
          phone: { system: [root], user: [mallory] }
          moving: { system: [root, moved] }
          shallow: { system: [issuing, root] }
        chains:
          today: { key: leaf, issuer: issuing }
          elsewhere: { key: leaf, issuer: issuing, names: [shop.other.example] }
          star: { key: leaf, issuer: issuing, names: ['dns:*'] }
          old: { key: leaf, issuer: moved }
          forged: { key: evil, issuer: mallory }
        policies:
          pinned: { pins: [leaf] }
          free: {}
        clients:
          reference: { kind: reference }
        scenarios:
          - { name: usual, steps: [{ present: today }, { present: forged }], variants: { attacker-keys: [p384] } }
          - { name: wrong-host, steps: [{ present: today }, { present: elsewhere }] }
          - { name: bare-star, steps: [{ present: today }, { present: star }] }
          - { name: dated, store: moving, steps: [{ present: old }] }
          - { name: intermediate, store: shallow, steps: [{ present: today }] }
        """

    private static func file(_ text: String = text) throws -> ScenarioFile {
        try ScenarioFile(ScenarioSource(file: "scenarios.yaml", text: text), files: NamedFiles())
    }

    private static func keyring(
        _ file: ScenarioFile,
        days: Int = RootTerms.usualDays,
        constraints: NameConstraints? = nil
    ) throws -> Keyring {
        var keyring = Keyring()
        let constraints = constraints ?? NameConstraints(covering: file)
        try keyring.complete(for: file, terms: RootTerms(days: days, constraints: constraints), now: now)
        return keyring
    }

    @Test func `pins and roots are the same in every run, and leaves are not`() throws {
        let file = try Self.file()
        let kept = try Keyring(parsing: Array(try Self.keyring(file).text().utf8))

        let runs = [0, 1].map { PKI(file.blueprint, now: Self.now + Double($0), keyring: kept) }
        let leaves = try runs.map { try $0.identity(chain: "today", at: .zero, host: file.host).leaf }

        for name in ["leaf", "evil", "root", "issuing", "mallory"] {
            #expect(try runs[0].key(named: name).pin == runs[1].key(named: name).pin)
        }
        #expect(
            try runs[0].authority(named: "root", at: .zero).certificate
                == runs[1].authority(named: "root", at: .days(40)).certificate
        )
        #expect(leaves[0] != leaves[1])
        #expect(leaves[0].pin == leaves[1].pin)
        #expect(try runs[0].key(named: "leaf").pin != PKI(file.blueprint, now: Self.now).key(named: "leaf").pin)
    }

    @Test func `a root that is kept lives 90 days and may vouch for the hosts under test alone`() throws {
        let file = try Self.file()
        let root = try #require(try Self.keyring(file).roots["root"]?.certificate)
        let month = try #require(try Self.keyring(file, days: 30).roots["root"]?.certificate)

        #expect(root.validity.notAfter == Self.now + 90 * Sample.day)
        #expect(month.validity.notAfter == Self.now + 30 * Sample.day)
        let constraints = try #require(root.nameConstraints)
        #expect(constraints == NameConstraints(covering: file))
        #expect(constraints.permitted == [.dns("api.acme.example"), .dns("shop.other.example")])
        for (name, isAllowed) in [
            ("api.acme.example", true), ("x.api.acme.example", true), ("acme.example", false), ("192.0.2.1", false),
            ("2001:db8::1", false),
        ] {
            #expect(constraints.allow(SubjectName(name)) == isAllowed, "\(name)")
        }
    }

    @Test(arguments: ["api.acme.example", "shop.other.example", "www.acme.example", "192.0.2.1"])
    func `what OpenSSL makes of the constraints is what they say`(host: String) throws {
        let keyring = try Self.keyring(try Self.file())
        let kept = try #require(keyring.roots["root"])
        let root = Authority(root: kept.certificate, key: try #require(keyring.keys[kept.key]).key)
        let leaf = try root.identity(.leaf(names: [SubjectName(host)], now: Self.now), key: PrivateKey())

        let result = try TrustStore([TrustAnchor(kept.certificate)]).evaluate(leaf.chain, host: host, at: Self.now)

        #expect(result.isTrusted == kept.certificate.nameConstraints?.allow(SubjectName(host)))
        #expect(result.isTrusted == (host.hasPrefix("api") || host.hasPrefix("shop")))
    }

    @Test(arguments: [
        ("*.acme.example", ["acme.example"]), ("dns:a*.acme.example", ["acme.example"]),
        ("dns:api.acme.example\\0.shop.example", ["api.acme.example", "shop.example"]),
        ("node-{1..9999}.acme.example", ["acme.example"]), ("'*.com'", ["api.acme.example"]),
        ("'*.co.uk'", ["api.acme.example"]), ("'*.example'", ["example"]), ("'*.corp'", ["api.acme.example"]),
        ("API.ACME.example", ["api.acme.example"]), ("'uri:https://x.example/'", ["api.acme.example"]),
    ])
    func `J: constraints cover every name that is signed, unless strangers have names there`(
        name: String,
        permitted: [String]
    ) throws {
        let quoted = name.hasPrefix("'") ? name : "\"\(name)\""
        let text = Self.text.replacing("shop.other.example", with: quoted)

        let constraints = NameConstraints(covering: try Self.file(text))

        #expect(constraints.permitted == permitted.map { .dns($0) })
        #expect(constraints.excluded.count == 2)
    }

    @Test func `J: an address that is signed is covered alone`() throws {
        let file = try Self.file(Self.text.replacing("shop.other.example", with: "'ip:127.0.0.1'"))

        let constraints = NameConstraints(covering: file)

        #expect(constraints.permitted.map(\.constraint) == ["api.acme.example", "127.0.0.1/32"])
        #expect(constraints.allow(SubjectName("127.0.0.1")))
        #expect(!constraints.allow(SubjectName("127.0.0.2")))
        #expect(!constraints.allow(SubjectName("::1")))
    }

    @Test func `J: a reason that a kept root changes is an error, and one that it leaves is none`() throws {
        let file = try Self.file()
        var keyring = try Self.keyring(file)
        func problems() throws -> [String] {
            let pki = PKI(file.blueprint, now: Self.now, keyring: keyring)
            return try file.changesByKeptRoots(Oracle(pki), instant: Self.now).map(\.message)
        }

        let covering = try problems()
        let shallow = Sample.authority("root") { $0.pathLength = 0 }
        let key = try #require(keyring.keys["root"]).key
        keyring.roots["root"]?.certificate = try Authority(root: shallow, key: key).certificate
        let narrow = try problems()

        #expect(covering == [])
        #expect(narrow.first?.contains("with the roots of the keyring 'today' must be another matter") == true)
    }

    @Test(arguments: [
        ("usual", nil), ("usual [p384]", "its attackers have p384 keys"), ("wrong-host", nil),
        ("bare-star", "cannot vouch for '*'"), ("dated", "'moved' has 'valid:'"),
        ("intermediate", "the store 'shallow' trusts 'issuing', and only roots are kept"),
    ])
    func `what kept roots cannot play is named, and the rest is played`(name: String, reason: String?) throws {
        let file = try Self.file()
        let scenario = try #require(file.playable.first { $0.name == name })
        let kept = PKI(file.blueprint, now: Self.now, keyring: try Self.keyring(file))

        let obstacle = kept.obstacle(to: scenario)

        #expect(reason.map { obstacle?.contains($0) == true } ?? (obstacle == nil), "\(obstacle ?? "none")")
        #expect(try PKI(file.blueprint, now: Self.now).obstacle(to: scenario) == nil)
    }

    @Test func `the claims of what kept roots cannot play are not held against them, and others are`() throws {
        let later =
            "\n  - { name: later, clock: moves, steps: [{ present: today, locks-out: [] }, "
            + "{ at: 400d, present: today, locks-out: [] }] }"
        let wrong = "\n  - { name: wrong, steps: [{ present: today, locks-out: all }] }"
        func problems(_ scenario: String) throws -> [String] {
            var file = try Self.file(Self.text + scenario)
            let kept = PKI(file.blueprint, now: Self.now, keyring: try Self.keyring(file))
            return try file.leaveOutForeign(Oracle(kept), instant: Self.now).problems.map(\.message)
        }

        let (laters, wrongs) = (try problems(later), try problems(wrong))

        #expect(laters == [])
        #expect(wrongs.first?.contains("includes the policy 'pinned'") == true, "\(wrongs)")
    }

    @Test func `the shipped catalogue can be played with kept roots`() throws {
        var file = try ScenarioFile.shipped()
        let oracle = Oracle(PKI(file.blueprint, now: Self.now, keyring: try Self.keyring(file)))

        let (problems, leftOut) = try file.leaveOutForeign(oracle, instant: Self.now)
        let changed = try file.changesByKeptRoots(oracle, instant: Self.now)

        #expect(problems.map(\.message) == [])
        #expect(leftOut == [])
        #expect(changed.map(\.message) == [])
    }

    @Test func `renewing a root keeps its key, and rotating makes another`() throws {
        let file = try Self.file()
        let old = try Self.keyring(file)
        let terms = RootTerms(constraints: NameConstraints(covering: file))
        var (renewed, rotated) = (old, old)
        let later = Self.now + 100 * Sample.day

        let newRoots = try renewed.rotate(["root"], keepsKeys: true, for: file, terms: terms, now: later)
        let newKeys = try rotated.rotate(["root", "leaf"], keepsKeys: false, for: file, terms: terms, now: later)

        #expect((newRoots, newKeys) == (["root"], ["leaf", "root"]))
        #expect(renewed.keys["root"]?.key.pin == old.keys["root"]?.key.pin)
        #expect(renewed.roots["root"]?.certificate != old.roots["root"]?.certificate)
        #expect(throws: Never.self) { try renewed.check(file.keeping("root"), now: later) }
        #expect(rotated.keys["root"]?.key.pin != old.keys["root"]?.key.pin)
        #expect(rotated.keys["leaf"]?.key.pin != old.keys["leaf"]?.key.pin)
        #expect(rotated.roots["root"]?.certificate.pin == rotated.keys["root"]?.key.pin)
        #expect(rotated.keys["issuing"]?.key.pin == old.keys["issuing"]?.key.pin)
    }

    @Test(arguments: [
        ("leaf: {}", "leaf: { type: p384 }", 0, "the key 'leaf' is kept as p256, and is p384 in this file"),
        ("leaf: {}", "leaf: { by: attacker }", 0, "the key 'leaf' is kept as the owner's"),
        ("leaf: {}", "leaf: {}\n  spare: {}", 0, "'spare' of this file is not kept; 'pindrill certs init' adds it"),
        ("root: {}", "root: { key: leaf }", 0, "does not hold the key 'leaf'"),
        ("shop.other.example", "www.acme.example", 0, "this file has it sign 'www.acme.example'"),
        (
            "version: 1", "version: 1", 91.0,
            "the root 'root' ended on 2026-12-20; 'pindrill certs rotate --keep-key root'"
        ),
        ("version: 1", "version: 1", -2, "is not valid yet"),
        ("version: 1", "version: 1", 0, nil),
    ])
    func `a file that a keyring does not fit is told why`(old: String, new: String, days: Double, reason: String?)
        throws
    {
        let keyring = try Self.keyring(try Self.file())
        let file = try Self.file(Self.text.replacing(old, with: new))

        var complaint: String?
        do { try keyring.check(file, now: Self.now + days * Sample.day) } catch { complaint = error.description }

        #expect(reason.map { complaint?.contains($0) == true } ?? (complaint == nil), "\(complaint ?? "none")")
    }

    @Test(arguments: [
        ("", "this file is empty"), ("{", "this file is damaged, or no keyring"), ("[]", "this file is damaged"),
        (#"{"version": 2}"#, "another release of pindrill made"), (#"{"version": 1}"#, "something is missing"),
    ])
    func `a damaged file is no keyring`(text: String, reason: String) {
        let error = #expect(throws: Keyring.Unreadable.self) { try Keyring(parsing: Array(text.utf8)) }

        #expect(error?.description.contains(reason) == true)
    }

    @Test func `a root that holds another key is nobody's of this keyring`() throws {
        let file = try Self.file()
        var keyring = try Self.keyring(file)
        keyring.roots["root"]?.certificate = Sample.root.certificate

        let error = #expect(throws: Keyring.Unreadable.self) { try Keyring(parsing: Array(try keyring.text().utf8)) }

        #expect(error?.description.hasPrefix("the root 'root' of this keyring does not hold the key 'root'") == true)
    }

    @Test func `who is no host under test is a stranger still, though the roots may not vouch for it`() throws {
        let file = try Self.file()
        let kept = PKI(file.blueprint, now: Self.now, keyring: try Self.keyring(file))

        let chain = try kept.free.identity(chain: "forged", at: .zero, host: file.host, asked: "telemetry.other.test")
            .chain
        let store = try kept.free.store(named: "phone", at: .zero)

        #expect(store.evaluate(chain, host: "telemetry.other.test", at: Self.now).isTrusted)
        #expect(try kept.free.key(named: "mallory").pin == kept.key(named: "mallory").pin)
    }
}

extension ScenarioFile {
    /// With only those roots that a test renewed.
    fileprivate func keeping(_ root: String) -> ScenarioFile {
        var file = self
        file.blueprint.authorities.removeAll { $0.issuer == nil && $0.name != root }
        return file
    }
}
