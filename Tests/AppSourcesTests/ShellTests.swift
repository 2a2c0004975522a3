import Testing

@testable import AppSources

/// What a script gives curl, wget and git, and when.
@Suite struct `Pins in scripts` {
    private static let one = "sha256//utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="
    private static let two = "sha256//vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="

    /// Each as `if CONDITION: HOST PINS`, or `HOST ! REASON`.
    private func read(_ text: String, _ name: String = "run.sh") -> [String] {
        let text = text.replacing("P1", with: Self.one).replacing("P2", with: Self.two)
        return CommandLines.read(text, fileName: name).map { found in
            let condition = found.conditions.isEmpty ? "" : "if \(found.conditions.joined(separator: " and ")): "
            let value = found.value.replacing(Self.one, with: "P1").replacing(Self.two, with: "P2")
            return condition + "\(found.host ?? "-") " + (found.gap.map { "! \($0)" } ?? value)
        }
    }

    @Test(arguments: [
        ("curl --pinnedpubkey P1 https://a.acme.example --next --pinnedpubkey P2 https://b.acme.example", "a P1, b P2"),
        ("curl --proxy https://proxy.acme.example --pinnedpubkey P1 https://a.acme.example", "a P1"),
        (
            "curl -e https://r.acme.example -H 'Origin: https://o.acme.example' --pinnedpubkey P1 a.acme.example/x",
            "a P1"
        ),
        ("curl -sSd 'u=https://z.acme.example' --pinnedpubkey P1 -o f.json --url https://a.acme.example", "a P1"),
        ("curl --resolve x.acme.example:443:1.2.3.4 --pinnedpubkey 'P1;P2' https://a.acme.example", "a P1;P2"),
        ("body=$(curl --pinnedpubkey P1 https://a.acme.example)", "a P1"),
        ("ssh host \"curl --pinnedpubkey \\\"P1\\\" https://a.acme.example\"", "a P1"),
        ("wget -O f --pinnedpubkey=P1 https://a.acme.example/f", "a P1"),
        ("git config --global http.https://a.acme.example/.pinnedPubkey \"P1\"", "a P1"),
    ])
    func `the host is that of the request, and no other address`(command: String, expected: String) {
        let found = read(command).map { $0.replacing(".acme.example", with: "") }

        #expect(found.joined(separator: ", ") == expected)
    }

