package import Foundation
import Pinning
package import TLSCore

/// `renew every 47d, same key` and `rotate key every 90d`: what is shown again and again.
extension Plan {
    private enum Rule {
        case renew(days: Int)
        case rotate(days: Int)

        init?(_ text: String) {
            if let match = text.wholeMatch(of: #/renew every ([0-9]{1,4})d, same key/#), let days = Int(match.1) {
                self = .renew(days: days)
            } else if let match = text.wholeMatch(of: #/rotate key every ([0-9]{1,4})d/#), let days = Int(match.1) {
                self = .rotate(days: days)
            } else {
                return nil
            }
        }

        var days: Int {
            switch self {
            case .renew(let days), .rotate(let days): days
            }
        }
    }

    /// Writes a rule out, from the event before it on.
    mutating func addRule(_ node: YAMLNode, _ reader: FileReader) {
        let known = ["rule", "until", "keys"]
        guard let fields = reader.fields(of: node, called: "the rule", known: known, required: ["rule"]),
            let ruleNode = fields["rule"], let text = reader.prose(ruleNode, "a rule")
        else { return }
        guard let rule = Rule(text), rule.days > 0 else {
            let forms = "'renew every 47d, same key' or 'rotate key every 90d'"
            return reader.report("'\(text)' is no rule; write \(forms)", at: ruleNode)
        }
        guard let base = events.last else {
            return reader.report("a rule goes on from the event before it, and there is none", at: ruleNode)
        }
        var until = base.day + 365
        if let node = fields["until"] {
            guard let day = reader.day(node) else { return }
            guard day > base.day else {
                return reader.report("the rule ends on \(day), which is not after '\(base.name)'", at: node)
            }
            until = day
        }
        var upcoming: [String] = []
        if let node = fields["keys"] {
            guard case .rotate = rule else { return reader.report("only 'rotate key' has keys", at: node) }
            upcoming = (reader.list(node, of: "keys") ?? []).compactMap {
                reader.name($0, "key", among: keys.map(\.name))
            }
        }
        let shown = minted(base)
        guard case .minted(var key, let issuer, let sent) = shown else {
            return reader.report(
                "the chain of '\(base.name)' has no issuer, so that nothing can be made like it",
                at: ruleNode
            )
        }
        let type = keys.first { $0.name == key }?.type ?? .p256
        var instant = base.instant
        for count in 1... {
            instant += TimeInterval(rule.days) * 86_400
            guard Day(instant) <= until, events.count <= Plan.mostEvents else { return }
            var name = "\(base.name), renewal \(count)"
            if case .rotate = rule {
                // The name is no key's that a file could declare twice.
                name = "\(base.name), key \(count)"
                if upcoming.isEmpty {
                    key = "a key that nobody has named, \(keys.count + 1)"
                    keys.append(Key(name: key, type: type))
                } else {
                    key = upcoming.removeFirst()
                }
            }
            events.append(
                Event(
                    name: name,
                    instant: instant,
                    shown: .minted(key: key, issuer: issuer, sent: sent),
                    trusted: base.trusted
                )
            )
        }
    }

    /// What comes after a chain: another certificate by the same authority, for a key that is known and no more.
    ///
    /// - Parameter path: as it was verified, leaf first and root last.
    /// - Returns: a plan whose last event is that; `nil` where the path has no issuer.
    package static func renewal(of path: [Certificate], with key: KeyMaterial, at instant: Date) -> Plan? {
        let base = Event(name: "now", instant: instant, shown: .chain(path), trusted: nil)
        var plan = Plan(keys: [], authorities: [], events: [base])
        guard case .minted(_, let issuer, let sent) = plan.minted(base) else { return nil }
        let next = Key(name: "the next key", pin: key.pin, type: KeyType(describedAs: key.keyDescription) ?? .p256)
        plan.keys.append(next)
        plan.events.append(
            Event(
                name: "next",
                instant: instant,
                shown: .minted(key: next.name, issuer: issuer, sent: sent),
                trusted: nil
            )
        )
        return plan
    }

    /// An event's chain as something that can be made again: of certificates that exist, keys and authorities are
    /// declared that stand for theirs.
    private mutating func minted(_ event: Event) -> Shown {
        guard case .chain(let chain) = event.shown, chain.count > 1 else { return event.shown }
        var above = chain.dropFirst()
        var path = [chain[0]]
        while let last = path.last, let index = above.firstIndex(where: { $0.subject == last.issuer && $0 != last }) {
            path.append(above.remove(at: index))
        }
        guard path.count > 1 else { return event.shown }
        let key = unused("the key of \(event.name)")
        keys.append(Key(name: key, pin: path[0].pin, type: KeyType(describedAs: path[0].keyDescription) ?? .p256))
        var issuer: String?
        for certificate in path.dropFirst().reversed() {
            // What stands above the last one sent is not here: devices know it.
            if issuer == nil, !certificate.isSelfSigned {
                let root = unused("the root above \(event.name)")
                authorities.append(Authority(name: root, type: .p256, rootOf: chain))
                issuer = root
            }
            let name = unused(certificate.commonName.isEmpty ? certificate.subject : certificate.commonName)
            authorities.append(
                Authority(
                    name: name,
                    issuer: issuer,
                    pin: certificate.pin,
                    certificate: certificate,
                    type: KeyType(describedAs: certificate.keyDescription) ?? .p256
                )
            )
            issuer = name
        }
        return .minted(key: key, issuer: issuer ?? "", sent: nil)
    }

    /// A name like this one that no key and no authority has.
    private func unused(_ name: String) -> String {
        let taken = Set(keys.map(\.name) + authorities.map(\.name))
        guard taken.contains(name) else { return name }
        return (2...).lazy.map { "\(name) \($0)" }.first { !taken.contains($0) } ?? name
    }
}
