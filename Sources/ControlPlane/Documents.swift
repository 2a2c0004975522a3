import Foundation
import MitmHarness
import Pinning
import Scenarios
import TLSCore
import Witness

// What is answered: `openapi.json` describes each.

struct ScenarioDocument: Encodable {
    var name: String
    var about: String?
    var hurts: String?
    var preventedBy: String?
    var references: [String]?
    var tags: [String]
    var quick: Bool
    var hosts: [String]
    var policies: [String]?
    var clients: [String]?
    var steps: [DeclaredStepDocument]

    init(_ scenario: Scenario, play: ScenarioTag?) {
        name = scenario.name
        about = scenario.about
        hurts = scenario.hurts
        preventedBy = scenario.preventedBy
        references = scenario.references.isEmpty ? nil : scenario.references
        tags = scenario.tags.map(\.name)
        quick = scenario.variant == nil && play.map(scenario.tags.contains) ?? true
        hosts = scenario.hosts
        policies = scenario.policies
        clients = scenario.clients
        steps = scenario.steps.enumerated().map { DeclaredStepDocument($1, number: $0 + 1) }
    }
}

extension Scenario {
    /// The hosts that its steps are about.
    var hosts: [String] { steps.map(\.host).uniqued }
}

struct DeclaredStepDocument: Encodable {
    var number: Int
    var at: String
    var day: Int
    var host: String
    var present: [String]
    var store: String
    var note: String?

    init(_ step: Step, number: Int) {
        self.number = number
        at = "\(step.at)"
        day = step.at.day
        host = step.host
        present = step.present
        store = step.store
        note = step.note
    }
}

extension StoryTime {
    var day: Int { Int((Double(seconds) / 86_400).rounded(.down)) }
}

struct PolicyDocument: Encodable {
    var name: String
    var dialect: String?
    var pins: [String]?

    init(_ policy: PolicyDeclaration, _ pki: PKI, host: String) {
        name = policy.name
        if case .imported(let imported) = policy.source { dialect = type(of: imported.configuration).dialect.rawValue }
        pins = try? pki.configuration(of: policy, at: .zero, host: host).pins.map(\.pin.base64).uniqued
    }
}

struct ClientDocument: Encodable {
    var name: String
    var kind: String
    var ask: String?
    var policies: [String]?

    init?(_ client: ClientDeclaration) {
        switch client.kind {
        case .attended(let declaration): (kind, ask) = ("attended", declaration.ask)
        case .command: kind = "command"
        case .reference: kind = "reference"
        case .function: return nil
        }
        name = client.name
        policies = client.policies
    }
}

struct PlaceDocument: Encodable {
    var address: String
    var port: Int
    var url: String
    /// Row by row, `1` for what is dark.
    var qr: [String]?

    init(address: String, port: Int) {
        self.address = address
        self.port = port
        url = "http://\(address.contains(":") ? "[\(address)]" : address):\(port)"
    }

    /// A camera takes a device there, to its page.
    mutating func drawQRCode() {
        qr = QRCode("\(url)/")?.modules.map { row in String(row.map { $0 ? "1" : "0" }) }
    }
}

struct StepDocument: Encodable {
    var number: Int
    var count: Int
    var control: Bool
    var at: String
    var day: Int
    var instant: Date
    var host: String
    var store: String
    var particulars: [String]
    var note: String?

    init(_ scene: AttendedAttempt) {
        let step = scene.planned.step
        number = scene.number
        count = scene.count
        control = scene.planned.isControl
        at = "\(step.at)"
        day = step.at.day
        instant = scene.endpoint.instant
        host = step.host
        store = step.store
        particulars = step.particulars
        note = step.note
    }
}

struct ShownDocument: Encodable {
    struct Link: Encodable {
        var subject: String
        var issuer: String
        var role: String
        var holder: String
        var key: String
        var spkiSha256: String
        var sha256: String
        var sent: Bool
        var pinned: Bool
        var notBefore: Date
        var notAfter: Date

