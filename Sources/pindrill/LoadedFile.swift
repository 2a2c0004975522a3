import ArgumentParser
import Foundation
import Scenarios
import TLSCore

/// A scenario file, read, minted and held against the oracle: what every command that takes one starts from.
struct LoadedFile {
    let file: ScenarioFile
    let oracle: Oracle
    let name: String

    /// - Parameters:
    ///   - path: `nil` for the shipped catalogue.
    ///   - adapting: what becomes of the file once it is read.
    /// - Throws: `ExitCode` 65 after it has printed what is wrong with the file.
    init(
        _ path: String?,
        now: Date,
        adapting: (ScenarioFile) throws -> ScenarioFile = { $0 }
    ) throws {
        name = path ?? ScenarioFile.shippedName
        do {
            file = try adapting(try path.map(LoadedFile.parse) ?? ScenarioFile.shipped())
            oracle = Oracle(try PKI(file.blueprint, now: now))
            let problems = try file.contradictions(oracle, instant: now)
            guard problems.isEmpty else { throw ScenarioFileError(problems) }
        } catch {
            Terminal.complain("\(error)")
            throw ExitCode(65)
        }
    }

    private static func parse(_ path: String) throws -> ScenarioFile {
        guard let text = String(validating: try read(path), as: UTF8.self) else {
            throw InputError("\(path): this file is not UTF-8 text")
        }
        return try ScenarioFile(parsing: text, file: path, loadPolicy: PolicyInput.loader(for: path))
    }

    private static func read(_ path: String) throws(InputError) -> [UInt8] {
        do {
            return try InputFile.read(path)
        } catch {
            let isDefault = path == "scenarios.yaml" && !FileManager.default.fileExists(atPath: path)
            let advice = isDefault ? "; name one, or run where the shipped scenarios.yaml is" : ""
            throw InputError("\(path): \(error)\(advice)")
        }
    }
}

/// Something in what a user gave that the user can mend, in one line.
struct InputError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
