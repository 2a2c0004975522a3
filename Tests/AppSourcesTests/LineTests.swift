import Testing

@testable import AppSources

/// Pins in the lines of scripts and of servers' configurations.
@Suite struct `Lines with pins` {
    private static let pin = "sha256//utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="

    @Test func `a command's pins go with the host of its URL, and its variables are looked up`() {
        let text = """
            PIN="\(Self.pin)"
            # curl --pinnedpubkey "sha256//comment=" https://no.acme.example
            curl -sk --pinnedpubkey "$PIN" \\
              https://api.acme.example/health
            curl --pinnedpubkey "$OTHER" https://b.acme.example/
            """

        let found = CommandLines.read(text, fileName: "deploy.sh")
        let defined = CommandLines.read(text, fileName: "deploy.sh", definitions: ["OTHER": Self.pin])

        #expect(found.map(\.line) == [3, 5])
        #expect(found.map(\.host) == ["api.acme.example", "b.acme.example"])
        #expect(found[0].value == Self.pin)
        #expect(found[0].isInsecure)
        #expect(found[1].gap == "'$OTHER' is set elsewhere: give it with --define OTHER=VALUE")
        #expect(defined[1].gap == nil)
        #expect(defined[1].value == Self.pin)
    }

    @Test(arguments: [("https://$1/x.git", nil), ("https://a.acme.example/$1.git", "a.acme.example")])
    func `a variable is no host of git's`(address: String, host: String?) {
        let found = CommandLines.read("git -c http.pinnedPubkey=\(Self.pin) clone \(address)", fileName: "get.sh")

        #expect(found.map(\.host) == [host])
    }

    @Test func `what a comment of a resource holds is no value`() {
        let text = """
            <resources>
              <string-array name="pins"><item>a</item><!-- <item>b</item> --><item>c</item></string-array>
              <!-- <string name="host">old.acme.example</string> -->
              <string name="host">api.acme.example</string>
            </resources>
            """

        let found = AndroidResources.strings(in: text)

        #expect(found.map(\.name) == ["string/host", "array/pins"])
        #expect(found.map(\.value) == ["api.acme.example", "a\nc"])
    }

    @Test func `git's pins go with the host of their section`() {
        let text = "[http \"https://git.acme.example/\"]\n    pinnedPubkey = \(Self.pin)\n"

        let found = CommandLines.read(text, fileName: ".gitconfig")

        #expect(found == [.init(tool: .git, line: 2, value: Self.pin, isInsecure: false, host: "git.acme.example")])
    }

    @Test func `a header goes with the one name of its server`() {
        let text = """
            server {
              server_name www.acme.example;
              add_header Public-Key-Pins 'pin-sha256="a";
                pin-sha256="b"; max-age=5' always;
            }
            server { server_name a.acme.example b.acme.example; add_header Public-Key-Pins "pin-sha256=\\"c\\"; max-age=1"; }
            """

        let found = ServerHeaders.read(text)

        #expect(found.map(\.line) == [3, 6])
        #expect(found.map(\.host) == ["www.acme.example", nil])
        #expect(found.last?.value == "pin-sha256=\"c\"; max-age=1")
    }

    @Test func `several variables make a pin, and another the host`() {
        let text = """
            readonly A="\(Self.pin.dropFirst(8))"
            B="\(Self.pin.dropFirst(8))"
            BASE="https://updates.acme.example"
            curl --pinnedpubkey "sha256//${A};sha256//$B" "$BASE/$1"
            curl --pinnedpubkey "sha256//${A};sha256//$UNKNOWN" "$BASE/$1"
            """

        let found = CommandLines.read(text, fileName: "deploy.sh")

        #expect(found.map(\.host) == ["updates.acme.example", "updates.acme.example"])
        #expect(found.first?.value == "\(Self.pin);\(Self.pin)")
        #expect(found.map(\.gap) == [nil, "'$UNKNOWN' is set elsewhere: give it with --define UNKNOWN=VALUE"])
    }

    @Test func `a variable by the option's name is no option`() {
        let text = "PINNEDPUBKEY=\"-k --pinnedpubkey \(Self.pin)\"\ncurl $PINNEDPUBKEY -s https://a.acme.example\n"

        let found = CommandLines.read(text, fileName: "deploy.sh")

        #expect(found.map(\.line) == [2])
        #expect(found.map(\.value) == [Self.pin])
        #expect(found.map(\.host) == ["a.acme.example"])
    }

