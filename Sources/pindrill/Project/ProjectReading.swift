import AppSources
import Foundation
import Pinning
import Scenarios
import TLSCore

/// The pin configurations of a project, and what cannot be read of it.
struct ProjectReading {
    struct Configuration {
        var place: Place
        var dialect: Dialect
        /// The host that it is used for, where the configuration itself names none.
        var host: String?
        /// Its literal pins, should it not be read as a whole.
        var parts: () -> [FoundPins.Part] = { [] }
        var load: (AppDevice) throws -> ImportedPolicy
    }

    /// Pins that were found and are in no model.
    struct Described {
        var place: Place
        var hosts: [String]
        var pins: [String]
        /// Those of the pins whose host is known, or that stand in one entry.
        var known: [FoundPins.Part] = []
        var what: String
    }

    struct Unread {
        var place: Place
        var hosts: [String]
        /// Those that are known, though not what they are for.
        var pins: [String] = []
        /// Those of the pins whose host is known, or that stand in one entry.
        var known: [FoundPins.Part] = []
        var reason: String
    }

    struct Place: Hashable {
        var path: String
        var line: Int?
        /// What it is written with.
        var form: String
        var conditions: [String] = []
        /// What code that compares asks beside that.
        var asked: [FoundPins.Question] = []
        /// The type or function that it stands in, where nothing else in the project names it.
        var unreferenced: String?

        var description: String { line.map { "\(path):\($0)" } ?? path }
    }

    /// As the user named it, or them.
    let name: String
    private(set) var isFolder: Bool
    private(set) var configurations: [Configuration] = []
    private(set) var described: [Described] = []
    private(set) var unread: [Unread] = []
    /// Sources of tests with pins, which were left out.
    private(set) var tests: [String] = []
    private(set) var fileCount = 0
    private(set) var sourceCount = 0
    private(set) var usesGit = false
    /// Whether some code may ask TrustKit about a server by itself; of a file alone it is not known.
    private(set) var asksTrustKit = true
    /// Whether all code that asks it goes on, whatever it answers.
    private(set) var ignoresTrustKit = false
    /// Names that were defined and stand in some file.
    private(set) var usedDefinitions: Set<String> = []

    /// Whether a file is a text that no dialect claims, or that a build fills in.
    private static func isOfNoDialect(_ name: String) -> Bool {
        guard let bytes = try? InputFile.read(name), !bytes.prefix(4096).contains(0) else { return false }
        return ProjectFolder.File(path: name, bytes: bytes).isFilledByBuild
            || (try? PolicyFile.dialect(of: Data(bytes), file: name)) == nil
    }

    /// - Throws: where nothing can be opened.
    /// - Returns: `nil` for a file in a dialect's own format, and for one that says nothing of pins.
    init?(auditing name: String, defining definitions: [String], device: [String] = [], isSource: Bool = true) throws {
        var isDirectory: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: name, isDirectory: &isDirectory)
        self.name = name
        isFolder = exists && isDirectory.boolValue
        let folder: ProjectFolder
        // A script, or settings, which are of no dialect by themselves.
        let isOther = !isFolder && SourceLanguage(fileName: name) == nil
        if isFolder {
            folder = try ProjectFolder(name)
        } else {
            guard isSource, exists, !isOther || Self.isOfNoDialect(name) else { return nil }
            folder = try ProjectFolder(beside: name)
        }
        let pairs = definitions.compactMap { text in
            text.firstIndex(of: "=").map { (String(text[..<$0]), String(text[text.index(after: $0)...])) }
        }
        var reader = ProjectReader(folder, definitions: Dictionary(pairs) { $1 }, device)
        reader.read(only: isFolder ? nil : folder.files.first?.path)
        // What the file may be is told by the dialects' own words.
        if isOther, reader.configurations.isEmpty, reader.described.isEmpty, reader.unread.isEmpty { return nil }
        configurations = reader.configurations
        described = reader.described
        unread = reader.unread
        tests = reader.tests
        fileCount = folder.count
        sourceCount = reader.sourceCount
        usesGit = folder.usesGit
        asksTrustKit = !isFolder || !configurations.contains { $0.dialect == .trustkit } || reader.asksTrustKit
        ignoresTrustKit = configurations.contains { $0.dialect == .trustkit } && reader.ignoresTrustKit
        usedDefinitions = Set(
            pairs.map(\.0).filter { name in
                // `BuildConfig.PIN` may be written with more before it, or less.
                let last = name.split(separator: ".").last.map(String.init) ?? name
                return folder.files.contains { $0.holds(last) }
            }
        )
        for (path, reason) in folder.unopened {
            unread.append(
                Unread(place: Place(path: folder.path(of: path), line: nil, form: "file"), hosts: [], reason: reason)
            )
        }
    }
}

