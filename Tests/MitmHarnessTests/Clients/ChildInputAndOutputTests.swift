import MitmHarness
import Testing

@Suite struct `What a child reads and writes` {
    @Test func `begins with its standard input and ends with its end`() async throws {
        let outcome = try await withTemporaryFolder { folder in
            var command = shell("cat", in: folder)
            command.standardInput = Array("one\ntwo".utf8)
            return try await command.run()
        }

        #expect(outcome.ending == .exited(0))
        #expect(outcome.standardOutput.text == "one\ntwo")
    }

    @Test func `is an empty input if it is given none`() async throws {
        let outcome = try await shell("cat; echo done").run()

        #expect(outcome.standardOutput.text == "done\n")
    }

    @Test(arguments: ["exit 3", "exec <&-; exit 3", "head -c 1 >/dev/null; exit 3"])
    func `may leave a megabyte of input unread`(script: String) async throws {
        let outcome = try await withTemporaryFolder { folder in
            var command = shell(script, in: folder)
            command.standardInput = [UInt8](repeating: 0x61, count: 1 << 20)
            return try await command.run()
        }

        #expect(outcome.ending == .exited(3))
    }

    @Test func `may be a megabyte of input`() async throws {
        let outcome = try await withTemporaryFolder { folder in
            var command = shell("wc -c", in: folder)
            command.standardInput = [UInt8](repeating: 0x61, count: 1 << 20)
            return try await command.run()
        }

        #expect(outcome.standardOutput.text.contains("1048576"))
    }

    @Test func `leaves no trace of its input in the folder`() async throws {
        let outcome = try await withTemporaryFolder { folder in
            var command = shell("ls -A", in: folder)
            command.standardInput = Array("secret".utf8)
            return try await command.run()
        }

        #expect(outcome.standardOutput.text == "")
    }

    @Test func `keeps its first and its last words around a hundred megabytes`() async throws {
        var command = shell("echo first; head -c 100000000 /dev/zero; echo last")
        command.outputLimit = 1000

        let outcome = try await command.run()

        #expect(outcome.ending == .exited(0))
        #expect(outcome.standardOutput.totalCount == 100_000_011)
        #expect(outcome.standardOutput.bytes.count == 1000)
        #expect(outcome.standardOutput.text.hasPrefix("first\n"))
        #expect(outcome.standardOutput.text.contains("\n[... 99999011 bytes left out ...]\n"))
        #expect(outcome.standardOutput.text.hasSuffix("last\n"))
    }

    @Test func `are kept whole if they just fit`() async throws {
        var command = shell("printf 1234567; printf 12345678 >&2")
        command.outputLimit = 7

        let outcome = try await command.run()

        #expect(outcome.standardOutput.text == "1234567")
        #expect(outcome.standardOutput.omittedCount == 0)
        #expect(outcome.standardError.text == "123\n[... 1 bytes left out ...]\n5678")
    }
}
