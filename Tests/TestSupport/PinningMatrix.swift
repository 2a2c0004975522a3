import Foundation

/// The table: a row for each event, a column for each pinning system.
public struct PinningMatrix: Sendable {
    /// The columns' names, in order.
    public let policies: [String]
    private let cells: [String: [String: String]]

    /// The table beside the checkout; `nil` where there is none, as in a user's.
    public static let shared: PinningMatrix? = {
        let file = Places.package.deletingLastPathComponent().appending(path: "shared/pinning-matrix.csv")
        return (try? String(contentsOf: file, encoding: .utf8)).map(PinningMatrix.init)
    }()

    private init(_ text: String) {
        let lines = text.split(whereSeparator: \.isNewline).map(String.init)
        let header = PinningMatrix.fields(lines[0])
        var cells: [String: [String: String]] = [:]
        for line in lines.dropFirst() {
            let fields = PinningMatrix.fields(line)
            cells[fields[0]] = Dictionary(uniqueKeysWithValues: zip(header, fields))
        }
        self.cells = cells
        // The first two columns name the event.
        policies = Array(header.dropFirst(2))
    }

    /// `accept`, `reject`, `stack` or `crash`; `nil` for an event or a policy that the table does not have.
    public func cell(event: String, policy: String) -> String? { cells[event]?[policy] }

    /// Fields of a line in which quotes hide commas.
    private static func fields(_ line: String) -> [String] {
        var fields = [""]
        var isQuoted = false
        for character in line {
            switch character {
            case "\"": isQuoted.toggle()
            case "," where !isQuoted: fields.append("")
            default: fields[fields.count - 1].append(character)
            }
        }
        return fields
    }
}
