import Foundation
import TLSCore

/// A temporary folder with what other people's servers read: certificates, keys and configuration files.
final class Workshop {
    private let folder: URL
    /// Where the programs of this package are.
    private let programs: URL

    init() throws {
        programs = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
        folder = FileManager.default.temporaryDirectory.appending(path: "pindrill-bench-\(UUID().uuidString)")
        let ours: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false, attributes: ours)
        try writeCertificates()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func program(_ name: String) -> String { programs.appending(path: name).path }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        let path = path(name)
        guard
            FileManager.default.createFile(
                atPath: path,
                contents: Data(text.utf8),
                attributes: [.posixPermissions: 0o600]
            )
        else { throw Failure("cannot write \(name)") }
        return path
    }

    func makeFolder(_ name: String) throws -> String {
        let path = path(name)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    /// The same kind of identity as `bench-server` makes for itself: a P-256 leaf right under a P-256 root.
    private func writeCertificates() throws {
        let now = Date()
        let root = try PrivateKey(.p256)
        let authority = try Authority(root: .authority(named: "Benchmark Root", now: now), key: root)
        let key = try PrivateKey(.p256)
        let template = CertificateTemplate.leaf(names: [SubjectName("api.acme.example")], now: now)
        let leaf = try authority.identity(template, key: key).leaf
        try write(authority.certificate.pem, to: "root.pem")
        try write(try root.pem(), to: "root.key")
        try write(leaf.pem, to: "leaf.pem")
        try write(try key.pem(), to: "leaf.key")
        try write(try root.pem() + authority.certificate.pem, to: "root-both.pem")
        try write(try key.pem() + leaf.pem, to: "leaf-both.pem")
    }
}
