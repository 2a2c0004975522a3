/// What came of many trials at a glance: a row for each scenario, a column for each client and policy, a mark for each
/// trial. It fits a screen: kinds of scenario in which there is nothing to see are one row each.
struct ResultMatrix {
    /// From what says least to the worst.
    enum Mark: Character, CaseIterable {
        case skipped = "-"
        case notApplicable = "n"
        case right = "."
        case deviated = "d"
        case declaredOutage = "l"
        case declaredBreach = "i"
        case outage = "L"
        case breach = "I"
        case inconclusive = "?"
        case failed = "F"
    }

    /// The trials of one client.
    private struct Client {
        var name: String
        var isModel: Bool
        var policies: [String]
    }

    private struct Row {
        var scenario: String
        var marks: [Place: Mark]
        var needsAttention: Bool { marks.values.contains { $0 >= .outage } }
    }

    private struct Place: Hashable {
        var client: String
        var policy: String
    }

    /// A kind of scenario, and its rows; `nil` for scenarios of no kind.
    private typealias Group = (kind: String?, rows: [Row])

    /// How many rows may be shown before those are folded in which there is nothing to see.
    private static let manyRows = 24

    private var clients: [Client] = []
    private var policies: [String] = []
    private var groups: [Group] = []

    init(_ trials: [TrialResult]) { self.init(trials.map(RecordedTrial.init)) }

    /// What is skipped as a whole has no column: it is named elsewhere.
    init(_ trials: [RecordedTrial]) {
        for trial in trials where trial.verdict != .skipped {
            if !policies.contains(trial.policy) { policies.append(trial.policy) }
            let place = clients.firstIndex { $0.name == trial.client } ?? clients.count
            if place == clients.count {
                clients.append(Client(name: trial.client, isModel: trial.model, policies: []))
            }
            if !clients[place].policies.contains(trial.policy) { clients[place].policies.append(trial.policy) }
        }
        let shown = Set(clients.map(\.name))
        for trial in trials where shown.contains(trial.client) {
            let base = trial.base ?? trial.scenario
            let group = groups.firstIndex { $0.kind == trial.kind } ?? groups.count
            if group == groups.count { groups.append((trial.kind, [])) }
            let row = groups[group].rows.firstIndex { $0.scenario == base } ?? groups[group].rows.count
            if row == groups[group].rows.count { groups[group].rows.append(Row(scenario: base, marks: [:])) }
            let place = Place(client: trial.client, policy: trial.policy)
            // Variants share the row of their scenario.
            groups[group].rows[row].marks[place] = max(groups[group].rows[row].marks[place] ?? .skipped, Mark(trial))
        }
    }

    func lines(_ style: TextStyle, width: Int) -> [String] {
        guard !clients.isEmpty else { return [] }
        let rows = rows
        let names = rows.map(\.name.count).max() ?? 0
        let blocks = blocks(room: max(width - names, 20))
        return blocks.flatMap { block in table(block, rows, nameWidth: names, style) + [""] } + legend(style, width)
    }

    // MARK: Rows

    private typealias Line = (name: String, marks: [Place: Mark], isHeading: Bool)

    private var rows: [Line] {
        let isFolded = groups.reduce(0) { $0 + $1.rows.count } > Self.manyRows
        return groups.flatMap { group -> [Line] in
            let kind = group.kind ?? (groups.count > 1 ? "other scenarios" : nil)
            let shown = isFolded ? group.rows.filter(\.needsAttention) : group.rows
            let rest = isFolded ? group.rows.filter { !$0.needsAttention } : []
            let margin = kind == nil ? "" : "  "
            let lines: [Line] = shown.map { (margin + $0.scenario, $0.marks, false) }
            if rest.isEmpty { return (kind.map { [($0, [:], true)] } ?? []) + lines }
            let number = rest.count == 1 ? "1 scenario" : "\(rest.count) scenarios"
            let folded = rest.map(\.marks).reduce(into: [:]) { $0.merge($1) { max($0, $1) } }
            if lines.isEmpty { return [(kind.map { "\($0): \(number)" } ?? number, folded, true)] }
            return (kind.map { [($0, [:], true)] } ?? []) + lines + [("\(margin)\(rest.count) more", folded, false)]
        }
    }

    // MARK: Columns

    /// The clients that stand beside each other; one with very many policies is continued below.
    private func blocks(room: Int) -> [[Client]] {
        let most = max((room - 3) / (labelWidth + 1), 1)
        let parts = clients.flatMap { client in
            stride(from: 0, to: client.policies.count, by: most).map { start in
                var part = client
                part.policies = Array(client.policies[start..<min(start + most, client.policies.count)])
                return part
            }
        }
        var blocks: [[Client]] = []
        var used = 0
        for part in parts {
            let needed = 3 + self.width(of: part)
            if blocks.isEmpty || used + needed > room {
                blocks.append([])
                used = 0
            }
            blocks[blocks.count - 1].append(part)
            used += needed
        }
        return blocks
    }

