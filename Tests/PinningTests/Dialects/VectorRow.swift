import Foundation
import Pinning
import TLSCore
import TestSupport

/// A row of the shared `*-policy.csv`: what a library's own tests expect for a policy and a chain.
struct VectorRow: Sendable, CustomStringConvertible {
    let fields: [String: String]
    let number: Int

    var description: String { "\(number) \(fields["source_test", default: ""])" }

    var policy: [String: any Sendable] {
        let object = try? JSONSerialization.jsonObject(with: Data(fields["policy_json", default: ""].utf8))
        return object as? [String: any Sendable] ?? [:]
    }

    var expected: Decision.Demand? { Decision.Demand(rawValue: fields["expected", default: ""]) }

    func situation() throws -> Situation {
        let anchors = try Self.certificates(fields["trust_anchor_files", default: ""])
        let instant = try Date(fields["at_time", default: ""], strategy: .iso8601)
        return Situation(
            chain: try Self.certificates(fields["chain_files", default: ""]),
            store: try TrustStore(anchors.map { TrustAnchor($0) }),
            host: fields["hostname", default: ""],
            at: instant
        )
    }

    /// The rows of a file beside the checkout; empty, with the reason printed, where there is none.
    static func all(_ name: String) -> [VectorRow] {
        guard let text = try? String(contentsOf: Places.vectors.appending(path: name), encoding: .utf8) else {
            print("\(name) is not beside this checkout: its rows are skipped")
            return []
        }
        let rows = records(text)
        return rows.dropFirst().enumerated().map { number, record in
            VectorRow(fields: Dictionary(zip(rows[0], record)) { $1 }, number: number + 1)
        }
    }

    static func certificates(_ files: String) throws -> [Certificate] {
        try files.split(separator: ";").flatMap { try certificates(file: String($0)) }
    }

    static func certificates(file: String) throws -> [Certificate] {
        let data = try Data(contentsOf: Places.vectors.appending(path: file))
        if let certificate = try? Certificate(der: Array(data)) { return [certificate] }
        return try PEM.certificates(in: String(decoding: data, as: UTF8.self))
    }

    /// Comma-separated values in which quotes hide commas, and two of them stand for one (RFC 4180).
    private static func records(_ text: String) -> [[String]] {
        var records: [[String]] = [[""]]
        var isQuoted = false
        var rest = text[...]
        func append(_ character: Character) {
            records[records.count - 1][records[records.count - 1].count - 1].append(character)
        }
        while let character = rest.popFirst() {
            switch character {
            case "\"" where isQuoted && rest.first == "\"":
                append("\"")
                rest.removeFirst()
            case "\"": isQuoted.toggle()
            case "," where !isQuoted: records[records.count - 1].append("")
            case _ where character.isNewline && !isQuoted: records.append([""])
            default: append(character)
            }
        }
        return records.filter { $0 != [""] }
    }
}