    @Test(
        arguments: [
            ("curl --pinnedpubkey P1 http://a.acme.example", "http,"),
            ("curl --pinnedpubkey P1 a.acme.example/x", "http,"),
            ("curl -L --pinnedpubkey P1 HTTP://a.acme.example", "http,"),
            ("wget --pinnedpubkey=P1 http://a.acme.example", "http,"),
            ("curl --pinnedpubkey P1 ftp://$HOST/x", "ftp without '--ssl-reqd',"),
            ("curl --ftp-ssl --pinnedpubkey P1 ftp://a.acme.example", "ftp and '--ftp-ssl', which only tries TLS:"),
            ("curl --ssl --pinnedpubkey P1 imap://a.acme.example", "imap and '--ssl', which only tries TLS:"),
            ("git -c http.pinnedPubkey=P1 clone http://a.acme.example/x", "http,"),
            ("git -c http.pinnedPubkey=P1 clone git@a.acme.example:x", "ssh,"),
            ("git -c http.pinnedPubkey=P1 clone ssh://git@a.acme.example/x", "ssh,"),
            ("git -c http.pinnedPubkey=P1 clone git://a.acme.example/x", "git,"),
            ("curl --proto =http,https --pinnedpubkey P1 http://a.acme.example", "http,"),
            // Their twins, which have TLS or may have it.
            ("git -c http.pinnedPubkey=P1 -c http.proxy=http://p.acme.example clone https://a.acme.example/x", nil),
            ("git -c http.pinnedPubkey=P1 -c user.email=a@acme.example clone $URL", nil),
            ("git -c http.pinnedPubkey=P1 clone https://me:word@a.acme.example/x", nil),
            ("curl --pinnedpubkey P1 https://a.acme.example", nil),
            ("curl --ssl --pinnedpubkey P1 https://a.acme.example", nil),
            ("curl --ssl-reqd --pinnedpubkey P1 ftp://a.acme.example", nil),
            ("curl --pinnedpubkey P1 ftps://a.acme.example", nil),
            ("curl --proto-default https --pinnedpubkey P1 a.acme.example", nil),
            ("curl --pinnedpubkey P1 \"$URL\"", nil),
            ("curl --proto =https --pinnedpubkey P1 http://a.acme.example", nil),
            ("curl --pinnedpubkey P1 $URL a.acme.example", nil),
        ] as [(String, String?)]
    )
    func `nothing is asked for pins where an address has no TLS`(command: String, expected: String?) {
        let found = CommandLines.read(command.replacing("P1", with: Self.one), fileName: "run.sh", definitions: [:])

        #expect(found.count == 1)
        let plain = found.first?.plain
        #expect(
            plain.map { text in text.hasPrefix("used with \(expected ?? "nothing") ") } == expected.map { _ in true },
            "\(plain ?? "")"
        )
    }

    @Test func `one of several addresses may have no TLS`() {
        let command = "curl --pinnedpubkey \(Self.one) https://a.acme.example http://b.acme.example"
        let found = CommandLines.read(command, fileName: "run.sh", definitions: [:])

        #expect(found.map(\.host) == ["a.acme.example", "b.acme.example"])
        #expect(found.map { $0.plain != nil } == [false, true])
    }

    @Test func `branches, cases and tests are conditions`() {
        let text = """
            if [ "$ENV" = prod ]; then PIN="P1"; else PIN="P2"; fi
            curl --pinnedpubkey "$PIN" https://a.acme.example
            case "$1" in
              live|prod) curl --pinnedpubkey P1 https://b.acme.example ;;
              *) curl --pinnedpubkey P2 https://c.acme.example ;;
            esac
            [ -n "$CI" ] && curl --pinnedpubkey P1 https://d.acme.example
            if [ "$1" != "--pin" ]; then exit; fi
            curl --pinnedpubkey P1 https://e.acme.example
            """

        #expect(
            read(text) == [
                "if \"$ENV\" = prod: a.acme.example P1", "if not \"$ENV\" = prod: a.acme.example P2",
                "if \"$1\": live or prod: b.acme.example P1", "if not \"$1\": live or prod: c.acme.example P2",
                "if -n \"$CI\": d.acme.example P1", "if \"$1\" = \"--pin\": e.acme.example P1",
            ]
        )
    }

    @Test func `a test that ends the script with an error is no condition`() {
        let text = "[ -z \"$1\" ] && exit 1\ncurl --pinnedpubkey P1 https://a.acme.example\n"

        #expect(read(text) == ["a.acme.example P1"])
    }

    @Test func `functions, loops and arrays are followed`() {
        let text = """
            get() { local host="$1"; curl --pinnedpubkey "$2" "https://$host/"; }
            pinned() { curl -s "$@"; }
            PINS=(P1 P2)
            IFS=";"
            get a.acme.example P1
            get b.acme.example P2
            for name in c d; do curl --pinnedpubkey "${PINS[*]}" "https://$name.acme.example"; done
            OPTS=(--pinnedpubkey P1)
            curl "${OPTS[@]}" https://e.acme.example
            pinned --pinnedpubkey P2 https://f.acme.example
            KEY=P1
            KEY+=";P2"
            curl --pinnedpubkey "$KEY" https://g.acme.example
            """

        let found = Set(read(text).map { $0.replacing(".acme.example", with: "") })

        #expect(found == ["a P1", "b P2", "c P1;P2", "d P1;P2", "e P1", "f P2", "g P1;P2"])
    }

    @Test(arguments: [
        ("cd /srv || exit 1\ncurl --pinnedpubkey P1 https://a.acme.example", "a P1"),
        ("[ -n \"$T\" ] || { echo no; exit 1; }\ncurl --pinnedpubkey P1 https://a.acme.example", "a P1"),
        ("(cd /tmp; exit 1)\ncurl --pinnedpubkey P1 https://a.acme.example", "a P1"),
        ("x=$(date) || exit 1\ncurl --pinnedpubkey P1 https://a.acme.example || exit 1", "a P1"),
        (
            "[ \"$1\" = live ] && PIN=P1 || PIN=P2\ncurl --pinnedpubkey $PIN https://a.acme.example",
            "if \"$1\" = live: a P1, if not \"$1\" = live: a P2"
        ),
        (
            "PIN=P1\n[ \"$CI\" = true ] || { PIN=P2; }\ncurl --pinnedpubkey $PIN https://a.acme.example",
            "if \"$CI\" = true: a P1, if not \"$CI\" = true: a P2"
        ),
        ("[ -f off ] && exit 0\ncurl --pinnedpubkey P1 https://a.acme.example", "if not -f off: a P1"),
    ])
    func `what a command guards is run, and what a test guards has its condition`(script: String, expected: String) {
        let found = read("#!/bin/sh\n" + script).map { $0.replacing(".acme.example", with: "") }

        #expect(Set(found) == Set(expected.split(separator: ", ").map(String.init)))
    }

    @Test(arguments: [
        (
            "curl --pinnedpubkey \"${PIN:-P1}\" https://a.acme.example",
            "if $PIN is set: a ! '${PIN}' is set elsewhere: give it with --define PIN=VALUE, if not $PIN is set: a P1"
        ),
        ("PIN=\ncurl --pinnedpubkey \"${PIN:-P1}\" https://a.acme.example", "a P1"),
        ("curl -o \"${OUT:-f}\" --pinnedpubkey P1 https://a.acme.example", "a P1"),
        (
            "curl --pinnedpubkey P1 \"https://${HOST:-a.acme.example}/\"",
            "if $HOST is set: - P1, if not $HOST is set: a P1"
        ),
        ("KEY=P1\ncurl ${KEY:+--pinnedpubkey \"$KEY\"} https://a.acme.example", "a P1"),
        ("KEY=\ncurl ${KEY:+--pinnedpubkey \"$KEY\"} https://a.acme.example", ""),
        ("curl ${CI:+--pinnedpubkey P1} https://a.acme.example", "if $CI is set: a P1"),
        (
            "case $1 in (live) curl --pinnedpubkey P1 https://a.acme.example;; esac",
            "if $1: live: a P1"
        ),
        ("case $1 in $X) curl --pinnedpubkey P1 https://a.acme.example;; esac", "if $1: $X: a P1"),
    ])
    func `whether a variable is set is a condition where it decides pins or hosts`(script: String, expected: String) {
        let found = read("#!/bin/sh\n" + script).map { $0.replacing(".acme.example", with: "") }

        #expect(found.joined(separator: ", ") == expected)
    }

    @Test func `the arguments of a call decide the function's tests`() {
        let text = """
            get() {
              case "$1" in
                live) PIN=P1 ;;
                stage|beta) PIN=P2 ;;
              esac
              curl --pinnedpubkey "$PIN" https://$1.acme.example
            }
            ask() {
              local env="$1"
              if [ "$env" = live ]; then
                curl --pinnedpubkey P1 https://a.acme.example
              else
                curl --pinnedpubkey P2 https://b.acme.example
              fi
              [ -n "$2" ] && curl --pinnedpubkey P2 https://c.acme.example
            }
            get live
            get beta
            ask live
            """

        #expect(
            read(text) == [
                "live.acme.example P1", "beta.acme.example P2", "a.acme.example P1",
                "if not \"$env\" = live: b.acme.example ! no call of ask() in this file comes to it",
                "if -n \"$2\": c.acme.example ! no call of ask() in this file comes to it",
            ]
        )
    }

    @Test func `a recipe's lines are shells of their own, and have conditions`() {
        let text = """
            a:
            \t@if [ "$(ENV)" = live ]; then \\
            \t  curl --pinnedpubkey P1 https://a.acme.example; \\
            \telse \\
            \t  curl --pinnedpubkey P2 https://b.acme.example; \\
            \tfi
            b:
            \ttest -f x || exit 1
            \texit 0
            c:
            \tcurl --pinnedpubkey P1 https://c.acme.example
            """

        #expect(
            read(text, "Makefile") == [
                "if \"$(ENV)\" = live: a.acme.example P1", "if not \"$(ENV)\" = live: b.acme.example P2",
                "c.acme.example P1",
            ]
        )
    }

    @Test func `what is shown or never run is named, and is no configuration`() {
        let text = """
            cat <<EOF
            Try: curl --pinnedpubkey P1 https://a.acme.example
            EOF
            echo "curl --pinnedpubkey P1 https://b.acme.example" >&2
            cat > curlrc <<EOF
            pinnedpubkey = "P1"
            EOF
            if false; then curl --pinnedpubkey P1 https://c.acme.example; fi
            exit 0
            curl --pinnedpubkey P2 https://d.acme.example
            """

        #expect(
            read(text) == [
                "a.acme.example ! it stands in a text that is shown, and that no command runs",
                "b.acme.example ! it stands in a text that is shown, and that no command runs", "- P1",
                "if false: c.acme.example ! it stands behind a test that never holds",
                "d.acme.example ! it stands behind the 'exit' of line 9, and is never run",
            ]
        )
    }

    @Test func `what only a run or a call tells has its reason, and a pin that nothing is given is named`() {
        let text = """
            get() { curl --pinnedpubkey "$1" https://a.acme.example; }
            curl --pinnedpubkey "$1" https://b.acme.example
            curl --pinnedpubkey "sha256//$(cat pin)" https://c.acme.example
            UNUSED=P2
            """

        #expect(
            read(text) == [
                "a.acme.example ! '$1' is an argument of get(), and no call here tells it",
                "b.acme.example ! '$1' is an argument of the script",
                "c.acme.example ! '$(…)' is known only when the script runs",
                "- ! a pin stands here, and no command that is known uses it",
            ]
        )
    }

    @Test(arguments: [
        ("Makefile", "PIN = P1\nHOST := a.acme.example\nget:\n\tcurl --pinnedpubkey \"$(PIN)\" https://$(HOST)/x\n"),
        ("Dockerfile", "ARG PIN=P1\nENV HOST=a.acme.example\nRUN curl --pinnedpubkey \"$PIN\" https://$HOST/x\n"),
        ("Dockerfile", "RUN [\"curl\", \"--pinnedpubkey\", \"P1\", \"https://a.acme.example/\"]\n"),
        ("ci.yml", "env:\n  PIN: P1\nsteps:\n  - run: curl --pinnedpubkey \"${{ env.PIN }}\" https://a.acme.example\n"),
        ("ci.yml", "steps:\n  - run: |\n      curl \\\n        --pinnedpubkey P1 \\\n        https://a.acme.example\n"),
        ("package.json", "{ \"get\": \"curl --pinnedpubkey \\\"P1\\\" https://a.acme.example\" }\n"),
        ("get.ps1", "$pin = \"P1\"\ncurl.exe --pinnedpubkey $pin https://a.acme.example/\n"),
        ("get.bat", "set PIN=P1\r\ncurl --pinnedpubkey %PIN% https://a.acme.example/\r\n"),
    ])
    func `other files with commands are read as well`(name: String, text: String) {
        #expect(read(text, name) == ["a.acme.example P1"])
    }

    @Test func `a text that names itself twice is given up`() {
        let growing = String(repeating: "PIN=\"$PIN$PIN\"\n", count: 40)

        let found = read("PIN=P1\n\(growing)curl --pinnedpubkey \"$PIN\" https://a.acme.example\n")

        #expect(found.contains("a.acme.example ! '$PIN' needs more steps than are taken"))
    }

    @Test(arguments: [
        (
            ": \"${PIN:=P1}\"\ncurl --pinnedpubkey \"$PIN\" https://a.acme.example",
            [
                "if $PIN is set: a.acme.example ! '${PIN}' is set elsewhere: give it with --define PIN=VALUE",
                "if not $PIN is set: a.acme.example P1",
            ]
        ),
        ("PIN=P2\n: \"${PIN:=P1}\"\ncurl --pinnedpubkey \"$PIN\" https://a.acme.example", ["a.acme.example P2"]),
        (
            "curl --pinnedpubkey \"$PIN\" https://a.acme.example\n: \"${PIN:=P1}\"",
            ["a.acme.example ! '$PIN' is set elsewhere: give it with --define PIN=VALUE"]
        ),
    ])
    func `what a colon gives a variable counts where it has no value`(text: String, expected: [String]) {
        #expect(read(text) == expected)
    }

    @Test(arguments: [
        (";&", ["if \"$1\": live: b.acme.example P1", "if \"$1\": test: b.acme.example P1"]),
        (";;", ["if \"$1\": test: b.acme.example P1"]),
    ])
    func `a case that goes on with the next one has that one's commands, too`(mark: String, expected: [String]) {
        let text = """
            case "$1" in
              live) echo live \(mark)
              test) curl --pinnedpubkey P1 https://b.acme.example ;;
              *) curl --pinnedpubkey P2 https://c.acme.example ;;
            esac
            """
        let other = "if not \"$1\": live and not \"$1\": test: c.acme.example P2"

        #expect(Set(read(text)) == Set(expected + [other]))
    }

    @Test func `a test before a pipeline is one for all of it, also where a line ends with the mark`() {
        let text = """
            [ -n "$A" ] && echo "$A" | curl --pinnedpubkey P1 https://a.acme.example
            [ -n "$B" ] && echo "$B" |
              curl --pinnedpubkey P1 https://b.acme.example
            curl --pinnedpubkey P1 https://c.acme.example
            """

        #expect(
            read(text) == [
                "if -n \"$A\": a.acme.example P1", "if -n \"$B\": b.acme.example P1", "c.acme.example P1",
            ]
        )
    }

    @Test func `what a function's text holds may be given back`() {
        let text = "options() {\n  all=\"--pinnedpubkey=P1 https://$1/\"\n  echo \"$all\"\n}\noptions a.acme.example\n"

        #expect(read(text) == ["a.acme.example ! it stands in a text that options() shows or gives back"])
    }
}
