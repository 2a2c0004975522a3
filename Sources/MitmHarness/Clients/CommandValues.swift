import Foundation
import Pinning
import Scenarios
import TLSCore

/// What the placeholders stand for in one attempt, and the files that some of them name.
struct CommandValues {
    private let values: [CommandPlaceholder: String]
    /// The placeholders that have any number of values.
    let lists: [String: [String]]

    /// Writes the trust files into the endpoint's folder.
    ///
    /// - Parameter here: the scenario file's folder.
    init(_ endpoint: Endpoint, here: String) throws {
        let pins = endpoint.configuration.pins.filter { $0.match == .key }.map(\.pin)
        lists = [
            CommandPlaceholder.pin.rawValue: pins.map(\.curl),
            CommandPlaceholder.hexPin.rawValue: pins.map(\.hex),
        ]
        values = [
            .url: endpoint.url,
            .host: endpoint.host,
            .port: String(endpoint.port),
            .endpoint: "127.0.0.1:\(endpoint.port)",
            .proxy: endpoint.proxyURL,
            .trust: try CommandValues.write(endpoint.store.pem(), "trust.pem", endpoint),
            .systemTrust: try CommandValues.write(endpoint.store.pem([.system]), "trust-system.pem", endpoint),
            .userTrust: try CommandValues.write(endpoint.store.pem([.user]), "trust-user.pem", endpoint),
            .pins: pins.map(\.curl).joined(separator: ";"),
            .hexPins: pins.map(\.hex).joined(separator: ";"),
            .policy: try CommandValues.write(endpoint.configuration.rendered(), "policy", endpoint),
            .step: endpoint.step,
            .dir: endpoint.folder.path,
            .here: here,
        ]
    }

    /// By placeholder name, for a template.
    var byName: [String: String] { Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawValue, $0.value) }) }

    /// As environment variables.
    var variables: [String: String] { Dictionary(uniqueKeysWithValues: values.map { ($0.key.variable, $0.value) }) }

    /// The path of a file with this text; empty where there is none, so that a `[...]` group can vanish.
    private static func write(_ text: String, _ name: String, _ endpoint: Endpoint) throws -> String {
        guard !text.isEmpty else { return "" }
        let file = endpoint.folder.appending(path: "\(endpoint.step)-\(name)")
        // Foundation's own error is a page of its insides.
        guard (try? Data(text.utf8).write(to: file)) != nil else { throw Unwritable(path: file.path) }
        return file.path
    }

    private struct Unwritable: Error, CustomStringConvertible {
        let path: String
        var description: String { "'\(path)' cannot be written: is the disk full? TMPDIR names another place" }
    }
}
