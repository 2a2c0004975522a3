import Foundation
import Pinning
import Scenarios
import TLSCore

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// What the placeholders stand for in one attempt, and the files that some of them name.
struct CommandValues {
    private let values: [CommandPlaceholder: String]
    /// Of listeners that the file names.
    private let more: [String: String]
    /// The placeholders that have any number of values.
    let lists: [String: [String]]

    /// Writes the trust files into the endpoint's folder.
    ///
    /// - Parameter here: the scenario file's folder.
    init(_ endpoint: Endpoint, here: String) throws {
        let pins = endpoint.pins
        let fingerprints = endpoint.configuration.pins.filter { $0.match == .certificate }.map(\.pin)
        let texts = { (text: String) in endpoint.damage.reduce(text) { $0.replacing($1.key, with: $1.value) } }
        let (curlPins, hexPins) = (pins.map { texts($0.curl) }, pins.map { texts($0.hex) })
        lists = [
            CommandPlaceholder.pin.rawValue: curlPins,
            CommandPlaceholder.hexPin.rawValue: hexPins,
            CommandPlaceholder.fingerprint.rawValue: fingerprints.map { texts($0.hex) },
            CommandPlaceholder.certificateSHA1.rawValue: fingerprints.compactMap { fingerprint in
                endpoint.certificates.first { $0.fingerprint == fingerprint }?.sha1
            },
        ]
        more = Dictionary(
            uniqueKeysWithValues: endpoint.listeners.flatMap { name, port in
                [("port.\(name)", "\(port)"), ("endpoint.\(name)", "127.0.0.1:\(port)")]
            }
        )
        values = [
            .url: endpoint.url,
            .host: endpoint.host,
            .port: String(endpoint.port),
            .endpoint: "127.0.0.1:\(endpoint.port)",
            .proxy: endpoint.proxyURL,
            .socks: "socks5h://127.0.0.1:\(endpoint.port)",
            .trust: try CommandValues.write(endpoint.store.pem(), "all.pem", endpoint),
            .systemTrust: try CommandValues.write(endpoint.store.pem([.system]), "system.pem", endpoint),
            .userTrust: try CommandValues.write(endpoint.store.pem([.user]), "user.pem", endpoint),
            .cert: try CommandValues.write(endpoint.identity?.leaf.pem ?? "", "own.pem", endpoint),
            .key: try CommandValues.write(endpoint.identity?.key.pem() ?? "", "own.key", endpoint),
            .pins: curlPins.joined(separator: ";"),
            .hexPins: hexPins.joined(separator: ";"),
            .fingerprints: fingerprints.map { texts($0.hex) }.joined(separator: ";"),
            .policy: try CommandValues.write(endpoint.configuration.rendered(), "settings", endpoint),
            .step: endpoint.step,
            .canary: endpoint.canary,
            .collector: endpoint.collector,
            .secureCollector: endpoint.collector.replacing("http:", with: "https:"),
            .dir: endpoint.folder.path,
            .here: here,
        ]
    }

    /// By placeholder name, for a template.
    var byName: [String: String] {
        Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawValue, $0.value) }).merging(more) { $1 }
    }

    /// As environment variables.
    var variables: [String: String] { Dictionary(uniqueKeysWithValues: values.map { ($0.key.variable, $0.value) }) }

    /// The path of a file with this text; empty where there is none, so that a `[...]` group can vanish.
    ///
    /// The same path in every step, so that a client that lives through a trial finds the new text there; whoever reads
    /// finds one or the other whole. A name says nothing that a client's rules may look for.
    private static func write(_ text: String, _ name: String, _ endpoint: Endpoint) throws -> String {
        let file = endpoint.folder.appending(path: name)
        guard !text.isEmpty else {
            try? FileManager.default.removeItem(at: file)
            return ""
        }
        let unfinished = endpoint.folder.appending(path: ".\(name)")
        do {
            // `Data.write` would wait for the disk, which takes a client longer than all else that it is given.
            let descriptor = try FileDescriptor.open(
                FilePath(unfinished.path),
                .writeOnly,
                options: [.create, .truncate, .closeOnExec],
                permissions: .ownerReadWrite
            )
            _ = try descriptor.closeAfter { try descriptor.writeAll(text.utf8) }
            guard rename(unfinished.path, file.path) == 0 else { throw Unwritable(path: file.path) }
        } catch {
            throw Unwritable(path: file.path)
        }
        return file.path
    }

    private struct Unwritable: Error, CustomStringConvertible {
        let path: String
        var description: String { "'\(path)' cannot be written: is the disk full? TMPDIR names another place" }
    }
}
