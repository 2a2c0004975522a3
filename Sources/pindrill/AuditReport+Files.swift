import ControlPlane
import Foundation
import Pinning
import Scenarios
import TLSCore

extension AuditReport {
    /// The same of texts. Nothing that they name is read.
    init(_ asked: AuditRequest) throws {
        let name = "policy"
        var keys = PKI.Keys()
        try self.init(
            name,
            dialect: asked.dialect.flatMap(Dialect.init) ?? PolicyFile.dialect(of: Data(asked.policy.utf8), file: name),
            host: asked.host,
            now: Date(),
            keys: &keys,
            policy: {
                ImportedPolicy(
                    file: name,
                    configuration: try PolicyInput.configuration(asked.policy, asked.dialect, asked.device)
                )
            },
            production: {
                guard let chain = asked.chain else { return nil }
                let roots = try TrustStore(PolicyInput.anchors(asked.trust, "trust").map { TrustAnchor($0) })
                return try ProductionChain(PolicyInput.certificates(inText: chain, "chain"), roots: roots)
            }
        )
    }

    init(
        _ file: String,
        dialect: @autoclosure () throws -> Dialect?,
        host: String?,
        now: Date,
        keys: inout PKI.Keys,
        policy read: () throws -> ImportedPolicy,
        production: () throws -> ProductionChain?
    ) throws {
        let policy: ImportedPolicy
        do {
            policy = try read()
        } catch let error as PolicyFileError {
            guard let findings = error.findings, let dialect = try? dialect() else { throw error }
            self.init(
                file: file,
                dialect: dialect,
                instant: now,
                knowsProduction: false,
                findings: findings,
                audit: nil,
                obstacle: findings.contains { $0.rule == .throwsAtStart }
                    ? "The app does not start with this configuration, so no scenario was tried."
                    : "Nothing can be made of this configuration, so no scenario was tried."
            )
            return
        }
        let production = try production()
        self.init(
            file: file,
            dialect: type(of: policy.configuration).dialect,
            instant: now,
            knowsProduction: production != nil,
            findings: policy.configuration.findings(at: now, knownChain: production?.path ?? [], host: host),
            audit: nil
        )
        ends = PinEnd.all(of: policy.configuration, host: host, at: now)
        do {
            let catalogue = try AppCatalogue(
                of: policy,
                with: ScenarioFile.shippedEvents(),
                host: host,
                production: production,
                at: now
            )
            audit = try PolicyAudit(catalogue, instant: now, keys: &keys)
        } catch let found as AppCatalogue.Obstacle where host == nil && production == nil {
            guard let severity, severity >= .outage else { throw found }
            // What is wrong with the file itself is worth more than that nothing can be tried with it.
            obstacle = "No scenario was tried: \(found)."
        }
    }
}