        init(_ link: Explanation.Link) {
            let certificate = link.certificate
            subject = certificate.subject
            issuer = certificate.issuer
            role = "\(link.role)"
            holder = link.holder.rawValue
            key = link.key
            spkiSha256 = certificate.pin.base64
            sha256 = certificate.fingerprint.hex
            sent = link.isSent
            pinned = !link.policies.isEmpty
            notBefore = certificate.validity.notBefore
            notAfter = certificate.validity.notAfter
        }
    }

    var chain: String
    var holder: String
    var certificates: [Link]
    var extras: [Link]?

    init(_ view: Explanation.View) {
        chain = view.chain
        holder = view.holder.rawValue
        certificates = view.path.map(Link.init)
        extras = view.extras.isEmpty ? nil : view.extras.map(Link.init)
    }
}

struct ConnectionDocument: Encodable, Equatable {
    var number: Int
    var outcome: String
    var reaction: String
    var target: String?
    var counts: Bool
    var shown: String?
    var holder: String?
    var closed: Bool
    var alert: Int?
    var version: String?
    var requestLine: String?
    var stack: String?
    var stolen: String?

    init(_ seen: Observation, number: Int, host: String, _ blueprint: Blueprint, showsStolen: Bool) {
        self.number = seen.number ?? number
        outcome =
            switch seen.reaction {
            case .accepted: "accepted"
            case .rejected: "rejected"
            case .cleartext: "cleartext"
            case .blind: "blind"
            case .inconclusive: "inconclusive"
            }
        reaction = "\(seen.reaction)"
        target = seen.target
        counts = seen.counts(for: host)
        shown = seen.shown
        let holder = seen.shown.flatMap(blueprint.chain).flatMap(blueprint.holder)
        self.holder = holder?.rawValue
        closed = seen.isClosed
        for event in seen.events {
            switch event {
            case .alert(.inward, let received): alert = alert ?? Int(received.number)
            case .established(let session): version = session.version?.description
            default: break
            }
        }
        requestLine = seen.requestLine
        stack = seen.hello?.fingerprint?.stack
        if showsStolen, holder == .attacker, !seen.firstBytes.isEmpty {
            stolen = String(decoding: seen.firstBytes.prefix(TextReport.mostStolenBytes), as: UTF8.self)
        }
    }
}

struct SeenDocument: Encodable {
    var source: String
    var attempt: Int?
    var connection: ConnectionDocument
}

struct StepResultDocument: Encodable {
    var number: Int
    var control: Bool
    var at: String
    var day: Int
    var host: String
    var shown: [String]
    var holder: String
    var verdict: String
    var grounds: String
    var consequence: String
    var attribution: String?
    var demand: String?
    var reason: String?
    var advice: String?
    var word: String?
    var attempts: Int

    init(_ result: StepResult, number: Int) {
        let step = result.planned.step
        self.number = number
        control = result.planned.isControl
        at = "\(step.at)"
        day = step.at.day
        host = step.host
        shown = step.present
        holder = (result.planned.shownChains.contains { $0.holder == .attacker } ? Holder.attacker : .owner).rawValue
        verdict = result.judgement.verdict.rawValue
        grounds = "\(result.judgement.grounds)"
        consequence = result.consequence.rawValue
        attribution = result.attribution?.rawValue
        demand = result.planned.shownChains.last?.decision.demand.rawValue
        reason = result.planned.shownChains.last.map { "\($0.decision)" }
        advice = result.advice
        word = result.attempts.last.map { $0.report.account.prefix { $0 != "," } }.map(String.init)
        attempts = result.attempts.count
    }
}

struct DrillDocument: Encodable {
    var id: String
    var revision: Int
    var state: String
    var scenario: String
    var policy: String
    var client: String
    var ask: String
    var pauses: Bool
    var proxy: PlaceDocument?
    var step: StepDocument?
    var attempt: Int
    /// Whether the answers of the attempt carry a code.
    var code = false
    var shown: [ShownDocument] = []
    var explanation: String?
    var connections: [ConnectionDocument]
    var notes: [String]
    var results: [StepResultDocument]
    var verdict: String?
    var consequence: String?
    var findings: [String]?
    var reason: String?

