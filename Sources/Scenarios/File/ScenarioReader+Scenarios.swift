import Pinning
import TLSCore

/// `scenarios`.
extension ScenarioReader {
    func scenarios(
        _ sections: [YAMLNode],
        host: String,
        store: String,
        origin: OriginDeclaration?
    ) -> [Scenario] {
        let lists = sections.compactMap { list($0, of: "scenarios") }
        if lists.count == sections.count, lists.allSatisfy(\.isEmpty), let first = sections.first {
            report("the file declares no scenarios", at: first)
        }
        return lists.joined().compactMap { scenario($0, host: host, store: store, origin: origin) }
    }

    private func scenario(
        _ node: YAMLNode,
        host: String,
        store: String,
        origin: OriginDeclaration?
    ) -> Scenario? {
        let prose = ["name", "about", "hurts", "prevented-by", "references", "tags"]
        let known =
            prose + [
                "store", "policies", "clients", "except-clients", "steps", "variants", "origin", "budget", "allow",
                "clock",
            ]
        guard let fields = fields(of: node, called: "the scenario", known: known, required: ["name", "steps"])
        else { return nil }
        let name = fields["name"].flatMap { declaredName($0, as: .scenario) } ?? ""
        allow(fields["allow"], for: Subject(.scenario, name))
        // A file that borrows the shipped scenarios does not choose their store by having some of its own.
        let usual = isBorrowed(node) ? borrowedStore ?? store : store
        let store = fields["store"].flatMap { reference($0, to: .store) } ?? usual
        let policies = fields["policies"].flatMap { selection($0, of: .policy) }
        let steps = fields["steps"].flatMap { list($0, of: "steps") } ?? []
        if let node = fields["steps"], node.isEmptyList {
            report("scenario '\(name)' has no steps", at: node)
        }

        let origin = fields["origin"].flatMap { self.origin($0) }?.inside(origin) ?? origin
        let budget = fields["budget"].flatMap(budget)
        var context = StepContext(store: store, host: host, policies: policies, origin: origin, budget: budget)
        context.movesClock =
            fields["clock"].flatMap { choice($0, "what a clock does", among: [("stays", false), ("moves", true)]) }
            ?? false
        var time = StoryTime.zero
        var isFirst = true
        return Scenario(
            name: name,
            about: fields["about"].flatMap { self.prose($0, "a description") },
            hurts: fields["hurts"].flatMap { self.prose($0, "whom it hurts") },
            preventedBy: fields["prevented-by"].flatMap { self.prose($0, "what prevents it") },
            references: fields["references"].map(references) ?? [],
            tags: fields["tags"].map(tags) ?? [],
            store: store,
            policies: policies,
            clients: isBorrowed(node) ? nil : fields["clients"].flatMap { selection($0, of: .client) },
            exceptClients: fields["except-clients"].map(exceptClients) ?? [],
            steps: steps.compactMap { node in
                guard let step = step(node, in: context, after: isFirst ? nil : time) else { return nil }
                (time, isFirst) = (step.at, false)
                return step
            },
            origin: origin,
            variants: fields["variants"].map(variants) ?? [],
            location: node.location
        )
    }

    /// Names of clients, which need not be declared: a pack does not know those of the file that includes it.
    private func exceptClients(_ node: YAMLNode) -> [String] {
        (list(node, of: "clients") ?? []).compactMap { text($0, "a client's name") }
    }

    private func tags(_ node: YAMLNode) -> [ScenarioTag] {
        var found: Set<ScenarioTag> = []
        return (list(node, of: "tags") ?? []).compactMap { value in
            guard let tag = tag(value) else { return nil }
            if found.insert(tag).inserted { return tag }
            report("'\(tag)' is listed twice", at: value)
            return nil
        }
    }

    func tag(_ node: YAMLNode) -> ScenarioTag? {
        guard let text = text(node, "a tag") else { return nil }
        if let tag = ScenarioTag(text) { return tag }
        let forms = "; identifiers are written MASVS-NETWORK-2, MASTG-TEST-0244 or CWE-295"
        let advice = text.contains("-") ? forms : suggestion(for: text, among: ScenarioTag.words)
        report("'\(text.prefix(80))' is not a tag\(advice)", at: node)
        return nil
    }

    private func references(_ node: YAMLNode) -> [String] {
        (list(node, of: "references") ?? []).compactMap { value in
            guard let text = text(value, "a reference") else { return nil }
            if text.wholeMatch(of: formOfReferences) != nil { return text }
            let forms = "CVE-2016-2402, RFC 8446 section 4.4.2, or an address that begins with https://"
            report("'\(text.prefix(80))' is not a reference; write \(forms)", at: value)
            return nil
        }
    }

    /// What a step has from its scenario.
    private struct StepContext {
        var store: String
        var host: String
        /// `nil`: all.
        var policies: [String]?
        var origin: OriginDeclaration?
        var budget: Budget?
        var movesClock = false
    }

