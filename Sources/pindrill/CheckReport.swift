import ControlPlane
import Foundation
import Pinning
import Scenarios
import TLSCore

/// What `check` found out.
struct CheckReport {
    let dialect: Dialect
    let situation: Situation
    let decision: Decision
    let trust: TrustResult
    let pins: [ConfiguredPin]
    /// Whether the app trusts authorities of its own, which nobody named.
    let lacksAnchors: Bool
    /// What this means for users, and what the pins lack.
    let cell: CheckMatrix.Cell
    /// Where trust came from.
    let sources: [CheckMatrix.Source]

    init(_ row: CheckMatrix.Row, _ situation: Situation, _ sources: [CheckMatrix.Source]) {
        self.init(row.configuration, situation, lacksAnchors: row.lacksAnchors, sources)
    }

    init(
        _ configuration: any PinConfiguration,
        _ situation: Situation,
        lacksAnchors: Bool,
        _ sources: [CheckMatrix.Source] = []
    ) {
        self.sources = sources
        cell = CheckMatrix.Cell(configuration, situation)
        self.lacksAnchors = lacksAnchors
        dialect = type(of: configuration).dialect
        self.situation = situation
        decision = configuration.decide(situation)
        trust = situation.store.on(configuration.stack).evaluate(
            situation.chain,
            host: situation.host,
            at: situation.instant
        )
        pins = configuration.pins
    }

    var isAccepted: Bool { decision.demand == .accept }

    /// The path that was built; what was presented where there is none.
    private var path: [Certificate] { if case .trusted(let path) = trust { path } else { situation.chain } }

    func text(_ style: TextStyle) -> String {
        let word = style.verdict(isAccepted ? .pass : .fail, decision.demand.rawValue)
        var lines = ["\(word): \(decision)"]
        if !isAccepted { lines.append("Outcome: \(style.outcome(cell.outcome, cell.outcome.words))") }
        lines.append("")
        switch trust {
        case .trusted(let path):
            lines.append("Path, leaf first:")
            lines += path.map { "  \(name($0))  \($0.pin)" }
        case .refused(let failure):
            lines.append("No path: \(failure). Presented:")
            if let missing = situation.store.missing(above: situation.chain, failure) { lines.append("  (\(missing))") }
            lines += situation.chain.map { "  \(name($0))  \($0.pin)" }
        }
        lines += cell.needs.flatMap { [""] + $0.wrapped(to: 98, indent: "  ") }
        lines += ["", pins.isEmpty ? "No pins." : "Pins:"]
        lines += pins.map { pin in
            let digest = pin.match == .key ? "\(pin.pin)" : "certificate \(pin.pin.hex)"
            let domain = pin.domain.map { " for \($0)" } ?? ""
            return
                "  \(digest)\(domain), \(pin.position.rawValue): \(match(of: pin).map { "matches \(name($0))" } ?? "matches nothing here")"
        }
        if lacksAnchors {
            lines.append("")
            lines.append(
                "The app brings roots of its own along, which its configuration does not hold: see --app-trust."
            )
        }
        lines += sources.isEmpty ? [] : [""] + sources.map(\.words)
        return lines.joined(separator: "\n") + "\n"
    }

    func json() throws -> String {
        struct Pin: Encodable {
            var domain: String?
            var sha256: String?
            /// In hexadecimal, where it is another digest.
            var other: String?
            var match: String
            var position: String
            var matches: String?
        }
        struct Document: Encodable {
            var version = 1
            var decision: String
            var reason: String
            var dialect: String
            var host: String
            var at: Date
            var trusted: Bool
            var path: [String]
            var pins: [Pin]
            var outcome: String
            var missing: String?
            var needed: [[Needed]]
        }
        let document = Document(
            decision: decision.demand.rawValue,
            reason: "\(decision)",
            dialect: dialect.rawValue,
            host: situation.host,
            at: situation.instant,
            trusted: trust.isTrusted,
            path: path.map { $0.subject },
            pins: pins.map { pin in
                Pin(
                    domain: pin.domain,
                    sha256: pin.compared.algorithm == .sha256 ? pin.pin.base64 : nil,
                    other: pin.compared.algorithm == .sha256 ? nil : pin.label,
                    match: pin.match.rawValue,
                    position: pin.position.rawValue,
                    matches: match(of: pin)?.subject
                )
            },
            outcome: cell.outcome.rawValue,
            missing: cell.missing,
            needed: cell.needed.map { $0.map { Needed($0) } }
        )
        return try document.asJSON()
    }

    private func match(of pin: ConfiguredPin) -> Certificate? {
        PinRequirement(pins: [pin.pin], match: pin.match, position: pin.position)
            .match(presented: situation.chain, verified: path)
    }

    private func name(_ certificate: Certificate) -> String { KeyMaterial(certificate).remark }
}

extension CheckReport {
    /// The same of texts. Nothing that they name is read.
    init(_ asked: CheckRequest) throws {
        let configuration = try PolicyInput.configuration(asked.policy, asked.dialect, asked.device)
        let anchors =
            try PolicyInput.anchors(asked.trust, "trust").map { TrustAnchor($0) }
            + PolicyInput.anchors(asked.appTrust ?? "", "app_trust").map { TrustAnchor($0, origin: .app) }
            + PolicyInput.anchors(asked.userTrust ?? "", "user_trust").map { TrustAnchor($0, origin: .user) }
        guard asked.host.canBeHost else {
            throw InputError("host: '\(asked.host.prefix(100))' is not the name of a host")
        }
        var instant = Date()
        if let at = asked.at {
            guard let date = try? Date(at, strategy: .iso8601) else {
                throw InputError("at: '\(at.prefix(40))' is no time; write 2026-11-30T12:00:00Z")
            }
            instant = date
        }
        self.init(
            configuration,
            Situation(
                chain: try PolicyInput.certificates(inText: asked.chain, "chain"),
                store: try TrustStore(anchors),
                host: asked.host,
                at: instant
            ),
            lacksAnchors: configuration.bringsAnchors && asked.appTrust == nil
        )
    }
}
