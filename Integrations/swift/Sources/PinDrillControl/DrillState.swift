/// What of a drill's state is read here; openapi.json has all of it.
struct DrillState: Decodable {
    struct Step: Decodable {
        let number: Int
        let host: String
        let store: String
    }

    struct Place: Decodable {
        let address: String
        let port: Int
        let url: String
    }

    struct Result: Decodable {
        let number: Int
        let host: String
        let shown: [String]
        let holder: String
        let verdict: Verdict
        let grounds: String
        let consequence: String
        let word: String?
        let advice: String?
    }

    let id: String
    let state: String
    let scenario: String
    let policy: String
    let client: String
    let ask: String
    let attempt: Int
    let step: Step?
    let proxy: Place?
    let results: [Result]
    let verdict: Verdict?
    let consequence: String?
    let findings: [String]?
    let reason: String?
}

struct Observations: Decodable {
    struct Seen: Decodable {
        struct Connection: Decodable {
            let reaction: String
        }

        let source: String
        let attempt: Int?
        let connection: Connection
    }

    let connections: [Seen]
}

struct Policies: Decodable {
    struct Policy: Decodable {
        let name: String
        let pins: [String]?
    }

    let policies: [Policy]
}

struct ServerError: Decodable {
    let message: String
    let nearest: String?
}
