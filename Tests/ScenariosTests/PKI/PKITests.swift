import Foundation
import Pinning
import TLSCore
import TestSupport
import Testing

@testable import Scenarios

@Suite struct `A blueprint's material` {
    private let now = Sample.now
    private let host = Sample.host

    @Test func `has a key for every name, each its own`() throws {
        let pki = try World.pki()
        let names = ["leaf", "spare", "evil", "root", "issuing", "other", "mallory"]

        let pins = try names.map { try pki.key(named: $0).pin }

        #expect(Set(pins).count == names.count)
    }

    @Test func `shares a key where an authority names it`() throws {
        let blueprint = Blueprint(
            keys: [KeyDeclaration(name: "old")],
            authorities: [
                AuthorityDeclaration(name: "third", key: "second"),
                AuthorityDeclaration(name: "second", key: "first"),
                AuthorityDeclaration(name: "first"),
                AuthorityDeclaration(name: "borrower", key: "old"),
            ]
        )

        let pki = try PKI(blueprint, now: now)

        let first = try pki.key(named: "first").pin
        #expect(try pki.key(named: "second").pin == first)
        #expect(try pki.key(named: "third").pin == first)
        #expect(try pki.authority(named: "third", at: .zero).certificate.pin == first)
        #expect(try pki.key(named: "borrower").pin == pki.key(named: "old").pin)
        #expect(try pki.key(named: "borrower").pin != first)
    }

    @Test func `makes keys of the declared kinds only`() throws {
        let kinds: [KeyType] = [.p256, .p384, .p521, .ed25519, .rsa1024]
        let blueprint = Blueprint(
            keys: kinds.map { KeyDeclaration(name: $0.rawValue, type: $0) },
            authorities: [AuthorityDeclaration(name: "root", keyType: .p384)],
            chains: kinds.map { ChainDeclaration(name: $0.rawValue, key: $0.rawValue, issuer: .authority("root")) }
        )

        let pki = try PKI(blueprint, now: now)

        let described = try kinds.map {
            try pki.identity(chain: $0.rawValue, at: .zero, host: host).leaf.keyDescription
        }
        #expect(described == ["EC 256", "EC 384", "EC 521", "ED25519", "RSA 1024"])
        #expect(try pki.authority(named: "root", at: .zero).certificate.keyDescription == "EC 384")
    }

    @Test(arguments: [KeyType.p256, .p384, .ed25519])
    func `has pins with a plus sign and a slash, which careless clients stumble on`(kind: KeyType) throws {
        let names = (0..<8).map { "key-\($0)" }
        let pki = try PKI(Blueprint(keys: names.map { KeyDeclaration(name: $0, type: kind) }), now: now)

        let pins = try names.map { try pki.key(named: $0).pin.base64 }

        #expect(pins.allSatisfy { $0.contains("+") && $0.contains("/") })
    }

    @Test func `H1: puts the attackers' anchors before all others`() throws {
        let blueprint = Blueprint(
            keys: [KeyDeclaration(name: "stolen", holder: .attacker)],
            authorities: [
                AuthorityDeclaration(name: "root"), AuthorityDeclaration(name: "other"),
                AuthorityDeclaration(name: "own", holder: .attacker), AuthorityDeclaration(name: "lent", key: "stolen"),
            ],
            stores: [
                StoreDeclaration(
                    name: "phone",
                    anchors: ["root", "own", "other", "lent"].map { .init($0) }
                )
            ]
        )
        let pki = try PKI(blueprint, now: now)

        let store = try pki.store(named: "phone", at: .zero)

        let ordered = try ["own", "lent", "root", "other"].map { try pki.authority(named: $0, at: .zero).certificate }
        #expect(store.anchors.map(\.certificate) == ordered)
        let written = try PEM.certificates(in: store.pem())
        #expect(written == ordered + [ordered[0]])
        #expect(try PEM.certificates(in: TrustStore([TrustAnchor(ordered[0])]).pem()) == [ordered[0]])
    }

