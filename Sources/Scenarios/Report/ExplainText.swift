import Pinning
import TLSCore

/// An explanation for people who read it on a wall: who vouches for whom as a tree, then what every policy makes of it.
package struct ExplainText: Sendable {
    private let style: TextStyle
    private let width: Int
    /// Shows the pins themselves, which change with every run.
    private let isVerbose: Bool

    package init(style: TextStyle = TextStyle(isColoured: false), width: Int = 100, isVerbose: Bool = false) {
        self.style = style
        self.width = max(40, width)
        self.isVerbose = isVerbose
    }

    /// All of it, or one step alone, which fits a screen of 30 lines.
    /// - Parameter step: Its number, from 1.
    package func render(_ explanation: Explanation, step number: Int? = nil) -> String {
        let scenario = explanation.scenario
        let account = scenario.account().flatMap { label, text in
            "\(label.map { "\($0): " } ?? "")\(text)".wrapped(to: width, indent: "")
        }
        let steps = explanation.steps.enumerated().map { index, step in
            (title: "tep \(index + 1) of \(explanation.steps.count), \(step.step.at.day)", lines: lines(of: step))
        }
        if let number {
            let (title, lines) = steps[number - 1]
            return ([style.heading("\(scenario.name), s\(title)")] + lines).joined(separator: "\n") + "\n"
        }
        let variants = scenario.variantsInWords.map { ["", "\($0)."] } ?? []
        return
            ([style.heading(scenario.name)] + account + variants
            + steps.flatMap { ["", style.heading("S\($0.title)")] + $0.lines }).joined(separator: "\n") + "\n"
    }

    /// What a server shows in a scenario's only step, for somebody who is to say how a client took it.
    package func shown(in explanation: Explanation) -> [String] { explanation.steps.flatMap(lines) }

    private func lines(of step: Explanation.Step) -> [String] {
        var lines = "Device: '\(step.store.name)' trusts \(trusted(by: step.store)).".wrapped(to: width, indent: "  ")
        if !step.step.particulars.isEmpty {
            lines += "Server: \(step.step.particulars.joined(separator: "; ")).".wrapped(to: width, indent: "  ")
        }
        for other in step.step.also { lines.append("  Also: who asks for \(other.host) is shown '\(other.chain)'.") }
        for route in step.step.origin?.routes ?? [] { lines += route.words.wrapped(to: width, indent: "  ") }
        if let budget = step.step.budget { lines.append("  Budget of an attempt: \(budget.words).") }
        if let note = step.step.note { lines += "Note: \(note).".wrapped(to: width, indent: "  ") }
        for (index, view) in step.views.enumerated() {
            let holder = view.holder == .owner ? "the owner of the service" : "an attacker"
            let isAlone = step.views.count == 1
            let connection =
                isAlone
                ? "" : index + 1 == step.views.count ? ", to every later connection" : ", to connection \(index + 1)"
            let shown = "Shown\(connection): '\(view.chain)', for \(step.step.host). Its key is held by \(holder)."
            lines += shown.wrapped(to: width, indent: "  ") + [""] + tree(view) + [""] + table(view.opinions)
            if !isAlone, index + 1 < step.views.count { lines.append("") }
        }
        return lines
    }

    private func trusted(by store: StoreDeclaration) -> String {
        TrustAnchor.Origin.allCases.compactMap { origin in
            let names = store.anchors(from: origin)
            return names.isEmpty ? nil : "\(names.joined(separator: ", ")) (\(origin.words))"
        }.joined(separator: " and ")
    }

    // MARK: The tree

    private func tree(_ view: Explanation.View) -> [String] {
        let path = view.path.enumerated().flatMap { index, link in
            let stem = String(repeating: "   ", count: max(0, index - 1))
            let branch = index == 0 ? "    " : "    \(stem)└─ "
            let below = index == 0 ? "    " : "    \(stem)   "
            let isLast = index + 1 == view.path.count
            return lines(of: link, branch: branch, below: below + (isLast ? "     " : "│    "))
        }
        guard !view.extras.isEmpty else { return path }
        let extras = view.extras.flatMap { lines(of: $0, isExtra: true, branch: "    + ", below: "           ") }
        return path + ["", "    Sent besides, and part of no path:"] + extras
    }

    private func lines(of link: Explanation.Link, isExtra: Bool = false, branch: String, below: String) -> [String] {
        let heading = ([style.heading(link.name)] + remarks(on: link)).joined(separator: " · ")
        var facts = [
            "key \(link.key) (\(link.keyDescription)), held by \(link.holder == .owner ? "the owner" : "an attacker")"
        ]
        // Dates mean nothing where a certificate is part of no path.
        if !isExtra || isVerbose { facts.append(link.validity) }
        if link.names.count > 1, link.role == .leaf { facts.append("for \(link.names.joined(separator: ", "))") }
        if !link.policies.isEmpty { facts.append("pinned by \(link.policies.joined(separator: ", "))") }
        if isVerbose { facts += ["pin \(link.certificate.pin)", "certificate \(link.certificate.fingerprint.hex)"] }
        return [branch + heading] + facts.flatMap { $0.wrapped(to: width, indent: below) }
    }

    private func remarks(on link: Explanation.Link) -> [String] {
        var remarks: [String] = []
        switch link.role {
        case .leaf: remarks.append("the server's certificate")
        case .intermediate: remarks.append(link.mayIssue ? "authority" : "may not vouch for anybody")
        case .root: remarks.append(link.mayIssue ? "root authority" : "root that may not vouch for anybody")
        }
        if let alias = link.alias { remarks.append("calls itself \(alias)") }
        if link.role == .leaf, link.certificate.isSelfSigned { remarks.append("signed by itself") }
        if let origin = link.anchor {
            remarks.append("trusted: \(origin.words)")
        } else if link.role == .root {
            remarks.append("not trusted by this device")
        }
        switch (link.isSent, link.anchor) {
        case (true, _): remarks.append("sent")
        case (false, nil) where link.role == .intermediate: remarks.append("not sent: the client cannot know it")
        case (false, _): remarks.append("not sent")
        }
        return remarks
    }

    // MARK: The policies

    private func table(_ opinions: [Explanation.Opinion]) -> [String] {
        if opinions.isEmpty { return [] }
        let head = ["Policy", "Trusted", "Pins that match", "Client must", "Its users are"]
        let rows = opinions.map { opinion in
            [
                opinion.policy.name, trust(in: opinion), pins(in: opinion), opinion.shown.decision.demand.order,
                opinion.shown.consequence.words,
            ]
        }
        let widths = head.indices.map { column in ([head] + rows).map { $0[column].count }.max() ?? 0 }
        func line(_ cells: [String], last: (String) -> String) -> String {
            let padded = zip(cells, widths).dropLast().map { cell, width in
                cell.padded(to: width)
            }
            return "  " + (padded + [last(cells[cells.count - 1])]).joined(separator: "  ")
        }
        return [line(head) { $0 }]
            + zip(opinions, rows).map { opinion, row in
                line(row) { style.consequence(opinion.shown.consequence, $0) }
            }
    }

    private func trust(in opinion: Explanation.Opinion) -> String {
        switch opinion.shown.decision.reason {
        case .untrusted(let failure): "no: \(failure)"
        case .stackDecides(let failure): "unsure: \(failure)"
        case .systemRule(let rule): "its system's rule: \(rule)"
        default: opinion.checksPath ? "yes" : "not asked"
        }
    }

    private func pins(in opinion: Explanation.Opinion) -> String {
        guard opinion.isPinned else { return opinion.policy.requirements.isEmpty ? "no pins" : "not for this host" }
        let matches = opinion.matches.joined(separator: ", ")
        switch opinion.shown.decision.reason {
        case .reportedOnly: return "none, and only reports it"
        case .exempt: return "none, and is exempt"
        case .noPinMatches where !matches.isEmpty: return "\(matches), which is not enough"
        default: return matches.isEmpty ? "none" : matches
        }
    }
}

