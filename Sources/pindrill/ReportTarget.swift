import ArgumentParser
import Foundation
import Scenarios

/// Where a report goes, and of which kind: `json=report.json`.
struct ReportTarget: Equatable {
    let path: String

    init(parsing argument: String) throws {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { throw ValidationError("say which kind, and where: json=report.json") }
        guard parts[0] == "json" else { throw ValidationError("there is no kind '\(parts[0])'; the only kind is json") }
        guard !parts[1].isEmpty else { throw ValidationError("say where: json=report.json") }
        path = parts[1]
    }

    /// Why it could never be written: better said before the run than after it.
    var obstacle: String? {
        let files = FileManager.default
        var isFolder: ObjCBool = false
        if files.fileExists(atPath: path, isDirectory: &isFolder) {
            if isFolder.boolValue { return "--report json=\(path): this is a folder; name a file" }
            return files.isWritableFile(atPath: path) ? nil : "--report json=\(path): this file cannot be written"
        }
        let folder = URL(filePath: path).deletingLastPathComponent().path
        guard files.fileExists(atPath: folder) else { return "--report json=\(path): no such folder: \(folder)" }
        return files.isWritableFile(atPath: folder) ? nil : "--report json=\(path): this folder cannot be written to"
    }

    /// Whether it could be written; says why not.
    func write(_ report: Report, exitStatus: Int32) -> Bool {
        do {
            let data = try JSONReport(report, exitStatus: exitStatus).encoded()
            // Replacing is for ordinary files: never for a device or a pipe, nor for what a link leads to.
            let kind = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
            if kind == nil || kind == .typeRegular {
                try data.write(to: URL(filePath: path), options: .atomic)
            } else {
                let file = try FileHandle(forWritingTo: URL(filePath: path))
                try? file.truncate(atOffset: 0)
                try file.write(contentsOf: data)
                try file.close()
            }
            return true
        } catch {
            Terminal.complain("\(path): the report could not be written: \(reason(for: error))")
            return false
        }
    }

    /// What the system said: Foundation's own sentences name no cause.
    private func reason(for error: any Error) -> String {
        let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        guard let underlying, underlying.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
        return String(cString: strerror(Int32(underlying.code)))
    }
}
