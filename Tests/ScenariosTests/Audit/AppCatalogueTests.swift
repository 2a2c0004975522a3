import Foundation
import TLSCore
import TestSupport
import Testing

@testable import Pinning
@testable import Scenarios

@Suite struct `A catalogue for an app` {
    @Test func `knows the part of each pin from production's own chain`() throws {
        let production = try Production()
        let parts: [StandIn.Part] = [.backup, .root, .leaf, .issuer]
        let keys = parts.map(production.pin)

        let host = try AppCatalogue(Callback(.goVerifyConnection, keys: keys), production: production.chain).hosts[0]

        #expect(host.name == Production.host)
        #expect(host.standIns.map(\.part) == parts)
        #expect(host.standIns.map(\.name) == ["leaf-2", "acme-root", "leaf-1", "acme-issuing"])
        #expect(host.standIns.map { $0.certificate != nil } == [false, true, true, true])
    }

    @Test func `takes the first pin for today's key where no chain is known`() throws {
        let keys = (0..<5).map { Pin(hashing: [$0]) }

        let leaves = try AppCatalogue(Callback(.goLeaf, keys: keys)).hosts[0].standIns
        let authorities = try AppCatalogue(
            ATSConfiguration([.init("example.org", authority: Array(keys.prefix(3)))])
        ).hosts[0].standIns

        #expect(leaves.map(\.name) == ["leaf-1", "leaf-2", "leaf-rsa", nil, nil])
        #expect(leaves.map(\.part) == [.leaf, .backup, .backup, .none, .none])
        #expect(authorities.map(\.name) == ["acme-issuing", "next-root", nil])
        #expect(authorities.allSatisfy { $0.certificate == nil })
    }

    @Test func `takes the key of a public root for a root's, and a pin of nothing for nobody's`() throws {
        let roots = try [
            "C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=", "i7WTqTvh0OioIruIfFR4kMPnBqrS2rdiVPl/s2uC/CY=",
        ].map { try Pin(parsing: $0) }
        let nothing = Pin(hashing: [])
        func standIns(_ domain: ATSConfiguration.Domain) throws -> [StandIn] {
            try AppCatalogue(ATSConfiguration([domain])).hosts[0].standIns
        }

        let authorities = try standIns(.init("example.org", authority: [nothing] + roots + [Pin(hashing: [1])]))
        let leaves = try standIns(.init("example.org", leaf: roots + [Pin(hashing: [1])]))

        #expect(authorities.map(\.name) == [nil, "acme-root", "next-root", "acme-issuing"])
        #expect(authorities.map(\.part) == [.none, .root, .otherAuthority, .issuer])
        #expect(leaves.map(\.part) == [.none, .none, .leaf])
        #expect(leaves[0].words.hasPrefix("never shown: ISRG Root X1"))
    }

    /// DST Root CA X3 ended in 2021; Mozilla took GLOBALTRUST 2020 out before it ends.
    @Test func `shows no public root that has ended, and a distrusted one only where nothing else is pinned`() throws {
        let ended = try Pin(parsing: "Vjs8r4z+80wjNcr1YKepWQboSIRi63WsWXhIMN+eWys=")
        let distrusted = try #require(KnownAuthority.all.first { $1.name == "GLOBALTRUST 2020" }).key
        let own = Pin(hashing: [1])
        func parts(_ pins: Pin...) throws -> [StandIn.Part] {
            try AppCatalogue(Callback(.goVerifyConnection, keys: pins)).hosts[0].standIns.map(\.part)
        }

        #expect(try parts(ended, own) == [.none, .leaf])
        #expect(try parts(ended, distrusted) == [.none, .root])
        #expect(try parts(distrusted, own) == [.none, .leaf])
    }

    @Test func `a pin of a wrong length stands for no key, and is shown as it is written`() throws {
        let written = "sha256/" + Data(repeating: 7, count: 34).base64EncodedString()
        let pins = try [OkHttpPin(parsing: written), OkHttpPin(Pin(hashing: [1]))]
        let configuration = OkHttp([try .init(OkHttpPattern("api.example.com"), pins)])

        let standIns = try AppCatalogue(configuration).hosts[0].standIns

        #expect(standIns.map(\.part) == [.none, .leaf])
        #expect(standIns.map(\.pin.label) == [written, "\(Pin(hashing: [1]))"])
    }

