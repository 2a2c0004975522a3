import Foundation
import Pinning
import Scenarios
import TLSCore
import TestSupport

extension RealClient {
    static let all = [curl, wget, git, urllib3, node, go, okHttp]

    /// The columns of the table that no program of this machine can be, by the reason. Every event of the others can be
    /// served here, a user's anchors among those of the one store that a program has.
    static let elsewhere = [
        "runs on Apple's systems": [
            "ats_leaf", "ats_ca_root", "ats_ca_int", "ats_both", "trustkit_ios_leaf", "trustkit_ios_root",
            "trustkit_ios_report", "trustkit_macos_leaf", "af_default", "af_cert_leaf", "af_cert_leaf_seed",
            "af_cert_root", "af_cert_leaf_noval", "af_cert_root_noval", "af_pubkeys", "af_disabled",
            "naive_kr_as_written", "naive_leaf_der", "naive_any_raw", "pkpinning_ios",
        ],
        "runs on Android": [
            "nsc_leaf", "nsc_root", "nsc_user", "nsc_override", "trustkit_android_enforce", "trustkit_android_default",
        ],
        "Debian's OkHttp, 3.13, has no such pattern yet": ["okhttp_2star"],
        "Debian's OkHttp has no such fault any more": ["okhttp_vuln"],
        "Chromium's pins are built in, and for hosts that are not ours": ["chromium_static"],
    ]

    // MARK: As the shipped scenarios run them

    static let curl = shipped("curl", forms: [.column("curl"), .column("curl_k") { $0.run += " --insecure" }])

    static let wget = shipped(
        "wget",
        forms: [.column("wget"), .column("wget_k") { $0.run += " --no-check-certificate" }]
    )

    static let git = shipped(
        "git",
        forms: [
            Form(name: "git") { world, _ in Curl(world.hashes, tool: .git) },
            Form(name: "git_k") { world, _ in
                Curl(world.hashes, tool: .git, isInsecure: true)
            } change: {
                $0.env["GIT_SSL_NO_VERIFY"] = "1"
            },
        ]
    )

    // MARK: Programs of ours, with the libraries of Debian

    /// Debian's urllib3 is seen by Debian's Python only, whichever comes first in the `PATH`.
    static let urllib3 = RealClient(
        name: "urllib3",
        prepare: { _ in
            let isInstalled = FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/urllib3")
            return isInstalled ? told("/usr/bin/python3 {here}/pins.py") : nil
        },
        forms: [
            .column("urllib3_fp"),
            .column("urllib3_fp_none"),
            Form(name: "urllib3_sha1") { $0.fingerprint($1, .sha1) },
            Form(name: "urllib3_md5") { $0.fingerprint($1, .md5) },
        ]
    )

    /// Node's `https` with a `checkServerIdentity`.
    static let node = RealClient(
        name: "node",
        prepare: { _ in Tool("node").map { _ in told("node {here}/pins.js") } },
        forms: [
            .column("node_pin"),
            .column("node_pin_nohost"),
            Form(name: "node_pin_unauthorized") { world, _ in Callback(.nodePinUnauthorized, keys: world.leafPins) },
        ]
    )

    /// Go's `net/http`, with nothing but the standard library.
    static let go = RealClient(
        name: "go",
        prepare: { folder in
            guard let go = Tool("go") else { return nil }
            let program = folder.appending(path: "pins").path
            try build(
                go,
                ["build", "-o", program, sources.appending(path: "pins.go").path],
                ["GOCACHE": folder.appending(path: "cache").path, "GOFLAGS": "-mod=mod", "GOTOOLCHAIN": "local"],
                folder
            )
            return told(program)
        },
        forms: [
            Form(name: "go_verify_connection") { world, _ in Callback(.goVerifyConnection, keys: world.leafPins) },
            .column("go_leaf"),
            .column("go_rawany"),
            .column("go_rawany_skip"),
            Form(name: "go_leaf_skip") { world, _ in Callback(.goLeafSkip, keys: world.leafPins) },
        ]
    )

    /// Debian's OkHttp, on the JVM's own TLS.
    static let okHttp = RealClient(
        name: "OkHttp",
        prepare: { folder in
            let jars = ["okhttp", "okio"].map { "/usr/share/java/\($0).jar" }
            guard let compiler = Tool("javac"), Tool("java") != nil,
                jars.allSatisfy(FileManager.default.fileExists)
            else { return nil }
            let classes = ([folder.path] + jars).joined(separator: ":")
            let source = sources.appending(path: "Pins.java").path
            try build(compiler, ["-cp", classes, "-d", folder.path, source], [:], folder)
            // Started quickly, not tuned for long.
            return told("java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp \(classes) Pins")
        },
        forms: [
            Form(name: "okhttp_exact") { world, _ in okHttp(MatrixWorld.host, world) },
            Form(name: "okhttp_1star") { world, _ in okHttp("*." + MatrixWorld.host, world) },
        ]
    )

    private static func okHttp(_ pattern: String, _ world: MatrixWorld) -> OkHttp {
        // Each pattern is one that OkHttp takes.
        OkHttp([.init(try! OkHttpPattern(pattern), world.leafPins.map { OkHttpPin($0) })])
    }

    private static func shipped(_ name: String, forms: [Form]) -> RealClient {
        RealClient(
            name: name,
            prepare: { _ in
                let file = try ScenarioFile(parsing: Shipped.text, file: "scenarios.yaml")
                let client = file.clients.first { $0.name == name }
                guard Tool(name) != nil, case .command(let declaration)? = client?.kind else { return nil }
                return declaration
            },
            forms: forms
        )
    }

    private static func build(
        _ compiler: Tool,
        _ arguments: [String],
        _ environment: [String: String],
        _ folder: URL
    ) throws {
        let environment = Program.bareEnvironment.merging(["HOME": folder.path]) { $1 }.merging(environment) { $1 }
        let result = try compiler.run(arguments, environment: environment)
        guard result.status == 0 else { throw BuildFailure(description: result.output) }
    }

    /// A program of ours that a compiler does not take.
    private struct BuildFailure: Error, CustomStringConvertible {
        let description: String
    }
}
