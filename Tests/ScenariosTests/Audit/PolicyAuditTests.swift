import Foundation
import TLSCore
import TestSupport
import Testing

@testable import Pinning
@testable import Scenarios

@Suite struct `An audit` {
    /// A configuration that a declared policy can say as well, so that each checks the other.
    struct Equivalent: CustomTestStringConvertible {
        var form: Callback.Form
        var parts: [StandIn.Part]
        var declared: [String]

        var testDescription: String { "\(form.rawValue) with \(declared)" }
    }

    @Test(arguments: [
        Equivalent(form: .goLeaf, parts: [.leaf], declared: ["leaf-1"]),
        Equivalent(form: .goLeaf, parts: [.leaf, .backup, .none], declared: ["leaf-1", "leaf-2", "leaf-rsa"]),
        Equivalent(form: .goVerifyConnection, parts: [.issuer], declared: ["acme-issuing"]),
        Equivalent(form: .goVerifyConnection, parts: [.root, .backup], declared: ["acme-root", "leaf-2"]),
        Equivalent(form: .goRawAny, parts: [.leaf], declared: ["leaf-1"]),
    ])
    func `of an imported policy says what the oracle says of the same one, declared`(_ pair: Equivalent) throws {
        let production = try Production()
        let configuration = Callback(pair.form, keys: pair.parts.map(production.pin))
        let catalogue = try ScenarioFile.shippedEvents()
        let requirement = RequirementDeclaration(
            pins: pair.declared.map { .key(of: $0) },
            position: pair.form == .goLeaf ? .leaf : .any,
            search: pair.form == .goRawAny ? .presentedChain : .verifiedPath
        )
        let policy = PolicyDeclaration(name: "declared", requirements: [requirement])
        let oracle = Oracle(try PKI(catalogue.blueprint, now: Sample.now))

        let events = try PolicyAudit(
            AppCatalogue(configuration, production: production.chain),
            instant: Sample.now
        ).hosts[0].events

        // An audit passes over a second backup key that the app has not.
        let mayPass = ["two-keys-for-one-name", "rsa-beside-ecdsa", "rsa-to-ecdsa-pinned", "rsa-to-ecdsa-unpinned"]
        // Go's `VerifiedChains` has every path of a device that has old and new roots, and a declared policy looks at one.
        let manyPaths = ["new-root-cross-signed", "intermediate-became-an-anchor"]
        for scenario in catalogue.scenarios {
            let event = try #require(events.first { $0.scenario == scenario.name })
            let worst = try scenario.steps.flatMap { try oracle.decide(policy, step: $0, instant: Sample.now) }
                .map(\.consequence).max()
            switch event.outcome {
            case .survives where pair.parts.contains(.root) && manyPaths.contains(scenario.name):
                #expect(worst == .lockedOut, "\(scenario.name)")
            case .survives: #expect(worst == .served || worst == .protected, "\(scenario.name)")
            case .depends: #expect(worst == .unknown, "\(scenario.name)")
            case .locksOut, .locksOutRegardless: #expect(worst == .lockedOut, "\(scenario.name)")
            case .intercepted: #expect(worst == .intercepted, "\(scenario.name)")
            case .notApplicable: #expect(mayPass.contains(scenario.name), "\(scenario.name)")
            }
        }
    }

    @Test func `of a SHA-1 pin alone says what it says of the same key's SHA-256 pin`() throws {
        let name = try OkHttpPattern("api.acme.example")
        let pins: [OkHttpPin] = [.sha1(FingerprintDigest.sha1.hash([1])), .sha256(Pin(hashing: [1]).digest)]

        let outcomes = try pins.map { pin in
            try PolicyAudit(AppCatalogue(OkHttp([.init(name, [pin])]), production: nil), instant: Sample.now)
                .hosts[0].events.map { "\($0.scenario) \($0.outcome)" }
        }

        #expect(outcomes[0] == outcomes[1])
        #expect(outcomes[0].contains("same-certificate survives"))
    }

    @Test func `tells an outage of the pins from one that would hit everybody`() throws {
        let production = try Production()
        let audit = try PolicyAudit(
            AppCatalogue(Callback(.goLeaf, keys: [production.pin(.leaf)]), production: production.chain),
            instant: Sample.now
        )
        let outcomes = Dictionary(uniqueKeysWithValues: audit.hosts[0].events.map { ($0.scenario, $0.outcome) })

        #expect(outcomes["same-certificate"] == .survives)
        #expect(outcomes["rotated-to-backup"] == .locksOut)
        #expect(outcomes["expired-certificate"] == .locksOutRegardless)
        #expect(outcomes["attacker-installed-root"] == .survives)
        #expect(audit.breaches == [])
        #expect(!audit.hosts[0].refusesToday)
    }

    @Test func `does not hold a second backup against an app that has one`() throws {
        let production = try Production()
        func outcome(_ backups: Int) throws -> PolicyAudit.Outcome? {
            let keys = [production.pin(.leaf)] + (0..<backups).map { Pin(hashing: [UInt8($0)]) }
            let audit = try PolicyAudit(
                AppCatalogue(Callback(.goLeaf, keys: keys), production: production.chain),
                instant: Sample.now
            )
            return audit.hosts[0].events.first { $0.scenario == "every-backup-key" }?.outcome
        }

        #expect(try outcome(0) == .locksOut)
        #expect(try outcome(1) != .locksOut)
        #expect(try outcome(2) == .survives)
    }

