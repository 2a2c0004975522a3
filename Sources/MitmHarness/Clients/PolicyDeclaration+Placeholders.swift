import Pinning
import Scenarios

extension PolicyDeclaration {
    /// What of this policy some placeholders cannot tell a client, so that it would apply another one; `nil`: nothing.
    func trait(withoutPlaceholderIn placeholders: [CommandPlaceholder]) -> String? {
        let taken = Set(placeholders.compactMap(\.match))
        let pinned: [PinRequirement.Match]
        switch source {
        case .declared(let rules): pinned = rules.requirements.map(\.match)
        // Its file has the pins of both kinds.
        case .imported where placeholders.contains(.policy): pinned = []
        case .imported(let imported): pinned = imported.configuration.pins.map(\.match)
        }
        if pinned.contains(.certificate), !taken.contains(.certificate) { return "pins of certificates" }
        if pinned.contains(.key), !taken.contains(.key) { return "pins of keys" }
        return rules?.traitWithoutPlaceholder
    }
}

extension PolicyRules {
    /// What of these rules no placeholder at all can tell.
    fileprivate var traitWithoutPlaceholder: String? {
        if requirements.contains(where: { $0.position == .authority }) {
            return "pins that only an authority may match"
        }
        if requirements.count > 1 { return "several requirements at once" }
        if failure == .report { return "a policy that only reports" }
        if !exempt.isEmpty { return "anchors that are exempt" }
        return checks == .all ? nil : "a check that is switched off"
    }
}
