import MitmHarness
import Pinning
import Scenarios

extension SeededClient {
    /// Clients whose pins hold, and whose reports do not.
    static let badReports: [SeededClient] = [
        telling("reports-nothing", "reports no failure") { _, _ in [] },
        telling("reports-twice", "reports every failure twice") { reports, _ in reports + reports },
        telling("reports-no-leaf", "reports the authorities of the chain, without its leaf") { reports, _ in
            changing(reports) { $0.validatedCertificateChain.removeFirst() }
        },
        telling("reports-the-first-failure-again", "reports the chain of the first failure for every later one") {
            reports,
            memory in
            let first = memory.notes.first
            if first == nil { for report in reports { report.validatedCertificateChain.forEach(memory.note) } }
            let known = memory.notes
            return changing(reports) { $0.validatedCertificateChain = known }
        },
        telling("reports-no-pins", "leaves the pins out of its report") { reports, _ in
            changing(reports) { $0.knownPins = [] }
        },
        telling("reports-another-host", "reports every failure for the domain above") { reports, _ in
            changing(reports) { $0.hostname = String($0.hostname.drop { $0 != "." }.dropFirst()) }
        },
    ]

    static let correctReports: [SeededClient] = [
        .correct(
            "reports-failures",
            "reports each failure of its pins once, as TrustKit does",
            policies: reportingPolicies,
            reports: true
        ) { endpoint, memory in await tell(endpoint, memory) { reports, _ in reports } }
    ]

    private static let reportingPolicies = ["leaf-and-backup", "report-only"]

    private static func telling(
        _ name: String,
        _ about: String,
        _ change: @escaping @Sendable ([TrustKitReport], Memory) -> [TrustKitReport]
    ) -> SeededClient {
        .wayward(name, about, foundBy: "failures-are-reported", policies: reportingPolicies, reports: true) {
            endpoint,
            memory in await tell(endpoint, memory, change)
        }
    }

    private static func tell(
        _ endpoint: Endpoint,
        _ memory: Memory,
        _ change: @Sendable ([TrustKitReport], Memory) -> [TrustKitReport]
    ) async -> ClientReport {
        let failures = PinFailures()
        let report = await failures.watching(TLSExchange(obeying: endpoint), at: endpoint).report(endpoint)
        for report in change(failures.reports(of: endpoint), memory) { await report.post(to: endpoint.collector) }
        return report
    }

    private static func changing(
        _ reports: [TrustKitReport],
        _ change: (inout TrustKitReport) -> Void
    ) -> [TrustKitReport] {
        reports.map { report in
            var report = report
            change(&report)
            return report
        }
    }
}
