package import Foundation

/// A program of the machine, run to its end with nothing on its standard input.
package struct Tool: Sendable {
    /// What it left behind.
    package struct Result: Sendable {
        /// The exit status, or the negated number of the signal that ended it.
        package let status: Int32
        /// Standard output and standard error together, as text.
        package let output: String
    }

    package let url: URL

    /// Looks the program up in `PATH`; `nil` when it is not there.
    package init?(_ name: String) {
        let folders = ProcessInfo.processInfo.environment["PATH", default: "/usr/bin:/bin"].split(separator: ":")
        let candidates = folders.map { URL(filePath: String($0)).appending(path: name) }
        guard let url = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }) else {
            return nil
        }
        self.url = url
    }

    /// Runs it with exactly this environment: what the machine's owner exported must not matter.
    package func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Result {
        let pipe = Pipe()
        let program = try ChildProgram(
            url,
            arguments,
            environment: environment,
            output: .pipe(pipe),
            errors: .pipe(pipe)
        )
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        return Result(status: program.waitUntilExit(), output: String(decoding: output, as: UTF8.self))
    }
}

extension Tool {
    /// The `openssl` command, version 3 or newer; `nil` where there is none, or another that bears its name.
    package static let openssl: Tool? = {
        guard let tool = Tool("openssl"), let result = try? tool.run(["version"], environment: bareOpenSSL),
            let major = result.output.split(separator: " ").dropFirst().first?.prefix(1),
            result.output.hasPrefix("OpenSSL"), let number = Int(major), number >= 3
        else { return nil }
        return tool
    }()

    /// The environment in which the `openssl` command reads no configuration.
    package static let bareOpenSSL = ["OPENSSL_CONF": "/dev/null"]
}
