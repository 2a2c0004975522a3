import Pinning

/// Explanations for programs: `docs/output.schema.json` defines them.
package struct ExplanationDocument: Encodable {
    struct Told: Encodable {
        var name: String
        var steps: [Step]
    }

    struct Step: Encodable {
        var at: String
        var host: String
        var store: String
        var shown: [Shown]
    }

    struct Shown: Encodable {
        var chain: String
        var holder: String
        /// The authority first, the leaf last.
        var path: [String]
        var policies: [Opinion]
    }

    struct Opinion: Encodable {
        var policy: String
        var demand: String
        var reason: String
    }

    private var version = 1
    private var scenarios: [Told]

    package init(_ explanations: [Explanation]) {
        scenarios = explanations.map { explanation in
            Told(
                name: explanation.scenario.name,
                steps: explanation.steps.map { step in
                    Step(
                        at: "\(step.step.at)",
                        host: step.step.host,
                        store: step.store.name,
                        shown: step.views.map(Shown.init)
                    )
                }
            )
        }
    }
}

extension ExplanationDocument.Shown {
    fileprivate init(_ view: Explanation.View) {
        chain = view.chain
        holder = view.holder.rawValue
        path = view.path.map(\.name)
        policies = view.opinions.map { opinion in
            let decision = opinion.shown.decision
            return .init(policy: opinion.policy.name, demand: decision.demand.rawValue, reason: "\(decision)")
        }
    }
}
