/// One scenario, played to one client that applies one policy. Trials are independent of each other.
package struct Trial: Hashable, Sendable {
    package var scenario: Scenario
    package var policy: PolicyDeclaration
    package var client: ClientDeclaration
    /// The chains that any step of the file shows: an inserted control is one of them, where that is possible.
    package var shown: Set<String>
    /// Its place among the trials of a run that several share, from 1; `nil`: one run plays them all.
    package var place: Int?

    /// As reports name it.
    package var name: String { "\(scenario.name) · \(policy.name) · \(client.name)" }

    package init(scenario: Scenario, policy: PolicyDeclaration, client: ClientDeclaration, shown: Set<String> = []) {
        self.scenario = scenario
        self.policy = policy
        self.client = client
        self.shown = shown
    }
}

extension ScenarioFile {
    /// Every scenario, each before its variants.
    package var playable: [Scenario] {
        scenarios.flatMap { scenario in [scenario] + scenario.variants.map { scenario.varied($0, in: blueprint) } }
    }

    /// Every combination that neither its scenario nor its client excludes: by scenario, then policy, then client, each
    /// in file order.
    package var trials: [Trial] {
        let shown = chainsOfSteps
        return playable.flatMap { scenario in
            policies.flatMap { policy in
                clients.compactMap { client in
                    let isExcluded =
                        scenario.policies?.contains(policy.name) == false
                        || client.policies?.contains(policy.name) == false
                        || scenario.clients?.contains(client.name) == false
                        || scenario.exceptClients.contains(client.name)
                    return isExcluded ? nil : Trial(scenario: scenario, policy: policy, client: client, shown: shown)
                }
            }
        }
    }

    /// The chains that any step shows.
    package var chainsOfSteps: Set<String> {
        Set(scenarios.flatMap(\.steps).flatMap { $0.present + $0.also.map(\.chain) })
    }
}
