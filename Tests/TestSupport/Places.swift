package import Foundation

/// Where tests find files, from where this one lies.
package enum Places {
    /// The package's root folder.
    package static let package = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The project's own test vectors: tables of its own, and certificates that PinDrill minted.
    package static let ownVectors = package.appending(path: "Tests/Vectors")

    /// Other projects' test vectors, which lie beside the checkout; a user's checkout has none.
    package static let vectors = package.deletingLastPathComponent().appending(path: "shared/vectors")

    /// Whether some of the other projects' test vectors are here.
    package static func hasVectors(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: vectors.appending(path: name).path)
    }
}

/// Makes a folder, hands it over, and removes it afterwards.
package func withTemporaryFolder<Value>(_ body: (URL) throws -> Value) throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pindrill-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}