    @Test func `H2: an attacker's name of its own is neutral, and one that is declared stays`() throws {
        let blueprint = Blueprint(authorities: [
            AuthorityDeclaration(name: "acme"), AuthorityDeclaration(name: "evil-pinned-ca", holder: .attacker),
            AuthorityDeclaration(name: "copy", subject: .copied(from: "evil-pinned-ca"), holder: .attacker),
            AuthorityDeclaration(name: "twin", subject: .copied(from: "acme"), holder: .attacker),
            AuthorityDeclaration(name: "said", subject: .literal("Evil CA"), holder: .attacker),
        ])
        let pki = try PKI(blueprint, now: now)

        let names = try blueprint.authorities.map { try pki.authority(named: $0.name, at: .zero).certificate.subject }

        #expect(names == ["CN=acme", "CN=Northwind 1", "CN=Northwind 1", "CN=acme", "CN=Evil CA"])
    }

    @Test func `a root that is pinned whole is found, for clients that are given certificates`() throws {
        let pki = try World.pki()
        let root = try pki.authority(named: "root", at: .zero).certificate
        let pin = ConfiguredPin(domain: nil, pin: root.fingerprint, match: .certificate)

        #expect(pki.certificates(in: [pin]) == [root])
    }

    @Test func `H7: an attacker's intermediate can carry the pinned authority's name`() throws {
        let file = try ScenarioFile(
            parsing: """
                version: 1
                host: api.acme.example
                keys: { leaf: {}, evil: { by: attacker } }
                authorities:
                  root: {}
                  issuing: { issuer: root }
                  theirs: { by: attacker }
                  namesake: { issuer: theirs, subject: issuing, by: attacker }
                stores: { phone: { system: [root, theirs] } }
                chains: { today: { key: leaf, issuer: issuing }, named: { key: evil, issuer: namesake, append: [today] } }
                policies: { ca: { pins: [issuing], position: authority } }
                clients: { reference: { kind: reference } }
                scenarios: [ { name: namesake, steps: [ { present: today }, { present: named, intercepts: [] } ] } ]
                """,
            file: "f.yaml"
        )
        let pki = try PKI(file.blueprint, now: now)

        let (today, named) = try (
            pki.identity(chain: "today", at: .zero, host: host), pki.identity(chain: "named", at: .zero, host: host)
        )

        #expect(named.chain[1].subject == today.chain[1].subject)
        #expect(named.chain[1].pin != today.chain[1].pin)
        #expect(try file.contradictions(Oracle(pki), instant: now).isEmpty)
    }

    @Test func `H15: mints for the name asked what attackers hold, and nothing else`() throws {
        let pki = try World.pki()
        func names(_ chain: String) throws -> [[String]] {
            try pki.identity(chain: chain, at: .zero, host: host, asked: "b.example").chain.map {
                $0.names.map(\.description)
            }
        }

        #expect(try names("forged") == [["b.example"]])
        #expect(try names("lookalike") == [["b.example"]])
        #expect(try names("stuffed") == [["b.example"], [host], []])
        #expect(try names("today") == [[host], []])
        #expect(try names("foreign") == [["shop.other.example", "*.other.example"], []])
        #expect(try pki.identity(chain: "forged", at: .zero, host: host).leaf.names.map(\.description) == [host])
        #expect(["forged", "stuffed", "today", "foreign"].map(pki.followsName) == [true, true, false, false])
    }

    @Test func `names authorities as declared, or copied, or written out`() throws {
        let blueprint = Blueprint(authorities: [
            AuthorityDeclaration(name: "root"),
            AuthorityDeclaration(name: "copy", subject: .copied(from: "root")),
            AuthorityDeclaration(name: "copy-of-copy", subject: .copied(from: "copy")),
            AuthorityDeclaration(name: "grand", subject: .literal("Grand Root CA")),
            AuthorityDeclaration(name: "copy-of-grand", subject: .copied(from: "grand")),
        ])
        let pki = try PKI(blueprint, now: now)

        let subjects = try blueprint.authorities.map {
            try pki.authority(named: $0.name, at: .zero).certificate.subject
        }

        #expect(subjects == ["CN=root", "CN=root", "CN=root", "CN=Grand Root CA", "CN=Grand Root CA"])
    }

