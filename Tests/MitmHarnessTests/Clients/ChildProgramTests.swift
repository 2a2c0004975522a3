import Foundation
import TestSupport
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

@Suite struct `A program that a test starts` {
    private static func shell(_ script: String, _ environment: [String: String] = [:]) throws -> Tool.Result {
        try #require(Tool("sh")).run(["-c", script], environment: environment)
    }

    @Test func `tells its status, or the signal that ended it`() throws {
        #expect(try Self.shell("exit 3").status == 3)
        #expect(try Self.shell("kill -9 $$").status == -SIGKILL)
    }

    @Test func `has the environment that it is given, and nothing else`() throws {
        let tool = try #require(Tool("env"))

        #expect(try tool.run([], environment: ["A": "b"]).output == "A=b\n")
    }

    @Test func `dies of a pipe that nobody reads, though tests do not`() throws {
        #expect(try Self.shell("kill -13 $$").status == -SIGPIPE)
    }

    @Test func `works in the folder that it is given`() throws {
        let pipe = Pipe()
        let pwd = try #require(Tool("pwd")).url
        let program = try ChildProgram(pwd, [], environment: [:], in: URL(filePath: "/"), output: .pipe(pipe))

        #expect(pipe.fileHandleForReading.readDataToEndOfFile() == Data("/\n".utf8))
        #expect(program.waitUntilExit() == 0)
        #expect(!program.isRunning)
    }

    @Test func `that is not there is an error`() throws {
        let place = "/nowhere/at-all"

        let error = #expect(throws: ChildProgram.NotStarted.self) {
            try ChildProgram(URL(filePath: place), [], environment: [:])
        }

        #expect(error?.description == "\(place): No such file or directory")
    }

    #if os(Linux)
    @Test func `gets none of the tests' open files, however many there are`() throws {
        let files = try (0..<1500).map { _ in try FileHandle(forReadingFrom: URL(filePath: "/dev/null")) }
        defer { for file in files { try? file.close() } }

        // The fourth is that of the listing itself.
        #expect(try Self.shell("/bin/ls /proc/self/fd").output == "0\n1\n2\n3\n")
    }
    #endif
}
