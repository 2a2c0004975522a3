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
        var lines = ["Scenarios"]
        for scenario in file.scenarios {
            lines.append("  \(scenario.name)")
            if let about = scenario.about { lines.append(about.wrapped(to: 96, indent: "      ")) }
        }
        lines += ["", "Policies"] + file.policies.map { "  \($0.name)" }
        lines += ["", "Clients"] + file.clients.map { "  \($0.name)" }
        lines += ["", "\(file.trials.count) \(file.trials.count == 1 ? "trial" : "trials")", ""]
        Terminal.write(lines.joined(separator: "\n"))
        try Terminal.finish()
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