    /// Of an attempt's connections so many are told.
    static let mostConnections = 200

    init(_ drill: ControlRoom.Drill, _ state: DrillSession.State, in setting: ControlSetting) {
        let (session, trial) = (drill.session, drill.session.trial)
        id = drill.id
        revision = state.revision
        self.state = state.phase.rawValue
        scenario = trial.scenario.name
        policy = trial.policy.name
        client = trial.client.name
        if case .attended(let declaration) = trial.client.kind { ask = declaration.ask } else { ask = "" }
        pauses = session.pauses
        attempt = state.attempt
        connections = setting.connections(of: session, state)
        notes = state.notes
        let steps =
            state.result.map { Array($0.steps.enumerated()).map { ($0.offset + 1, $0.element) } }
            ?? state.steps.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        results = steps.map { StepResultDocument($1, number: $0) }
        if let scene = state.scene {
            code = scene.code != nil
            proxy = setting.place(port: scene.endpoint.port, isFirst: drill.isFirst, hasPage: true)
            step = StepDocument(scene)
            var scenario = trial.scenario
            scenario.steps = [scene.planned.step]
            (shown, explanation) = setting.explain(scenario, [trial.policy], at: scene.endpoint.instant)
        }
        guard let result = state.result else {
            if state.phase == .stopped { reason = "it was ended before it had a verdict" }
            return
        }
        verdict = result.verdict.rawValue
        consequence = result.steps.map(\.consequence).max()?.rawValue
        findings = result.findings.isEmpty ? nil : result.findings
    }
}

struct TrialDocument: Encodable {
    var scenario: String
    var policy: String
    var client: String
    var verdict: String
    var consequence: String

    init(_ result: TrialResult) {
        scenario = result.scenario
        policy = result.policy
        client = result.client
        verdict = result.verdict.rawValue
        consequence = (result.steps.map(\.consequence).max() ?? .unknown).rawValue
    }
}

struct RunDocument: Encodable {
    var id: String
    var revision: Int
    var state: String
    var started: Date
    var planned: Int
    var trials: [TrialDocument]
    var exitStatus: Int?
}

struct PresentationDocument: Encodable {
    var host: String
    var revision: Int
    var scenario: String
    var step: DeclaredStepDocument
    var shown: [ShownDocument]
    var explanation: String
    var proxy: PlaceDocument
    var connections: [ConnectionDocument]
}

struct StoreDocument: Encodable {
    struct Root: Encodable {
        var name: String
        var holder: String
        var origin: String
        var subject: String
        var sha256: String
        var spkiSha256: String
        var notAfter: Date
    }

    var name: String
    var roots: [Root]

    init(_ store: StoreDeclaration, _ oracle: Oracle) throws {
        name = store.name
        let roots = try oracle.roots(of: store.name)
        self.roots = roots.map { root in
            Root(
                name: root.name,
                holder: root.holder.rawValue,
                origin: "\(root.anchor.origin)",
                subject: root.anchor.certificate.subject,
                sha256: root.anchor.certificate.fingerprint.hex,
                spkiSha256: root.anchor.certificate.pin.base64,
                notAfter: root.anchor.certificate.validity.notAfter
            )
        }
    }
}

extension Oracle {
    struct Root {
        var name: String
        var holder: Holder
        var anchor: TrustAnchor
    }

    /// What a device of this store trusts on day 0.
    func roots(of store: String) throws -> [Root] {
        try pki.store(named: store, at: .zero).anchors.map { anchor in
            let authority = pki.blueprint.authorities.first {
                (try? pki.authority(named: $0.name, at: .zero).certificate) == anchor.certificate
            }
            let name = authority?.name ?? pki.name(of: anchor.certificate.pin) ?? anchor.certificate.subject
            return Root(name: name, holder: authority?.holder ?? .attacker, anchor: anchor)
        }
    }
}