    @Test(arguments: [(0, -30, 60), (55, -85, 5), (61, -91, -1), (-5, -25, 65)])
    func `moves declared windows, and nobody's clock`(_ day: Int, _ from: Int, _ to: Int) throws {
        let leaf = try World.pki().identity(chain: "today", at: .days(day), host: host).leaf

        #expect(leaf.validity.notBefore == now + Double(from) * Sample.day)
        #expect(leaf.validity.notAfter == now + Double(to) * Sample.day)
    }

    @Test(arguments: [0, 55, -5])
    func `keeps a chain without a window fresh`(_ day: Int) throws {
        let leaf = try World.pki().identity(chain: "fresh", at: .days(day), host: host).leaf

        #expect(leaf.validity.notBefore == now - Sample.day)
        #expect(leaf.validity.notAfter == now + 198 * Sample.day)
    }

    @Test func `moves an authority only if its window is declared`() throws {
        let pki = try World.pki()

        let dated = try pki.authority(named: "dated", at: .days(10)).certificate.validity
        let root = try pki.authority(named: "root", at: .days(10)).certificate.validity

        #expect(dated.notBefore == now - 40 * Sample.day)
        #expect(dated.notAfter == now + 10 * Sample.day)
        #expect(root.notBefore == now - Sample.day)
        #expect(root.notAfter == now + 3650 * Sample.day)
    }

    @Test func `keeps an undated authority's certificate through the story`() throws {
        let pki = try World.pki()

        for name in ["root", "issuing", "mallory"] {
            let certificates = try [0, 7, 90].map { try pki.authority(named: name, at: .days($0)).certificate }
            #expect(Set(certificates).count == 1)
        }
        let dated = try [0, 7].map { try pki.authority(named: "dated", at: .days($0)).certificate }
        let below = try [0, 7].map { try pki.authority(named: "under-dated", at: .days($0)).path }
        #expect(dated[0] != dated[1])
        #expect(below == [[below[0][0], dated[0]], [below[1][0], dated[1]]])
    }

    @Test func `answers the same question with the same certificate`() throws {
        let pki = try World.pki()

        let first = try pki.identity(chain: "today", at: .days(3), host: host)

        #expect(try pki.identity(chain: "today", at: .days(3), host: host).chain == first.chain)
        #expect(try pki.identity(chain: "today", at: .days(4), host: host).leaf != first.leaf)
        #expect(try pki.identity(chain: "today", at: .days(3), host: "b.example").leaf != first.leaf)
        #expect(try World.pki().identity(chain: "today", at: .days(3), host: host).pin != first.pin)
    }

