import ArgumentParser
import Foundation
import Scenarios

struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lists a file's scenarios, policies and clients.",
        discussion: "The file is checked as `run` checks it, its claims included; nothing is started."
    )

    @Argument(help: "The scenario file.", completion: .file(extensions: ["yaml", "yml"]))
    var file = "scenarios.yaml"

    func run() throws {
        let file = try LoadedFile(self.file, now: Date()).file
        print("Scenarios")
        for scenario in file.scenarios {
            print("  \(scenario.name)")
            if let about = scenario.about { print(about.wrapped(to: 96, indent: "      ")) }
        }
        print("\nPolicies")
        for policy in file.policies { print("  \(policy.name)") }
        print("\nClients")
        for client in file.clients { print("  \(client.name)") }
        print("\n\(file.trials.count) trials")
    }
}

extension String {
    /// Words in lines of at most `width` characters.
    fileprivate func wrapped(to width: Int, indent: String) -> String {
        var lines: [String] = []
        for word in split(whereSeparator: \.isWhitespace) {
            if let last = lines.last, last.count + word.count < width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append("\(word)")
            }
        }
        return lines.map { indent + $0 }.joined(separator: "\n")
    }
}