    @Test func `variables of nginx and Apache are followed, but those that a condition decides`() {
        let text = """
            server {
              server_name www.acme.example;
              set $PINS 'pin-sha256="a"; ';
              set $PINS "${PINS}max-age=5"; # both
              set $LOOSE 'pin-sha256="b"; max-age=6';
              if ($host = x) { set $LOOSE 'pin-sha256="c"; max-age=7'; }
              add_header Public-Key-Pins $PINS;
              add_header Public-Key-Pins $LOOSE;
            }
            Define HPKP "pin-sha256=\\"d\\"; max-age=8"
            <VirtualHost *:443>
              ServerName other.acme.example
              Header always set Public-Key-Pins "${HPKP}"
            </VirtualHost>
            """

        let found = ServerHeaders.read(text)

        #expect(found.map(\.value) == ["pin-sha256=\"a\"; max-age=5", "", "pin-sha256=\"d\"; max-age=8"])
        #expect(found.map(\.gap) == [nil, "the value of the header is not understood", nil])
        #expect(found.map(\.host) == ["www.acme.example", "www.acme.example", "other.acme.example"])
    }

    @Test func `a header whose value is a variable of somebody else's is named, and lighttpd's arrow is understood`() {
        let text = """
            server {
              server_name www.acme.example;
              set $OTHER 'pin-sha256="a"; max-age=5';
              add_header Public-Key-Pins $PINS;
            }
            setenv.add-response-header = ("Public-Key-Pins" =>
              "pin-sha256=\\"c\\"; max-age=1")
            """

        let found = ServerHeaders.read(text)

        #expect(found.map(\.line) == [4, 6])
        #expect(found.map(\.gap) == ["the value of the header is not understood", nil])
        #expect(found.map(\.host) == ["www.acme.example", nil])
        #expect(found.last?.value == "pin-sha256=\"c\"; max-age=1")
    }

