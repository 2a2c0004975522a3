import Foundation

/// A PinDrill that plays drills.
public final class PinDrill {
    private let connection: Connection
    private var drills: [Drill] = []

    /// How long it may work between attempts.
    public var answerSeconds: TimeInterval {
        get { connection.answerSeconds }
        set { connection.answerSeconds = newValue }
    }

    /// One that is there: by default that of `PINDRILL_URL` and `PINDRILL_TOKEN` or `PINDRILL_TOKEN_FILE`.
    public init(url: String? = nil, tokenFile: String? = nil) throws {
        let environment = ProcessInfo.processInfo.environment
        guard let found = url ?? environment["PINDRILL_URL"], !found.isEmpty else {
            throw PinDrillError("no address of a PinDrill: set PINDRILL_URL, and PINDRILL_TOKEN or PINDRILL_TOKEN_FILE")
        }
        var token = environment["PINDRILL_TOKEN"] ?? ""
        if let file = tokenFile ?? environment["PINDRILL_TOKEN_FILE"] {
            guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
                throw PinDrillError("the token file '\(file)' cannot be read")
            }
            token = text.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        guard !token.isEmpty else {
            throw PinDrillError("an address without a token: set PINDRILL_TOKEN, or PINDRILL_TOKEN_FILE")
        }
        connection = Connection(url: found, token: token)
    }

    init(_ connection: Connection) {
        self.connection = connection
    }

    /// Begins a drill. Policy and client are needed where there is a choice.
    public func drill(_ scenario: String, policy: String? = nil, client: String? = nil) async throws -> Drill {
        var body = ["scenario": scenario]
        body["policy"] = policy
        body["client"] = client
        let drill = Drill(connection, try await connection.ask("POST", "/v1/drills?wait=30", body))
        drills.append(drill)
        return drill
    }

    /// What a policy pins, as digests in base64, for an app that is told its pins.
    public func pins(of policy: String) async throws -> [String] {
        let answer: Policies = try await connection.ask("GET", "/v1/policies")
        guard let found = answer.policies.first(where: { $0.name == policy }) else {
            throw PinDrillError("there is no policy '\(policy)'")
        }
        return found.pins ?? []
    }

    /// Ends what was started. A drill whose verdict nobody has asked for is an error: its test would prove nothing.
    public func close() async throws {
        let forgotten = drills.filter { !$0.isSettled }
        for drill in forgotten { await drill.stop() }
        drills = []
        await connection.end()
        if let first = forgotten.first { throw PinDrillError("nobody asked for the verdict of '\(first.scenario)'") }
    }
}
