import Foundation
import TestSupport
import Testing

/// Scenario files that cannot be used: what `run` and `list` say of them.
struct BadFileTests {
    /// A bad file, and all that is said about it.
    struct Bad: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let contents: [UInt8]
        let complaint: String

        init(_ description: String, _ text: some StringProtocol, _ complaint: String) {
            self.init(description, Array(text.utf8), complaint)
        }

        /// The shipped file with its first `old` replaced; `«` marks where the complaint points to.
        init(_ description: String, _ old: String, _ new: String, _ complaint: String) {
            let parts = Shipped.text.split(separator: old, maxSplits: 1, omittingEmptySubsequences: false)
            precondition(parts.count == 2, "the shipped file has no '\(old)'")
            let before = parts[0] + new.prefix { $0 != "«" }
            let line = before.count { $0 == "\n" } + 1
            let column = before.reversed().prefix { $0 != "\n" }.count + 1
            self.init(
                description,
                before + new.drop { $0 != "«" }.dropFirst() + parts[1],
                "file.yaml:\(line):\(column): \(complaint)"
            )
        }

        init(_ description: String, _ contents: [UInt8], _ complaint: String) {
            testDescription = description
            self.contents = contents
            self.complaint = complaint
        }

        static let all = [
            Bad("empty", "", "file.yaml:1:1: the file is empty; it should begin with 'version: 1'\n"),
            Bad("not UTF-8", [0xFF, 0xFE, 0x00], "file.yaml: this file is not UTF-8 text\n"),
            Bad(
                "not YAML",
                "version: [1",
                "file.yaml:2:1: not valid YAML: did not find expected ',' or ']' (while parsing a flow sequence, line 1)\n"
            ),
            Bad(
                "a typo",
                "    store: attacked\n",
                "    «stroe: attacked\n",
                "unknown key 'stroe'; did you mean 'store'?"
            ),
            Bad(
                "an unknown name",
                "present: unplanned",
                "present: «unplaned",
                "no chain 'unplaned'; did you mean 'unplanned'?"
            ),
            Bad(
                "a claim that the oracle contradicts",
                "present: forged, intercepts: [no-pins, report-only] }",
                "present: forged, intercepts: «[no-pins] }",
                "'intercepts' leaves out the policy 'report-only'"
            ),
        ]
    }

    @Test(arguments: Bad.all, ["run", "list"])
    func `a bad file is named with the place and the way out`(bad: Bad, command: String) async throws {
        try await withTemporaryFolder { folder in
            try Data(bad.contents).write(to: folder.appending(path: "file.yaml"))

            let ending = try await Program.run(command, "file.yaml", in: folder)

            #expect(ending.status == 65)
            #expect(ending.output.isEmpty)
            #expect(ending.errors.hasPrefix(bad.complaint), "\(ending.errors)")
            #expect(ending.errors.count { $0 == "\n" } == 1)
        }
    }

    @Test func `a policy that no chain of the owner satisfies is an error`() async throws {
        let file = Shipped.text.replacing(
            "clients:\n",
            with: "  nobody: { pins: [evil], position: leaf }\n\nclients:\n"
        )

        let ending = try await Shipped.run(file)

        #expect(ending.status == 65)
        #expect(ending.output.isEmpty)
        #expect(
            ending.errors.contains("the policy 'nobody' accepts none of the owner's chains, whatever the store"),
            "\(ending.errors)"
        )
    }

    @Test func `a file that is not there is said to be missing`() async throws {
        try await withTemporaryFolder { folder in
            let named = try await Program.run("run", "none.yaml", in: folder)
            let aFolder = try await Program.run("run", folder.path, in: folder)

            #expect((named.status, aFolder.status) == (65, 65))
            #expect((named.output, aFolder.output) == ("", ""))
            #expect(named.errors == "none.yaml: no such file\n")
            #expect(aFolder.errors == "\(folder.path): this is a folder; name a file\n")
        }
    }

    @Test func `where no file is named and none is here, the shipped one is taken`() async throws {
        try await withTemporaryFolder { folder in
            let elsewhere = try await Program.run("list", in: folder)
            let atHome = try await Program.run("list")

            #expect(elsewhere.status == 0)
            #expect(elsewhere.output == atHome.output)
            #expect(elsewhere.errors == "note: there is no scenarios.yaml here, so the shipped one is taken\n")
            #expect(atHome.errors.isEmpty)
        }
    }

    @Test func `an included file is read beside the one that names it, and no link leads out`() async throws {
        try await withTemporaryFolder { folder in
            let packs = folder.appending(path: "inside/packs")
            try FileManager.default.createDirectory(at: packs, withIntermediateDirectories: true)
            let pack = "version: 1\nscenarios: [ { name: more, steps: [ { present: today } ] } ]"
            let main = Shipped.text.replacing("\nkeys:\n", with: "\ninclude: [packs/more.yaml]\nkeys:\n")
            try main.write(to: folder.appending(path: "inside/file.yaml"), atomically: false, encoding: .utf8)
            try pack.write(to: folder.appending(path: "outside.yaml"), atomically: false, encoding: .utf8)
            try pack.write(to: packs.appending(path: "other.yaml"), atomically: false, encoding: .utf8)
            let link = packs.appending(path: "more.yaml")
            let files = FileManager.default
            let shell = URL(filePath: "/bin/sh")
            let piped = ["-c", "cat file.yaml | \"$0\" list /dev/stdin", Program.url.path]

            let missing = try await Program.run("list", "inside/file.yaml", in: folder)
            try files.createSymbolicLink(atPath: link.path, withDestinationPath: "../../outside.yaml")
            let outside = try await Program.run("list", "inside/file.yaml", in: folder)
            try files.removeItem(at: link)
            try files.createSymbolicLink(atPath: link.path, withDestinationPath: "other.yaml")
            let inside = try await Program.run("list", "inside/file.yaml", in: folder)
            let pipe = try await Started.with(shell, piped, in: folder.appending(path: "inside")) {
                try await $0.ending()
            }

            let place = "inside/file.yaml:11:11: cannot include 'packs/more.yaml': "
            #expect((missing.status, outside.status, inside.status, pipe.status) == (65, 65, 0, 0))
            #expect(missing.errors == "\(place)no such file\n")
            #expect(
                outside.errors.hasPrefix(
                    "\(place)it must lie in the folder of this file, or below it, and it is a link"
                )
            )
            #expect(inside.output.contains("\n  more  (1 connection, 1 start)\n"))
            #expect(pipe.output == inside.output)
        }
    }

    // Permissions do not stop the superuser.
    @Test(.enabled(if: getuid() != 0, "root can read every file"))
    func `a file without permission is said to be that`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "file.yaml").path
            _ = FileManager.default.createFile(atPath: path, contents: Data(), attributes: [.posixPermissions: 0])

            let ending = try await Program.run("run", "file.yaml", in: folder)

            #expect(ending.status == 65)
            #expect(ending.errors == "file.yaml: this file cannot be read; check its permissions\n")
        }
    }

    @Test func `a file can come through a pipe`() async throws {
        let ending = try await Started.with(
            URL(filePath: "/bin/sh"),
            ["-c", "cat scenarios.yaml | \"$0\" list /dev/stdin", Program.url.path],
            in: Places.package
        ) { try await $0.ending() }

        #expect(ending.status == 0, "\(ending.errors)")
        #expect(ending.output.hasSuffix(" trials\n"))
    }
}