    @Test func `gives every host its own parts`() throws {
        let (first, second) = (Pin(hashing: [1]), Pin(hashing: [2]))
        let configuration = ATSConfiguration([
            .init("a.example", leaf: [first, second]), .init("b.example", leaf: [second]),
        ])

        let appCatalogue = try AppCatalogue(configuration)

        #expect(appCatalogue.hosts.map(\.name) == ["a.example", "b.example"])
        #expect(appCatalogue.hosts.map { $0.standIns.first { $0.pin.pin == second }?.name } == ["leaf-2", "leaf-1"])
        #expect(appCatalogue.file.policies.map(\.name) == ["a.example", "b.example"])
        let hosts = appCatalogue.file.trials.map { trial in (trial.policy.name, trial.scenario.steps[0].host) }
        #expect(!hosts.isEmpty && hosts.allSatisfy { $1 == $0 || $1.hasSuffix("." + $0) })
    }

    @Test func `asks for a host below a pattern`() throws {
        let configuration = OkHttp([try .init(OkHttpPattern("*.example.com"), [OkHttpPin(Pin(hashing: [1]))])])

        #expect(try AppCatalogue(configuration).hosts.map(\.name) == ["any-host.example.com"])
        #expect(try AppCatalogue(configuration, host: "api.example.com").hosts.map(\.domain) == ["*.example.com"])
    }

