import ArgumentParser
import Foundation
import Scenarios
import TLSCore

/// A scenario file, read, minted and held against the oracle: what every command that takes one starts from.
struct LoadedFile {
    let file: ScenarioFile
    let oracle: Oracle
    let name: String
    /// The scenarios of the shipped catalogue that cannot be told of this file's host.
    let leftOut: [String]

    /// - Parameters:
    ///   - path: `nil` for the shipped catalogue.
    ///   - keyring: whose keys and roots are shown; `nil`: new ones.
    ///   - adapting: what becomes of the file once it is read.
    ///   - playing: what is played of it; `nil` where all of it is looked at, as in a list.
    /// - Throws: `ExitCode` 65 after it has printed what is wrong with the file.
    init(
        _ path: String?,
        now: Date,
        keyring: KeyringFolder? = nil,
        adapting: (ScenarioFile) throws -> ScenarioFile = { $0 },
        playing: ((ScenarioFile) -> [Trial])? = nil
    ) throws {
        try self.init(path ?? ScenarioFile.shippedName, now: now, keyring: keyring, playing: playing) {
            try adapting(try path.map(LoadedFile.parse) ?? ScenarioFile.shipped())
        }
    }

    /// - Parameter text: what would stand in a file of this name.
    init(
        _ name: String,
        holding text: String,
        now: Date,
        keyring: KeyringFolder?,
        adapting: (ScenarioFile) throws -> ScenarioFile
    ) throws {
        try self.init(name, now: now, keyring: keyring) {
            try adapting(ScenarioFile(ScenarioSource(file: name, text: text), files: .onDisk))
        }
    }

    private init(
        _ name: String,
        now: Date,
        keyring: KeyringFolder?,
        playing: ((ScenarioFile) -> [Trial])? = nil,
        read: () throws -> ScenarioFile
    ) throws {
        self.name = name
        do {
            var file = try read()
            oracle = Oracle(try keyring?.pki(for: file, now: now) ?? PKI(file.blueprint, now: now))
            var problems: [ScenarioProblem]
            (problems, leftOut) = try file.leaveOutForeign(oracle, instant: now, playing: playing?(file))
            if problems.isEmpty { problems = try file.changesByKeptRoots(oracle, instant: now) }
            self.file = file
            guard problems.isEmpty else { throw ScenarioFileError(problems) }
        } catch {
            Terminal.complain("\(error)")
            throw ExitCode(65)
        }
    }

    /// The file that a user named; where none is named the `scenarios.yaml` that is here, or else the shipped one.
    static func path(_ named: String?) -> String? {
        let usual = "scenarios.yaml"
        if named != nil || FileManager.default.fileExists(atPath: usual) { return named ?? usual }
        Terminal.remark("note: there is no \(usual) here, so the shipped one is taken")
        return nil
    }

    private static func parse(_ path: String) throws -> ScenarioFile {
        do {
            return try ScenarioFile(try ScenarioSource(readingFrom: path), files: .onDisk)
        } catch let error as InputError {
            throw InputError("\(path): \(error)")
        }
    }
}

extension NamedFiles {
    /// Those beside the file that names them.
    static let onDisk = NamedFiles(
        pack: { name, file in try ScenarioSource(readingFrom: try InputFile.path(of: name, below: file)) },
        policy: { name, file, dialect, device in
            do {
                let path = try InputFile.path(of: name, below: file)
                return try PolicyInput.configuration(path, dialect: dialect, device: device, isConfined: true)
            } catch let error as InputError {
                throw InputError("\(name): \(error)")
            }
        },
        body: { name, file in try InputFile.read(try InputFile.path(of: name, below: file)) }
    )
}

extension ScenarioSource {
    /// - Throws: why it cannot be read, without the path.
    fileprivate init(readingFrom path: String) throws(InputError) {
        guard let text = String(validating: try InputFile.read(path), as: UTF8.self) else {
            throw InputError("this file is not UTF-8 text")
        }
        self.init(file: path, text: text, identity: InputFile.resolved(path))
    }
}

/// Something in what a user gave that the user can mend, in one line.
struct InputError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
