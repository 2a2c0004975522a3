import Foundation
import TestSupport
import Testing

/// `Examples`, as a reader would try them.
struct ExampleTests {
    private static let file = "Examples/own-client/scenarios.yaml"
    private static let releases = "Examples/releases/scenarios.yaml"

    @Test(.enabled(if: Shipped.hasCurl, "curl is not installed"))
    func `the client of one's own passes, wherever it is run from`() async throws {
        let folder = Places.package.appending(path: Self.file).deletingLastPathComponent()

        let outside = try await Program.run("run", Self.file, "--client", "own")
        let inside = try await Program.run("run", in: folder)

        for ending in [outside, inside] {
            #expect(ending.status == 0, "\(ending.output)")
            #expect(ending.errors == Shipped.note(of: "own"))
            #expect(ending.output.contains("protected by the pin"))
            #expect(ending.output.contains("2 trials, 4 steps in "))
        }
    }

    @Test(arguments: [file, releases])
    func `the example lints clean`(file: String) async throws {
        let ending = try await Program.run("lint", file)

        #expect(ending.status == 0, "\(ending.output)")
    }

    @Test func `the first release is locked out, the second intercepted, the third neither`() async throws {
        let ending = try await Program.run("run", Self.releases)

        #expect(ending.status == 1)
        #expect(ending.output.contains(#/rotated-to-backup +L \. \.\n/#), "\(ending.output)")
        #expect(ending.output.contains(#/stuffed-chain +\. I \.\n/#), "\(ending.output)")
    }

    @Test(.enabled(if: Shipped.hasCurl, "curl is not installed"))
    func `a named client is looked for beside its file`() async throws {
        let text = try String(contentsOf: Places.package.appending(path: Self.file), encoding: .utf8)
        let client = Places.package.appending(path: Self.file).deletingLastPathComponent().appending(path: "client.sh")

        let ending = try await withTemporaryFolder { folder in
            let copy = folder.appending(path: "copy")
            try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: false)
            try FileManager.default.copyItem(at: client, to: copy.appending(path: "client.sh"))
            try text.replacing("sh {here}/client.sh", with: "./client.sh")
                .write(to: copy.appending(path: "file.yaml"), atomically: false, encoding: .utf8)
            return try await Program.run("run", "copy/file.yaml", "--client", "own", in: folder)
        }

        #expect(ending.status == 0, "\(ending.errors)\(ending.output)")
    }
}
