/// `broad-pin-rule` and `words-at-exit-zero`: rules for a client's words that say too much.
extension Lint {
    func wordsOfClients() -> [LintFinding] {
        file.clients.flatMap { client -> [LintFinding] in
            guard case .command(let command) = client.kind else { return [] }
            return broadPinRule(of: client, command) + wordsAtExitZero(of: client, command)
        }
    }

    private func broadPinRule(of client: ClientDeclaration, _ command: CommandDeclaration) -> [LintFinding] {
        guard let refused = command.refused, let pin = command.refusedPin, pin.covers(refused) else { return [] }
        return [
            LintFinding(
                .broadPinRule,
                Subject(.client, client.name),
                at: client.location,
                "client '\(client.name)' blames its pins for every rejection: 'refused-pin' holds wherever 'refused' does",
                fix: "name in 'refused-pin' an exit status or a text that a pin alone brings about, or leave it out"
            )
        ]
    }

    private func wordsAtExitZero(of client: ClientDeclaration, _ command: CommandDeclaration) -> [LintFinding] {
        let rules = [("refused", command.refused), ("refused-pin", command.refusedPin)]
        guard command.lifetime == .attempt, command.succeeded == nil,
            let name = rules.first(where: { $1.map { $0.exit.isEmpty && !$0.text.isEmpty } ?? false })?.0
        else { return [] }
        return [
            LintFinding(
                .wordsAtExitZero,
                Subject(.client, client.name),
                at: client.location,
                "the texts in '\(name)' of client '\(client.name)' make a rejection of exit status 0 as well: where it "
                    + "prints them and succeeds, it is misread",
                fix: "add 'exit', or if it always ends with 0, say what it prints on success: succeeded: { text: … }"
            )
        ]
    }
}

extension OutcomeRule {
    /// Whether this rule holds wherever another does, as far as can be told without searching.
    fileprivate func covers(_ other: OutcomeRule) -> Bool {
        let exits = exit.isEmpty || !other.exit.isEmpty && Set(exit).isSuperset(of: other.exit)
        return exits && (text.isEmpty || !other.text.isEmpty && Set(text).isSuperset(of: other.text))
    }
}