    @Test func `names the events in which an attacker gets in`() throws {
        let production = try Production()
        func breaches(_ form: Callback.Form) throws -> [String] {
            try PolicyAudit(
                AppCatalogue(Callback(form, keys: [production.pin(.leaf)]), production: production.chain),
                instant: Sample.now
            ).breaches
        }

        #expect(try breaches(.goRawAny) == ["stuffed-chain"])
        #expect(try breaches(.nodePinUnauthorized).contains("attacker-unknown-root"))
        #expect(try breaches(.goLeaf) == [])
    }

    @Test func `finds who trusts whatever a trusted provider certifies`() throws {
        func breaches(_ xml: String) throws -> [String] {
            let configuration = try AndroidNetworkSecurity(parsing: Data(xml.utf8), file: "nsc.xml")
            return try PolicyAudit(
                AppCatalogue(configuration, host: Production.host, production: Production().chain),
                instant: Sample.now
            ).breaches
        }
        func config(_ pins: String) -> String {
            let domain = "<domain>\(Production.host)</domain>"
            return "<network-security-config><domain-config>\(domain)\(pins)</domain-config></network-security-config>"
        }
        let pin = "<pin digest=\"SHA-256\">\(Pin(hashing: []).base64)</pin>"

        // A user's anchors count for nothing on Android, so that no other event can show it.
        #expect(try breaches(config("")).first == "attacker-trusted-ca")
        #expect(try breaches(config("<pin-set>\(pin)</pin-set>")) == [])
    }

    @Test func `shows that a host's refusal was the system's rule by the host above it`() throws {
        let production = try Production()
        let evaluator = Alamofire.Evaluator.publicKeys([production.pin(.leaf), production.pin(.backup)])
        func plan(_ hosts: [Alamofire.Host], _ scenario: String) throws -> [String] {
            let file = try AppCatalogue(Alamofire(hosts: hosts), production: production.chain).file
            let story = try #require(file.scenarios.first { $0.name == scenario })
            let trial = Trial(
                scenario: story,
                policy: file.policies[0],
                client: ClientDeclaration(name: "reference", kind: .reference)
            )
            return try Oracle(PKI(file.blueprint, now: Sample.now)).plan(trial, instant: Sample.now).map { step in
                "\(step.step.host) \(step.isControl)"
            }
        }
        let host = Production.host

        #expect(
            try plan([.init(host, evaluator)], "two-label-subdomain") == ["\(host) true", "de.eu.\(host) false"]
        )
        #expect(
            try plan([.init(host, evaluator), .init("eu." + host, evaluator)], "one-label-subdomain")
                == ["eu.\(host) true", "eu.\(host) false"]
        )
    }

    @Test func `asks for subdomains as a browser does that has noted a header of the host alone`() throws {
        let production = try Production()
        func outcome(_ includesSubdomains: Bool) throws -> PolicyAudit.Outcome? {
            let keys = [production.pin(.leaf), production.pin(.backup)]
            let header = HPKP(keys: keys, includesSubdomains: includesSubdomains)
            let audit = try PolicyAudit(AppCatalogue(header, production: production.chain), instant: Sample.now)
            return audit.hosts[0].events.first { $0.scenario == "one-label-subdomain" }?.outcome
        }

        #expect(try outcome(false) == .survives)
        #expect(try outcome(true) == .locksOut)
    }

    @Test(arguments: [(StandIn.Part.backup, []), (.issuer, ["attacker-trusted-ca", "stuffed-chain"])])
    func `takes a header without a backup for none, as browsers do`(second: StandIn.Part, breaches: [String]) throws {
        let production = try Production()
        let header = HPKP(keys: [production.pin(.leaf), production.pin(second)])

        let audit = try PolicyAudit(AppCatalogue(header, production: production.chain), instant: Sample.now)

        #expect(Set(audit.breaches).intersection(["attacker-trusted-ca", "stuffed-chain"]) == Set(breaches))
    }

    @Test func `notices that today's server is refused`() throws {
        let production = try Production()
        func refuses(_ part: StandIn.Part) throws -> Bool {
            let configuration = ATSConfiguration([.init(Production.host, leaf: [production.pin(part)])])
            return try PolicyAudit(
                AppCatalogue(configuration, production: production.chain),
                instant: Sample.now
            ).hosts[0].refusesToday
        }

        // The issuer's key among the leaf's pins matches nothing.
        #expect(try refuses(.issuer))
        #expect(try !refuses(.leaf))
    }

    @Test func `says that the server of today is rejected`() throws {
        func rules(_ form: LeafDelegate.Form) throws -> [String] {
            let configuration = LeafDelegate(form, certificates: [Sample.server.leaf.fingerprint])
            let audit = try PolicyAudit(AppCatalogue(configuration), instant: Sample.now)
            let report = AuditReport(
                file: "policy",
                dialect: .delegate,
                instant: Sample.now,
                knowsProduction: false,
                findings: [],
                audit: audit
            )
            return report.results.map(\.rule)
        }

        #expect(try rules(.asPrinted) == ["refused-today"])
        #expect(try rules(.asIntended) == [])
    }

    @Test func `follows a pinned certificate into its renewal`() throws {
        let production = try Production()
        func outcome(_ scenario: String) throws -> PolicyAudit.Outcome? {
            let configuration = LeafDelegate(.asIntended, certificates: [production.leaf.leaf.fingerprint])
            let audit = try PolicyAudit(
                AppCatalogue(configuration, production: production.chain),
                instant: Sample.now
            )
            return audit.hosts[0].events.first { $0.scenario == scenario }?.outcome
        }

        #expect(try outcome("same-certificate") == .survives)
        #expect(try outcome("renewed-same-key") == .locksOut)
    }
}
