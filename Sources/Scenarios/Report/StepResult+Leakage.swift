import Pinning
import Witness

extension StepResult {
    /// What reached an attacker, or went in the clear, and by which connection; never the secrets themselves.
    var leakage: [String] {
        attempts.enumerated().flatMap { index, attempt in
            let name = attempts.count > 1 ? "attempt \(index + 1), " : ""
            let seen = (attempt.observations + attempt.elsewhere)
                .sorted { ($0.number ?? -1) < ($1.number ?? -1) }
            return seen.enumerated().flatMap { place, connection -> [String] in
                guard let thief = thief(of: connection) else { return [] }
                let bytes = count(of: connection)
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

    /// Who got what a client sent in a connection; `nil` where that was its own server, or it sent nothing.
    private func thief(of connection: Observation) -> String? {
        if connection.reaction == .cleartext { return "everybody on the way" }
        let attackers = (planned.shownChains + planned.others).filter { $0.holder == .attacker }
        guard connection.bytesReceived > 0, let shown = attackers.first(where: { $0.chain == connection.shown }) else {
            return nil
        }
        return "an attacker ('\(shown.key)')"
    }

    private func count(of connection: Observation) -> Int {
        connection.reaction == .cleartext ? connection.firstBytes.count : connection.bytesReceived
    }

    /// What each attacker got, as he sees it: the first bytes of each connection, and how many there were.
    package var stolen: [(thief: String, bytes: ArraySlice<UInt8>, count: Int)] {
        attempts.flatMap { $0.observations + $0.elsewhere }.sorted { ($0.number ?? -1) < ($1.number ?? -1) }
            .compactMap { connection in
                thief(of: connection).map {
                    ($0, connection.firstBytes.prefix(TextReport.mostStolenBytes), count(of: connection))
                }
            }
    }

    private func start(_ connection: Observation) -> String {
        connection.reaction == .cleartext ? "after its start" : "after the handshake"
    }

    private func count(_ bytes: Int) -> String { bytes == 1 ? "1 byte" : "\(bytes) bytes" }
}
