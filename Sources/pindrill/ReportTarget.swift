import ArgumentParser
import Foundation
import Scenarios

/// Where a report goes, and of which kind: `json=report.json`.
struct ReportTarget: Equatable, Sendable {
    let kind: ReportKind
    let path: String

    /// A JSON report alone.
    static let standardOutput = ReportTarget(.json, path: "-")

    private init(_ kind: ReportKind, path: String) {
        self.kind = kind
        self.path = path
    }

    init(parsing argument: String) throws {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { throw ValidationError("say which kind, and where: json=report.json") }
        guard let kind = ReportKind(rawValue: parts[0]) else {
            throw ValidationError("there is no kind '\(parts[0])'; the kinds are \(Self.kinds)")
        }
        guard !parts[1].isEmpty else { throw ValidationError("say where: \(kind)=report.\(kind.suffix)") }
        self.init(kind, path: parts[1])
    }

    private static let kinds = {
        let names = ReportKind.allCases.map(\.rawValue)
        return names.dropLast().joined(separator: ", ") + " and " + names.suffix(1).joined()
    }()

    /// Written as `-`.
    var isStandardOutput: Bool { path == "-" }

    /// Why it could never be written: better said before the run than after it.
    var obstacle: String? {
        if isStandardOutput { return nil }
        let files = FileManager.default
        var isFolder: ObjCBool = false
        if files.fileExists(atPath: path, isDirectory: &isFolder) {
            if isFolder.boolValue { return "\(self): this is a folder; name a file" }
            return files.isWritableFile(atPath: path) ? nil : "\(self): this file cannot be written"
        }
        let folder = URL(filePath: path).deletingLastPathComponent().path
        guard files.fileExists(atPath: folder) else { return "\(self): no such folder: \(folder)" }
        return files.isWritableFile(atPath: folder) ? nil : "\(self): this folder cannot be written to"
    }
}

extension ReportTarget: CustomStringConvertible {
    /// As it stands on the command line.
    var description: String { "--report \(kind.rawValue)=\(path)" }
}

extension ReportKind {
    fileprivate var suffix: String {
        switch self {
        case .json: "json"
        case .junit: "xml"
        case .conformance: "md"
        case .html: "html"
        case .jsonl: "jsonl"
        case .markdown: "md"
        case .sarif: "sarif"
        }
    }
}
