import Foundation
import TestSupport
import Testing

/// Nothing on the machine decides a verdict.
// Without curl nobody reads dot files and variables.
@Suite(.enabled(if: Shipped.hasCurl, "curl is not installed"))
struct EnvironmentTests {
    private let chosen = ["run", "--policy", "leaf-only", "--client", "curl", "--verbose"]

    @Test func `a home folder that switches curl's checks off changes nothing`() async throws {
        try await withTemporaryFolder { home in
            for name in [".curlrc", "curlrc"] {
                try "insecure\n".write(to: home.appending(path: name), atomically: false, encoding: .utf8)
            }

            let ending = try await Program.run(
                chosen,
                environment: ["HOME": home.path, "CURL_HOME": home.path, "XDG_CONFIG_HOME": home.path]
            )

            #expect(ending.status == 0, "\(ending.output)")
            #expect(ending.output.contains("protected, not by the pin"))
        }
    }

    @Test func `a folder for trials that is not there is named`() async throws {
        let ending = try await Program.run(chosen, environment: ["TMPDIR": "/nonexistent/folder"])

        #expect(ending.status == 2)
        #expect(
            ending.errors.contains("no folder can be made in '/nonexistent/folder'; set TMPDIR"),
            "\(ending.errors)"
        )
    }

    @Test func `hostile variables change nothing`() async throws {
        try await withTemporaryFolder { folder in
            let garbage = folder.appending(path: "garbage")
            try "[ this is\nno configuration".write(to: garbage, atomically: false, encoding: .utf8)
            let keys = folder.appending(path: "keys")
            let nowhere = "http://127.0.0.1:1"

            let ending = try await Program.run(
                chosen,
                environment: [
                    "SSL_CERT_FILE": garbage.path, "SSL_CERT_DIR": folder.path, "CURL_CA_BUNDLE": garbage.path,
                    "OPENSSL_CONF": garbage.path, "OPENSSL_MODULES": folder.path, "SSLKEYLOGFILE": keys.path,
                    "HTTPS_PROXY": nowhere, "https_proxy": nowhere, "ALL_PROXY": nowhere,
                ]
            )

            #expect(ending.status == 0, "\(ending.output)")
            #expect(ending.errors == Shipped.note(of: "curl"))
            #expect(!FileManager.default.fileExists(atPath: keys.path))
        }
    }
}
