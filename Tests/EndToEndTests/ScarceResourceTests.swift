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

/// Too few open files, and a run that was killed.
struct ScarceResourceTests {
    @Test(arguments: [(20, Int32(2)), (4096, 0)])
    func `F7, R3: too few open files are an error in words`(limit: Int, status: Int32) async throws {
        let script = """
            ulimit -n \(limit); exec '\(Program.url.path)' run --client reference --scenario same-certificate \
            --policy no-pins
            """

        let ending = try await Started.with(URL(filePath: "/bin/sh"), ["-c", script], in: Places.package) {
            try await $0.ending()
        }

        #expect(ending.status == status, "\(ending.output)")
        #expect(
            ending.errors.contains("open files, and only \(limit) are allowed") == (status == 2),
            "\(ending.errors)"
        )
    }

    #if os(Linux)
    /// With 400 MiB, threads could not be started, and the run waited for them for ever.
    @Test(arguments: [(600, Int32(2)), (60_000, 0)])
    func `too little address space is an error in words`(limit: Int, status: Int32) async throws {
        let script = """
            ulimit -v \(limit * 1024); exec '\(Program.url.path)' run --client reference --scenario same-certificate \
            --policy no-pins
            """

        let ending = try await Started.with(URL(filePath: "/bin/sh"), ["-c", script], in: Places.package) {
            try await $0.ending()
        }

        #expect(ending.status == status, "\(ending.output)")
        #expect(
            ending.errors.contains("MiB of address space, and only \(limit) are allowed") == (status == 2),
            "\(ending.errors)"
        )
    }
    #endif

    @Test(arguments: ["", "--isolate"])
    func `F7: as many trials at a time as were asked for need their files`(isolation: String) async throws {
        let script = "ulimit -n 128; exec '\(Program.url.path)' run --client reference --jobs 900 \(isolation)"

        let ending = try await Started.with(URL(filePath: "/bin/sh"), ["-c", script], in: Places.package) {
            try await $0.ending()
        }

        #expect(ending.status == 2)
        // What one more in a network of its own takes, as measured: fourteen, and twenty with a margin.
        let count = (isolation.isEmpty ? 16 : 24) + 4 * ProcessInfo.processInfo.activeProcessorCount
        let need = count + 900 * (isolation.isEmpty ? 16 : 20)
        #expect(ending.errors.hasPrefix("900 trials at a time need \(need) open files"), "\(ending.errors)")
    }

    @Test func `R5: what a killed run leaves behind is removed by the next`() async throws {
        try await withTemporaryFolder { folder in
            let marker = folder.appending(path: "marker")
            let file = try Shipped.with(
                app: "    run: sh -c 'sleep 60 & echo $$ $! >\"$0.new\"; mv \"$0.new\" \"$0\"; wait' \(marker.path)"
            )
            try file.write(to: folder.appending(path: "file.yaml"), atomically: false, encoding: .utf8)
            let temporary = folder.appending(path: "tmp")
            try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
            let chosen = [
                "run", "file.yaml", "--scenario", "same-certificate", "--policy", "no-pins", "--timeout", "60",
            ]
            let left = { try FileManager.default.contentsOfDirectory(atPath: temporary.path).count }

            let environment = ["TMPDIR": temporary.path]
            let clients = try await Started.with(Program.url, chosen, environment: environment, in: folder) { started in
                let clients = try await processes(writtenTo: marker)
                started.signal(SIGKILL)
                _ = try await started.ending()
                return clients
            }
            #expect(try left() == 1)
            _ = try await Program.run("run", "--client", "reference", "--scenario", "same-*", environment: environment)

            #expect(try left() == 0)
            #expect(clients.count == 2)
            for client in clients { #expect(await isGone(client)) }
        }
    }
}
