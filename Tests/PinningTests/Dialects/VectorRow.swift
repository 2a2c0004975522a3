import Foundation
import Pinning
import TLSCore
import TestSupport

/// A row of the shared `*-policy.csv`: what a library's own tests expect for a policy and a chain.
struct VectorRow: Sendable, CustomStringConvertible {
    let fields: [String: String]
    let number: Int
    /// What its files are named from.
    let folder: URL

    var description: String { "\(number) \(fields["source_test", default: ""])" }

    var policy: [String: any Sendable] {
        let object = try? JSONSerialization.jsonObject(with: Data(fields["policy_json", default: ""].utf8))
        return object as? [String: any Sendable] ?? [:]
    }

    var expected: Decision.Demand? { Decision.Demand(rawValue: fields["expected", default: ""]) }

    func situation() throws -> Situation {
        let anchors = try certificates(fields["trust_anchor_files", default: ""])
        let instant = try Date(fields["at_time", default: ""], strategy: .iso8601)
        return Situation(
            chain: try certificates(fields["chain_files", default: ""]),
            store: try TrustStore(anchors.map { TrustAnchor($0) }),
            host: fields["hostname", default: ""],
            at: instant
        )
    }

    /// The rows of a file beside the checkout; empty, with the reason printed, where there is none.
    static func all(_ name: String) -> [VectorRow] {
        guard Places.hasVectors(name) else {
            print("\(name) is not beside this checkout: its rows are skipped")
            return []
        }
        return all(name, in: Places.vectors)
    }

    /// The rows of a file of the project's own.
    static func own(_ name: String) -> [VectorRow] { all(name, in: Places.ownVectors) }

    private static func all(_ name: String, in folder: URL) -> [VectorRow] {
        VectorTable(at: folder.appending(path: name)).rows.enumerated().map { number, fields in
            VectorRow(fields: fields, number: number + 1, folder: folder)
        }
    }

    private func certificates(_ files: String) throws -> [Certificate] {
        try files.split(separator: ";").flatMap { try Self.certificates(file: String($0), in: folder) }
    }

    static func certificates(file: String, in folder: URL = Places.vectors) throws -> [Certificate] {
        let data = try Data(contentsOf: folder.appending(path: file))
        if let certificate = try? Certificate(der: Array(data)) { return [certificate] }
        return try PEM.certificates(in: String(decoding: data, as: UTF8.self))
    }
}
