import Foundation
import TestSupport
import Testing

#if os(Linux)
/// A listener beyond the usual one; other addresses of loopback stand for other machines.
@Suite(.enabled(if: Tool("curl") != nil && Tool("python3") != nil, "curl or python3 is not installed"))
struct ListenTests {
    @Test(arguments: [(from: "127.0.0.3", isAllowed: true), (from: "127.0.0.4", isAllowed: false)])
    func `only those who are allowed come to it, by the address of the socket`(from: String, isAllowed: Bool)
        async throws
    {
        let port = try Self.freePort()

        let ending = try await play(
            ["--allow", "127.0.0.3"],
            port,
            "--interface \(from) --connect-to ::127.0.0.2:\(port)"
        )

        #expect(ending.status == (isAllowed ? 0 : 2), "\(ending.output)\(ending.errors)")
        let line = "listening on 127.0.0.2:\(port): 127.0.0.3 can reach PinDrill, and is shown its certificates"
        #expect(ending.errors.contains(line), "\(ending.errors)")
    }

    @Test(arguments: ["http", "socks5h"], ["right", "wrong", nil])
    func `it is a proxy for those who know the password, and for nobody else`(scheme: String, password: String?)
        async throws
    {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "password")
            try "right\n".write(to: file, atomically: false, encoding: .utf8)
            let port = try Self.freePort()
            let user = password.map { "me:\($0)@" } ?? ""

            let ending = try await play(
                ["--proxy-user", "me:\(file.path)"],
                port,
                "--interface 127.0.0.3 --proxy \(scheme)://\(user)127.0.0.2:\(port)"
            )

            #expect(ending.status == (password == "right" ? 0 : 2), "\(ending.output)\(ending.errors)")
        }
    }

    @Test func `without the proxy's password nobody is answered directly`() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "password")
            try "right\n".write(to: file, atomically: false, encoding: .utf8)
            let port = try Self.freePort()

            let ending = try await play(
                ["--proxy-user", "me:\(file.path)"],
                port,
                "--interface 127.0.0.3 --connect-to ::127.0.0.2:\(port)"
            )

            #expect(ending.status == 2, "\(ending.output)\(ending.errors)")
        }
    }

    @Test(arguments: [
        (["--listen", "0.0.0.0"], "--listen needs --allow, or --proxy-user"),
        (["--allow", "10.0.0.0/8"], "mean nothing without --listen"),
        (["--listen", "example.org", "--allow", "10.0.0.0/8"], "'example.org' is no address"),
        (["--listen", "0.0.0.0:0", "--allow", "10.0.0.0/8"], "'0' is no port"),
        (["--listen", "0.0.0.0", "--allow", "10.0.0.0/99"], "'10.0.0.0/99' is no range of addresses"),
        (["--listen", "0.0.0.0", "--allow", "10.0.0.0/8", "--jobs", "2"], "--listen has one port"),
        (["--listen", "0.0.0.0", "--allow", "10.0.0.0/8", "--isolate"], "--listen means nothing with --isolate"),
    ])
    func `it is never open to everybody, and mistakes are named`(options: [String], complaint: String) async throws {
        let ending = try await Program.run(["run"] + options)

        #expect(ending.status == 64)
        #expect(ending.errors.contains(complaint), "\(ending.errors)")
    }

    private func play(_ options: [String], _ port: Int, _ curl: String) async throws -> Program.Ending {
        try await Program.run(
            ["try", "--listen", "127.0.0.2:\(port)"] + options + [
                "--host", "api.acme.example", "--scenario", "attacker-unknown-root", "--policy", "no-pins", "--refused",
                "exit:60", "--", "curl", "-sS", "--cacert", "{trust}",
            ] + curl.split(separator: " ").map(String.init) + ["https://api.acme.example:{port}/"]
        )
    }

    /// One that was free a moment ago.
    static func freePort() throws -> Int {
        let script = "import socket; s = socket.socket(); s.bind(('127.0.0.2', 0)); print(s.getsockname()[1])"
        let result = try #require(Tool("python3")).run(["-c", script])
        return try #require(Int(result.output.split(whereSeparator: \.isNewline).first ?? ""))
    }
}
#endif
