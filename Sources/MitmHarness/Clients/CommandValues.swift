import Foundation
import Pinning
import TLSCore

/// What the placeholders of a command line stand for in one attempt, and the files that some of them name.
struct CommandValues {
    let all: [String: String]

    /// Every placeholder there is.
    static let names = samples.keys.sorted()

    /// A value of the right shape for each, for looking at a command line before there is an attempt.
    static let samples: [String: String] = [
        "url": "https://host:1/", "host": "host", "port": "1", "endpoint": "127.0.0.1:1", "proxy": "http://127.0.0.1:1",
        "trust": "trust.pem", "trust.system": "trust.pem", "trust.user": "trust.pem", "pins": "pins",
        "pins.hex": "pins", "policy": "policy", "step": "1", "dir": ".",
    ]

    /// The environment variable of the same name: `trust.system` is `PINDRILL_TRUST_SYSTEM`.
    static func variable(_ name: String) -> String {
        "PINDRILL_" + name.uppercased().replacing(".", with: "_")
    }

    /// Writes the trust files into the endpoint's folder.
    init(_ endpoint: Endpoint) throws {
        let pins = endpoint.policy.requirements.filter { $0.match == .key }.flatMap(\.pins)
        all = [
            "url": endpoint.url,
            "host": endpoint.host,
            "port": String(endpoint.port),
            "endpoint": "127.0.0.1:\(endpoint.port)",
            "proxy": "http://127.0.0.1:\(endpoint.port)",
            "trust": try CommandValues.write(endpoint.store.pem(), "trust", endpoint),
            "trust.system": try CommandValues.write(endpoint.store.pem([.system]), "trust-system", endpoint),
            "trust.user": try CommandValues.write(endpoint.store.pem([.user]), "trust-user", endpoint),
            "pins": pins.map(\.curl).joined(separator: ";"),
            "pins.hex": pins.map(\.hex).joined(separator: ";"),
            "policy": "",
            "step": endpoint.step,
            "dir": endpoint.folder.path,
        ]
    }

    /// The path of a file with this text; empty where there is none, so that a `[...]` group can vanish.
    private static func write(_ text: String, _ name: String, _ endpoint: Endpoint) throws -> String {
        guard !text.isEmpty else { return "" }
        let file = endpoint.folder.appending(path: "\(endpoint.step)-\(name).pem")
        try Data(text.utf8).write(to: file)
        return file.path
    }
}
