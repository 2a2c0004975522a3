import Foundation

// The servers that are compared. Each answers `GET /ok` with 200 and offers no resumption; none writes a log.

extension Server {
    /// Ours; it shows one identity, or makes one for every new name.
    static func ours(mints: Bool, in workshop: Workshop, under callgrind: Callgrind? = nil) throws -> Server {
        try ours([mints ? "minting" : "cached"], in: workshop, under: callgrind)
    }

    /// Ours, with a real server behind it.
    static func relay(to upstream: Upstream, in workshop: Workshop) throws -> Server {
        try ours(["relay", "\(upstream.port)", workshop.path("root.pem")], in: workshop)
    }

    /// Ours, for as many connections as there are files.
    static func crowd(in workshop: Workshop) throws -> Server { try ours(["crowd"], in: workshop) }

    private static func ours(
        _ kind: [String],
        in workshop: Workshop,
        under callgrind: Callgrind? = nil
    ) throws -> Server {
        let words = [callgrind?.benchServer ?? workshop.program("bench-server")] + kind
        let process = try Child((callgrind?.words ?? []) + words, core: core, output: .captured)
        guard let port = try process.readLine().flatMap(Int.init) else { throw Failure("bench-server did not start") }
        return Server("pindrill", port: port, process: process)
    }

    static func nginx(in workshop: Workshop, under callgrind: Callgrind? = nil) throws -> Server? {
        guard isInstalled("nginx") else { return nil }
        let (process, port) = try startNginx(core: core, in: workshop, under: callgrind)
        return Server("nginx", port: port, process: process)
    }

    /// With a real server behind it, which it verifies as ours does.
    static func nginx(to upstream: Upstream, in workshop: Workshop) throws -> Server {
        let pass = """
            location / {
                proxy_pass https://127.0.0.1:\(upstream.port); proxy_http_version 1.1; proxy_set_header Connection close;
                proxy_ssl_name api.acme.example; proxy_ssl_server_name on; proxy_ssl_session_reuse off;
                proxy_ssl_protocols TLSv1.3; proxy_ssl_verify on;
                proxy_ssl_trusted_certificate \(workshop.path("root.pem")); proxy_max_temp_file_size 0;
            }
            """
        let (process, port) = try startNginx(core: core, in: workshop, serving: pass)
        return Server("nginx", port: port, process: process)
    }

    /// Always between two TLS connections; its upstream is an nginx on the other core.
    static func sslsplit(in workshop: Workshop) throws -> Server? {
        guard isInstalled("sslsplit"), isInstalled("nginx") else { return nil }
        let (upstream, upstreamPort) = try startNginx(core: otherCore, in: workshop)
        let port = try Loopback.freePort()
        // As root it would drop to a user who cannot read the key.
        let user = getuid() == 0 ? ["-u", "root"] : []
        let process = try Child(
            ["sslsplit"] + user + [
                "-c", workshop.path("root.pem"), "-k", workshop.path("root.key"), "-K", workshop.path("leaf.key"),
                "https", "127.0.0.1", "\(port)", "127.0.0.1", "\(upstreamPort)",
            ],
            core: core
        )
        try awaitListener(port)
        // It knows only groups that are NIST curves.
        let remark = "P-256 key exchange, and a second TLS connection to its upstream"
        return Server("sslsplit", port: port, group: "P-256", remark: remark, process: process, background: [upstream])
    }

    static func mitmproxy(mints: Bool, to upstream: Upstream? = nil, in workshop: Workshop) throws -> Server? {
        guard let program = mitmdump else { return nil }
        let folder = try workshop.makeFolder("mitmproxy")
        let relay = upstream.map { ["--mode", "reverse:https://127.0.0.1:\($0.port)"] }
        // Its own authority, and so its leaves, would be RSA.
        try workshop.write(
            try String(contentsOfFile: workshop.path("root-both.pem"), encoding: .utf8),
            to: "mitmproxy/mitmproxy-ca.pem"
        )
        let answer = """
            from mitmproxy import http
            def request(flow):
                flow.response = http.Response.make(200, b"ok\\n", {"content-type": "text/plain"})

            """
        let script = try workshop.write(answer, to: "answer.py")
        let port = try Loopback.freePort()
        let process = try Child(
            [
                program, "--quiet", "--listen-host", "127.0.0.1", "--listen-port", "\(port)",
                "--set", "ssl_verify_upstream_trusted_ca=\(workshop.path("root.pem"))",
                "--set", "connection_strategy=lazy", "--set", "confdir=\(folder)", "--set", "flow_detail=0", "--set",
                "keep_host_header=true",
            ]
                // Without an upstream the script answers before one is connected to.
                + (relay ?? ["--mode", "reverse:http://127.0.0.1:9", "--scripts", script])
                + (mints ? [] : ["--certs", "*=\(workshop.path("leaf-both.pem"))"]),
            core: core
        )
        try awaitListener(port)
        return Server("mitmproxy", port: port, remark: "brings an OpenSSL of its own", process: process)
    }

    static func startNginx(
        core: Int,
        in workshop: Workshop,
        under callgrind: Callgrind? = nil,
        serving locations: String =
            #"location /ok { default_type text/plain; return 200 "hello from PinDrill\n"; }"#
    ) throws -> (Child, port: Int) {
        let port = try Loopback.freePort()
        let folder = try workshop.makeFolder("nginx-\(port)")
        let bodies = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(folder)/\($0);" }
        let configuration = """
            daemon off;
            master_process off;
            pid \(folder)/pid;
            error_log /dev/null crit;
            events { worker_connections 8192; }
            http {
                access_log off;
                \(bodies.joined(separator: " "))
                server {
                    listen 127.0.0.1:\(port) ssl http2 backlog=1024;
                    ssl_certificate \(workshop.path("leaf.pem"));
                    ssl_certificate_key \(workshop.path("leaf.key"));
                    ssl_protocols TLSv1.3;
                    ssl_ecdh_curve X25519:P-256;
                    ssl_session_cache off;
                    ssl_session_tickets off;
                    keepalive_requests 1000000;
                    \(locations)
                }
            }

            """
        let path = try workshop.write(configuration, to: "nginx-\(port)/nginx.conf")
        let words = (callgrind?.words ?? []) + ["nginx", "-p", folder, "-e", "/dev/null", "-c", path]
        let process = try Child(words, core: core)
        try awaitListener(port)
        return (process, port)
    }

    /// What stands behind a relay: nginx on the other core.
    final class Upstream {
        let port: Int
        private let process: Child

        init(in workshop: Workshop) throws {
            let big = try workshop.write("", to: "big")
            guard truncate(big, 1 << 30) == 0 else { throw Failure("cannot make a file of 1 GiB") }
            let locations = #"location /ok { return 200 "hello from PinDrill\n"; } location /big { alias "#
            (process, port) = try Server.startNginx(
                core: Server.otherCore,
                in: workshop,
                serving: locations + "\(big); }"
            )
        }

        deinit { process.stop() }
    }

    /// The others that cannot be measured here.
    static var missing: [String] {
        ["nginx", "sslsplit"].filter { !isInstalled($0) } + (mitmdump == nil ? ["mitmproxy"] : [])
    }

    static func isInstalled(_ program: String) -> Bool { find(program) != nil }

    /// On the PATH, or where `make bench-setup` puts it.
    private static var mitmdump: String? {
        find("mitmdump") ?? find("mitmdump", in: ["Benchmarks/.build/mitmproxy/bin"])
    }

    private static func find(_ program: String, in folders: [String]? = nil) -> String? {
        let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        return (folders ?? path + ["/usr/sbin"]).map { "\($0)/\(program)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
