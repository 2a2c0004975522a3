import Foundation
import Pinning
import Scenarios

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Where a project begins: its files are named from there, and its settings lie there or in a folder below it.
struct ProjectRoot {
    /// Without links, and without a slash at its end.
    private let folder: String
    /// The folder of the settings, in the same form; `nil`: there are none.
    private let settingsFolder: String?
    let settings: AuditSettings

    private static let fileName = ".pindrill.yml"

    /// The root of git's work tree, if the files lie in one; else the folder that holds them all. Settings are looked for in a
    /// file's folder and in those above it, up to the root.
    ///
    /// - Parameter names: files and folders.
    init(of names: [String]) throws {
        var roots: [String] = []
        var places: [String] = []
        for name in names {
            let (root, settings) = Self.search(from: Self.startingFolder(of: name))
            roots.append(root)
            if let settings { places.append(settings) }
        }
        folder = Self.commonFolder(of: roots)
        places = Array(Set(places)).sorted()
        guard places.count < 2 else {
            let files = places.map { Self.fromHere("\($0)/\(Self.fileName)") }.joined(separator: " and ")
            throw InputError("these files have settings of their own: \(files); audit those of one at a time")
        }
        settingsFolder = places.first
        guard let place = settingsFolder else {
            settings = AuditSettings()
            return
        }
        let path = "\(place)/\(Self.fileName)"
        let shown = Self.fromHere(path)
        guard ProjectFolder.size(ofOrdinaryFile: path) != nil else {
            throw InputError("\(shown): found a link or a folder, expected a file: settings lie in their own project")
        }
        let bytes: [UInt8]
        do throws(InputError) { bytes = try InputFile.read(path) } catch { throw InputError("\(shown): \(error)") }
        settings = try AuditSettings.parse(
            String(decoding: bytes, as: UTF8.self),
            file: shown,
            folder: place == folder ? "" : String(place.dropFirst(folder == "/" ? 1 : folder.count + 1)) + "/"
        )
    }

    /// The path of a file from the root; a file that lies elsewhere keeps its whole path.
    func path(of file: String) -> String {
        guard let real = InputFile.resolved(file) else { return file }
        let start = folder == "/" ? folder : folder + "/"
        return real.hasPrefix(start) ? String(real.dropFirst(start.count)) : real
    }

    /// Whether all that the settings are for lies in a folder.
    func isWhole(_ name: String) -> Bool {
        guard let settingsFolder, let real = InputFile.resolved(name) else { return false }
        return settingsFolder == real || settingsFolder.hasPrefix(real == "/" ? real : real + "/")
    }

    // MARK: Folders

    private static func startingFolder(of name: String) -> String {
        var isDirectory: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: name, isDirectory: &isDirectory)
        let folder = exists && isDirectory.boolValue ? name : InputFile.folder(of: name) + "."
        return InputFile.resolved(folder) ?? InputFile.resolved(".") ?? "/"
    }

    private static func search(from start: String) -> (root: String, settings: String?) {
        var settings: String?
        var folder = start
        while true {
            if settings == nil, isThere(folder, fileName) { settings = folder }
            if isThere(folder, ".git") { return (folder, settings) }
            guard folder != "/", let slash = folder.lastIndex(of: "/") else { break }
            folder = slash == folder.startIndex ? "/" : String(folder[..<slash])
        }
        // Without git nothing says that a folder above it belongs to it.
        return (start, isThere(start, fileName) ? start : nil)
    }

    private static func isThere(_ folder: String, _ name: String) -> Bool {
        access(folder == "/" ? "/\(name)" : "\(folder)/\(name)", F_OK) == 0
    }

    private static func commonFolder(of folders: [String]) -> String {
        let parts = folders.map { $0.split(separator: "/") }
        guard var common = parts.first else { return "/" }
        for other in parts.dropFirst() {
            common = Array(zip(common, other).prefix { $0 == $1 }.map(\.0))
        }
        return "/" + common.joined(separator: "/")
    }

    /// A path as it would be typed here.
    private static func fromHere(_ path: String) -> String {
        guard let here = InputFile.resolved("."), path.hasPrefix(here == "/" ? here : here + "/") else { return path }
        return String(path.dropFirst(here == "/" ? 1 : here.count + 1))
    }
}
