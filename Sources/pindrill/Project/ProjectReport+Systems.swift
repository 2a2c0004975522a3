import Pinning
import Scenarios
import TLSCore

extension ProjectReport {
    private enum System: String {
        case apple = "iOS"
        case android = "Android"
    }

    /// Tells where the app for one system pins otherwise than the app for the other.
    mutating func compareSystems() {
        var keys: [System: [String: Set<Pin>]] = [:]
        for (system, host, pins) in configurations.flatMap({ Self.pinned($0.report) }) {
            keys[system, default: [:]][host, default: []].formUnion(pins)
        }
        guard let apple = keys[.apple], let android = keys[.android] else { return }
        // A host that nobody could read may be among these.
        let isWhole = unread.isEmpty && reading.described.isEmpty
        var told: Set<String> = []
        for index in configurations.indices {
            for (system, host, _) in Self.pinned(configurations[index].report) {
                let (own, others) = system == .apple ? (apple, android) : (android, apple)
                let other: System = system == .apple ? .android : .apple
                if let theirs = others[host], let ours = own[host] {
                    guard theirs != ours, told.insert(host).inserted else { continue }
                    let missing = theirs.subtracting(ours).map(\.description).sorted()
                    let extra = ours.subtracting(theirs).map(\.description).sorted()
                    let parts = [
                        missing.isEmpty ? nil : "only \(other.rawValue) pins \(missing.joined(separator: ", "))",
                        extra.isEmpty ? nil : "only \(system.rawValue) pins \(extra.joined(separator: ", "))",
                    ]
                    configurations[index].report.findings.append(
                        PolicyFinding(
                            .differingPins,
                            .warning,
                            keyPath: host,
                            "the apps for iOS and Android pin different keys, so a change may lock one of them out: "
                                + parts.compactMap { $0 }.joined(separator: ", "),
                            fix: "pin the same keys in both, and change them together"
                        )
                    )
                } else if isWhole, others[host] == nil, told.insert(host).inserted {
                    configurations[index].report.findings.append(
                        PolicyFinding(
                            .oneSystemOnly,
                            .warning,
                            keyPath: host,
                            "only the app for \(system.rawValue) pins '\(host)': the one for \(other.rawValue) is not "
                                + "protected there",
                            fix: "pin it in both, if both talk to it"
                        )
                    )
                }
            }
        }
    }

    /// The hosts of a configuration, without their wildcards, and the keys that each may have.
    private static func pinned(_ report: AuditReport) -> [(system: System, host: String, pins: Set<Pin>)] {
        let system: System
        switch report.dialect {
        case .ats, .trustkit, .alamofire: system = .apple
        case .android, .trustkitAndroid, .okhttp: system = .android
        case .delegate, .publicKeyPinning, .curl, .fingerprint, .callback, .hpkp, .chromium: return []
        }
        return (report.audit?.hosts ?? []).compactMap { host in
            let pins = Set(host.standIns.map(\.pin).filter { $0.domain == host.domain && $0.match == .key }.map(\.pin))
            guard let domain = host.domain, !pins.isEmpty else { return nil }
            return (system, String(domain.lowercased().drop { $0 == "*" || $0 == "." }), pins)
        }
    }
}