    @Test func `answers many threads with one certificate`() async throws {
        let pki = try World.pki()

        let chains = try await withThrowingTaskGroup(of: [Certificate].self) { group in
            for _ in 0..<32 {
                group.addTask { try pki.identity(chain: "stuffed", at: .days(1), host: Sample.host).chain }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }

        #expect(chains.count == 1)
        #expect(chains.first?.count == 3)
    }

    @Test func `sends the leaf and its intermediates, as the chain asks`() throws {
        let pki = try World.pki()
        func sent(_ chain: String) throws -> [String] {
            try pki.identity(chain: chain, at: .zero, host: host).chain.map(\.subject)
        }

        #expect(try sent("deep") == ["CN=api.acme.example", "CN=lower", "CN=issuing"])
        #expect(try sent("reversed") == ["CN=api.acme.example", "CN=issuing", "CN=lower"])
        #expect(try sent("bare") == ["CN=api.acme.example", "CN=issuing"])
        #expect(try sent("own") == ["CN=api.acme.example"])
        #expect(try sent("stuffed") == ["CN=api.acme.example", "CN=api.acme.example", "CN=issuing"])
        let today = try pki.identity(chain: "today", at: .zero, host: host)
        #expect(try pki.identity(chain: "stuffed", at: .zero, host: host).chain.dropFirst() == today.chain[...])
    }

    @Test func `names the leaf for its host, unless names are declared`() throws {
        let pki = try World.pki()
        func names(_ chain: String, _ host: String) throws -> [SubjectName] {
            try pki.identity(chain: chain, at: .zero, host: host).leaf.names
        }

        #expect(try names("today", host) == [.dns("api.acme.example")])
        #expect(try names("today", "127.0.0.1") == [.ip([127, 0, 0, 1])])
        #expect(try names("foreign", host) == [.dns("shop.other.example"), .dns("*.other.example")])
    }

    @Test func `labels an identity with its chain`() throws {
        #expect(try World.pki().identity(chain: "today", at: .zero, host: host).label == "today")
    }

    @Test func `stores what a device trusts, with each anchor's origin`() throws {
        let pki = try World.pki()

        let store = try pki.store(named: "attacked", at: .zero)

        #expect(store.anchors.map(\.origin) == [.user, .system, .system])
        #expect(store.anchors.first?.certificate == (try pki.authority(named: "mallory", at: .zero).certificate))
    }

    @Test func `resolves certificate pins at each step, and key pins once`() throws {
        let pki = try World.pki()
        let declaration = PolicyDeclaration(
            name: "both",
            requirements: [
                RequirementDeclaration(
                    pins: [.leafCertificate(ofChain: "today"), .authorityCertificate(of: "root")],
                    match: .certificate,
                    search: .presentedChain
                ),
                RequirementDeclaration(pins: [.key(of: "leaf"), .literal(Pin(hashing: [1]))], position: .leaf),
            ],
            checks: [.path],
            failure: .report,
            exempt: [.user]
        )

        let policy = try #require(try pki.configuration(of: declaration, at: .days(2), host: host).uniformPolicy)

        let leaf = try pki.identity(chain: "today", at: .days(2), host: host).leaf
        let root = try pki.authority(named: "root", at: .days(2)).certificate
        #expect(
            policy
                == PinPolicy(
                    requirements: [
                        PinRequirement(
                            pins: [leaf.fingerprint, root.fingerprint],
                            match: .certificate,
                            search: .presentedChain
                        ),
                        PinRequirement(pins: [try pki.key(named: "leaf").pin, Pin(hashing: [1])], position: .leaf),
                    ],
                    checks: [.path],
                    failure: .report,
                    exempt: [.user]
                )
        )
        let later = try #require(try pki.configuration(of: declaration, at: .days(3), host: host).uniformPolicy)
        #expect(later.requirements[0].pins[0] != policy.requirements[0].pins[0])
        #expect(later.requirements[1] == policy.requirements[1])
    }

    @Test func `finds the name of a pin`() throws {
        let pki = try World.pki()

        #expect(pki.name(of: try pki.key(named: "spare").pin) == "spare")
        #expect(pki.name(of: try pki.key(named: "issuing").pin) == "issuing")
        #expect(pki.name(of: Pin(hashing: [])) == nil)
    }

    @Test func `says which name is not declared`() throws {
        let pki = try World.pki()

        #expect(message { try pki.key(named: "leef") } == "no key 'leef' is declared")
        #expect(message { try pki.authority(named: "rot", at: .zero) } == "no authority 'rot' is declared")
        #expect(message { try pki.identity(chain: "x", at: .zero, host: host) } == "no chain 'x' is declared")
        #expect(message { try pki.store(named: "", at: .zero) } == "no store '' is declared")
    }

    private func message(_ body: () throws -> Any) -> String? {
        do {
            _ = try body()
            return nil
        } catch {
            return "\(error)"
        }
    }
}
