import Foundation
import PinDrillControl

/// An app for the examples: asks its server once, and knows pins or none. curl is its stack, for Linux's URLSession takes
/// no roots.
func ask(_ attempt: Attempt, pins: [String]) throws -> Attempt.Word {
    let roots = FileManager.default.temporaryDirectory.appendingPathComponent("roots-\(UUID().uuidString).pem")
    try attempt.trust.write(to: roots, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: roots) }
    let curl = Process()
    curl.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    curl.arguments = [
        "curl", "--silent", "--output", "/dev/null", "--proxy", attempt.proxy, "--cacert", roots.path, attempt.url,
    ]
    if !pins.isEmpty {
        curl.arguments? += ["--pinnedpubkey", pins.map { "sha256//\($0)" }.joined(separator: ";")]
    }
    try curl.run()
    curl.waitUntilExit()
    switch curl.terminationStatus {
    case 0: return .worked
    case 60: return .refused()
    case 90: return .refusedPin()
    case let status: return .failed("curl: exit \(status)")
    }
}
