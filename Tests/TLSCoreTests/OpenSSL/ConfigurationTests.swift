import Foundation
import TestSupport
import Testing

@testable import TLSCore

/// A configuration that leaves OpenSSL without any algorithm.
private let hostile = """
    openssl_conf = everything
    [everything]
    providers = chosen
    [chosen]
    null = activated
    [activated]
    activate = 1

    """

@Suite struct `A machine's OpenSSL configuration` {
    /// In a process of its own, because OpenSSL reads its configuration once.
    @Test func `changes nothing, whatever is done first`() async {
        await #expect(processExitsWith: .success) {
            try configureHostilely()
            let digest = sha256("abc".utf8)

            let server = try Authority(rootNamed: "Root", now: Sample.now).identity(Sample.leaf(), key: PrivateKey())

            guard digest.starts(with: [0xBA, 0x78, 0x16, 0xBF]), server.chain.count == 1 else { exit(1) }
        }
    }

    @Test(.enabled(if: Tool.openssl != nil, "there is no 'openssl' command, version 3 or newer"))
    func `would otherwise change everything`() throws {
        let openssl = try #require(Tool.openssl)

        let statuses = try withTemporaryFolder { folder in
            let file = folder.appending(path: "openssl.cnf")
            try hostile.write(to: file, atomically: true, encoding: .utf8)
            return try [file.path, "/dev/null"].map {
                try openssl.run(["dgst", "-sha256", file.path], environment: ["OPENSSL_CONF": $0]).status
            }
        }

        #expect(statuses[0] != 0)
        #expect(statuses[1] == 0)
    }
}

/// Before this process has touched OpenSSL.
private func configureHostilely() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "pindrill-hostile.cnf")
    try hostile.write(to: file, atomically: true, encoding: .utf8)
    setenv("OPENSSL_CONF", file.path, 1)
}
