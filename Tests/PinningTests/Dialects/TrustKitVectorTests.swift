import Foundation
import TLSCore
import TestSupport
import Testing

@testable import Pinning

/// What TrustKit's own tests expect.
@Suite(.enabled(if: Places.hasVectors("trustkit-policy.csv"), "the shared test vectors are not beside this checkout"))
struct `TrustKit's own expectations` {
    /// Rows that prove less than they seem to.
    static let traps = [
        "TSKPinningValidatorTests/testVerifyAgainstInjectedCaPublicKey":
            "its pin matches no file, so that a search of the presented chain would pass as well",
        "TSKPinningValidatorTests/testVerifyAgainstCaPublicKeyAndBadCertificateChain":
            "its pin matches no file any more; only the broken chain decides",
    ]

    @Test func `of chains are met`() throws {
        let rows = Self.rows("trustkit-policy.csv")
        var met: [String] = []

        for row in rows {
            let configuration = try AppleSamples.trustKit(row["policy_json"]!, platform: .iOS)
            let situation = Situation(
                chain: try Self.certificates(row["chain_files"]!),
                store: try TrustStore(
                    Self.certificates(row["trust_anchor_files"]!).map { TrustAnchor($0, origin: .app) }
                ),
                host: row["hostname"]!,
                at: try Date(row["at_time"]!, strategy: .iso8601)
            )
            let test = row["source_test"]!
            let decision = configuration.decide(situation)
            let domain = configuration.domain(for: situation.host)
            switch row["expected"] {
            case "accept": #expect(decision.demand == .accept, "\(test): \(decision)")
            case "reject": #expect(decision.demand == .reject, "\(test): \(decision)")
            case "not-pinned": #expect(domain == nil || domain?.rule == .excluded, "\(test)")
            default: Issue.record("\(test) expects \(row["expected"] ?? "nothing")")
            }
            met.append(test)
        }

        #expect(rows.count == 15)
        #expect(Self.traps.keys.allSatisfy(met.contains))
    }

    /// The pin of a trap, put right: a root that is only sent, and pinned, does not count.
    @Test func `hold for an injected root whose pin is real`() throws {
        let chain = try Self.certificates("certs/trustkit/www.good.com.der;certs/trustkit/GlobalSignRootCA.der")
        let anchors = try Self.certificates("certs/trustkit/GoodRootCA.der").map { TrustAnchor($0, origin: .app) }
        let policy = TrustKitConfiguration.Policy(keys: [chain[1].pin, AppleSamples.pins[0]])
        let configuration = TrustKitConfiguration([.init("www.good.com", .pinned(policy))])

        let decision = configuration.decide(
            Situation(
                chain: chain,
                store: try TrustStore(anchors),
                host: "www.good.com",
                at: try Date("2016-01-22T12:14:00Z", strategy: .iso8601)
            )
        )

        #expect(decision.isRefusalByPin)
    }

    @Test func `of configurations are met`() throws {
        let rows = Self.rows("trustkit-config.csv")

        for row in rows {
            let test = row["source_test"]!
            let refusal = AppleSamples.refusal { _ = try AppleSamples.trustKit(row["config_json"]!) }
            #expect(refusal.isEmpty == (row["parse"] == "ok"), "\(test): \(refusal)")
            guard row["parse"] == "ok" else { continue }
            let configuration = try AppleSamples.trustKit(row["config_json"]!)
            let domain = configuration.domain(for: row["query_host"]!)
            #expect(domain?.name ?? "" == row["expected_policy_key"], "\(test)")
            #expect(try AppleSamples.trustKit(configuration.rendered()) == configuration, "\(test)")
        }

        #expect(rows.count == 19)
    }

    @Test func `of public keys are met`() throws {
        let rows = Self.rows("trustkit-spki.csv")

        for row in rows {
            let certificate = try Self.certificates(row["cert_file"]!)[0]
            let pin = try Pin(parsing: row["spki_sha256_b64"]!)
            #expect(certificate.pin == pin, "\(row["source_test"]!)")
        }

        #expect(rows.count == 5)
    }

    private static func certificates(_ files: String) throws -> [Certificate] {
        try files.split(separator: ";").map {
            try Certificate(der: Array(Data(contentsOf: Places.vectors.appending(path: String($0)))))
        }
    }

    private static func rows(_ name: String) -> [[String: String]] {
        VectorTable(at: Places.vectors.appending(path: name)).rows
    }
}