extension Explanation.Link {
    /// Its dates, in words, as at the step.
    var validity: String {
        let now =
            if begins > 0 {
                "begins in \(begins.span)"
            } else if ends <= 0 {
                "expired \((-ends).span) ago"
            } else {
                "\(ends.span) to go"
            }
        if let window { return "valid from \(window.from.day) to \(window.to.day): \(now)" }
        return role == .leaf ? "made for this step: \(now)" : "valid: \(now)"
    }
}

extension TrustAnchor.Origin {
    fileprivate var words: String {
        switch self {
        case .system: "came with it"
        case .user: "installed by its user"
        case .app: "shipped in the app"
        }
    }
}

extension Decision.Demand {
    fileprivate var order: String {
        switch self {
        case .accept: "accept"
        case .reject: "reject"
        case .either: "do either"
        }
    }
}

extension Consequence {
    fileprivate var words: String {
        switch self {
        case .served: "served"
        case .protected: "protected"
        case .lockedOut: "LOCKED OUT: an outage"
        case .intercepted: "INTERCEPTED: a breach"
        case .unknown: "served or not: their TLS library decides"
        }
    }
}

extension StoryTime {
    /// `day 55`, or where that is not whole `12h`.
    fileprivate var day: String { seconds % 86_400 == 0 ? "day \(seconds / 86_400)" : "\(self)" }
}

extension Int {
    /// Seconds as people say them, cut off: `60 days`, `1 hour`.
    fileprivate var span: String {
        for (unit, length) in [("day", 86_400), ("hour", 3_600), ("minute", 60)] where self >= length {
            return "\(self / length) \(unit)\(self / length == 1 ? "" : "s")"
        }
        return "\(self) seconds"
    }
}

extension RouteDeclaration {
    /// What a request is answered.
    fileprivate var words: String {
        let fate =
            switch failure {
            case .noAnswer?: "nothing, and the end of the connection"
            case .afterHead?: "status \(status), and an end behind the head"
            case .inBody?: "status \(status), and an end within the body"
            case nil: redirect.map { "status \(status), to \($0.source)" } ?? "status \(status)"
            }
        let delay = delay.map { ", after \($0.written)" } ?? ""
        return "Answer to \(method) \(path)\(times.map { ", \($0) times" } ?? ""): \(fate)\(delay)."
    }
}

extension Budget {
    fileprivate var words: String {
        [connections.map { "\($0) connections" }, requests.map { "\($0) requests" }].compactMap { $0 }
            .joined(separator: ", ")
    }
}
