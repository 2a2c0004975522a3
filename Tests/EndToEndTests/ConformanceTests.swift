import Foundation
import TestSupport
import Testing

/// `conformance.yaml`: the real clients, as they are declared.
@Suite struct ConformanceTests {
    @Test func `the real clients' file loads, and lint finds nothing in it`() async throws {
        let ending = try await Program.run(["lint", "conformance.yaml"], in: Places.package)

        #expect(ending.status == 0, "\(ending.output)")
    }

    @Test func `every host of the catalogue is known to clients that look names up`() throws {
        let folder = Places.package.appending(path: "catalogue")
        let packs = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let texts = try (packs + [Places.package.appending(path: "scenarios.yaml")])
            .map { try String(contentsOf: $0, encoding: .utf8) }
        let named = Set(texts.flatMap { $0.matches(of: /\bhost: ([A-Za-z0-9.-]+)/).map { String($0.1) } })
        let hosts = try String(contentsOf: Places.package.appending(path: "Conformance/hosts"), encoding: .utf8)
        let known = Set(
            hosts.split(whereSeparator: \.isNewline).compactMap { $0.split(separator: " ").last.map(String.init) }
        )

        #expect(named.contains("api.acme.example"))
        #expect(named.subtracting(known) == [])
    }
}
