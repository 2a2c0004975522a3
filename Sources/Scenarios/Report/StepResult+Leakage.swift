import Pinning
import Witness

extension StepResult {
    /// What reached an attacker, or went in the clear, and by which connection; never the secrets themselves.
    var leakage: [String] {
        let attackers = (planned.shownChains + planned.others).filter { $0.holder == .attacker }
        return attempts.enumerated().flatMap { index, attempt in
            let name = attempts.count > 1 ? "attempt \(index + 1), " : ""
            let seen = (attempt.observations + attempt.elsewhere)
                .sorted { ($0.number ?? -1) < ($1.number ?? -1) }
            return seen.enumerated().flatMap { place, connection -> [String] in
                let thief: String
                if connection.reaction == .cleartext {
                    thief = "everybody on the way"
                } else if let shown = attackers.first(where: { $0.chain == connection.shown }),
                    connection.bytesReceived > 0
                {
                    thief = "an attacker ('\(shown.key)')"
                } else {
                    return []
                }
                let bytes = connection.reaction == .cleartext ? connection.firstBytes.count : connection.bytesReceived
                let from = "\(name)connection \(place + 1)"
                let canaries = connection.leaks.map { leak in
                    "the canary of \(leak.place) reached \(thief) in \(from), \(count(leak.offset)) \(start(connection))"
                }
                let known = Set(
                    connection.leaks.compactMap { if case .header(let name) = $0.place { name } else { nil } }
                )
                let headers = connection.secretHeaders.filter { !known.contains($0) }
                guard !canaries.isEmpty || !headers.isEmpty else { return [] }
                let named = headers.isEmpty ? "" : ", with the \(headers.count == 1 ? "header" : "headers") "
                let list = named + headers.joined(separator: ", ")
                return canaries + ["\(count(bytes)) reached \(thief) in \(from)\(list)"]
            }
        }
    }

    private func start(_ connection: Observation) -> String {
        connection.reaction == .cleartext ? "after its start" : "after the handshake"
    }

    private func count(_ bytes: Int) -> String { bytes == 1 ? "1 byte" : "\(bytes) bytes" }
}
