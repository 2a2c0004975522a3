import AppSources
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The files of a folder that belong to a project: those that git knows or would take, else all but what is built.
struct ProjectFolder {
    /// A file, by its path below the folder.
    struct File {
        var path: String
        var bytes: [UInt8]
    }

    private(set) var files: [File] = []
    /// How many paths there are, those of other kinds of files too.
    private(set) var count = 0
    /// What was not opened, and why.
    private(set) var unopened: [(path: String, reason: String)] = []
    let usesGit: Bool
    private let root: String

    private static let mostFiles = 100_000
    private static let largest = 4 << 20
    /// Of all files together.
    private static let largestSum = 512 << 20
    /// What others wrote, or what is built.
    private static let skipped: Set<String> = [
        ".git", "node_modules", "Pods", "Carthage", "build", ".build", ".gradle", "DerivedData", ".dart_tool", "dist",
        "obj",
        ".idea", ".swiftpm", ".venv", "__pycache__", "xcuserdata", ".next", ".expo",
    ]
    private static let foreign: Set<String> = ["node_modules", "Pods", "Carthage"]

    /// - Throws: where there is no such folder.
    init(_ folder: String) throws(InputError) {
        root = folder.hasSuffix("/") ? folder : folder + "/"
        let known = Self.pathsByGit(folder)
        usesGit = known != nil
        let paths: [String] = if let known { known } else { try Self.walk(folder) }
        count = paths.count
        guard count <= Self.mostFiles else {
            throw InputError("\(folder): found more than \(Self.mostFiles) files; audit a folder within it")
        }
        var sum = 0
        for path in paths.sorted() where Self.mayHoldPins(path) || Self.isScript(root, path) {
            guard !path.split(separator: "/").dropLast().contains(where: { Self.foreign.contains(String($0)) }) else {
                continue
            }
            guard let size = Self.size(ofOrdinaryFile: root + path) else { continue }
            guard size <= Self.largest else {
                unopened.append((path, "it has more than \(Self.largest >> 20) MiB"))
                continue
            }
            sum += size
            guard sum <= Self.largestSum else {
                throw InputError("\(folder): found more than \(Self.largestSum >> 20) MiB; audit a folder within it")
            }
            do { files.append(File(path: path, bytes: try InputFile.read(root + path))) } catch {
                unopened.append((path, "\(error)"))
            }
        }
    }

