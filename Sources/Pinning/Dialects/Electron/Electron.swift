package import Foundation
package import TLSCore

/// `createSslVerificator` of electron-ssl-pinning, given to Electron's `setCertificateVerifyProc`.
///
/// Source: electron-ssl-pinning 1.0.0, `src/index.ts`, and Electron's `cert_verifier_client.cc`, which hands out the certificates
/// as they were *sent*. A fingerprint is the digest of a certificate, though it begins with `sha256/`. Chromium's own answer
/// stands where a rule agrees.
package struct Electron: PinConfiguration, Equatable {
    package static let dialect = Dialect.electron

    package static let format = PolicyFormat(dialect) { Electron(reading: $1, with: $0) }

    package struct Rule: Hashable, Sendable {
        package var domain: String
        /// Whether every certificate that is sent must be listed, and not only one of them.
        package var isStrict: Bool
        package var fingerprints: [Pin]
        var line: Int?

        package init(_ domain: String, strict isStrict: Bool = false, fingerprints: [Pin]) {
            self.domain = domain
            self.isStrict = isStrict
            self.fingerprints = fingerprints
        }

        package static func == (left: Rule, right: Rule) -> Bool {
            left.domain == right.domain && left.isStrict == right.isStrict && left.fingerprints == right.fingerprints
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(domain)
            hasher.combine(isStrict)
            hasher.combine(fingerprints)
        }

        /// The domain as a regular expression, as the library makes it: `*.` is any beginning, the end of another name's label
        /// included, and any other dot is any character.
        func matches(_ host: String) -> Bool {
            let host = Array(host.lowercased())
            let domain = Array(domain)
            func fits(_ pattern: ArraySlice<Character>, _ text: ArraySlice<Character>) -> Bool {
                pattern.count == text.count && zip(pattern, text).allSatisfy { $0 == "." || $0 == $1 }
            }
            guard let star = domain.firstIndex(of: "*") else { return fits(domain[...], host[...]) }
            let (start, end) = (domain[..<star], domain[(star + 2)...])
            return host.count >= start.count + end.count && fits(start, host.prefix(start.count))
                && fits(end, host.suffix(end.count))
        }

        func accepts(_ chain: [Certificate]) -> Bool {
            let isListed = { (certificate: Certificate) in fingerprints.contains(certificate.fingerprint) }
            return isStrict ? chain.allSatisfy(isListed) : chain.contains(where: isListed)
        }
    }

    package var rules: [Rule]

    package func decide(_ situation: Situation) -> Decision {
        if let refusal = situation.refusal(below: .tls1_2, by: "Chromium") { return refusal }
        let rules = rules.filter { $0.matches(situation.host) }
        guard !rules.isEmpty else {
            let reason = "no rule is for '\(situation.host)', and then every server is rejected"
            return Decision(.reject, .systemRule(reason))
        }
        let ordinary = situation.on(stack).decide(.unpinned)
        guard ordinary.demand != .reject else { return ordinary }
        let pins = rules.flatMap(\.fingerprints)
        guard rules.contains(where: { $0.accepts(situation.chain) }) else {
            let requirement = PinRequirement(pins: pins, match: .certificate, search: .presentedChain)
            return Decision(.reject, .noPinMatches(requirement))
        }
        let matched = situation.chain.filter { pins.contains($0.fingerprint) }
        return ordinary.demand == .accept ? Decision(.accept, .pinned(matched: matched)) : ordinary
    }

    package var entryNames: [String] { rules.map(\.domain) }

    package var refusesOtherHosts: Bool { true }

    package var bringsAnchors: Bool { false }

    package static var onlyKeyType: KeyType? { nil }

    package var pins: [ConfiguredPin] {
        rules.flatMap { rule in
            rule.fingerprints.map { pin in
                ConfiguredPin(domain: rule.domain, pin: pin, match: .certificate, position: rule.position)
            }
        }
    }

    package func mapPins(_ transform: (Pin) -> Pin) -> Electron {
        var copy = self
        for index in rules.indices { copy.rules[index].fingerprints = rules[index].fingerprints.map(transform) }
        return copy
    }

    package func remembered(from host: String, path: [Certificate]) -> Self { self }

    package func ownFindings(at instant: Date) -> [PolicyFinding] { [] }

    package func ownFindings(of scope: PinScope, knownChain: [Certificate]) -> [PolicyFinding] { [] }

    package var scopes: [PinScope] { rules.map { scope($0, host: $0.anyHost, all: [$0]) } }

    package func scope(for host: String) -> PinScope? {
        let rules = rules.filter { $0.matches(host) }
        return rules.first.map { scope($0, host: host, all: rules) }
    }

    private func scope(_ rule: Rule, host: String, all: [Rule]) -> PinScope {
        func list(_ rules: [Rule]) -> [PinScope.List] {
            let digests = rules.flatMap(\.fingerprints).map {
                PinnedDigest($0.digest, .sha256, of: .certificate, written: "\($0)")
            }
            // Where all that is sent must be listed, the server's own must be.
            let position: PinRequirement.Position = rules.allSatisfy(\.isStrict) ? .leaf : .any
            return [PinScope.List(digests, position: position, search: .presentedChain)]
        }
        return PinScope(rule.domain, line: rule.line, host: host, written: list([rule]), lists: list(all))
    }
}

extension Electron.Rule {
    fileprivate var position: PinRequirement.Position { isStrict ? .leaf : .any }

    fileprivate var anyHost: String {
        domain.hasPrefix("*.") ? PinScope.anyHost(below: domain.dropFirst(2)) : domain.lowercased()
    }
}

extension Electron {
    /// The keys of `electron:`: `rules`, each with the words of electron-ssl-pinning.
    init?(reading node: YAMLNode, with reader: PolicyReader) {
        let fields = reader.fields(node, known: ["rules"], required: ["rules"])
        guard let list = fields["rules"] else { return nil }
        rules = (reader.list(list, of: "rules") ?? []).compactMap { node in
            let known = ["domain", "strict", "fingerprints"]
            let own = reader.fields(node, known: known, required: ["domain", "fingerprints"])
            guard let value = own["domain"], let domain = reader.prose(value, "a domain") else { return nil }
            let stars = domain.count { $0 == "*" }
            guard stars < 2 else {
                reader.report("Wrong wildcard format specified. Use \"*.example.org\".", at: value, .throwsAtStart)
                return nil
            }
            guard stars == 0 || domain.contains("*."), !domain.contains(where: { "\\^$+?()[]{}|".contains($0) }) else {
                reader.report("expected a name as in \"*.example.org\", found '\(domain)'", at: value)
                return nil
            }
            var rule = Rule(
                domain,
                strict: own["strict"].flatMap(reader.boolean) ?? false,
                fingerprints: reader.pinnedCertificates(own["fingerprints"]).map(\.pin)
            )
            rule.line = value.mark.line
            return rule
        }
    }

    package func rendered() -> String {
        var writer = DeclarationWriter()
        writer.open(Dialect.electron.rawValue)
        writer.items("rules", rules) { writer, rule in
            writer.text("domain", rule.domain)
            if rule.isStrict { writer.boolean("strict", true) }
            writer.list("fingerprints", rule.fingerprints.map { "\($0)" })
        }
        return writer.output
    }
}
