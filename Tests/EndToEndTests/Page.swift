import Foundation
import TestSupport

/// The commands of a page, typed one after the other.
enum Page {
    struct Ending {
        let command: String
        let status: Int32
        let output: String
    }

    /// Runs every line of the blocks that are marked `sh`, where `pindrill` is found.
    static func run(_ page: String, in folder: URL, environment: [String: String] = [:]) async throws -> [Ending] {
        let text = try String(contentsOf: Places.package.appending(path: page), encoding: .utf8)
        let bin = Program.url.deletingLastPathComponent().path
        let environment = Program.bareEnvironment.merging(environment) { $1 }
        let path = ["PATH": "\(bin):\(environment["PATH", default: ""])"]
        var endings: [Ending] = []
        for block in text.matches(of: /```sh\n(?<lines>(?s).*?)```/) {
            for line in block.output.lines.split(separator: "\n") {
                let ending = try await Started.with(
                    URL(filePath: "/bin/sh"),
                    ["-c", String(line)],
                    environment: environment.merging(path) { $1 },
                    in: folder
                ) { try await $0.ending() }
                endings.append(
                    Ending(command: String(line), status: ending.status, output: ending.output + ending.errors)
                )
            }
        }
        return endings
    }
}
