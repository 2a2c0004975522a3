package import Foundation
package import TLSCore

/// Reads a configuration whatever its dialect, which its content tells.
package enum PolicyFile {
    /// Reads a file.
    ///
    /// - Parameters:
    ///   - dialect: whose it is, where that cannot be told or is to be told otherwise.
    ///   - device: where the app runs, as far as the file does not say.
    ///   - certificates: the certificates of a file that a declaration names, by the name it is given there.
    package static func load(
        _ data: Data,
        file: String,
        dialect: Dialect? = nil,
        device: AppDevice = AppDevice(),
        certificates: (String) throws -> [Certificate] = { throw UnreadableCertificates(name: $0) }
    ) throws(PolicyFileError) -> any PinConfiguration {
        let contents = PolicyContents(data: data, file: file, device: device)
        let dialect: Dialect = if let dialect { dialect } else { try self.dialect(of: contents) }
        let format = dialect.configuration.format
        if let setting = device.settings.subtracting(format.settings).min(by: { $0.rawValue < $1.rawValue }) {
            let others = Dialect.allCases.filter { $0.configuration.format.settings.contains(setting) }
            throw contents.error(
                "the device setting '\(setting.rawValue)' means nothing for '\(dialect.rawValue)', but for "
                    + others.map(\.rawValue).joined(separator: ", ")
            )
        }
        let configuration = try format.read(contents, certificates)
        for (count, largest, what) in [
            (configuration.entryNames.count, mostEntries, "entries"), (configuration.pins.count, mostPins, "pins"),
        ] where count > largest {
            throw contents.error("found \(count) \(what), expected at most \(largest)")
        }
        let unset = configuration.scopes.filter(\.isNamedByBuild).map { scope in
            PolicyFileError.Problem(
                line: scope.line,
                keyPath: scope.keyPath,
                "the name '\(scope.name)' is filled in when the app is built: give audit its value with --define NAME=VALUE, "
                    + "give the file of the built app, or write the host's name there"
            )
        }
        guard unset.isEmpty else { throw PolicyFileError(file: file, unset) }
        return configuration
    }

    /// Far above what any app holds: each entry is held against each other one.
    private static let mostEntries = 1000
    private static let mostPins = 10_000

    /// Which dialect a file is in, by its content alone.
    package static func dialect(of data: Data, file: String) throws(PolicyFileError) -> Dialect {
        try dialect(of: PolicyContents(data: data, file: file))
    }

    private static func dialect(of contents: PolicyContents) throws(PolicyFileError) -> Dialect {
        let matching = Dialect.allCases.filter { $0.configuration.format.recognises(contents) }
        if matching.count == 1 { return matching[0] }
        if matching.isEmpty {
            let problem = PolicyFileError.Problem(
                "found \(contents.kind), which no dialect claims; --dialect names one. Each looks for something else:"
            )
            let misses = Dialect.allCases.map {
                PolicyFileError.Problem(keyPath: $0.rawValue, "no \($0.configuration.format.sign)")
            }
            throw PolicyFileError(file: contents.file, [problem] + misses)
        }
        let names = matching.map(\.rawValue).joined(separator: " or ")
        throw contents.error("this may be \(names); say which with --dialect")
    }
}

/// What is thrown for a file of certificates when nobody looks for files.
package struct UnreadableCertificates: Error, CustomStringConvertible, Sendable {
    package let name: String
    package var description: String { "the certificates of '\(name)' cannot be read here; paste them as PEM" }
}
