import Foundation
import TestSupport
import Testing

/// `clock: moves`, with a client in Python whose pins end on a day of its own.
@Suite(.enabled(if: Tool("python3") != nil, "python3 is not installed"))
struct MovedClockTests {
    static var isInstalled: Bool {
        (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib"))?.contains {
            FileManager.default.fileExists(atPath: "/usr/lib/\($0)/faketime/libfaketimeMT.so.1")
        } == true
    }

    @Test(
        .enabled(if: isInstalled, "faketime is not installed"),
        arguments: [
            ("enforces", ["pass", "pass", "pass", "pass"], ["served", "protected", "served", "protected"]),
            ("stops", ["pass", "pass", "pass", "fail"], ["served", "protected", "served", "intercepted"]),
            ("refuses", ["pass", "pass", "fail", "inconclusive"], ["served", "protected", "locked-out", "protected"]),
        ]
    )
    func `what a client does at the end of its pins is seen`(
        manner: String,
        verdicts: [String],
        consequences: [String]
    ) async throws {
        let steps = try await play(manner)

        #expect(steps.map(\.verdict) == verdicts)
        #expect(steps.map(\.consequence) == consequences)
    }

    @Test(.enabled(if: isInstalled, "faketime is not installed"), arguments: ["enforces", "stops"])
    func `a client that keeps its clock has proved nothing`(manner: String) async throws {
        let steps = try await play(manner, by: "env -u LD_PRELOAD ")

        #expect(steps.map(\.verdict) == ["pass", "pass", "skipped", "skipped"])
    }

    @Test(.enabled(if: isInstalled, "faketime is not installed"))
    func `a client that pins certificates cannot show that its clock moved`() async throws {
        let steps = try await play("certificates", pins: "[today], match: certificate")

        #expect(steps.map(\.verdict) == ["pass", "pass", "skipped", "skipped"])
    }

    /// The verdicts and consequences of today, forged, and both again in 400 days.
    private func play(
        _ manner: String,
        by prefix: String = "",
        pins: String = "[leaf-1]"
    ) async throws -> [WrittenReport.Step] {
        try await withTemporaryFolder { folder in
            try Self.client.write(to: folder.appending(path: "client.py"), atomically: false, encoding: .utf8)
            let end = Int(Date().timeIntervalSince1970) + 100 * 86_400
            let file = """
                version: 1
                host: api.acme.example
                keys: { leaf-1: {}, evil: { by: attacker } }
                authorities: { root: {}, mallory: { by: attacker } }
                stores: { phone: { system: [root, mallory] } }
                chains:
                  today: { key: leaf-1, issuer: root }
                  forged: { key: evil, issuer: mallory }
                policies: { pinned: { pins: \(pins), position: leaf } }
                clients:
                  app:
                    run: "\(prefix)python3 {here}/client.py \(end) \(manner) {host} {port} {trust} [{pins}] [{fingerprints}]"
                    refused: { exit: 60 }
                    refused-pin: { exit: 61 }
                scenarios:
                  - name: story
                    clock: moves
                    steps:
                      - { present: today }
                      - { present: forged }
                      - { at: 400d, present: today }
                      - { at: 400d, present: forged }
                """
            try file.write(to: folder.appending(path: "file.yaml"), atomically: false, encoding: .utf8)
            let report = folder.appending(path: "report.json")

            let ending = try await Program.run(["run", "file.yaml", "--report", "json=\(report.path)"], in: folder)

            let steps = try WrittenReport(at: report).trials.flatMap(\.steps)
            try #require(steps.count == 4, "\(ending.output)\(ending.errors)")
            return steps
        }
    }

    /// Pins of the leaf's key that are compared until a day; what then, says its second word.
    private static let client = """
        import base64, hashlib, socket, ssl, subprocess, sys, time
        end, manner, host, port, trust, pins = float(sys.argv[1]), *sys.argv[2:7]
        context = ssl.create_default_context(cafile=trust)
        try:
            with context.wrap_socket(socket.create_connection(("127.0.0.1", int(port))), server_hostname=host) as tls:
                leaf = ssl.DER_cert_to_PEM_cert(tls.getpeercert(True))
                if manner == "certificates":
                    if hashlib.sha256(tls.getpeercert(True)).hexdigest() not in pins:
                        sys.exit(61)
                elif time.time() > end and manner == "refuses":
                    sys.exit(60)
                elif time.time() < end or manner == "enforces":
                    pem = subprocess.run(["openssl", "x509", "-pubkey", "-noout"], input=leaf.encode(), capture_output=True).stdout
                    key = base64.b64decode(b"".join(pem.split(b"\\n")[1:-2]))
                    if base64.b64encode(hashlib.sha256(key).digest()).decode() not in pins:
                        sys.exit(61)
                tls.sendall(b"GET / HTTP/1.1\\r\\nHost: %s\\r\\n\\r\\n" % host.encode())
                sys.exit(0 if b"200" in tls.recv(4096) else 1)
        except ssl.SSLError:
            sys.exit(60)
        """
}
