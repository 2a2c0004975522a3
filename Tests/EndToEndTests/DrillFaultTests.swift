import Foundation
import TestSupport
import Testing

/// What goes wrong around `pindrill serve` and `pindrill drill`: one sentence each, and nothing that was finished is lost.
@Suite(.enabled(if: Tool("curl") != nil && Tool("python3") != nil, "curl or python3 is not installed"))
struct DrillFaultTests {
    private static let story = """
        version: 1
        host: api.acme.example
        keys: { leaf: {}, evil: { by: attacker } }
        authorities: { acme-root: {}, mallory: { by: attacker } }
        stores: { phone: { system: [acme-root], user: [mallory] } }
        chains: { today: { key: leaf, issuer: acme-root }, forged: { key: evil, issuer: mallory } }
        policies: { pinned: { pins: [leaf], allow: [no-redundancy] } }
        clients: { app: { kind: attended, ask: Pull to refresh. }, slow: { run: sleep 60 } }
        scenarios:
          - { name: attack, steps: [ { present: today }, { present: forged } ] }
          - { name: once-more, steps: [ { present: today }, { present: forged } ] }

        """

    /// A server, a device, and a drill of `attack`.
    private static let helpers = """
        serve() {
            rm -f ready.json
            pindrill serve story.yaml --port 0 --proxy-port 0 --json "$@" >ready.json 2>errors & pid=$!
            until [ -s ready.json ]; do kill -0 $pid || { cat errors; exit 9; }; sleep 0.1; done
            url=$(sed 's/.*"url":"\\([^"]*\\)".*/\\1/' ready.json)
            token=$(sed 's/.*"token":"\\([^"]*\\)".*/\\1/' ready.json)
        }
        api() { curl -sS -H "Authorization: Bearer $token" -H 'Content-Type: application/json' "$@"; }
        field() { sed -n "s/.*\\"$1\\":\\"\\{0,1\\}\\([^,\\"}]*\\).*/\\1/p" drill.json; }
        begin() {
            api "$url/v1/trust/phone" >roots.pem
            api "$url/v1/drills?wait=60" -d '{"scenario": "attack"}' >drill.json
            proxy=$(sed -n 's/.*"url":"\\([^"]*\\)".*/\\1/p' drill.json)
        }
        app() { curl -s -o body --cacert "${roots:-roots.pem}" --proxy "$proxy" https://api.acme.example/; }
        word() { api "$url/v1/drills/$(field id)/word?wait=60" -d "{\\"attempt\\": $(field attempt), \\"word\\": \\"$1\\"}" >new.json && mv new.json drill.json; }
        whole() { python3 -c 'import json, sys; print([t["scenario"] for t in json.load(open(sys.argv[1]))["trials"]])' "$1"; }

        """

    private static func run(_ script: String, environment: [String: String] = [:]) async throws -> Program.Ending {
        try await withTemporaryFolder { folder in
            try story.write(to: folder.appending(path: "story.yaml"), atomically: true, encoding: .utf8)
            let programs = Program.url.deletingLastPathComponent().path
            let path = "\(programs):\(Program.bareEnvironment["PATH", default: "/usr/bin:/bin"])"
            return try await Started.with(
                URL(filePath: "/bin/bash"),
                ["-c", helpers + script],
                environment: ["PATH": path].merging(environment) { $1 },
                in: folder
            ) { try await $0.ending() }
        }
    }

    // MARK: Reports

    /// Whether a small disk of our own can be made here.
    private static let canMount: Bool = {
        guard let tool = Tool("unshare") else { return false }
        let result = try? tool.run(["-rm", "mount", "-t", "tmpfs", "-o", "size=16k", "none", "/mnt"])
        return result?.status == 0
    }()

    @Test(.enabled(if: canMount, "no disk can be mounted here (unshare)"))
    func `a full disk is one sentence, and the API still has the report`() async throws {
        let ending = try await Self.run(
            """
            mkdir small
            cat >inside <<'END'
            mount -t tmpfs -o size=16k none small
            serve --report json=small/report.json
            head -c 1000000 /dev/zero >small/filler 2>/dev/null
            begin; app; word worked; app; word worked
            echo "verdict $(field verdict)"
            api "$url/v1/reports/drill-1?format=text" | grep -c 'talked to the wrong server'
            kill $pid; wait $pid; echo "status $?"
            cat errors
            END
            declare -f >functions
            unshare -rm bash -c '. ./functions; . ./inside'
            """
        )

        #expect(ending.output.hasPrefix("verdict fail\n2\nstatus 1\n"), "\(ending)")
        let told = ending.output.matches(of: /report.json: the report could not be written: No space left on device\n/)
        #expect(told.count == 1, "\(ending)")
    }

