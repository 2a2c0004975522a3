package import Foundation
package import TLSCore

extension TrustKitAndroid {
    package static var onlyKeyType: KeyType? { nil }

    package var refusesOtherHosts: Bool { false }

    package func remembered(from host: String, path: [Certificate]) -> Self { self }

    package func ownFindings(of scope: PinScope, knownChain: [Certificate]) -> [PolicyFinding] { [] }

    package func ownFindings(at instant: Date) -> [PolicyFinding] {
        // An entry without pins says nothing to TrustKit.
        let pinned = networkSecurity.domainConfigs.filter { config in
            config.withNested.contains { $0.pinSet?.pins.isEmpty == false }
        }
        let unread = pinned.flatMap(\.withNested).filter { $0.domains.count > 1 }.map { config in
            PolicyFinding(
                .ignoredEntry,
                .warning,
                line: networkSecurity.configLines[config.name],
                keyPath: config.name,
                "of several domains TrustKit reads the last alone, and knows nothing of "
                    + config.domains.dropLast().map(\.name).joined(separator: ", "),
                fix: "give each domain a domain-config of its own"
            )
        }
        return networkSecurity.ownFindings(at: instant) + unread
            + policies.flatMap { policy -> [PolicyFinding] in
                guard let scope = scope(for: policy.domain) else { return [] }
                let reports =
                    policy.disablesDefaultReportURI || policy.pins.isEmpty
                    ? [] : [scope.foreignReports(TrustKitAndroidPolicy.defaultReportURI)]
                let common =
                    reports + [self.policy(for: scope.host) == nil ? unfound(policy, scope) : nil].compactMap(\.self)
                guard apiLevel < 24 else { return common }
                return common
                    + policy.pins.filter { $0.spelling != nil }.map { pin in
                        scope.finding(
                            .unusablePin,
                            .outage,
                            "before Android 7, TrustKit compares spellings: '\(pin.text)' never matches",
                            fix: "write \(pin.pin.base64)"
                        )
                    }
            }
    }

    /// What is written in capitals is found by nobody who asks in lower case.
    private func unfound(_ policy: TrustKitAndroidPolicy, _ scope: PinScope) -> PolicyFinding {
        scope.finding(
            .deadEntry,
            .warning,
            "TrustKit compares '\(policy.domain)' letter for letter, and hosts are asked for in lower case: it does nothing "
                + "here, and leaves the host to the system",
            fix: "write it in lower case"
        )
    }
}
