import AppSources
import ArgumentParser
import Foundation
import Pinning
import Scenarios
import TLSCore

/// The pin configurations of several versions of an app, or of several apps.
struct PolicySet: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The app's pin configuration, in its own format, or a folder of them. May be given repeatedly.",
            valueName: "file"
        ),
        completion: .file()
    )
    var policy: [String] = []

    @OptionGroup
    var options: PolicyOptions

    func validate() throws {
        if policy.isEmpty { throw ValidationError("Missing expected argument '--policy <file>'") }
    }

    /// - Parameter appTrust: the file with the app's own authorities; `nil` where none was named.
    /// - Throws: an error that names the file.
    func rows(appTrust: String?) throws -> [CheckMatrix.Row] {
        let files = try policy.flatMap(files)
        let settings = try device(of: files)
        return try files.map { file in
            let configuration = try PolicyInput.configuration(
                file,
                dialect: options.dialect,
                device: try AppDevice(parsing: settings[file] ?? [])
            )
            return CheckMatrix.Row(
                file,
                configuration,
                lacksAnchors: configuration.bringsAnchors && appTrust == nil
            )
        }
    }

    /// A file itself, or the configurations in a folder, sorted; what else lies there is named.
    private func files(_ path: String) throws -> [String] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            return [path]
        }
        let names = try FileManager.default.subpathsOfDirectory(atPath: path).sorted().filter { name in
            !name.split(separator: "/").contains { $0.hasPrefix(".") }
        }
        guard names.count <= Self.mostFiles else {
            throw InputError("\(path): \(names.count) files lie here, and at most \(Self.mostFiles) are looked at")
        }
        let folder = path.hasSuffix("/") ? path : path + "/"
        let files = names.map { folder + $0 }.filter { file in
            // A link that leads nowhere is named.
            !FileManager.default.fileExists(atPath: file, isDirectory: &isFolder) || !isFolder.boolValue
        }
        // What was meant to be one is read, so that its mistake is told: without it, its users would not be asked.
        let found = files.filter {
            options.dialect != nil || PolicyInput.dialect(of: $0) != nil || Self.isMeantAsPolicy($0)
        }
        let others = files.filter { !found.contains($0) }.map { $0.dropFirst(folder.count) }
        guard !found.isEmpty else {
            let count = files.count == 1 ? "the only file in it is no" : "none of its \(files.count) files is a"
            throw InputError("\(path): \(count) pin configuration; name one with --policy")
        }
        if !others.isEmpty {
            let names = others.prefix(5).joined(separator: ", ") + (others.count > 5 ? ", …" : "")
            let count = others.count == 1 ? "1 file is" : "\(others.count) files are"
            Terminal.remark("note: \(path): \(count) no pin configuration, and left out: \(names)")
        }
        return found
    }

    /// Whether a file speaks of pins as configurations and sources do; certificates and notes may lie beside those.
    private static func isMeantAsPolicy(_ path: String) -> Bool {
        let kind = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
        guard ["yaml", "yml", "json", "xml", "plist", "txt"].contains(kind) || SourceLanguage(fileName: path) != nil,
            let bytes = try? InputFile.read(path)
        else { return false }
        let file = ProjectFolder.File(path: path, bytes: bytes)
        return ["sha256/", "sha1/", "pin-sha256", "PinnedDomains", "pin-set", "SPKI-SHA256", "PublicKeyHashes"]
            .contains(where: file.holds)
    }

    /// What each is to be told of its device. Of several, each gets what means something for it.
    private func device(of files: [String]) throws -> [String: [String]] {
        guard files.count > 1 else { return Dictionary(uniqueKeysWithValues: files.map { ($0, options.device) }) }
        var settings: [String: [String]] = [:]
        for file in files {
            guard let dialect = options.dialect ?? PolicyInput.dialect(of: file) else { continue }
            let known = dialect.configuration.format.settings.map(\.rawValue)
            settings[file] = options.device.filter { known.contains(String($0.prefix { $0 != "=" })) }
        }
        let used = settings.values.joined()
        for setting in options.device where !used.contains(setting) {
            throw InputError("--device \(setting) means nothing for any of these configurations")
        }
        return settings
    }

    private static let mostFiles = 2000
}

/// What devices trust.
struct TrustFiles: ParsableArguments {
    @Option(help: ArgumentHelp("What devices trust: a PEM file, or 'system'.", valueName: "file"))
    var trust: String = "system"

    @Option(
        help: ArgumentHelp("Roots that the app brings along (Android's src=\"@raw/…\"), in PEM.", valueName: "file"),
        completion: .file()
    )
    var appTrust: String?

    @Option(help: ArgumentHelp("Roots that the user installed, in PEM.", valueName: "file"), completion: .file())
    var userTrust: String?

    private var files: [(option: String, path: String?, origin: TrustAnchor.Origin)] {
        [("--trust", trust, .system), ("--app-trust", appTrust, .app), ("--user-trust", userTrust, .user)]
    }

    /// Remembers its answers: many configurations ask the same.
    func store() throws -> TrustStore { try TrustStore(PolicyInput.store(files).anchors, remembers: true) }

    func sources(_ store: TrustStore) -> [CheckMatrix.Source] {
        files.compactMap { option, path, origin in
            path.map { path in
                CheckMatrix.Source(option: option, name: path, count: store.anchors.count { $0.origin == origin })
            }
        }
    }
}