    /// One file, with those that stand beside it.
    init(beside file: String) throws(InputError) {
        let slash = file.lastIndex(of: "/")
        root = slash.map { String(file[...$0]) } ?? ""
        usesGit = false
        let own = String(file[(slash.map(file.index(after:)) ?? file.startIndex)...])
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root.isEmpty ? "." : root)) ?? []
        count = 1
        files = [File(path: own, bytes: try InputFile.read(file))]
        for name in names.sorted().prefix(2000) where name != own && Self.mayHoldPins(name) {
            guard let size = Self.size(ofOrdinaryFile: root + name), size <= Self.largest,
                let bytes = try? InputFile.read(root + name)
            else { continue }
            files.append(File(path: name, bytes: bytes))
        }
    }

    func path(of file: String) -> String { root + file }

    /// Beside the languages of `TextPins`.
    private static let kinds: Set<String> = [
        "kt", "kts", "java", "swift", "m", "mm", "dart", "ts", "tsx", "js", "jsx", "mjs", "cjs", "vue", "svelte", "cs",
        "gradle", "groovy",
        "plist", "xml", "json", "cer", "crt", "der", "pem", "sh", "bash", "zsh", "yml", "yaml", "conf", "curlrc",
        "wgetrc", "gitconfig", "htaccess", "mk", "toml", "cfg", "vhost", "tpl", "j2", "erb", "inc", "template", "com",
        "org", "net", "env", "properties", "xcconfig", "ini", "strings", "ps1", "bat", "cmd", "pp", "nix", "vcl", "sls",
        "bats", "fish", "ksh", "nu", "psm1", "service", "nmconnection", "tf", "tcl", "exp", "r", "cf",
        "ovpn",
    ]
    private static let names: Set<String> = [
        ".curlrc", "_curlrc", ".wgetrc", "wgetrc", ".gitconfig", "gitconfig", ".htaccess", "caddyfile", "makefile",
        "dockerfile", "containerfile", "jenkinsfile", ".profile", ".msmtprc", "msmtprc", ".mpoprc", "mpoprc",
        ".offlineimaprc",
        "offlineimaprc", "tls_policy",
    ]
    /// Beginnings of the settings of shells: `.bashrc`, `.zsh_aliases`, `.bash_profile.local`.
    private static let beginnings = [".env", ".gitconfig", ".bash", ".zsh", ".aliases", ".zprofile"]

    private static let serverFolders = [
        "nginx", "apache", "httpd", "sites-available", "sites-enabled", "conf.d", "vhost", "postfix",
        "openvpn", "irssi",
    ]
    private static let images: Set<String> = ["png", "jpg", "jpeg", "gif", "svg", "ico", "webp", "woff", "woff2", "gz"]

    private static func mayHoldPins(_ path: String) -> Bool {
        let name = path.split(separator: "/").last.map { $0.lowercased() } ?? ""
        if names.contains(name) || beginnings.contains(where: name.hasPrefix) { return true }
        // What a minifier wrote is nobody's source.
        if name.hasSuffix(".min.js") { return false }
        let folders = path.split(separator: "/").dropLast().map { $0.lowercased() }
        // A server's file is often named as its host is.
        let isOfServer = folders.contains { folder in serverFolders.contains { folder.contains($0) } }
        guard let dot = name.lastIndex(of: ".") else { return isOfServer || path.contains("apache") }
        let kind = String(name[name.index(after: dot)...])
        return kinds.contains(kind) || TextPins.programs.contains(kind) || isOfServer && !images.contains(kind)
    }

    /// Whether a file without a kind begins as scripts do: `bin/vpn`.
    private static func isScript(_ root: String, _ path: String) -> Bool {
        guard let name = path.split(separator: "/").last, !name.contains("."),
            size(ofOrdinaryFile: root + path) ?? 0 > 2,
            let handle = FileHandle(forReadingAtPath: root + path)
        else { return false }
        defer { try? handle.close() }
        return (try? handle.read(upToCount: 2)) == Data("#!".utf8)
    }

    /// `nil` for links, pipes and folders.
    static func size(ofOrdinaryFile path: String) -> Int? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    // MARK: Paths

    /// `nil` where there is no git, or no work tree of it. A repository may name commands for git to run: none is.
    private static func pathsByGit(_ folder: String) -> [String]? {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-C", folder, "ls-files", "-z",
            "--cached",
            "--others", "--exclude-standard",
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let data = (try? output.fileHandleForReading.readToEnd()) ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { return nil }
        let paths = Set(data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
        // A folder that git leaves out as a whole is audited all the same, for it was named.
        return paths.isEmpty ? nil : paths.filter { !$0.hasPrefix("../") }
    }

    /// Links are not followed.
    private static func walk(_ folder: String) throws(InputError) -> [String] {
        var paths: [String] = []
        var open = [""]
        while let next = open.popLast() {
            let place = next.isEmpty ? folder : "\(folder)/\(next)"
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: place) else {
                if next.isEmpty { throw InputError("\(folder): this folder cannot be read; check its permissions") }
                continue
            }
            for name in names {
                let path = next.isEmpty ? name : "\(next)/\(name)"
                var status = stat()
                guard lstat("\(folder)/\(path)", &status) == 0 else { continue }
                switch status.st_mode & S_IFMT {
                case S_IFDIR: if !skipped.contains(name), path.split(separator: "/").count < 64 { open.append(path) }
                case S_IFREG: paths.append(path)
                default: break
                }
                if paths.count > mostFiles { return paths }
            }
        }
        return paths
    }
}