    @Test func `a header has the conditions around it, and lighttpd's host is its host`() {
        let value = "\"pin-sha256=\\\"a\\\"; max-age=1\""
        let text = """
            $HTTP["host"] == "www.acme.example" {
              $HTTP["scheme"] == "https" {
                setenv.add-response-header = ("Public-Key-Pins" => \(value))
              }
            }
            $HTTP["host"] =~ "acme" { setenv.add-response-header = ("Public-Key-Pins" => \(value)) }
            """
        let tags = """
            <VirtualHost *:443>
              ServerName api.acme.example
              <If "one">
              </If>
              <IfModule mod_headers.c>
                <If "two">
                  Header set Public-Key-Pins \(value) env=HTTPS
                </If>
                Header set Public-Key-Pins \(value)
              </IfModule>
            </VirtualHost>
            """

        let found = ServerHeaders.read(text) + ServerHeaders.read(tags)

        #expect(
            found.map(\.conditions) == [
                ["$HTTP[\"scheme\"] == \"https\""], ["$HTTP[\"host\"] =~ \"acme\""], ["<If \"two\">", "env=HTTPS"], [],
            ]
        )
        #expect(found.map(\.host) == ["www.acme.example", nil, "api.acme.example", "api.acme.example"])
    }

    @Test func `a header counts for the requests of its section, and of several servers on one line for its own`() {
        let text = """
            server { server_name a.acme.example; add_header Public-Key-Pins 'pin-sha256="a"; max-age=5'; }
            server { server_name b.acme.example; add_header Public-Key-Pins 'pin-sha256="b"; max-age=5'; }
            server {
              server_name c.acme.example;
              location / { add_header Public-Key-Pins 'pin-sha256="c"; max-age=5'; }
              location /x { add_header Public-Key-Pins 'pin-sha256="d"; max-age=5'; }
            }
            <VirtualHost *:443>
              ServerName d.acme.example
              <Location /x>
                Header set Public-Key-Pins "pin-sha256=\\"e\\"; max-age=5"
              </Location>
            </VirtualHost>
            """

        let found = ServerHeaders.read(text)

        #expect(found.map(\.host).map { $0?.prefix(1) } == ["a", "b", "c", "c", "d"])
        #expect(found.map(\.conditions) == [[], [], [], ["location /x"], ["<Location /x>"]])
    }

    @Test func `one text may hold the header's name and value, and HAProxy and Caddy have ways of their own`() {
        let text = """
            more_set_headers 'Public-Key-Pins: pin-sha256="a"; max-age=5';
            http-response set-header Public-Key-Pins "pin-sha256=\\"b\\"; max-age=5" if { hdr(host) -i b.acme.example }
            https://c.acme.example {
              header Public-Key-Pins `pin-sha256="c"; max-age=5`
            }
            """

        let found = ServerHeaders.read(text)

        #expect(found.map(\.value) == ["a", "b", "c"].map { "pin-sha256=\"\($0)\"; max-age=5" })
        #expect(found.map(\.conditions) == [[], ["{ hdr(host) -i b.acme.example }"], []])
        #expect(found.map(\.host) == [nil, nil, "c.acme.example"])
    }

    @Test(arguments: ["Header unset Public-Key-Pins", "Header always unset Public-Key-Pins"])
    func `a header that its own section takes away again is named`(line: String) {
        let text = """
            <VirtualHost *:443>
              ServerName a.acme.example
              Header set Public-Key-Pins "pin-sha256=\\"a\\"; max-age=5"
              \(line)
            </VirtualHost>
            """

        let found = ServerHeaders.read(text)

        // Apache keeps two tables of headers.
        let isSame = !line.contains("always")
        #expect(found.map(\.gap) == [isSame ? "line 4 takes the header away again" : nil])
        #expect(found.map(\.pins) == [["a"]])
    }

    @Test(arguments: [
        (".env", "API_HOST=a.acme.example\nAPI_PIN=sha256/KEY\n"),
        ("app/pins.properties", "# sha256/AAAA\napi.host = a.acme.example\napi.pin = KEY\n"),
        ("Release.xcconfig", "API_HOST = a.acme.example\nPINNED_KEY = KEY\n"),
        ("config.yaml", "pins:\n  a.acme.example:\n    - sha256/KEY\nother: b.acme.example\n"),
        ("config.toml", "[pins]\n\"a.acme.example\" = [\"sha256/KEY\"]\nurl = \"https://b.acme.example\"\n"),
        (
            "res/values/strings.xml",
            "<string name=\"host\">a.acme.example</string>\n<string name=\"pin\">sha256/KEY</string>\n"
        ),
        (
            "Info.plist",
            "<key>PinnedHost</key>\n<string>a.acme.example</string>\n<key>PinnedKey</key>\n<string>KEY</string>\n"
        ),
        (
            "vpn.sh",
            "URL=https://b.acme.example\nopenconnect --servercert pin-sha256:KEY -b a.acme.example\n"
        ),
        ("main.py", "HOST = 'a.acme.example'\nPINS = ['KEY']\n"),
        ("main.go", "var pins = map[string]string{\"a.acme.example\": \"sha256//KEY\"}\n"),
    ])
    func `settings of an app's own are listed with their hosts`(name: String, text: String) throws {
        let text = text.replacing("KEY", with: Self.pin.dropFirst(8))

        let found = try #require(TextPins.read(text, path: name) { _ in false })

        #expect(TextPins.mayHold(name))
        #expect(found.pins.map { String($0.suffix(44)) } == [String(Self.pin.dropFirst(8))])
        #expect(found.known.map(\.host) == ["a.acme.example"])
        let rest = TextPins.read(text, path: name) { _ in true }
        #expect(rest == nil)
    }

    @Test func `digests of anything else are no pins`() {
        let (name, digest) = ("a.conf", Self.pin.dropFirst(8))
        let text = "checksum = \(digest)\nmapping: \(digest)\n# pin = sha256/\(digest)\n"

        let found = TextPins.read(text, path: name) { _ in false }
        #expect(found == nil)
    }

    @Test(arguments: [
        ("acme www.acme.example acme.example", ["www.acme.example", "acme.example"]),
        ("www.acme.example", ["www.acme.example"]), ("www.acme.example ~^(.*)$", [nil]), ("_", [nil]),
    ])
    func `a server's header is that of each of its names`(names: String, expected: [String?]) {
        let text = """
            server {
              listen 443 ssl;
              server_name \(names);
              add_header Public-Key-Pins 'pin-sha256="utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="; max-age=5';
            }
            """

        #expect(ServerHeaders.read(text).map(\.host) == expected)
    }
}