extension ProjectReading {
    /// Several files and folders in one.
    ///
    /// - Parameters:
    ///   - names: never empty.
    ///   - dialect: of those that are no sources.
    /// - Throws: where one of them cannot be opened.
    init(
        auditing names: [String],
        defining definitions: [String],
        device: [String],
        dialect: Dialect?
    ) throws {
        name = names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
        isFolder = false
        for name in names {
            let part = try ProjectReading(
                auditing: name,
                defining: definitions,
                device: device,
                isSource: dialect == nil
            )
            if let part { take(part) } else { try take(file: name, dialect, device) }
        }
    }

    private mutating func take(_ part: ProjectReading) {
        isFolder = isFolder || part.isFolder
        configurations += part.configurations
        described += part.described
        unread += part.unread
        tests += part.tests
        usedDefinitions.formUnion(part.usedDefinitions)
        fileCount += part.fileCount
        sourceCount += part.sourceCount
        usesGit = usesGit || part.usesGit
    }

    /// A configuration in its own format.
    private mutating func take(file: String, _ dialect: Dialect?, _ device: [String]) throws {
        let place = Place(path: file, form: "file")
        fileCount += 1
        let bytes: [UInt8]
        do throws(InputError) { bytes = try InputFile.read(file) } catch { throw InputError("\(file): \(error)") }
        do throws(PolicyFileError) {
            var known = dialect
            if known == nil { known = try PolicyFile.dialect(of: Data(bytes), file: file) }
            guard let dialect = known else { return }
            configurations.append(
                Configuration(place: place, dialect: dialect) { given in
                    let own = device.filter(dialect.knowsSetting)
                    let device = own.isEmpty ? given : try AppDevice(parsing: own)
                    let configuration = try PolicyInput.configuration(file, dialect: dialect, device: device)
                    return ImportedPolicy(file: file, configuration: configuration)
                }
            )
        } catch {
            let problem = error.problems.first
            var place = place
            place.line = problem?.line
            unread.append(Unread(place: place, hosts: [], reason: problem?.message ?? "\(error)"))
        }
    }

    /// Whether it is one configuration and nothing else, as a file in a dialect's own format is.
    var isSingle: Bool { configurations.count == 1 && described.isEmpty && unread.isEmpty && !isFolder }

    /// The only configuration of a source; `nil` for what is no source.
    ///
    /// - Throws: where it has none, or several, or one of them cannot be read.
    static func single(_ path: String, _ device: AppDevice) throws -> ImportedPolicy? {
        guard let reading = try ProjectReading(auditing: path, defining: []), !reading.isFolder else { return nil }
        if reading.isSingle { return try reading.configurations[0].load(device) }
        let lines =
            reading.unread.map { "\($0.place.description): \($0.reason)" }
            + reading.described.map { "\($0.place.description): its rules are not modelled (\($0.what))" }
        guard lines.isEmpty else { throw InputError(lines.joined(separator: "\n")) }
        guard !reading.configurations.isEmpty else { throw InputError("\(path): found no pins in it") }
        let places = reading.configurations.map { "\($0.place.description) (\($0.place.remark))" }.joined(
            separator: ", "
        )
        throw InputError("\(path): found \(reading.configurations.count) configurations, expected one: \(places)")
    }
}
