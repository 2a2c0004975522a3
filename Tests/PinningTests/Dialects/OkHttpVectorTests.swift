import Foundation
import Pinning
import TLSCore
import TestSupport
import Testing

/// What OkHttp's own tests expect.
@Suite(.enabled(if: Places.hasVectors("okhttp-policy.csv"), "the shared vectors are not beside this checkout"))
struct OkHttpVectorTests {
    @Test func `every policy row decides as OkHttp's tests do`() throws {
        let rows = table("okhttp-policy.csv")
        #expect(rows.count == 27)

        for row in rows {
            let declared = try JSONDecoder().decode(Declared.self, from: Data(row["policy_json", default: ""].utf8))
            let okHttp = OkHttp(
                try declared.pins.map { .init(try OkHttpPattern($0.pattern), [try OkHttpPin(parsing: $0.pin)]) }
            )
            let chain = try row["chain_files", default: ""].split(separator: ";").flatMap { file in
                try PEM.certificates(
                    in: String(contentsOf: Places.vectors.appending(path: String(file)), encoding: .utf8)
                )
            }

            let decision = okHttp.check(chain, host: row["hostname", default: ""])

            #expect(decision.demand.rawValue == row["expected"], "\(row["source_test", default: ""]): \(decision)")
        }
    }

    @Test func `every pattern row matches, or throws, as in OkHttp's tests`() throws {
        let rows = table("okhttp-patterns.csv")
        #expect(rows.count == 33)

        for row in rows {
            let pattern = row["pattern", default: ""]
            let expected = row["matches", default: ""]
            if expected.hasPrefix("config-error: pin=") {
                let pin = String(expected.dropFirst("config-error: pin=".count))
                let source = "CertificatePinner.Builder().add(\"\(pattern)\", \"\(pin)\").build()"

                #expect(throws: PolicyFileError.self, "\(row)") {
                    try OkHttp(parsing: Data(source.utf8), file: "Pins.kt")
                }
            } else {
                let matches = try OkHttpPattern(pattern).matches(row["hostname", default: ""])

                #expect(String(matches) == expected, "\(row)")
            }
        }
    }

    private struct Declared: Decodable {
        struct Entry: Decodable {
            let pattern: String
            let pin: String
        }
        let pins: [Entry]
    }

    private func table(_ name: String) -> [[String: String]] {
        VectorTable(at: Places.vectors.appending(path: name)).rows
    }
}
