import Foundation
import Pinning
import TLSCore
import TestSupport
import Testing

/// Chains on which TLS libraries differ about trust itself, with one policy in every dialect that pins a key of them:
/// `Tests/Vectors/trust`, whose `expected.csv` also holds what Conscrypt, Go and Java did.
@Suite struct `The chains on which TLS libraries differ` {
    /// Within the certificates' days.
    private static let instant = Date(timeIntervalSince1970: 1_796_083_200)
    private static let folder = Places.ownVectors.appending(path: "trust")
    private static let files = [
        "ats": "Info.plist", "trustkit": "trustkit.json", "android": "network_security_config.xml",
        "trustkit-android": "trustkit_android.xml", "public-key-pinning-ios": "pkp.yaml", "hpkp": "hpkp.txt",
    ]

    private static let rows = VectorTable(at: folder.appending(path: "expected.csv")).rows

    @Test func `are all here`() {
        #expect(Self.rows.count == 210)
        #expect(Set(Self.rows.map { $0["pindrill"] }) == ["accept", "reject", "either"])
    }

    @Test(arguments: Set(Self.rows.compactMap { $0["case"] }).sorted())
    func `T1, T2, T3, T4, T7: are decided as each stack decides`(name: String) throws {
        let folder = Self.folder.appending(path: name)
        func certificates(_ file: String) throws -> [Certificate] {
            try PEM.certificates(in: String(contentsOf: folder.appending(path: file), encoding: .utf8))
        }
        let situation = Situation(
            chain: try certificates("chain.pem"),
            store: try TrustStore(try certificates("trust.pem").map { TrustAnchor($0) }),
            host: "www.held-out.com",
            at: Self.instant
        )

        for row in Self.rows where row["case"] == name {
            let dialect = try #require(row["dialect"])
            let file = Self.files[dialect] ?? "\(dialect).yaml"
            let data = try Data(contentsOf: folder.appending(path: file))
            let decision = try PolicyFile.load(data, file: file).decide(situation)

            #expect(decision.demand.rawValue == row["pindrill"], "\(dialect): \(decision)")
        }
    }
}
