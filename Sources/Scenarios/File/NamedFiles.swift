package import Pinning

/// A text that scenarios are read from.
package struct ScenarioSource: Sendable {
    /// What problems call it.
    package var file: String
    package var text: String
    /// The same for the same file, by whatever name it was reached.
    package var identity: String

    package init(file: String, text: String, identity: String? = nil) {
        self.file = file
        self.text = text
        self.identity = identity ?? file
    }
}

/// Reads the files that a scenario file names: each by the name that stands there, and the file in which it stands.
package struct NamedFiles: Sendable {
    /// A scenario file that another includes; it must lie in the folder of that file, or below it.
    package var pack: @Sendable (_ name: String, _ file: String) throws -> ScenarioSource
    /// An app's own pin configuration, its dialect where it is named, and where the app runs.
    package var policy:
        @Sendable (_ name: String, _ file: String, _ dialect: Dialect?, _ device: AppDevice) throws
            -> any PinConfiguration
    /// What a server answers; it must lie there as well.
    package var body: @Sendable (_ name: String, _ file: String) throws -> [UInt8]

    package init(
        pack: @escaping @Sendable (_ name: String, _ file: String) throws -> ScenarioSource = { _, _ in
            throw UnreadableFile("other scenario files cannot be read here")
        },
        policy:
            @escaping @Sendable (_ name: String, _ file: String, _ dialect: Dialect?, _ device: AppDevice) throws
            -> any PinConfiguration = { name, _, _, _ in
                throw PolicyFileError(file: name, [.init("policy files cannot be read here")])
            },
        body: @escaping @Sendable (_ name: String, _ file: String) throws -> [UInt8] = { _, _ in
            throw UnreadableFile("files with answers cannot be read here")
        }
    ) {
        self.pack = pack
        self.policy = policy
        self.body = body
    }
}

/// Why a named file cannot be read.
struct UnreadableFile: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
