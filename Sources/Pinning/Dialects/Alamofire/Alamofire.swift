package import TLSCore

/// Alamofire's `ServerTrustManager` (`ServerTrustEvaluation.swift` of 5.x): an evaluator for each host.
///
/// Apps write it in code, so its own format here is a declaration in YAML with Alamofire's words.
package struct Alamofire: PinConfiguration, Equatable {
    package static let dialect = Dialect.alamofire

    package static let format = PolicyFormat(dialect) { Alamofire(reading: $1, with: $0) }

    /// Whether App Transport Security stands in front, as it does unless an app's `Info.plist` says otherwise.
    package enum TransportSecurity: String, CaseIterable, Sendable {
        case enforced
        case relaxed
    }

    /// A host and what its certificates must pass.
    package struct Host: Hashable, Sendable {
        /// Compared exactly: no wildcard, no subdomain, no folding of case.
        package var name: String
        package var evaluator: Evaluator

        package init(_ name: String, _ evaluator: Evaluator) {
            self.name = name
            self.evaluator = evaluator
        }
    }

    package var hosts: [Host]
    /// Whether a host without an evaluator is turned away (Alamofire's default) or left to ordinary trust.
    package var allHostsMustBeEvaluated: Bool = true
    package var transportSecurity: TransportSecurity = .enforced
    var hostLines = EntryLines()

    package func decide(_ situation: Situation) -> Decision {
        guard transportSecurity == .enforced else { return situation.unlessOld(evaluate(situation)) }
        if let refusal = situation.refusal(below: .tls1_2, by: "App Transport Security") { return refusal }
        let decision = evaluate(situation)
        guard decision.demand == .accept else { return decision }
        // An evaluator can be content with what App Transport Security, which looks first, is not: self-signed
        // certificates are the case that Alamofire's own guide warns of.
        let ordinary = ApplePlatform.decideUnpinned(situation)
        guard ordinary.demand != .accept else { return decision }
        return Decision(.either, .systemRule("the evaluator accepts it, App Transport Security may not: \(ordinary)"))
    }

    private func evaluate(_ situation: Situation) -> Decision {
        if let host = hosts.first(where: { $0.name == situation.host }) { return host.evaluator.decide(situation) }
        // How old a version of TLS may be is not asked here.
        guard allHostsMustBeEvaluated else { return ApplePlatform.decideUnpinned(situation, oldest: .tls1_0) }
        let rule = "every host must be evaluated, and '\(situation.host)' has no evaluator"
        return Decision(.reject, .systemRule(rule))
    }

    package var entryNames: [String] { hosts.map(\.name) }

    package var pins: [ConfiguredPin] {
        hosts.flatMap { host in
            host.evaluator.pins.map { ConfiguredPin(domain: host.name, pin: $0.pin, match: $0.match) }
        }
    }

    package func mapPins(_ transform: (Pin) -> Pin) -> Alamofire {
        var copy = self
        copy.hosts = hosts.map { Host($0.name, $0.evaluator.mapPins(transform)) }
        return copy
    }
}
