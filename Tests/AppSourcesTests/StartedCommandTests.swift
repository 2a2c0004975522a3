import Testing

@testable import AppSources

/// curl as scripts of JavaScript and TypeScript start it.
@Suite struct `Commands that scripts start` {
    private static let pin = "sha256//utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="

    private func found(_ text: String) -> [FoundPins] {
        Reading.found("const PIN = '\(Self.pin)';\n" + text, .script, path: "a.js").filter { $0.form == .curl }
    }

    @Test(arguments: [
        "spawn('curl', ['-s', '--pinnedpubkey', PIN, '-d', body, 'https://api.acme.example/v1']);",
        "execFile('/usr/bin/curl', ['--pinnedpubkey', PIN, ...more, 'https://api.acme.example']);",
        "exec(`curl -s --pinnedpubkey \"${PIN}\" -d '${body}' https://api.acme.example`, done);",
        "const command = 'curl --pinnedpubkey ' + PIN + ' https://api.acme.example/' + path;\nexec(command);",
        "const words = ['--pinnedpubkey', PIN, 'https://api.acme.example'];\nspawn('curl', words);",
    ])
    func `have pins and a host`(text: String) throws {
        let only = try #require(found(text).first)
        guard case .library(let library) = only.content else {
            Issue.record("\(only.content)")
            return
        }

        #expect(found(text).count == 1)
        #expect(library.hosts == ["api.acme.example"])
        #expect(library.pins == [Self.pin])
        guard case .policy("curl", let declaration, _) = only.reading(assets: [:]) else {
            Issue.record("no declaration")
            return
        }
        #expect(declaration.contains("curl: {tool: curl, insecure: false, pinnedpubkey: '\(Self.pin)'}"))
    }

    @Test(arguments: [
        "spawn('curl', ['-s', 'https://api.acme.example']);", "const text = `curl --pinnedpubkey ${PIN}`;",
        "spawn('openconnect', ['--servercert', 'pin-sha256:x', 'vpn.acme.example']);",
        "log('--pinnedpubkey', PIN);",
    ])
    func `are others where curl is given no pins`(text: String) {
        #expect(found(text).isEmpty)
    }

    @Test func `have the condition under which they are started`() {
        let text = "if (isLive) exec(`curl --pinnedpubkey ${PIN} https://api.acme.example`);"

        #expect(found(text).map(\.conditions) == [["isLive"]])
    }

    @Test func `look at no certificate where the address has no TLS`() {
        let text = "spawn('curl', ['--pinnedpubkey', PIN, 'http://api.acme.example']);"

        guard case .described(let hosts, let pins, let what, _)? = found(text).first?.content else {
            Issue.record("not described")
            return
        }
        #expect(hosts == ["api.acme.example"] && pins == [Self.pin])
        #expect(FoundPins.acceptsAll(what), "\(what)")
    }

    @Test func `may be given a pin that only the running script tells`() {
        let text = "function ask(pin) { spawn('curl', ['--pinnedpubkey', pin, 'https://api.acme.example']); }\nask(x);"

        #expect(
            found(text).map(\.content) == [
                .gaps(
                    [.init(line: 2, reason: "the pinned key is known only when the script runs")],
                    hosts: ["api.acme.example"]
                )
            ]
        )
    }
}
