package import Foundation
import Pinning
import TLSCore

/// What a report says of a scenario that was played: what it is about, and what its servers show.
package struct RecordedScenario: Codable, Hashable, Sendable {
    struct Step: Codable, Hashable, Sendable {
        var at: String
        var host: String
        var store: String
        /// What is particular about it, as in `TLS 1.2 only`; absent where nothing is.
        var particulars: [String]?
        var chains: [Chain]
    }

    struct Chain: Codable, Hashable, Sendable {
        var chain: String
        var holder: Holder
        /// Anchor first, leaf last.
        var path: [Link]
        /// What was sent, and is part of no path; absent: nothing.
        var extras: [Link]?
    }

    /// A certificate, and its part in the chain.
    struct Link: Codable, Hashable, Sendable {
        var name: String
        var role: Explanation.Link.Role
        /// The name of its key in the file.
        var key: String
        var holder: Holder
        var sent: Bool
        /// Who made the device trust it: `system`, `user` or `app`; absent: nobody.
        var trusted: String?
        /// Its dates, in words, as at the step.
        var validity: String
        /// The policies of which a pin matches here; absent: none.
        var pinnedBy: [String]?
        /// Of its public key, as in `sha256/…`; another in every run.
        var pin: String?
    }

    package var name: String
    /// The place of its first trial among those of all shards; absent where one run played them all.
    var place: Int?
    var about: String?
    var hurts: String?
    var preventedBy: String?
    var references: [String]?
    var steps: [Step]

    package init(_ explanation: Explanation) {
        let scenario = explanation.scenario
        name = scenario.name
        (about, hurts, preventedBy) = (scenario.about, scenario.hurts, scenario.preventedBy)
        references = scenario.references.isEmpty ? nil : scenario.references
        steps = explanation.steps.map { step in
            Step(
                at: step.step.at.description,
                host: step.step.host,
                store: step.store.name,
                particulars: step.step.particulars.isEmpty ? nil : step.step.particulars,
                chains: step.views.map(Chain.init)
            )
        }
    }

    /// The chain that a step showed; `nil`: it is none of the scenario's own.
    func chain(_ name: String, in step: RecordedStep) -> Chain? {
        steps.lazy.filter { ($0.at, $0.host, $0.store) == (step.at, step.host, step.store) }.flatMap(\.chains)
            .first { $0.chain == name }
    }
}

extension RecordedScenario.Chain {
    fileprivate init(_ view: Explanation.View) {
        chain = view.chain
        holder = view.holder
        path = view.path.map(RecordedScenario.Link.init)
        extras = view.extras.isEmpty ? nil : view.extras.map(RecordedScenario.Link.init)
    }
}

extension RecordedScenario.Link {
    fileprivate init(_ link: Explanation.Link) {
        name = link.name
        role = link.role
        key = link.key
        holder = link.holder
        sent = link.isSent
        trusted = link.anchor?.rawValue
        validity = link.validity
        pinnedBy = link.policies.isEmpty ? nil : link.policies
        pin = "\(link.certificate.pin)"
    }

    /// What there is to say of it, in words.
    var remarks: [String] {
        var words: [String]
        switch role {
        case .leaf: words = ["the server's certificate"]
        case .intermediate: words = ["authority"]
        case .root: words = ["root authority"]
        }
        words.append("key \(key), held by \(holder == .owner ? "the owner" : "an attacker")")
        switch (trusted, role) {
        case ("system"?, _): words.append("trusted: came with the device")
        case ("user"?, _): words.append("trusted: installed by its user")
        case ("app"?, _): words.append("trusted: shipped in the app")
        case (_, .root): words.append("not trusted by this device")
        default: break
        }
        return words + [sent ? "sent" : "not sent", validity]
    }
}

extension ScenarioFile {
    /// What is played, as reports tell of it.
    ///
    /// - Parameter instant: the real one, at which the chains are shown.
    package func stories(of trials: [Trial], oracle: Oracle, instant: Date) -> [RecordedScenario] {
        let played = Set(trials.map(\.policy.name))
        let policies = policies.filter { played.contains($0.name) }
        // What cannot be explained cannot be played either, and its trials say why.
        return trials.map(\.scenario).uniqued.compactMap { scenario in
            let explanation = try? Explanation(
                scenario,
                policies: policies,
                oracle: oracle.playing(scenario),
                instant: instant
            )
            var story = explanation.map(RecordedScenario.init)
            story?.place = trials.first { $0.scenario == scenario }?.place
            return story
        }
    }
}
