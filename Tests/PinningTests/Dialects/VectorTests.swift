import Foundation
import TLSCore
import TestSupport
import Testing

@testable import Pinning

/// What Alamofire's own tests expect, with certificates that were minted to their descriptions.
@Suite struct `Alamofire's own tests, reminted` {
    @Test(arguments: VectorRow.own("alamofire-reminted-policy.csv"))
    func `agree with the model`(row: VectorRow) throws {
        let decision = try Alamofire(row).decide(row.situation())

        #expect(decision.demand == row.expected, "\(decision)")
    }
}

/// What Alamofire's and curl's own tests expect.
@Suite(.enabled(if: Places.hasVectors("curl-policy.csv"), "the vectors are not beside this checkout"))
struct VectorTests {
    /// Alamofire's own certificates carry an algorithm identifier that OpenSSL holds for forged, Apple not: rows that
    /// find a pinned authority need the reminted twins.
    static let misencoded: Set<Int> = [20, 21, 31, 32, 36, 37, 45, 46]

    @Test(arguments: VectorRow.all("alamofire-policy.csv"))
    func `Alamofire's own tests agree with its own certificates`(row: VectorRow) throws {
        try withKnownIssue("OpenSSL refuses the signature") {
            let decision = try Alamofire(row).decide(row.situation())

            #expect(decision.demand == row.expected, "\(decision)")
        } when: {
            Self.misencoded.contains(row.number)
        }
    }

    @Test(arguments: VectorRow.all("curl-policy.csv"))
    func `curl's own tests agree`(row: VectorRow) throws {
        let value = try #require(row.policy["pinnedpubkey"] as? String)
        let data =
            value.hasPrefix("sha256//")
            ? Data(value.utf8) : try Data(contentsOf: Places.vectors.appending(path: value))
        var policy = try Curl(parsing: Array(data), file: value)
        policy.isInsecure = row.policy["insecure"] as? Bool ?? false

        let decision = try policy.decide(row.situation())

        #expect(decision.demand == row.expected, "\(decision)")
        #expect(decision.demand == .accept || decision.isRefusalByPin, "\(decision)")
    }
}

extension Alamofire {
    /// What a row's test was built with. These tests evaluate trust by themselves, without App Transport Security.
    fileprivate init(_ row: VectorRow) throws {
        let evaluator = try Self.evaluator(row.policy, in: row.folder)
        self.init(hosts: [.init(row.fields["hostname", default: ""], evaluator)], transportSecurity: .relaxed)
    }

    private static func evaluator(_ policy: [String: any Sendable], in folder: URL) throws -> Alamofire.Evaluator {
        let validateHost = policy["validateHost"] as? Bool ?? true
        let performDefaultValidation = policy["performDefaultValidation"] as? Bool ?? true
        let pinned = try (policy["pinned_files"] as? [String] ?? []).flatMap {
            try VectorRow.certificates(file: $0, in: folder)
        }
        switch policy["evaluator"] as? String {
        case "SecPolicyCreateBasicX509": return .default(validateHost: false)
        case "SecPolicyCreateSSL", "DefaultTrustEvaluator": return .default(validateHost: validateHost)
        case "RevocationTrustEvaluator": return .revocation(validateHost: validateHost)
        case "PinnedCertificatesTrustEvaluator":
            return .pinnedCertificates(
                pinned.map { Alamofire.PinnedCertificate($0) },
                performDefaultValidation: performDefaultValidation,
                validateHost: validateHost
            )
        case "PublicKeysTrustEvaluator":
            return .publicKeys(
                pinned.map(\.pin),
                performDefaultValidation: performDefaultValidation,
                validateHost: validateHost
            )
        case "Composite":
            let parts = policy["evaluators"] as? [[String: any Sendable]] ?? []
            return .composite(try parts.map { try evaluator($0, in: folder) })
        case "DisabledTrustEvaluator": return .disabled
        case let other: throw UnknownEvaluator(name: other ?? "")
        }
    }

    private struct UnknownEvaluator: Error { let name: String }
}
