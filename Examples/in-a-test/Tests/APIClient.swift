import Foundation
import MitmHarness

/// Stands for your own networking code: curl, with pins.
struct APIClient {
    struct Refused: Error {
        let isByPin: Bool
    }

    private let url: URL
    private let trust: String
    private let pins: [Pin]
    private let address: String

    init(url: URL, trust: String, pins: [Pin]) {
        self.url = url
        self.trust = trust
        self.pins = pins
        address = "127.0.0.1:\(url.port ?? 443)"
    }

    init(_ endpoint: Endpoint) throws {
        guard let url = URL(string: endpoint.url) else { throw CocoaError(.fileReadUnknown) }
        self.init(url: url, trust: endpoint.store.pem(), pins: endpoint.pins)
    }

    func ping() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).pem")
        try trust.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let curl = Process()
        curl.executableURL = URL(filePath: "/usr/bin/curl")
        curl.arguments = ["--disable", "--silent", "--cacert", file.path, "--noproxy", "*", url.absoluteString]
        // The host's name leads here.
        curl.arguments? += ["--connect-to", "::\(address)"]
        if !pins.isEmpty { curl.arguments? += ["--pinnedpubkey", pins.map(\.curl).joined(separator: ";")] }
        curl.standardOutput = FileHandle.nullDevice
        let ended = AsyncStream<Int32>.makeStream()
        curl.terminationHandler = { process in
            ended.continuation.yield(process.terminationStatus)
            ended.continuation.finish()
        }
        try curl.run()
        for await status in ended.stream where status != 0 {
            // curl(1): 60 is a certificate that cannot be trusted, 90 a pin that does not match.
            if [60, 90].contains(status) { throw Refused(isByPin: status == 90) }
            throw CocoaError(.fileReadUnknown)
        }
    }
}
