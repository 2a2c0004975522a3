import Testing

@testable import AppSources

/// Fingerprints that libraries of Python and PHP compare themselves.
@Suite struct `Options for fingerprints` {
    private static let digits = "BAEB26E4D22E5E35DCDF6D49C14070E01D4336924992 09EE264F3CAACD114D53".filter { $0 != " " }

    private func read(_ text: String, _ path: String = "client.py") -> [FingerprintOptions.Found] {
        FingerprintOptions.read(text.replacing("PIN", with: Self.digits), path: path)
    }

    @Test(arguments: [
        "PoolManager(assert_fingerprint='PIN')", "kwargs[\"assert_fingerprint\"] = \"PIN\"",
        "{'assert_fingerprint': 'PIN'}", "Elasticsearch(hosts, ssl_assert_fingerprint='PIN')",
        "OWN = 'PIN'\nPoolManager(assert_fingerprint=OWN)",
    ])
    func `are read in Python`(text: String) {
        let found = read("session.mount('https://api.acme.example', Adapter())\n\n\n\n\n\n\(text)\n")

        #expect(found.map(\.pins) == [[Self.digits]])
        #expect(found.map(\.hosts) == [["api.acme.example"]])
    }

    @Test(arguments: [
        "PoolManager(assert_fingerprint=self.fingerprint)", "if assert_fingerprint == 'PIN': pass",
        "# assert_fingerprint='PIN'", "PoolManager(assert_hostname='PIN')",
    ])
    func `say nothing without a value`(text: String) {
        #expect(read(text).isEmpty)
    }

    @Test(arguments: [
        "'peer_fingerprint' => 'PIN',", "'peer_fingerprint' => ['sha256' => 'PIN'],",
        "'peer_fingerprint' => [\n  'sha256' => 'PIN',\n],", "$own = 'PIN';\n'peer_fingerprint' => $own,",
    ])
    func `are read in PHP`(text: String) {
        #expect(read(text, "client.php").map(\.pins) == [[Self.digits]])
        #expect(read(text, "client.py").isEmpty)
    }

    @Test func `are of any certificate of the chain in the client of Elasticsearch`() {
        #expect(
            read("Elasticsearch(ssl_assert_fingerprint='PIN')").map(\.what).allSatisfy {
                $0.contains("any certificate")
            }
        )
        #expect(
            read("PoolManager(assert_fingerprint='PIN')").map(\.what).allSatisfy { $0.contains("server's certificate") }
        )
    }

    @Test func `have all hosts beside them`() {
        let text =
            "es = Elasticsearch(['https://a.acme.example:9200', 'https://192.0.2.7:9200'],\n"
            + "  ssl_assert_fingerprint='PIN')\nother = 'https://www.acme.example'\n"
        let beside = text.replacing("\nother", with: "\n\n\n\n\n\nother")

        #expect(read(beside).map(\.hosts) == [["a.acme.example", "192.0.2.7"]])
    }
}
