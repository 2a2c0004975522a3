import Foundation
import Pinning
import Scenarios

extension MonitorReport {
    /// In OpenMetrics' text format, version 1.0, which Prometheus reads.
    package func openMetrics() -> String {
        var lines = family("pindrill_accepted", "Whether the app accepts the chain with every TLS library.")
        lines += shown.flatMap { shown in
            zip(policies, shown.cells).map { policy, cell in
                let labels = place(shown.name, shown.address) + [("kind", shown.kind.rawValue), ("policy", policy)]
                return sample("pindrill_accepted", labels, cell.decision.demand == .accept ? 1 : 0)
            }
        }
        lines += family("pindrill_reachable", "Whether a server could be asked at this address.")
        lines += shown.filter { $0.kind == .served }.map {
            sample("pindrill_reachable", place($0.name, $0.address), 1)
        }
        lines += silent.filter { $0.kind == .served }.map {
            sample("pindrill_reachable", place($0.name, $0.address), 0)
        }
        let ends = [
            (Ending.Subject.certificate, "pindrill_certificate_end_timestamp_seconds", "When a certificate ends."),
            (.pins, "pindrill_pins_end_timestamp_seconds", "When pins end."),
        ]
        for (subject, name, help) in ends {
            lines += family(name, help, unit: "seconds")
            var seen: Set<String> = []
            lines += endings.filter { $0.subject == subject }.compactMap { ending in
                let labels =
                    place(ending.owner, ending.address) + [(subject == .pins ? "domain" : "subject", ending.name)]
                // A series may stand once only; a chain may hold two certificates of one name, of which the first ends first.
                let key = labels.map { "\($0.0)=\($0.1)" }.joined(separator: "\n")
                guard seen.insert(key).inserted else { return nil }
                return sample(name, labels, Int(ending.instant.timeIntervalSince1970))
            }
        }
        return (lines + ["# EOF"]).joined(separator: "\n") + "\n"
    }

    private func place(_ name: String, _ address: String?) -> [(String, String)] {
        [("name", name)] + (address.map { [("address", $0)] } ?? [])
    }

    private func family(_ name: String, _ help: String, unit: String? = nil) -> [String] {
        ["# TYPE \(name) gauge"] + (unit.map { ["# UNIT \(name) \($0)"] } ?? []) + ["# HELP \(name) \(help)"]
    }

    private func sample(_ name: String, _ labels: [(String, String)], _ value: Int) -> String {
        let written = labels.map { "\($0.0)=\"\(escaped($0.1))\"" }.joined(separator: ",")
        return "\(name){\(written)} \(value)"
    }

    /// As a label's value is written.
    private func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
