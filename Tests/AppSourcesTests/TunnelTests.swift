import Testing

@testable import AppSources

/// What clients of tunnels are given, in files of any kind.
@Suite struct `Pins of tunnels` {
    private static let digest = "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="

    @Test(arguments: [
        ("sudo openconnect -u me --servercert PIN -b vpn.acme.example", "openconnect vpn PIN"),
        (
            "openconnect -s 'slice a.acme.example' --servercert=PIN --user=me https://vpn.acme.example/x",
            "openconnect vpn PIN"
        ),
        ("openconnect --server=vpn.acme.example --servercert PIN --servercert HEX", "openconnect vpn PIN+HEX"),
        ("openconnect --servercert PIN vpn.acme.example < <(pass show b.acme.example)", "openconnect - PIN"),
        ("openfortivpn vpn.acme.example:443 --trusted-cert BARE --username=me", "openfortivpn vpn BARE"),
        ("openfortivpn -c a.conf --trusted-cert=BARE", "openfortivpn - BARE"),
        ("alias vpn='sudo openconnect --servercert PIN vpn.acme.example'", "openconnect vpn PIN"),
        (
            "C=\"openconnect --servercert PIN\"\nC=\"$C -u \\\"$ME\\\" vpn.acme.example\"\neval \"$C\"",
            "openconnect vpn PIN"
        ),
        ("C='openconnect --servercert PIN vpn.acme.example'\nbash -c \"$C\"", "openconnect vpn PIN"),
        ("su me <<END\nopenconnect --servercert PIN vpn.acme.example\nEND", "openconnect vpn PIN"),
        ("echo \"args=--servercert PIN\" >> vpn.conf", "openconnect - PIN"),
        (
            "openconnect --servercert \"$KEY\" vpn.acme.example",
            "openconnect vpn ! '$KEY' is set elsewhere: give it with --define KEY=VALUE"
        ),
        (
            "openconnect --servercert pin-sha256:abcd vpn.acme.example",
            "openconnect vpn ! 'pin-sha256:abcd' is no digest"
        ),
        ("openconnect vpn.acme.example", ""), ("apt install openconnect curl", ""),
        ("curl --cacert PIN https://vpn.acme.example", ""),
    ])
    func `a tunnel's client is given keys of its server`(script: String, expected: String) {
        let bare = String(repeating: "0a", count: 32)
        let pin = "pin-sha256:\(Self.digest)"
        let text = script.replacing("PIN", with: pin).replacing("HEX", with: "sha256:\(bare)").replacing(
            "BARE",
            with: bare
        )

        let found = CommandLines.read(text, fileName: "vpn.sh").map { found in
            let host = found.host.map { $0.replacing(".acme.example", with: "") } ?? "-"
            let pins = found.pins.map { $0 == bare ? "HEX" : "PIN" }.joined(separator: "+")
            return "\(found.tool) \(host) " + (found.gap.map { "! \($0)" } ?? pins)
        }

        #expect(found.joined(separator: ", ") == expected.replacing("BARE", with: "HEX"))
    }

    @Test(arguments: [
        (".zshrc", "alias vpn=\"openconnect --servercert PIN vpn.acme.example\""),
        ("home.nix", "vpn = ''\n  openconnect --servercert PIN vpn.acme.example\n'';"),
        (
            "Jenkinsfile",
            "sh '''\n  echo \"$P\" | openconnect \\\n    --servercert='PIN' \\\n    vpn.acme.example > log\n'''"
        ),
        ("vpn.py", "KEY = \"PIN\"\nHOST=\"vpn.acme.example\"\nargs = [\"openconnect\", HOST, \"--servercert\", KEY]"),
        ("compose.yml", "command: [\"openconnect\", \"--servercert\", \"PIN\", \"vpn.acme.example\"]"),
        (
            "list.py",
            "cmd = [\n    \"sudo\", \"/opt/bin/openconnect\",\n    \"--servercert\", \"PIN\",\n    \"vpn.acme.example\"\n]\nrun(cmd)\n"
        ),
        ("main.c", "int main(void) {\n    return system(\"openconnect --servercert PIN vpn.acme.example\");\n}\n"),
        ("main.js", "const vpn = spawn('openconnect', ['-b', '--servercert', 'PIN', 'vpn.acme.example'])\n"),
        // What is given a name is no part of the command.
        (
            "late.js",
            "let openconnect\nopenconnect = spawn('openconnect', ['--servercert', 'PIN', 'vpn.acme.example'])\n"
        ),
    ])
    func `a tunnel's client is found in files of any kind`(name: String, text: String) {
        let pin = "pin-sha256:\(Self.digest)"

        let found = CommandLines.read(text.replacing("PIN", with: pin), fileName: name)

        #expect(found.map(\.tool) == [.openconnect])
        #expect(found.map(\.host) == ["vpn.acme.example"])
        #expect(found.map(\.gap) == [nil])
        #expect(found.flatMap(\.pins) == ["sha256/\(Self.digest)"])
    }

    @Test func `a member of something in a program's list is no host, and a comment no command`() {
        let text = """
            // spawn("openconnect", ["--servercert", "pin-sha256:P1", "old.acme.example"])
            vpn = spawn("openconnect", [config.server, "-b"])
            vpn = spawn("openconnect", [config.server, "--servercert", "pin-sha256:P2"])
            """

        let found = CommandLines.read(text, fileName: "main.js")

        #expect(found.map(\.line) == [3])
        #expect(found.map(\.host) == [nil])
    }

    @Test(arguments: [
        (
            "vpn.py", "if __name__ == '__main__':\n    if sys.platform == 'linux':\n        RUN",
            ["sys.platform == 'linux'"]
        ),
        ("vpn.py", "if __name__ == '__main__':\n    RUN", []),
        ("vpn.py", "if debug:\n    log()\nRUN", []),
        ("vpn.js", "if (isWindows) {\n  log()\n} else if (isLinux) {\n  RUN\n}", ["not isWindows", "isLinux"]),
        ("compose.yml", "services:\n  if:\n    RUN", []),
    ])
    func `a program starts one under conditions`(name: String, text: String, conditions: [String]) {
        let run = "run([\"openconnect\", \"--servercert\", \"pin-sha256:\(Self.digest)\", \"vpn.acme.example\"])"

        let found = CommandLines.read(text.replacing("RUN", with: run), fileName: name)

        #expect(found.map(\.conditions) == [conditions])
    }

    @Test func `an option and its value in one word are no option`() {
        let pin = "pin-sha256:\(Self.digest)"
        let text = "spawn('openconnect', [config.server, '--servercert \(pin)', '-b'])\n"

        let found = CommandLines.read(text, fileName: "main.js")

        #expect(found.map(\.gap) == ["an option and its value are one word here, which openconnect does not take"])
        #expect(found.flatMap(\.pins) == ["sha256/\(Self.digest)"])
    }
}
