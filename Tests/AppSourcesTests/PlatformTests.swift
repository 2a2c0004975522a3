import Testing

@testable import AppSources

/// react-native-ssl-public-key-pinning, for one system alone, and functions that call themselves.
@Suite struct `Pins that a script sets` {
    private static let table = """
        { 'api.acme.org': { publicKeyHashes: ['utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM='] } }
        """

    @Test(arguments: [
        ("if (Platform.OS === 'ios') initializeSslPinning(TABLE);", ["trustkit"]),
        ("if (Platform.OS === 'android') initializeSslPinning(TABLE);", ["okhttp"]),
        ("if (Platform.OS !== 'ios') { initializeSslPinning(TABLE); }", ["okhttp"]),
        ("function init() { if (Platform.OS !== 'ios') return; initializeSslPinning(TABLE); }", ["trustkit"]),
        ("const isIOS = 'ios' === Platform.OS; if (isIOS) initializeSslPinning(TABLE);", ["trustkit"]),
        ("const isIOS = Platform.OS === 'ios'; if (!isIOS) initializeSslPinning(TABLE);", ["okhttp"]),
        // A variable may be something else by then, and a parameter is.
        (
            "let isIOS = Platform.OS === 'ios'; isIOS = isIOS && isNew; if (isIOS) initializeSslPinning(TABLE);",
            ["okhttp", "trustkit"]
        ),
        (
            "function a() { const isOn = Platform.OS === 'ios'; } function b(isOn) { if (isOn) initializeSslPinning(TABLE); }",
            ["okhttp", "trustkit"]
        ),
        ("if (Platform.OS !== 'web') initializeSslPinning(TABLE);", ["okhttp", "trustkit"]),
        ("if (isPinned) initializeSslPinning(TABLE);", ["okhttp", "trustkit"]),
        ("initializeSslPinning(TABLE);", ["okhttp", "trustkit"]),
    ])
    func `are of the system that is asked for`(code: String, forms: [String]) {
        let text = code.replacing("TABLE", with: Self.table)

        #expect(Reading.found(text, .script).map(\.form.rawValue).sorted() == forms)
    }

    @Test(arguments: [
        ("ask(server, pins, left - 1)", 1),
        ("ask(server.replace('a.', 'b.'), pins, left - 1)", 2),
        // Another server's.
        ("ask('https://b.acme.example', pins, left - 1)", 2),
    ])
    func `are told once where their function tries again`(again: String, count: Int) {
        let text = """
            const ask = (server, pins, left) => {
              window.plugins.sslCertificateChecker.check(done, () => { if (left > 0) \(again); }, server, pins);
            };
            ask('https://a.acme.example', ['AF E5 7B A8 56 F8 B6 37 54 07 4A CC F6 81 F3 4E 5A 4D 98 D6'], 3);
            """
        let found = Reading.found(text, .script)

        #expect(found.count == count, "\(found)")
        #expect(
            found.contains { one in
                if case .described(["a.acme.example"], _, _, _) = one.content { true } else { false }
            },
            "\(found)"
        )
    }

    @Test(arguments: [
        ("v.ts", "exec(`sudo openconnect --servercert PIN vpn.acme.example`);", "vpn.acme.example"),
        ("v.ts", "exec(`openconnect --servercert PIN ${server}`);", ""),
        ("V.cs", "Process.Start(\"openconnect\", \"--servercert PIN vpn.acme.example\");", "vpn.acme.example"),
        // A shell runs what stands there.
        ("v.sh", "echo `openconnect --servercert PIN vpn.acme.example`", "vpn.acme.example"),
    ])
    func `are in commands that are one text`(name: String, text: String, host: String) {
        let pin = "pin-sha256:utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="
        let found = CommandLines.read(text.replacing("PIN", with: pin), fileName: name)

        #expect(found.map(\.value) == [pin])
        #expect(found.map { $0.host ?? "" } == [host])
        #expect(found.map(\.gap) == [nil])
    }
}