    private var labelWidth: Int { String(policies.count).count }

    private func label(_ policy: String) -> String {
        String((policies.firstIndex(of: policy) ?? 0) + 1).padded(to: labelWidth)
    }

    private func width(of client: Client) -> Int {
        max(client.name.count, client.policies.count * (labelWidth + 1) - 1)
    }

    private func table(_ block: [Client], _ rows: [Line], nameWidth: Int, _ style: TextStyle) -> [String] {
        let margin = String.spaces(nameWidth)
        let names = block.map { "   " + style.heading($0.name.padded(to: width(of: $0))) }.joined()
        let labels = block.map { client in
            "   " + client.policies.map(label).joined(separator: " ").padded(to: width(of: client))
        }.joined()
        let lines = rows.map { line in
            let name = line.name.padded(to: nameWidth)
            let marks = block.map { client in
                let cells = client.policies.map { policy -> String in
                    guard let mark = line.marks[Place(client: client.name, policy: policy)] else {
                        return String.spaces(labelWidth)
                    }
                    return style.mark(mark, String(mark.rawValue))
                        + String.spaces(labelWidth - 1)
                }
                let used = client.policies.count * (labelWidth + 1) - 1
                return "   " + cells.joined(separator: " ")
                    + String.spaces(width(of: client) - used)
            }.joined()
            return (line.isHeading ? style.heading(name) : name) + marks
        }
        return ([margin + names, margin + labels] + lines).map(\.withoutTrailingSpaces)
    }

    // MARK: Legend

    private func legend(_ style: TextStyle, _ width: Int) -> [String] {
        let used = Set(rows.flatMap(\.marks.values))
        let marks = Mark.allCases.filter(used.contains).map { "\($0.rawValue) \($0.meaning)" }
        let numbers = policies.enumerated().map { "\($0 + 1) \($1)" }
        let models = clients.filter(\.isModel).map(\.name)
        return list("Marks", marks, width) + list("Policies", numbers, width)
            + models.map { style.aside("\($0) is the model: it proves the catalogue, not a client.") }
    }

    /// A list that is wrapped between its members only.
    private func list(_ title: String, _ members: [String], _ width: Int) -> [String] {
        var lines = ["\(title):"]
        for (index, member) in members.enumerated() {
            let text = " \(member)" + (index == members.count - 1 ? "." : ",")
            if lines[lines.count - 1].count + text.count > width { lines.append(" ") }
            lines[lines.count - 1] += text
        }
        return lines
    }
}

extension ResultMatrix.Mark: Comparable {
    static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The worst that can be said of a trial.
    init(_ trial: RecordedTrial) {
        let steps = trial.steps
        func has(_ consequence: Consequence) -> Bool { steps.contains { $0.consequence == consequence } }
        self =
            switch (trial.deviation?.seen, trial.verdict) {
            case (true?, _): .deviated
            case (false?, _), (_, .fail): .failed
            case (_, .inconclusive): .inconclusive
            case _ where steps.contains(where: \.isUndeclaredBreach): .breach
            case _ where steps.contains(where: \.isUndeclaredOutage): .outage
            case _ where has(.intercepted): .declaredBreach
            case _ where has(.lockedOut): .declaredOutage
            case (_, .skipped): .skipped
            case (_, .notApplicable): .notApplicable
            case (_, .pass): .right
            }
    }

    var meaning: String {
        switch self {
        case .right: "right"
        case .notApplicable: "not applicable"
        case .skipped: "skipped"
        case .deviated: "deviates as declared"
        case .declaredOutage: "locked out as declared"
        case .declaredBreach: "intercepted as declared"
        case .outage: "LOCKED OUT, not declared"
        case .breach: "INTERCEPTED, not declared"
        case .inconclusive: "inconclusive"
        case .failed: "FAILED"
        }
    }
}

extension TextStyle {
    /// Colour follows the people: who is locked out or intercepted is red, whatever the verdict.
    fileprivate func mark(_ mark: ResultMatrix.Mark, _ text: String) -> String {
        switch mark {
        case .right: verdict(.pass, text)
        case .notApplicable, .skipped: verdict(.skipped, text)
        case .inconclusive, .deviated: verdict(.inconclusive, text)
        case .declaredOutage, .outage, .declaredBreach, .breach, .failed: verdict(.fail, text)
        }
    }
}

extension String {
    fileprivate var withoutTrailingSpaces: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