    private func step(_ node: YAMLNode, in context: StepContext, after previous: StoryTime?) -> Step? {
        let known = [
            "at", "present", "chosen-by", "also", "store", "host", "tls", "resumption", "near-miss", "handshake",
            "restart", "reports", "attempts", "origin", "budget", "note", "locks-out", "intercepts",
        ]
        guard let fields = fields(of: node, called: "the step", known: known, required: ["present"]) else {
            return nil
        }
        let at = fields["at"].flatMap(time) ?? previous ?? .zero
        if let previous, at < previous, let node = fields["at"] {
            report("this step is at \(at), before the previous one at \(previous)", at: node)
        }
        let resumption = fields["resumption"].flatMap(resumption)
        let (version, limits) = fields["tls"].map(offer) ?? (nil, TLSOffer())
        let host = fields["host"].flatMap { stepHost($0, in: context) } ?? context.host
        var step = Step(
            at: at,
            present: fields["present"].map(presentment) ?? [],
            store: fields["store"].flatMap { reference($0, to: .store) } ?? context.store,
            host: host,
            tls: version,
            limits: limits,
            resumption: resumption?.isOn ?? false,
            nearMiss: fields["near-miss"].flatMap { choice($0, "a near miss") },
            attempts: fields["attempts"].flatMap { integer($0, in: 1...100, "a number of attempts") } ?? 1,
            origin: fields["origin"].flatMap { origin($0) }?.inside(context.origin) ?? context.origin,
            budget: fields["budget"].flatMap(budget) ?? context.budget,
            note: fields["note"].flatMap { prose($0, "a note") },
            locksOut: fields["locks-out"].flatMap { claim($0, in: context) },
            intercepts: fields["intercepts"].flatMap { claim($0, in: context) },
            location: node.location
        )
        step.resumes = resumption?.way ?? .ticket
        step.movesClock = context.movesClock
        if let node = fields["reports"] {
            step.reports = boolean(node) ?? false
            if step.reports, !hasCollector {
                report("nobody takes reports; write 'collector: trustkit' at the top", at: node)
            }
        }
        step.isChosenByHello =
            fields["chosen-by"].flatMap { choice($0, "who chooses", among: [("turn", false), ("hello", true)]) }
            ?? false
        if step.isChosenByHello, step.present.count < 2, let node = fields["chosen-by"] {
            report("there is nothing to choose from; present two chains or more", at: node)
        }
        step.restart = fields["restart"].flatMap(boolean) ?? false
        step.handshake = fields["handshake"].flatMap(handshakeFault)
        step.also = fields["also"].map { others($0, beside: step.host, in: context) } ?? []
        return step
    }

    private func others(_ node: YAMLNode, beside host: String, in context: StepContext) -> [OtherHost] {
        let entries = entries(of: node, "chains by host") ?? []
        if entries.isEmpty { report("'also' needs a host and its chain, as in { other.example: today }", at: node) }
        return entries.compactMap { entry in
            guard let name = stepHost(entry.key, in: context), let chain = reference(entry.value, to: .chain) else {
                return nil
            }
            if hasUpstream, chain == UpstreamDeclaration.chain {
                report("the genuine server is shown at the step's own host only", at: entry.value)
            }
            let other = SubjectName.relative(name.lowercased())
            if other == host { report("'\(host)' is the step's own host, for which 'present' is", at: entry.key) }
            return OtherHost(host: other, chain: chain)
        }
    }

    /// The shipped catalogue's host is this file's own, however it is spelled, and what lies below it lies below that.
    private func stepHost(_ node: YAMLNode, in context: StepContext) -> String? {
        guard let name = hostName(node) else { return nil }
        guard let old = borrowedHost, isBorrowed(node) else { return name }
        let relative = SubjectName.relative(name)
        let spelled = relative.lowercased()
        guard spelled == old || spelled.hasSuffix(".\(old)") else { return name }
        let own = spelled == relative ? context.host : context.host.uppercased()
        return relative.dropLast(old.count) + own + name.dropFirst(relative.count)
    }

    /// One chain, or one for each connection.
    private func presentment(_ node: YAMLNode) -> [String] {
        guard case .list(let values) = node.content else { return reference(node, to: .chain).map { [$0] } ?? [] }
        if values.isEmpty { report("this step presents nothing", at: node) }
        return values.compactMap { value in
            if hasUpstream, value.scalar == UpstreamDeclaration.chain, values.count > 1 {
                report("the genuine server is alone in its step: its connections are not read", at: value)
            }
            return reference(value, to: .chain)
        }
    }

    private func claim(_ node: YAMLNode, in context: StepContext) -> Claim? {
        if node.scalar == "all" { return Claim(.all, location: node.location) }
        guard case .list(let values) = node.content else {
            report("expected 'all' or a list of policies, found \(node.kind.rawValue)", at: node)
            return nil
        }
        guard let policies = references(node, to: .policy) else { return nil }
        if let played = context.policies {
            let missing = Set(policies).subtracting(played)
            for value in values {
                guard let name = value.scalar, missing.contains(name) else { continue }
                report("this scenario is not played with policy '\(name)'", at: value)
            }
        }
        return Claim(.policies(policies), location: node.location)
    }
}