    @Test func `keeps to the hosts that the chain is for`() throws {
        let production = try Production()
        let configuration = ATSConfiguration([
            .init("other.example", leaf: [production.pin(.leaf)]),
            .init(Production.host, leaf: [production.pin(.leaf)]),
        ])
        let stranger = ATSConfiguration([.init("other.example", leaf: [production.pin(.leaf)])])

        #expect(try AppCatalogue(configuration, production: production.chain).hosts.map(\.name) == [Production.host])
        let obstacle = #expect(throws: AppCatalogue.Obstacle.self) {
            try AppCatalogue(stranger, production: production.chain)
        }
        #expect(
            obstacle?.description
                == "the chain is for app.example.com, and the configuration for other.example; "
                + "say by --host which host is meant"
        )
    }

    @Test func `adds hosts that the chain is for and a wider entry holds`() throws {
        let production = try Production(names: ["api.example.com", "www.example.com", "shop.example.net"])
        let configuration = ATSConfiguration([
            .init("api.example.com", leaf: [production.pin(.leaf)]),
            .init("example.com", includesSubdomains: true, leaf: [production.pin(.backup)]),
        ])

        let appCatalogue = try AppCatalogue(configuration, production: production.chain)

        #expect(appCatalogue.hosts.map(\.name) == ["api.example.com", "www.example.com"])
        // The first is held to both entries, and so lets today's key in.
        #expect(appCatalogue.refusals(at: Sample.now).map(\.host) == ["www.example.com"])
    }

    @Test func `asks in lower case, and leaves out what is no host`() throws {
        let configuration = TrustKitConfiguration([
            .init("API.example.com", .pinned(.init(keys: [Pin(hashing: [1]), Pin(hashing: [2])])))
        ])
        let nobody = ATSConfiguration([.init("https://api.example.com", leaf: [Pin(hashing: [1])])])

        #expect(try AppCatalogue(configuration).hosts.map(\.name) == ["api.example.com"])
        #expect(throws: AppCatalogue.Obstacle.self) { try AppCatalogue(nobody) }
        #expect(throws: AppCatalogue.Obstacle.self) { try AppCatalogue(configuration, host: "a b") }
    }

    @Test func `tells no story of another kind of key where there is none`() throws {
        func stories(_ key: KeyType) throws -> [String] {
            let production = try Production(key: key)
            let policy = ImportedPolicy(file: "pins", configuration: Callback(.goLeaf, keys: [production.pin(.leaf)]))
            return try AppCatalogue(
                of: policy,
                with: ScenarioFile.shipped(),
                production: production.chain,
                at: Sample.now
            )
            .file.scenarios.map(\.name).filter { $0.hasPrefix("rsa") || $0 == "every-backup-key" }
        }

        #expect(
            try stories(.p256) == [
                "every-backup-key", "rsa-to-ecdsa-pinned", "rsa-to-ecdsa-unpinned", "rsa-beside-ecdsa",
            ]
        )
        #expect(try stories(.rsa2048) == ["every-backup-key", "rsa-to-ecdsa-unpinned"])
    }

    @Test func `says what production's own chain meets`() throws {
        let production = try Production()
        func refusals(_ keys: [Pin], at instant: Date = Sample.now) throws -> [String] {
            try AppCatalogue(Callback(.goLeaf, keys: keys), production: production.chain)
                .refusals(at: instant).map { "\($0.host): \($0.decision)" }
        }

        #expect(try refusals([production.pin(.leaf)]) == [])
        #expect(try refusals([production.pin(.backup)]) == ["app.example.com: no pin matches"])
        #expect(
            try refusals([production.pin(.leaf)], at: Sample.now + 1000 * CertificateTemplate.day)
                == ["app.example.com: it has expired"]
        )
    }

    @Test func `believes a chain that leads to a root, leaf first, and no other`() throws {
        let production = try Production()
        let roots = try TrustStore([TrustAnchor(production.root.certificate)])
        let (leaf, issuing) = (production.leaf.leaf, production.issuing.certificate)

        #expect(try ProductionChain([leaf, production.root.certificate, issuing], roots: roots).path.count == 3)
        for chain in [[], [production.root.certificate, issuing, leaf], [leaf]] {
            #expect(throws: ProductionChain.Flaw.self) { try ProductionChain(chain, roots: roots) }
        }
    }

    @Test func `has an app's own authorities trusted by whoever brings them`() throws {
        let production = try Production()
        func outcome(_ source: AndroidNetworkSecurity.Certificates.Source) throws -> PolicyAudit.Outcome? {
            let configuration = AndroidNetworkSecurity(
                domainConfigs: [
                    .init(
                        [.init(Production.host)],
                        settings: .init(trustAnchors: [.init(source)]),
                        pinSet: .init([AndroidPin(production.pin(.leaf))])
                    )
                ]
            )
            let appCatalogue = try AppCatalogue(configuration, production: production.chain)
            return try PolicyAudit(appCatalogue, instant: Sample.now).hosts[0].events.first?.outcome
        }

        #expect(try outcome(.resource("@raw/my_ca")) == .survives)
        #expect(try outcome(.system) == .survives)
        #expect(try outcome(.user) == .locksOut)
    }

    @Test func `has keys of production's kinds`() throws {
        let production = try Production(key: .p384)

        let file = try AppCatalogue(Callback(.goLeaf, keys: [production.pin(.leaf)]), production: production.chain).file

        #expect(file.blueprint.key(named: "leaf-1")?.type == .p384)
        #expect(file.blueprint.key(named: "leaf-2")?.type == .p256)
    }

    @Test func `leaves only clients that take any policy`() throws {
        let file = try AppCatalogue(Callback(.goLeaf, keys: [Pin(hashing: [1])])).file

        #expect(file.clients.map(\.name) == ["reference"])
        #expect(try file.trials.count == ScenarioFile.shippedEvents().playable.count)
    }

    @Test func `leaves pins to the keys that the file says stand for them`() throws {
        let pins = [Pin(hashing: [1]), Pin(hashing: [2])]
        var catalogue = try ScenarioFile.shipped()
        let index = try #require(catalogue.blueprint.keys.firstIndex { $0.name == "leaf-3" })
        catalogue.blueprint.keys[index].standsFor = [pins[0]]
        let policy = ImportedPolicy(file: "pins", configuration: Callback(.goLeaf, keys: pins))

        let appCatalogue = try AppCatalogue(of: policy, with: catalogue, at: Sample.now)
        let pki = try PKI(appCatalogue.file.blueprint, now: Sample.now)
        let rules = try pki.configuration(of: appCatalogue.file.policies[0], at: .zero, host: appCatalogue.file.host)
        let ours = rules.pins.map(\.pin)

        #expect(ours == [try pki.key(named: "leaf-3").pin, try pki.key(named: "leaf-1").pin])
    }
}