    @Test func `a server that is killed leaves a whole report of what was finished`() async throws {
        let ending = try await Self.run(
            """
            serve --report json=report.json
            begin; app; word worked; app; word worked
            api "$url/v1/drills?wait=60" -d '{"scenario": "once-more"}' >drill.json
            kill -9 $pid; wait $pid 2>/dev/null
            whole report.json
            """
        )

        #expect(ending.output == "['attack']\n", "\(ending)")
    }

    @Test func `a server that is told to end amid a run writes what was finished, and ends the run's client`()
        async throws
    {
        let ending = try await Self.run(
            """
            serve --report json=report.json
            begin; app; word worked; app; word worked
            api "$url/v1/runs" -d '{"clients": ["slow"], "scenarios": ["once-more"]}' >run.json
            until pgrep -P "$pid" >/dev/null || pgrep -f 'sleep 60' >/dev/null; do sleep 0.1; done
            kill $pid; wait $pid; echo "status $?"
            whole report.json
            grep -o '"interrupted" : [a-z]*' report.json
            """
        )

        #expect(ending.output == "status 130\n['attack']\n\"interrupted\" : true\n", "\(ending)")
    }

    @Test func `a drill that is told to end keeps its finished trial, and says how to go on`() async throws {
        let ending = try await Self.run(
            """
            mkfifo lines
            export TMPDIR=$PWD/temporary; mkdir temporary
            pindrill drill story.yaml --port 0 --skip-check --report json=report.json <lines >said 2>errors & pid=$!
            exec 7>lines
            echo s >&7; echo s >&7
            until grep -q 'once-more · pinned' said && [ "$(grep -c 'w: worked' said)" = 3 ]; do sleep 0.1; done
            kill $pid; wait $pid; echo "status $?"
            whole report.json
            cat errors
            ls temporary
            """
        )

        #expect(
            ending.output
                == "status 130\n['attack']\nto go on: the same command with --resume report.json\n",
            "\(ending)"
        )
    }

    // MARK: Ports

    @Test(arguments: [
        ["--port", "TAKEN"], ["--port", "TAKEN", "--skip-check"], ["--control", "TAKEN", "--port", "0"],
    ])
    func `a port that somebody else has is one sentence of a drill`(options: [String]) async throws {
        let ending = try await Self.run(
            """
            serve
            pindrill drill story.yaml --scenario attack \(options.joined(separator: " ").replacing("TAKEN", with: "${url##*:}")) </dev/null >said 2>&1
            echo "status $?"
            grep -c ' in use' said
            kill $pid; wait $pid
            """
        )

        let lines = ending.output.split(separator: "\n")
        #expect(lines.first == "status 2", "\(ending)")
        #expect(lines.last.flatMap { Int($0) } ?? 0 >= 1, "\(ending)")
    }

    @Test func `an address that is another machine's is one sentence`() async throws {
        let ending = try await Self.run(
            """
            elsewhere="--listen 192.0.2.1 --allow 192.0.2.0/24"
            pindrill drill story.yaml --scenario attack --port 0 $elsewhere </dev/null >said 2>&1
            echo "status $?"; cat said
            pindrill serve story.yaml --port 0 --proxy-port 0 $elsewhere </dev/null >said 2>&1
            echo "status $?"; cat said
            """
        )

        let sentence =
            "--listen: this machine has no address 192.0.2.1, so it cannot listen there; its network settings show those that "
            + "it has"
        #expect(ending.output == "status 64\n\(sentence)\nstatus 64\n\(sentence)\n", "\(ending)")
    }

    @Test func `where drills are to listen is tried before a server says that it does`() async throws {
        let ending = try await Self.run(
            """
            serve
            taken=${url##*:}
            for options in "--proxy-port $taken" "--proxy-port 0 --listen 127.0.0.1:$taken --allow 127.0.0.1"; do
                pindrill serve story.yaml --port 0 $options </dev/null 2>&1 | sed "s/$taken/TAKEN/"
                echo "status ${PIPESTATUS[0]}"
            done
            kill $pid; wait $pid
            """
        )

        let sentence = "port TAKEN on 127.0.0.1 is in use; choose another, or 0 for any free one"
        #expect(
            ending.output == "--proxy-port: \(sentence)\nstatus 2\n--listen: \(sentence)\nstatus 2\n",
            "\(ending)"
        )
    }

    // MARK: Devices

    @Test
    func `a server that listens elsewhere says who comes, gives devices their page, and keeps itself to loopback`()
        async throws
    {
        let ending = try await Self.run(
            """
            pindrill serve story.yaml --listen 127.0.0.2 >said 2>&1; echo "status $?"; grep -c 'needs --allow' said
            free=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.2", 0)); print(s.getsockname()[1])')
            serve --listen "127.0.0.2:$free" --allow 127.0.0.1
            cat errors | sed "s/$free/PORT/"
            begin
            echo "$proxy" | sed "s/$free/PORT/"
            curl -s -o roots.pem "$proxy/roots.pem"
            curl -s "$proxy/" | grep -o '<title>.*</title>'
            app; word worked; app; word worked
            echo "verdict $(field verdict)"
            curl -s --interface 127.0.0.5 "$proxy/" || echo "turned away"
            curl -s "http://127.0.0.2:${url##*:}/health" || echo "not there"
            kill $pid; wait $pid
            """
        )

        #expect(
            ending.output == """
                status 64
                1
                listening on 127.0.0.2:PORT: 127.0.0.1 can reach PinDrill, and is shown its certificates
                http://127.0.0.2:PORT
                <title>PinDrill: roots for this device</title>
                verdict fail
                turned away
                not there

                """,
            "\(ending)"
        )
    }

    @Test func `a thousand connections of other apps do not disturb a drill`() async throws {
        let ending = try await Self.run(
            """
            ulimit -n 4096
            serve
            begin
            cat >others.py <<'END'
            import socket, sys, urllib.parse
            address = urllib.parse.urlsplit(sys.argv[1])
            held = []
            for number in range(1000):
                one = socket.create_connection((address.hostname, address.port))
                # Some say nothing, some ask for hosts that are not under test.
                if number % 2: one.sendall(b"CONNECT 169.254.169.254:443 HTTP/1.1\\r\\n\\r\\n")
                held.append(one)
            print(len(held), flush=True)
            sys.stdin.read()
            END
            mkfifo hold
            python3 others.py "$proxy" <hold >held & others=$!
            exec 8>hold
            until grep -q 1000 held; do kill -0 $others || exit 9; sleep 0.1; done
            app; word worked
            sed '1,/END/d' roots.pem | sed '/END/q' >own.pem
            roots=own.pem
            app; word refused-pin
            echo "verdict $(field verdict), $(field consequence), $(field state)"
            exec 8>&-
            kill $pid; wait $pid; echo "status $?"
            """
        )

        #expect(ending.output == "verdict pass, protected, finished\nstatus 0\n", "\(ending)")
    }

    @Test func `a device that vanishes amid a handshake leaves the step inconclusive, and the drill goes on`()
        async throws
    {
        let ending = try await Self.run(
            """
            serve
            begin; app; word worked
            cat >vanishes.py <<'END'
            import socket, ssl, sys, urllib.parse
            address = urllib.parse.urlsplit(sys.argv[1])
            phone = socket.create_connection((address.hostname, address.port))
            phone.sendall(b"CONNECT api.acme.example:443 HTTP/1.1\\r\\n\\r\\n")
            phone.recv(1000)
            incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
            context = ssl.create_default_context()
            session = context.wrap_bio(incoming, outgoing, server_hostname="api.acme.example")
            try: session.do_handshake()
            except ssl.SSLWantReadError: pass
            phone.sendall(outgoing.read())
            phone.recv(100)
            print("gone", flush=True)
            sys.stdin.read()
            END
            mkfifo hold
            python3 vanishes.py "$proxy" <hold >phone & phone=$!
            exec 8>hold
            until grep -q gone phone; do kill -0 $phone || exit 9; sleep 0.1; done
            word refused
            echo "verdict $(field verdict), $(field state)"
            exec 8>&-
            api "$url/v1/reports/drill-1?format=text"
            kill $pid; wait $pid; echo "status $?"
            """
        )

        #expect(ending.output.hasPrefix("verdict inconclusive, finished\n"), "\(ending)")
        #expect(ending.output.hasSuffix("status 2\n"), "\(ending)")
    }

    @Test func `a program that leaves amid a wait leaves the drill as it is`() async throws {
        let ending = try await Self.run(
            """
            serve
            begin
            api --max-time 1 "$url/v1/drills/drill-1?wait=60&after=1" >/dev/null 2>&1; echo "left $?"
            app; word worked; app; word worked
            echo "verdict $(field verdict)"
            kill $pid; wait $pid
            """
        )

        #expect(ending.output == "left 28\nverdict fail\n", "\(ending)")
    }
}
