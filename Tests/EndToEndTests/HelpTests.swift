import Testing

/// What `--help` says, word for word: it is the first thing that a user reads.
struct HelpTests {
    @Test(arguments: Help.all)
    func `help is what we meant it to be`(help: Help) async throws {
        let ending = try await Program.run(help.command + ["--help"])

        #expect(ending.status == 0)
        #expect(ending.errors.isEmpty)
        #expect(ending.output == help.text)
    }

    @Test func `every subcommand's help is compared`() {
        let listed = Help.all[0].text.split(separator: "\n").drop { $0 != "SUBCOMMANDS:" }.dropFirst()
            .prefix { $0.hasPrefix("  ") }.compactMap { $0.wholeMatch(of: #/  ([a-z]+) .*/#)?.output.1 }

        #expect(listed.map(String.init) == Help.all.dropFirst().filter { $0.command.count == 1 }.map { $0.command[0] })
    }

    @Test func `without a command the help is shown`() async throws {
        let ending = try await Program.run()

        #expect(ending.status == 0)
        #expect(ending.output == Help.all[0].text)
    }

    @Test func `the version is told in two ways`() async throws {
        let option = try await Program.run("--version")
        let command = try await Program.run("version")

        #expect(option.output.wholeMatch(of: /pindrill \d+\.\d+\.\d+\n/) != nil)
        #expect(command.output.hasPrefix(option.output + "OpenSSL 3."))
        #expect((option.status, command.status) == (0, 0))
    }

    @Test func `an unknown command is an error`() async throws {
        let ending = try await Program.run("rum")

        #expect(ending.status == 64)
        #expect(ending.errors == "Error: there is no command 'rum'; did you mean 'run'?\n")
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `completions are generated`(shell: String) async throws {
        let ending = try await Program.run("--generate-completion-script", shell)

        #expect(ending.status == 0)
        #expect(ending.output.contains("pindrill"))
        #expect(ending.output.contains("fail-on"))
    }
}

/// A command, and its help.
struct Help: Sendable, CustomTestStringConvertible {
    let command: [String]
    let text: String

    var testDescription: String { (["pindrill"] + command).joined(separator: " ") }

    static let all = [
        Help(
            command: [],
            text: #"""
                OVERVIEW: Shows a pinned TLS client one certificate chain after another, and
                says whether it did right.

                A client that pins keys can fail in two ways: it accepts an attacker (a
                breach), or it rejects its own server after a rotation (an outage). PinDrill
                rehearses both on this machine: it mints the certificates, shows them to the
                real client, watches the wire and the client's own word, and judges.

                To begin with:
                  pindrill demo                       see what it is about, in three minutes
                  pindrill try -- curl -sS --cacert {trust} --pinnedpubkey {pins} {url}
                  pindrill drill                      an app on a phone, with you beside it
                  pindrill serve                      the same in a browser, and from UI tests

                USAGE: pindrill <subcommand>

                OPTIONS:
                  --version               Show the version.
                  -h, --help              Show help information.

                SUBCOMMANDS:
                  try                     Tries one command against the shipped catalogue,
                                          without a scenario file.
                  init                    Writes a scenario file to begin with, for one client.
                  run                     Plays a file's scenarios to its clients and judges
                                          them.
                  drill                   Plays scenarios to an app on a device, step by step,
                                          with you as the second witness.
                  serve                   Answers on loopback, so that browsers and UI tests
                                          play drills and runs.
                  replay                  Plays one trial of a JSON report again, and prints
                                          each command that it starts.
                  report                  Shows, converts, merges and compares reports of runs
                                          that are over.
                  list                    Lists a file's scenarios, policies and clients.
                  explain                 Explains a scenario: who vouches for whom, and what
                                          each policy makes of it.
                  lint                    Finds what makes a file prove less than its author
                                          believes.
                  audit                   Says what an app's pin configuration would do to its
                                          users.
                  check                   Says whether apps with these pin configurations would
                                          accept these chains.
                  forecast                Says whom a planned certificate locks out, and from
                                          which day on it is safe.
                  monitor                 Says whether every version in use accepts what
                                          servers show now, and what they will show next.
                  pins                    Prints the pins of certificates and keys, from a file
                                          or a server.
                  certs                   Keeps keys and roots from one run to the next.
                  demo                    Shows what pinning prevents, and what it breaks, in
                                          three minutes.
                  selftest                Plays the shipped catalogue to clients with known
                                          bugs, and to clients without any.
                  version                 Prints the versions of pindrill and of its TLS
                                          library.

                  See 'pindrill help <subcommand>' for detailed help.

                """#
        ),
        Help(
            command: ["try"],
            text: #"""
                OVERVIEW: Tries one command against the shipped catalogue, without a scenario
                file.

                The command is run again and again, each time before another server: its own,
                and attackers'. What it is to ask for, to trust and to pin stands in its
                placeholders, as in

                  pindrill try -- curl --cacert {trust} --pinnedpubkey {pins} {url}

                First it has to accept its own server; where it does not, one sentence says
                what to change. At the end stands what was assumed, and the scenario file that
                says the same; --save writes it.

                Exit status: as of `run`, and 2 where the command did not accept its own
                server, 65 where it cannot be started.

                USAGE: pindrill try [<options>] -- [<command> ...]

                ARGUMENTS:
                  <command>               Behind --, the client's command line. {url}, {trust},
                                          {pins} and the other placeholders of
                                          docs/scenarios.md become what each step needs; words
                                          in [ ] are left out where a placeholder in them is
                                          empty.

                OPTIONS:
                  --refused <rule>        How it says that the server is not acceptable:
                                          exit:60,90 or text:REGEX. May be given repeatedly:
                                          then it is one of the statuses, with one of the texts.
                  --refused-pin <rule>    How it says that the pin is why, in the same form.
                  --succeeded <rule>      How it says that all went well, in the same form
                                          (default: exit status 0).
                  --env <name=value>      A variable of its environment; placeholders are
                                          filled. May be given repeatedly.
                  --proxy                 It takes a proxy from HTTPS_PROXY, which then leads
                                          it here.
                  --answer <answer>       What the server answers: json=TEXT, text=TEXT or
                                          file=PATH, to every request or behind a route, as in
                                          'GET /v1/* json={}'. May be given repeatedly.
                  --starttls <protocol>   The protocol that it speaks, in which TLS begins
                                          after some talk in the clear: smtp, imap, pop3 or
                                          postgres. (values: smtp, imap, pop3, postgres)
                  --scenario <glob>       Only scenarios of this name; * and ? are wildcards.
                  --tag <glob>            Only scenarios with this tag, such as attack or
                                          CWE-295.
                  --all                   All scenarios, where the file would play only some.
                  --policy <glob>         Only policies of this name.
                  --policy-file <file>    An app's pin configuration, in its own format, as the
                                          only policy.
                  --dialect <name>        Whose format the configuration has, where that cannot
                                          be told. (values: ats, trustkit, alamofire, delegate,
                                          public-key-pinning-ios, android, trustkit-android,
                                          okhttp, curl, fingerprint, callback, hpkp, chromium,
                                          afnetworking, electron)
                  --device <setting>      Where the app runs: debuggable, target-sdk=N,
                                          api-level=N, time-zone=NAME or mac. May be given
                                          repeatedly.
                  --host <name>           The host that is asked for (default: all that the
                                          configuration names).
                  --chain <file>          Production's own chain in PEM, leaf first: tells
                                          which pin is which key.
                  --trust <file>          Where that chain's root is: a PEM file, or 'system'.
                                          (default: system)
                  --save <file>           Where the scenario file that says the same is written.
                  --force                 Lets it replace a file.
                  --jobs <n>              Trials at the same time (default: the number of
                                          cores).
                  --timeout <time>        How long one attempt of a client may take, as in
                                          500ms, 10s or 2m (default: 10s).
                  --report <kind=path>    Writes a report; the kind is json, jsonl, junit,
                                          html, markdown, sarif or conformance, the path '-' is
                                          standard output. May be given repeatedly.
                  --fail-on <condition>   Also fail on this: outage (somebody is locked out
                                          where the file does not say so) or unproven (a
                                          rejection that may have had another cause than the
                                          pins). worse, with --baseline, fails on what got
                                          worse, and on nothing else. May be given repeatedly.
                                          (values: outage, unproven, worse)
                  --baseline <report>     Says what changed since this earlier report (JSON),
                                          which is read before the first trial.
                  --stable                Leaves times, hashes and ports out of reports, so
                                          that those of two runs differ only where something
                                          differed.
                  --others <treatment>    What becomes of hosts that are not under test, where
                                          the client comes through a proxy: present (a
                                          certificate is shown, the default), pass (bytes go
                                          through unread) or refuse. (values: present, pass,
                                          refuse)
                  --isolate               Linux: runs each client that is a command in a
                                          network of its own, in which all that it sends ends
                                          at PinDrill.
                  --listen <address[:port]>
                                          Listens there, too, for a device, an emulator or a
                                          container (default port: 8443). Needs --allow or
                                          --proxy-user, and plays one trial after the other.
                  --allow <range>         Who may come to --listen, by the address of the
                                          socket, as in 192.168.1.0/24. May be given repeatedly.
                  --proxy-user <name:file>
                                          What those who come to --listen must tell the proxy:
                                          a name, and a file with a password in its first line.
                  --proxy-protocol-from <range>
                                          Load balancers that say for whom they connect, by the
                                          PROXY protocol, as in 127.0.0.1. May be given
                                          repeatedly.
                  --color <when>          Colours: auto, always or never. (values: auto,
                                          always, never; default: auto)
                  --json                  Writes the result to standard output as JSON, and
                                          nothing else there.
                  --quiet                 Writes nothing for people but errors: the exit
                                          status, --json and reports have the result.
                  --width <characters>    Where lines are wrapped (default: the terminal's
                                          width, or 100).
                  --verbose               Tells of every step, every connection and what each
                                          client printed.
                  --show-stolen           Shows what each attacker got of the client: the first
                                          2048 bytes, secrets included. No report has them.
                  --keylog <file>         Writes the secrets of all connections, so that
                                          Wireshark can read a capture of them (SSLKEYLOGFILE).
                  --pcap <file>           Writes what all connections carried, with their
                                          secrets, as a capture that Wireshark opens decrypted
                                          (pcapng).
                  --evidence-days <n>     After how many days a later run in the same folder
                                          removes what --keylog and --pcap wrote (default: 7).
                  --upstream-proxy <url>  Reaches real servers (upstream, and what is passed
                                          through) by this HTTP proxy, as in http://proxy:3128.
                  --upstream-proxy-user <file>
                                          A file whose first line is user:password for that
                                          proxy.
                  --certs <folder>        Shows the keys and roots of this keyring, in place of
                                          new ones.
                  --version               Show the version.
                  -h, --help              Show help information.


                """#
        ),
        Help(
            command: ["init"],
            text: #"""
                OVERVIEW: Writes a scenario file to begin with, for one client.

                The file plays the shipped catalogue to the command behind --, as `try` does at
                once, and has comments on what else can be said. Without a command, and on a
                terminal, it asks for what it needs.

                Exit status: 0 the file is written; 64 usage, or the file is there already; 65
                it would be a bad one.

                USAGE: pindrill init [<options>] -- [<command> ...]

                ARGUMENTS:
                  <command>               Behind --, the client's command line. {url}, {trust},
                                          {pins} and the other placeholders of
                                          docs/scenarios.md become what each step needs; words
                                          in [ ] are left out where a placeholder in them is
                                          empty.

                OPTIONS:
                  --refused <rule>        How it says that the server is not acceptable:
                                          exit:60,90 or text:REGEX. May be given repeatedly:
                                          then it is one of the statuses, with one of the texts.
                  --refused-pin <rule>    How it says that the pin is why, in the same form.
                  --succeeded <rule>      How it says that all went well, in the same form
                                          (default: exit status 0).
                  --env <name=value>      A variable of its environment; placeholders are
                                          filled. May be given repeatedly.
                  --proxy                 It takes a proxy from HTTPS_PROXY, which then leads
                                          it here.
                  --answer <answer>       What the server answers: json=TEXT, text=TEXT or
                                          file=PATH, to every request or behind a route, as in
                                          'GET /v1/* json={}'. May be given repeatedly.
                  --starttls <protocol>   The protocol that it speaks, in which TLS begins
                                          after some talk in the clear: smtp, imap, pop3 or
                                          postgres. (values: smtp, imap, pop3, postgres)
                  --scenario <glob>       Only scenarios of this name; * and ? are wildcards.
                  --tag <glob>            Only scenarios with this tag, such as attack or
                                          CWE-295.
                  --all                   All scenarios, where the file would play only some.
                  --policy <glob>         Only policies of this name.
                  --policy-file <file>    An app's pin configuration, in its own format, as the
                                          only policy.
                  --dialect <name>        Whose format the configuration has, where that cannot
                                          be told. (values: ats, trustkit, alamofire, delegate,
                                          public-key-pinning-ios, android, trustkit-android,
                                          okhttp, curl, fingerprint, callback, hpkp, chromium,
                                          afnetworking, electron)
                  --device <setting>      Where the app runs: debuggable, target-sdk=N,
                                          api-level=N, time-zone=NAME or mac. May be given
                                          repeatedly.
                  --host <name>           The host that is asked for (default: all that the
                                          configuration names).
                  --chain <file>          Production's own chain in PEM, leaf first: tells
                                          which pin is which key.
                  --trust <file>          Where that chain's root is: a PEM file, or 'system'.
                                          (default: system)
                  --save <file>           Where the scenario file that says the same is written.
                  --force                 Lets it replace a file.
                  --version               Show the version.
                  -h, --help              Show help information.


                """#
        ),
        Help(
            command: ["run"],
            text: #"""
                OVERVIEW: Plays a file's scenarios to its clients and judges them.

                Of a file that says `play: quick`, as the shipped one does, only the scenarios
                with that tag are played, unless --all, --tag or --scenario asks for others;
                any other file is played whole.

                With --policy-file the app's own configuration takes the place of the file's
                policies, and the shipped catalogue that of a file that is not named: the
                built-in client then shows what the app will do.

                Of more than four trials a table of marks is shown, and below it each step that
                failed or proved nothing; --verbose tells of every step.

                Exit status: 0 every verdict is a pass; 1 a verdict failed, or somebody was
                intercepted where the file does not say so; 2 something proved nothing, or
                nothing was tried; 64 usage; 65 a bad file; 74 the results could not be
                written; 130 interrupted.

                USAGE: pindrill run [<options>] [<file>]

                ARGUMENTS:
                  <file>                  The scenario file (default: the scenarios.yaml that
                                          is here, or else the shipped one).

                OPTIONS:
                  --scenario <glob>       Only scenarios of this name; * and ? are wildcards.
                  --tag <glob>            Only scenarios with this tag, such as attack or
                                          CWE-295.
                  --all                   All scenarios, where the file would play only some.
                  --policy <glob>         Only policies of this name.
                  --client <glob>         Only clients of this name; one that is not installed
                                          is then an error.
                  --policy-file <file>    An app's pin configuration, in its own format, as the
                                          only policy.
                  --dialect <name>        Whose format the configuration has, where that cannot
                                          be told. (values: ats, trustkit, alamofire, delegate,
                                          public-key-pinning-ios, android, trustkit-android,
                                          okhttp, curl, fingerprint, callback, hpkp, chromium,
                                          afnetworking, electron)
                  --device <setting>      Where the app runs: debuggable, target-sdk=N,
                                          api-level=N, time-zone=NAME or mac. May be given
                                          repeatedly.
                  --host <name>           The host that is asked for (default: all that the
                                          configuration names).
                  --chain <file>          Production's own chain in PEM, leaf first: tells
                                          which pin is which key.
                  --trust <file>          Where that chain's root is: a PEM file, or 'system'.
                                          (default: system)
                  --jobs <n>              Trials at the same time (default: the number of
                                          cores).
                  --timeout <time>        How long one attempt of a client may take, as in
                                          500ms, 10s or 2m (default: 10s).
                  --report <kind=path>    Writes a report; the kind is json, jsonl, junit,
                                          html, markdown, sarif or conformance, the path '-' is
                                          standard output. May be given repeatedly.
                  --fail-on <condition>   Also fail on this: outage (somebody is locked out
                                          where the file does not say so) or unproven (a
                                          rejection that may have had another cause than the
                                          pins). worse, with --baseline, fails on what got
                                          worse, and on nothing else. May be given repeatedly.
                                          (values: outage, unproven, worse)
                  --baseline <report>     Says what changed since this earlier report (JSON),
                                          which is read before the first trial.
                  --stable                Leaves times, hashes and ports out of reports, so
                                          that those of two runs differ only where something
                                          differed.
                  --others <treatment>    What becomes of hosts that are not under test, where
                                          the client comes through a proxy: present (a
                                          certificate is shown, the default), pass (bytes go
                                          through unread) or refuse. (values: present, pass,
                                          refuse)
                  --isolate               Linux: runs each client that is a command in a
                                          network of its own, in which all that it sends ends
                                          at PinDrill.
                  --listen <address[:port]>
                                          Listens there, too, for a device, an emulator or a
                                          container (default port: 8443). Needs --allow or
                                          --proxy-user, and plays one trial after the other.
                  --allow <range>         Who may come to --listen, by the address of the
                                          socket, as in 192.168.1.0/24. May be given repeatedly.
                  --proxy-user <name:file>
                                          What those who come to --listen must tell the proxy:
                                          a name, and a file with a password in its first line.
                  --proxy-protocol-from <range>
                                          Load balancers that say for whom they connect, by the
                                          PROXY protocol, as in 127.0.0.1. May be given
                                          repeatedly.
                  --color <when>          Colours: auto, always or never. (values: auto,
                                          always, never; default: auto)
                  --json                  Writes the result to standard output as JSON, and
                                          nothing else there.
                  --quiet                 Writes nothing for people but errors: the exit
                                          status, --json and reports have the result.
                  --width <characters>    Where lines are wrapped (default: the terminal's
                                          width, or 100).
                  --verbose               Tells of every step, every connection and what each
                                          client printed.
                  --show-stolen           Shows what each attacker got of the client: the first
                                          2048 bytes, secrets included. No report has them.
                  --keylog <file>         Writes the secrets of all connections, so that
                                          Wireshark can read a capture of them (SSLKEYLOGFILE).
                  --pcap <file>           Writes what all connections carried, with their
                                          secrets, as a capture that Wireshark opens decrypted
                                          (pcapng).
                  --evidence-days <n>     After how many days a later run in the same folder
                                          removes what --keylog and --pcap wrote (default: 7).
                  --upstream-proxy <url>  Reaches real servers (upstream, and what is passed
                                          through) by this HTTP proxy, as in http://proxy:3128.
                  --upstream-proxy-user <file>
                                          A file whose first line is user:password for that
                                          proxy.
                  --certs <folder>        Shows the keys and roots of this keyring, in place of
                                          new ones.
                  --shard <part>          Plays one part of the trials, as 2/4; auto asks the
                                          environment (CI_NODE_INDEX, JOB_COMPLETION_INDEX),
                                          auto/4 for its place alone.
                  --durations <report>    With --shard: a JSON report of an earlier run, by
                                          whose durations the trials are dealt out. Give all
                                          parts the same report.
                  --no-commands           Starts no client that is a command, as for a file
                                          from a stranger: they are skipped.
                  --version               Show the version.
                  -h, --help              Show help information.


                """#
        ),
        Help(
            command: ["drill"],
            text: #"""
                OVERVIEW: Plays scenarios to an app on a device, step by step, with you as the
                second witness.

                For an app that no command can start. Set the device's proxy to the address
                that is shown, or point the host under test there, and let the device trust the
                roots that are named. Each step says what is shown and what to do; you say how
                the app took it, with one key. On a terminal no Enter is needed; elsewhere each
                line is one word: worked, refused, refused-pin, failed, again, back, skip, or
                note and a text.

                A client of `kind: attended` says in `ask` what to do. Where the file has none,
                the app is called 'device' and is taken to obey each chosen policy;
                --policy-file names its own. Nothing is shown between attempts, and nothing
                times out while you think. Hosts that are not under test pass through, unless
                the file or --others says otherwise.

                The device gets the roots at http://pindrill.test/, or at the address that is
                shown. First of all the app must reach its own server: what is in its way is
                told with its remedy, one thing at a time.

                Exit status: as of `run`; 2 also where a step was left out; 130 where the words
                ended too soon.

                USAGE: pindrill drill [<options>] [<file>]

                ARGUMENTS:
                  <file>                  The scenario file (default: the scenarios.yaml that
                                          is here, or else the shipped one).

                OPTIONS:
                  --scenario <glob>       Only scenarios of this name; * and ? are wildcards.
                  --tag <glob>            Only scenarios with this tag, such as attack or
                                          CWE-295.
                  --all                   All scenarios, where the file would play only some.
                  --policy <glob>         Only policies of this name.
                  --client <glob>         Only clients of this name; one that is not installed
                                          is then an error.
                  --policy-file <file>    An app's pin configuration, in its own format, as the
                                          only policy.
                  --dialect <name>        Whose format the configuration has, where that cannot
                                          be told. (values: ats, trustkit, alamofire, delegate,
                                          public-key-pinning-ios, android, trustkit-android,
                                          okhttp, curl, fingerprint, callback, hpkp, chromium,
                                          afnetworking, electron)
                  --device <setting>      Where the app runs: debuggable, target-sdk=N,
                                          api-level=N, time-zone=NAME or mac. May be given
                                          repeatedly.
                  --host <name>           The host that is asked for (default: all that the
                                          configuration names).
                  --chain <file>          Production's own chain in PEM, leaf first: tells
                                          which pin is which key.
                  --trust <file>          Where that chain's root is: a PEM file, or 'system'.
                                          (default: system)
                  --ask <text>            What to do in each attempt, where the file does not
                                          say.
                  --port <port>           Where to listen on 127.0.0.1 and ::1 (default: 8899;
                                          with --listen where there is room).
                  --skip-check            Begins without seeing to it that the device's app
                                          reaches its own server.
                  --android               Android, on a cable or emulated: sets the device's
                                          proxy, and its roots where the build allows that, by
                                          adb; all is put back at the end.
                  --android-serial <serial>
                                          The same for this one of several devices.
                  --resume <report>       Goes on with the drill that this JSON report tells
                                          of: what it finished is kept, and stands in the new
                                          report.
                  --control <port>        Answers on this port of 127.0.0.1, as 'pindrill
                                          serve' does: a browser and UI tests follow the drill,
                                          and give its words as well.
                  --jobs <n>              Trials at the same time (default: the number of
                                          cores).
                  --timeout <time>        How long one attempt of a client may take, as in
                                          500ms, 10s or 2m (default: 10s).
                  --report <kind=path>    Writes a report; the kind is json, jsonl, junit,
                                          html, markdown, sarif or conformance, the path '-' is
                                          standard output. May be given repeatedly.
                  --fail-on <condition>   Also fail on this: outage (somebody is locked out
                                          where the file does not say so) or unproven (a
                                          rejection that may have had another cause than the
                                          pins). worse, with --baseline, fails on what got
                                          worse, and on nothing else. May be given repeatedly.
                                          (values: outage, unproven, worse)
                  --baseline <report>     Says what changed since this earlier report (JSON),
                                          which is read before the first trial.
                  --stable                Leaves times, hashes and ports out of reports, so
                                          that those of two runs differ only where something
                                          differed.
                  --others <treatment>    What becomes of hosts that are not under test, where
                                          the client comes through a proxy: present (a
                                          certificate is shown, the default), pass (bytes go
                                          through unread) or refuse. (values: present, pass,
                                          refuse)
                  --isolate               Linux: runs each client that is a command in a
                                          network of its own, in which all that it sends ends
                                          at PinDrill.
                  --listen <address[:port]>
                                          Listens there, too, for a device, an emulator or a
                                          container (default port: 8443). Needs --allow or
                                          --proxy-user, and plays one trial after the other.
                  --allow <range>         Who may come to --listen, by the address of the
                                          socket, as in 192.168.1.0/24. May be given repeatedly.
                  --proxy-user <name:file>
                                          What those who come to --listen must tell the proxy:
                                          a name, and a file with a password in its first line.
                  --proxy-protocol-from <range>
                                          Load balancers that say for whom they connect, by the
                                          PROXY protocol, as in 127.0.0.1. May be given
                                          repeatedly.
                  --color <when>          Colours: auto, always or never. (values: auto,
                                          always, never; default: auto)
                  --json                  Writes the result to standard output as JSON, and
                                          nothing else there.
                  --quiet                 Writes nothing for people but errors: the exit
                                          status, --json and reports have the result.
                  --width <characters>    Where lines are wrapped (default: the terminal's
                                          width, or 100).
                  --verbose               Tells of every step, every connection and what each
                                          client printed.
                  --show-stolen           Shows what each attacker got of the client: the first
                                          2048 bytes, secrets included. No report has them.
                  --keylog <file>         Writes the secrets of all connections, so that
                                          Wireshark can read a capture of them (SSLKEYLOGFILE).
                  --pcap <file>           Writes what all connections carried, with their
                                          secrets, as a capture that Wireshark opens decrypted
                                          (pcapng).
                  --evidence-days <n>     After how many days a later run in the same folder
                                          removes what --keylog and --pcap wrote (default: 7).
                  --upstream-proxy <url>  Reaches real servers (upstream, and what is passed
                                          through) by this HTTP proxy, as in http://proxy:3128.
                  --upstream-proxy-user <file>
                                          A file whose first line is user:password for that
                                          proxy.
                  --certs <folder>        Shows the keys and roots of this keyring, in place of
                                          new ones.
                  --version               Show the version.
                  -h, --help              Show help information.


                """#
        ),
        Help(
            command: ["serve"],
            text: #"""
                OVERVIEW: Answers on loopback, so that browsers and UI tests play drills and
                runs.

                Drills, runs and presentations of the file that is loaded, over HTTP: GET
                /openapi.json says how, and docs/control.md explains it. It begins with a
                token, which every request must carry, and an address for a browser that works
                once. Requests choose by name from what was loaded: they bring no commands and
                no files.

                Reports of --report have every drill and run, and are whole whenever it ends:
                by Ctrl-C, or by SIGTERM. With --json one line of JSON says where it listens,
                and nothing else is written to standard output.

                Exit status: as of `run`, of all that was begun; 0 if nothing was; 2 also where
                a port is taken.

                USAGE: pindrill serve [<options>] [<file>]

                ARGUMENTS:
                  <file>                  The scenario file (default: the scenarios.yaml that
                                          is here, or else the shipped one).

                OPTIONS:
                  --policy-file <file>    An app's pin configuration, in its own format, as the
                                          only policy.
                  --dialect <name>        Whose format the configuration has, where that cannot
                                          be told. (values: ats, trustkit, alamofire, delegate,
                                          public-key-pinning-ios, android, trustkit-android,
                                          okhttp, curl, fingerprint, callback, hpkp, chromium,
                                          afnetworking, electron)
                  --device <setting>      Where the app runs: debuggable, target-sdk=N,
                                          api-level=N, time-zone=NAME or mac. May be given
                                          repeatedly.
                  --host <name>           The host that is asked for (default: all that the
                                          configuration names).
                  --chain <file>          Production's own chain in PEM, leaf first: tells
                                          which pin is which key.
                  --trust <file>          Where that chain's root is: a PEM file, or 'system'.
                                          (default: system)
                  --ask <text>            What to do in each attempt, where the file does not
                                          say.
                  --port <port>           Where to answer on 127.0.0.1; 0: wherever there is
                                          room. (default: 8870)
                  --proxy-port <port>     Where the app under test comes, as to a proxy; 0:
                                          wherever there is room. (default: 8899)
                  --token-file <file>     Writes the token to this file, which only its owner
                                          can read, and does not print it.
                  --jobs <n>              Trials at the same time (default: the number of
                                          cores).
                  --timeout <time>        How long one attempt of a client may take, as in
                                          500ms, 10s or 2m (default: 10s).
                  --report <kind=path>    Writes a report; the kind is json, jsonl, junit,
                                          html, markdown, sarif or conformance, the path '-' is
                                          standard output. May be given repeatedly.
                  --fail-on <condition>   Also fail on this: outage (somebody is locked out
                                          where the file does not say so) or unproven (a
                                          rejection that may have had another cause than the
                                          pins). worse, with --baseline, fails on what got
                                          worse, and on nothing else. May be given repeatedly.
                                          (values: outage, unproven, worse)
                  --baseline <report>     Says what changed since this earlier report (JSON),
                                          which is read before the first trial.
                  --stable                Leaves times, hashes and ports out of reports, so
                                          that those of two runs differ only where something
                                          differed.
                  --others <treatment>    What becomes of hosts that are not under test, where
                                          the client comes through a proxy: present (a
                                          certificate is shown, the default), pass (bytes go
                                          through unread) or refuse. (values: present, pass,
                                          refuse)
                  --isolate               Linux: runs each client that is a command in a
                                          network of its own, in which all that it sends ends
                                          at PinDrill.
                  --listen <address[:port]>
                                          Listens there, too, for a device, an emulator or a
                                          container (default port: 8443). Needs --allow or
                                          --proxy-user, and plays one trial after the other.
                  --allow <range>         Who may come to --listen, by the address of the
                                          socket, as in 192.168.1.0/24. May be given repeatedly.
                  --proxy-user <name:file>
                                          What those who come to --listen must tell the proxy:
                                          a name, and a file with a password in its first line.
                  --proxy-protocol-from <range>
                                          Load balancers that say for whom they connect, by the
                                          PROXY protocol, as in 127.0.0.1. May be given
                                          repeatedly.
                  --color <when>          Colours: auto, always or never. (values: auto,
                                          always, never; default: auto)
                  --json                  Writes the result to standard output as JSON, and
                                          nothing else there.
                  --quiet                 Writes nothing for people but errors: the exit
                                          status, --json and reports have the result.
                  --width <characters>    Where lines are wrapped (default: the terminal's
                                          width, or 100).
                  --verbose               Tells of every step, every connection and what each
                                          client printed.
                  --show-stolen           Shows what each attacker got of the client: the first
                                          2048 bytes, secrets included. No report has them.
                  --keylog <file>         Writes the secrets of all connections, so that
                                          Wireshark can read a capture of them (SSLKEYLOGFILE).
                  --pcap <file>           Writes what all connections carried, with their
                                          secrets, as a capture that Wireshark opens decrypted
                                          (pcapng).
                  --evidence-days <n>     After how many days a later run in the same folder
                                          removes what --keylog and --pcap wrote (default: 7).
                  --upstream-proxy <url>  Reaches real servers (upstream, and what is passed
                                          through) by this HTTP proxy, as in http://proxy:3128.
                  --upstream-proxy-user <file>
                                          A file whose first line is user:password for that
                                          proxy.
                  --certs <folder>        Shows the keys and roots of this keyring, in place of
                                          new ones.
                  --no-commands           Starts no client that is a command, as for a file
                                          from a stranger: they are skipped.
                  --version               Show the version.
                  -h, --help              Show help information.


                """#
        ),
        Help(
            command: ["replay"],
            text: #"""
                OVERVIEW: Plays one trial of a JSON report again, and prints each command that
                it starts.

                The file that the report names is read as it is now, from the folder in which
                the run was started. Before each attempt stands the client's command with its
                folder and its environment, to be copied; --hold waits there, so that it can be
                run by hand, or under a debugger, while the server stands.

                Exit status: as of `run`, of that trial alone; 65 where the report does not
                tell how it was made.

                USAGE: pindrill replay <report> <trial> [--env <name=value> ...] [--hold] [--isolate] [--color <when>] [--json] [--quiet] [--show-stolen]

                ARGUMENTS:
                  <report>                The report, as --report json=… or jsonl=… wrote it.
                  <trial>                 The trial: its number in the report, from 1, or its
                                          name as 'scenario · policy · client'; * and ? are
                                          wildcards.

                OPTIONS:
                  --env <name=value>      The value of a variable that `try` was given by
                                          --env; reports do not hold it. May be given
                                          repeatedly.
                  --hold                  Waits for Enter before each attempt. What is done by
                                          hand until then counts as the client's.
                  --isolate               Linux: runs the client in a network of its own, as a
                                          run with --isolate did.
                  --color <when>          Colours: auto, always or never. (values: auto,
                                          always, never; default: auto)
                  --json                  Writes the result to standard output as JSON, and
                                          nothing else there.
                  --quiet                 Writes nothing for people but errors: the exit
                                          status, --json and reports have the result.
                  --show-stolen           Shows what each attacker got of the client: the first
                                          2048 bytes, secrets included. No report has them.
                  --version               Show the version.
                  -h, --help              Show help information.


                """#
        ),
        Help(
            command: ["report"],
            text: #"""
                OVERVIEW: Shows, converts, merges and compares reports of runs that are over.

                A report is read as --report json=PATH or --report jsonl=PATH wrote it: both
                hold all that any other kind shows.

                USAGE: pindrill report <subcommand>

                OPTIONS:
                  --version               Show the version.
                  -h, --help              Show help information.

                SUBCOMMANDS:
                  show                    Prints a report as its run did.
                  convert                 Makes reports of other kinds of one.
                  merge                   Puts the reports of all shards of a run together: the
                                          result is that of one run.
                  diff                    Says what changed from one report to another:
                                          verdicts, consequences, trials that came or went.

                  See 'pindrill help report <subcommand>' for detailed help.

                """#
        ),
        Help(
            command: ["report", "show"],
            text: #"""
                OVERVIEW: Prints a report as its run did.

                Exit status: 0, whatever the run ended with; 65 where it is no report.

                USAGE: pindrill report show <report> [--width <characters>] [--verbose] [--color <when>] [--json] [--quiet]

                ARGUMENTS:
                  <report>                The report.

                OPTIONS:
                  --width <characters>    Where lines are wrapped (default: the terminal's
                                          width, or 100).
                  --verbose               Tells of every step, every connection and what each
                                          client printed.
                  --color <when>          Colours: auto, always or never. (values: auto,
                                          always, never; default: auto)
                  --json                  Writes the result to standard output as JSON, and
                                          nothing else there.
                  --quiet                 Writes nothing for people but errors: the exit
                                          status, --json and reports have the result.
                  --version               Show the version.
                  -h, --help              Show help information.


                """#
        ),
        Help(
            command: ["report", "convert"],
            text: #"""
                OVERVIEW: Makes reports of other kinds of one.

                What fails in the kinds that count failures is what failed in the run: its
                --fail-on stands in the report.

                Exit status: 0; 64 usage; 65 where it is no report; 74 where one could not be
                written.

                USAGE: pindrill report convert <input> [--report <kind=path> ...] [--stable]

                ARGUMENTS:
                  <input>                 The report.

                OPTIONS:
                  --report <kind=path>    Writes a report; the kind is json, jsonl, junit,
                                          html, markdown or sarif, the path '-' is standard
                                          output. May be given repeatedly.
                  --stable                Leaves times, hashes and ports out of reports, so
                                          that those of two runs differ only where something
                                          differed.
                  --version               Show the version.
                  -h, --help              Show help information.


                """#
        ),
        Help(
            command: ["report", "merge"],
            text: #"""
                OVERVIEW: Puts the reports of all shards of a run together: the result is that
                of one run.

                Reports of lines (jsonl) are merged line by line, so they may be of any size.

                Exit status: that of the whole run, 0, 1 or 2; 64 usage; 65 where a shard is
                missing, is there twice, was interrupted or is of another run; 74 where a
                report could not be written.

                USAGE: pindrill report merge <shards> ... [--report <kind=path> ...] [--stable]

                ARGUMENTS:
                  <shards>                The reports of all shards.

                OPTIONS:
                  --report <kind=path>    Writes a report; the kind is json, jsonl, junit,
                                          html, markdown or sarif, the path '-' is standard
                                          output. May be given repeatedly.
                  --stable                Leaves times, hashes and ports out of reports, so
                                          that those of two runs differ only where something
                                          differed.
                  --version               Show the version.
                  -h, --help              Show help information.


                """#
        ),
        Help(
            command: ["report", "diff"],
            text: #"""
                OVERVIEW: Says what changed from one report to another: verdicts, consequences,
                trials that came or went.

                Exit status: 0 nothing is worse; 1 a trial is worse, or is new and bad; 65
                where one is no report.

                USAGE: pindrill report diff <old> <new> [--color <when>] [--json] [--quiet]

                ARGUMENTS:
                  <old>                   The earlier report.
                  <new>                   The later one.

                OPTIONS:
                  --color <when>          Colours: auto, always or never. (values: auto,
                                          always, never; default: auto)
                  --json                  Writes the result to standard output as JSON, and
                                          nothing else there.
                  --quiet                 Writes nothing for people but errors: the exit
                                          status, --json and reports have the result.
                  --version               Show the version.
                  -h, --help              Show help information.


                """#
        ),
        Help(
            command: ["list"],
            text: #"""
                OVERVIEW: Lists a file's scenarios, policies and clients.

                All of the file is checked, its claims included; nothing is started. With
                `--format markdown` it becomes a page to read: each scenario's steps, and how
                the users of each policy fare.

                USAGE: pindrill list [<file>] [--tag <glob> ...] [--format <format>] [--color <when>] [--json] [--quiet]

                ARGUMENTS:
                  <file>                  The scenario file (default: the scenarios.yaml that
                                          is here, or else the shipped one).

                OPTIONS:
                  --tag <glob>            Only scenarios with this tag, such as attack or
                                          CWE-295.
                  --format <format>       How: text or markdown. (values: text, markdown;
                                          default: text)
                  --color <when>          Colours: auto, always or never. (values: auto,
                                          always, never; default: auto)
                  --json                  Writes the result to standard output as JSON, and
                                          nothing else there.
                  --quiet                 Writes nothing for people but errors: the exit
                                          status, --json and reports have the result.
                  --version               Show the version.
                  -h, --help              Show help information.


                """#
        ),
        Help(
            command: ["explain"],
            text: #"""
                OVERVIEW: Explains a scenario: who vouches for whom, and what each policy makes
                of it.

                Each step's chain is drawn from the authority that the device trusts down to
                the server's certificate, with keys, dates and the policies whose pins match.
                Below it stands what a client with each policy must do, and what that means for
                its users. No client is started.

                USAGE: pindrill explain <scenario> [<file>] [--policy <glob> ...] [--step <number>] [--width <characters>] [--color <when>] [--json] [--quiet] [--verbose]

                ARGUMENTS:
                  <scenario>              The scenario's name; * and ? are wildcards.
                  <file>                  The scenario file (default: the scenarios.yaml that
                                          is here, or else the shipped one).

                OPTIONS:
                  --policy <glob>         Only policies of this name; * and ? are wildcards.
                  --step <number>         Only this step, to fit a screen: 1 is the first.
                  --width <characters>    Where sentences are wrapped. (default: 100)
                  --color <when>          Colours: auto, always or never. (values: auto,
                                          always, never; default: auto)
                  --json                  Writes the result to standard output as JSON, and
                                          nothing else there.
                  --quiet                 Writes nothing for people but errors: the exit
                                          status, --json and reports have the result.
                  --verbose               Shows the pins, which change with every run.
                  --version               Show the version.
                  -h, --help              Show help information.


                """#
        ),
        Help(
            command: ["lint"],
            text: #"""
                OVERVIEW: Finds what makes a file prove less than its author believes.

                Each finding has its line, the fix, and the name of its rule; docs/lints.md
                explains the rules. A declaration says that something is meant by `allow:
                [rule]`.

                Exit status: 0 nothing was found; 1 something was; 65 a bad file.

                USAGE: pindrill lint [<file>] [--color <when>] [--json] [--quiet]

                ARGUMENTS:
                  <file>                  The scenario file (default: the scenarios.yaml that
                                          is here, or else the shipped one).

                OPTIONS:
                  --color <when>          Colours: auto, always or never. (values: auto,
                                          always, never; default: auto)
                  --json                  Writes the result to standard output as JSON, and
                                          nothing else there.
                  --quiet                 Writes nothing for people but errors: the exit
                                          status, --json and reports have the result.
                  --version               Show the version.
                  -h, --help              Show help information.


                """#
        ),
        Help(
            command: ["audit"],
            text: #"""
                OVERVIEW: Says what an app's pin configuration would do to its users.

                The configuration is held against the catalogue's rotations and its quick set:
                renewals, new authorities and attacks. A table says of each whether the app
                survives it, locks its users out or lets an attacker in; above it stand
                findings about the file itself, each with its fix. No client is started, and no
                server asked.

                Pins name keys that only production holds. With --chain, each plays the part
                that it has in production's own chain, and pins that are not in it are taken
                for backups; without, the first is taken for the key in use.

                Of a folder, every configuration is found: property lists, XML, sources in
                Kotlin, Java, Swift, Objective-C, Dart, TypeScript, JavaScript and C#, scripts
                and server configurations. What cannot be read is named. A project's
                .pindrill.yml permits findings, each with a reason and for a while.

                Exit status: 0 nothing as severe as --fail-on; 1 something is; 64 usage; 65 a
                bad file, or no pins that can be read.

                USAGE: pindrill audit [<options>] <files> ...

                ARGUMENTS:
                  <files>                 Pin configurations in their own formats, sources that
                                          hold them, or folders of projects.

                OPTIONS:
                  --define <name=value>   What a name stands for that only the build or the
                                          device knows. May be given repeatedly.
                  --dialect <name>        Whose format the configuration has, where that cannot
                                          be told. (values: ats, trustkit, alamofire, delegate,
                                          public-key-pinning-ios, android, trustkit-android,
                                          okhttp, curl, fingerprint, callback, hpkp, chromium,
                                          afnetworking, electron)
                  --device <setting>      Where the app runs: debuggable, target-sdk=N,
                                          api-level=N, time-zone=NAME or mac. May be given
                                          repeatedly.
                  --host <name>           The host that is asked for (default: all that the
                                          configuration names).
                  --chain <file>          Production's own chain in PEM, leaf first: tells
                                          which pin is which key.
                  --trust <file>          Where that chain's root is: a PEM file, or 'system'.
                                          (default: system)
                  --format <format>       How: text, json, markdown, html, or sarif for code
                                          scanning. (values: text, json, markdown, html, sarif;
                                          default: text)
                  --fail-on <severity>    End with status 1 from this severity on: warning,
                                          outage or breach. (values: warning, outage, breach;
                                          default: outage)
                  --today <day>           The day of the audit, as in 2026-11-30 (default: now).
                  --verbose               Shows every event, also those that the app survives.
                  --color <when>          Colours: auto, always or never. (values: auto,
                                          always, never; default: auto)
                  --json                  Writes the result to standard output as JSON, and
                                          nothing else there.
                  --quiet                 Writes nothing for people but errors: the exit
                                          status, --json and reports have the result.
                  --version               Show the version.
                  -h, --help              Show help information.


                """#
        ),
        Help(
            command: ["check"],
            text: #"""
                OVERVIEW: Says whether apps with these pin configurations would accept these
                chains.

                For release engineers, before a certificate is deployed: the app's own
                configuration, the chain that the server will show, and what devices trust go
                in; one line comes out, and below it the reason, the path that was built and
                each pin that was tried.

                With several configurations or chains a table comes out: each app that is in
                use with each chain that is planned. Below it stands what would lock users out,
                and which pin those apps would have needed.

                Exit status: 0 the app accepts; 1 it does not, or not every TLS library would;
                of several, those that --require names, all unless it is given; 64 usage; 65 a
                bad file, or a server that cannot be asked.

                USAGE: pindrill check <options>

                OPTIONS:
                  --policy <file>         The app's pin configuration, in its own format, or a
                                          folder of them. May be given repeatedly.
                  --dialect <name>        Whose format the configuration has, where that cannot
                                          be told. (values: ats, trustkit, alamofire, delegate,
                                          public-key-pinning-ios, android, trustkit-android,
                                          okhttp, curl, fingerprint, callback, hpkp, chromium,
                                          afnetworking, electron)
                  --device <setting>      Where the app runs: debuggable, target-sdk=N,
                                          api-level=N, time-zone=NAME or mac. May be given
                                          repeatedly.
                  --chain <file>          A chain that the server will show, leaf first, in
                                          PEM. May be given repeatedly.
                  --server <host:port>    A server, which is asked for the chain that it shows
                                          now. May be given repeatedly.
                  --sni, --servername <name>
                                          The name to ask servers for (default: their host).
                  --starttls <protocol>   Start TLS as this protocol does. (values: smtp, imap,
                                          pop3, postgres)
                  --timeout <time>        How long a server may take, as in 500ms, 10s or 2m
                                          (default: 10s).
                  --trust <file>          What devices trust: a PEM file, or 'system'.
                                          (default: system)
                  --app-trust <file>      Roots that the app brings along (Android's
                                          src="@raw/…"), in PEM.
                  --user-trust <file>     Roots that the user installed, in PEM.
                  --host <name>           The host that the app asks for (default: a server's
                                          own).
                  --at <time>             When, as in 2026-11-30 or 2026-11-30T12:00:00Z
                                          (default: now).
                  --require <pattern>     Which must accept, as POLICY or POLICY@CHAIN, with *
                                          and ? for any characters. May be given repeatedly.
                  --format <format>       How: text, json or markdown. (values: text, json,
                                          markdown; default: text)
                  --color <when>          Colours: auto, always or never. (values: auto,
                                          always, never; default: auto)
                  --json                  Writes the result to standard output as JSON, and
                                          nothing else there.
                  --quiet                 Writes nothing for people but errors: the exit
                                          status, --json and reports have the result.
                  --version               Show the version.
                  -h, --help              Show help information.


                """#
        ),
        Help(
            command: ["forecast"],
            text: #"""
                OVERVIEW: Says whom a planned certificate locks out, and from which day on it
                is safe.

                A fleet file says which versions of an app are in use, with which pins, and by
                how many people; a plan says what the server will show, and when. For each
                event of the plan comes out who is locked out on that day, by version and
                reason, which pin those versions lack, and the earliest day from which on the
                part of all people who are locked out stays under --tolerate.

                Days with data are counted. What comes after them is projected from each
                version's own decline, and called a projection. Where there are too little data
                for that, the forecast says so.

                Exit status: 0 nothing is as bad as --fail-on; 1 something is; 64 usage; 65 a
                bad file.

                USAGE: pindrill forecast <fleet> <plan> [--tolerate <share>] [--fail-on <condition>] [--today <day>] [--ahead <days>] [--format <format>] [--color <when>] [--json] [--quiet]

                ARGUMENTS:
                  <fleet>                 The fleet file: versions, their pins and their use.
                  <plan>                  The plan: what is shown when.

                OPTIONS:
                  --tolerate <share>      The part of all people that may be locked out.
                                          (default: 0.5%)
                  --fail-on <condition>   End with status 1 where an event locks out more, as
                                          in 'locked-out>1%'.
                  --today <day>           The day up to which data count, as in 2026-11-30
                                          (default: now).
                  --ahead <days>          How many days are looked ahead of today and of the
                                          last event. (default: 730)
                  --format <format>       How: text, json or html, which is one page with a
                                          chart. (values: text, json, html; default: text)
                  --color <when>          Colours: auto, always or never. (values: auto,
                                          always, never; default: auto)
                  --json                  Writes the result to standard output as JSON, and
                                          nothing else there.
                  --quiet                 Writes nothing for people but errors: the exit
                                          status, --json and reports have the result.
                  --version               Show the version.
                  -h, --help              Show help information.


                """#
        ),
        Help(
            command: ["monitor"],
            text: #"""
                OVERVIEW: Says whether every version in use accepts what servers show now, and
                what they will show next.

                For cron or a pipeline. Every address of a server's name is asked by itself,
                and what it shows is held against every configuration. So is what comes next: a
                chain, or only the request or the public key for which the same authority will
                sign. Certificates and pins that end are listed with the days that are left.

                Exit status: 0 all is well; 1 a chain is rejected, or something ends within
                --warn-days; 2 nothing is wrong, and a server could not be asked, or nobody is
                known to sign a key; 64 usage; 65 a bad file.

                USAGE: pindrill monitor <options>

                OPTIONS:
                  --policy <file>         The app's pin configuration, in its own format, or a
                                          folder of them. May be given repeatedly.
                  --dialect <name>        Whose format the configuration has, where that cannot
                                          be told. (values: ats, trustkit, alamofire, delegate,
                                          public-key-pinning-ios, android, trustkit-android,
                                          okhttp, curl, fingerprint, callback, hpkp, chromium,
                                          afnetworking, electron)
                  --device <setting>      Where the app runs: debuggable, target-sdk=N,
                                          api-level=N, time-zone=NAME or mac. May be given
                                          repeatedly.
                  --server <host:port>    A server, which is asked for the chain that it shows
                                          now. May be given repeatedly.
                  --sni, --servername <name>
                                          The name to ask servers for (default: their host).
                  --starttls <protocol>   Start TLS as this protocol does. (values: smtp, imap,
                                          pop3, postgres)
                  --timeout <time>        How long a server may take, as in 500ms, 10s or 2m
                                          (default: 10s).
                  --next <file>           What will be shown: a chain in PEM, leaf first, or a
                                          request, a public key or a private one, of which only
                                          the public half is read. May be given repeatedly.
                  --trust <file>          What devices trust: a PEM file, or 'system'.
                                          (default: system)
                  --app-trust <file>      Roots that the app brings along (Android's
                                          src="@raw/…"), in PEM.
                  --user-trust <file>     Roots that the user installed, in PEM.
                  --host <name>           The host that the app asks for (default: the server's
                                          own).
                  --warn-days <days>      Status 1 where something ends in fewer days.
                                          (default: 7)
                  --at <time>             When, as in 2026-11-30 or 2026-11-30T12:00:00Z
                                          (default: now).
                  --format <format>       How: text, json or openmetrics. (values: text, json,
                                          openmetrics; default: text)
                  --color <when>          Colours: auto, always or never. (values: auto,
                                          always, never; default: auto)
                  --json                  Writes the result to standard output as JSON, and
                                          nothing else there.
                  --quiet                 Writes nothing for people but errors: the exit
                                          status, --json and reports have the result.
                  --version               Show the version.
                  -h, --help              Show help information.


                """#
        ),
        Help(
            command: ["pins"],
            text: #"""
                OVERVIEW: Prints the pins of certificates and keys, from a file or a server.

                The public-key pin (SHA-256 over the SubjectPublicKeyInfo) survives a renewal
                that keeps the key; the certificate's own hash does not. It is the same whether
                it is taken of a certificate, of its key, or of the request for it. Of a
                private key only the public half is read. What a server shows is not verified.

                Recipes with `openssl rsa -pubin` print the same pin for RSA keys, and fail for
                any other, such as EC: use `openssl pkey -pubin`.

                Exit status: 0 the pins are printed; 64 usage; 65 nothing to pin was found.

                USAGE: pindrill pins <source> [--as <system>] [--color <when>] [--json] [--quiet] [--password <text>] [--password-file <file>] [--servername <name>] [--starttls <protocol>] [--timeout <time>]

                ARGUMENTS:
                  <source>                Certificates, keys, certificate requests or a
                                          PKCS#12, in PEM or DER: a file, - for standard input,
                                          or host:port.

                OPTIONS:
                  --as <system>           Print them in the form of this system, ready to
                                          paste. (values: ats, trustkit, android, okhttp, curl,
                                          alamofire, hpkp)
                  --color <when>          Colours: auto, always or never. (values: auto,
                                          always, never; default: auto)
                  --json                  Writes the result to standard output as JSON, and
                                          nothing else there.
                  --quiet                 Writes nothing for people but errors: the exit
                                          status, --json and reports have the result.
                  --password <text>       The password of a PKCS#12 or of an encrypted key;
                                          others on this machine may see it.
                  --password-file <file>  A file whose first line is the password.
                  --servername <name>     The name to ask a server for (default: its host).
                  --starttls <protocol>   Start TLS as this protocol does. (values: smtp, imap,
                                          pop3, postgres)
                  --timeout <time>        How long a server may take, as in 500ms, 10s or 2m
                                          (default: 10s).
                  --version               Show the version.
                  -h, --help              Show help information.


                """#
        ),
        Help(
            command: ["certs"],
            text: #"""
                OVERVIEW: Keeps keys and roots from one run to the next.

                A run makes new keys each time. Whoever builds an app with their pins in it, or
                installs a root on a device, keeps them: `certs init` makes the keys of a
                scenario file once, and `run --certs certs/local` shows them. Certificates
                below the roots are still made when they are shown.

                A root that is kept may vouch only for the hosts of the file, and for 90 days,
                unless you ask for more.

                Exit status: 0 it is done; 64 usage; 65 a bad file, or a keyring that does not
                fit it.

                USAGE: pindrill certs <subcommand>

                OPTIONS:
                  --version               Show the version.
                  -h, --help              Show help information.

                SUBCOMMANDS:
                  init                    Makes the keys and roots of a scenario file that are
                                          not kept yet.
                  import                  Takes a key that exists already, as of a staging
                                          server or an internal authority.
                  list                    Lists what is kept.
                  show                    Shows the pins of keys, and what roots may vouch for,
                                          but no private key.
                  export                  Writes roots, pins or a kit for a test build, and a
                                          private key only if asked to.
                  rotate                  Makes new keys under old names, or with --keep-key
                                          new roots that hold the old keys.
                  remove                  Forgets keys and roots for good.

                  See 'pindrill help certs <subcommand>' for detailed help.

                """#
        ),
        Help(
            command: ["certs", "init"],
            text: #"""
                OVERVIEW: Makes the keys and roots of a scenario file that are not kept yet.

                USAGE: pindrill certs init [<file>] [--certs <folder>] [--days <n>] [--unconstrained]

                ARGUMENTS:
                  <file>                  The scenario file (default: the scenarios.yaml that
                                          is here, or else the shipped one).

                OPTIONS:
                  --certs <folder>        The keyring. (default: certs/local)
                  --days <n>              How many days new roots live. (default: 90)
                  --unconstrained         New roots may vouch for every name, not only for
                                          those of the file.
                  --version               Show the version.
                  -h, --help              Show help information.


                """#
        ),
        Help(
            command: ["certs", "list"],
            text: #"""
                OVERVIEW: Lists what is kept.

                USAGE: pindrill certs list [--certs <folder>] [--color <when>] [--json] [--quiet]

                OPTIONS:
                  --certs <folder>        The keyring. (default: certs/local)
                  --color <when>          Colours: auto, always or never. (values: auto,
                                          always, never; default: auto)
                  --json                  Writes the result to standard output as JSON, and
                                          nothing else there.
                  --quiet                 Writes nothing for people but errors: the exit
                                          status, --json and reports have the result.
                  --version               Show the version.
                  -h, --help              Show help information.


                """#
        ),
        Help(
            command: ["certs", "show"],
            text: #"""
                OVERVIEW: Shows the pins of keys, and what roots may vouch for, but no private
                key.

                USAGE: pindrill certs show [<names> ...] [--certs <folder>] [--color <when>] [--json] [--quiet]

                ARGUMENTS:
                  <names>                 Keys and roots of the keyring (default: all).

                OPTIONS:
                  --certs <folder>        The keyring. (default: certs/local)
                  --color <when>          Colours: auto, always or never. (values: auto,
                                          always, never; default: auto)
                  --json                  Writes the result to standard output as JSON, and
                                          nothing else there.
                  --quiet                 Writes nothing for people but errors: the exit
                                          status, --json and reports have the result.
                  --version               Show the version.
                  -h, --help              Show help information.


                """#
        ),
        Help(
            command: ["certs", "export"],
            text: #"""
                OVERVIEW: Writes roots, pins or a kit for a test build, and a private key only
                if asked to.

                Roots are those that a store of the file trusts, unless they are named; --as
                and --kit take the names of the keys to pin. Nothing private is written without
                --private, which wants a passphrase: from --passphrase-file, from
                PINDRILL_PASSPHRASE, or typed.

                The system's own trust store is never touched.

                USAGE: pindrill certs export [<names> ...] [--format <format>] [--as <system>] [--kit <kit>] [--output <path>] [--host <name>] [--private] [--sign-with <key,cert>] [--passphrase-file <file>] [--force] [--certs <folder>]

                ARGUMENTS:
                  <names>                 Roots; with --as, --kit and --private, keys.

                OPTIONS:
                  --format <format>       In which form: pem, der, p12, jks, mobileconfig or
                                          android. (values: pem, der, p12, jks, mobileconfig,
                                          android)
                  --as <system>           The pins of keys in the form of this system, ready to
                                          paste. (values: ats, trustkit, android, okhttp, curl,
                                          alamofire, hpkp)
                  --kit <kit>             A folder for a test build: ios, android, flutter or
                                          react-native. (values: ios, android, flutter,
                                          react-native)
                  --output <path>         Where to (default: standard output, for one file of
                                          text).
                  --host <name>           The host of the pins (default: that of the scenario
                                          file).
                  --private               The private key of one name, as pem or p12.
                  --sign-with <key,cert>  Signs a mobileconfig, with the key and the
                                          certificates in these files, divided by a comma.
                  --passphrase-file <file>
                                          A file whose first line is the passphrase.
                  --force                 Lets it replace files.
                  --certs <folder>        The keyring. (default: certs/local)
                  --version               Show the version.
                  -h, --help              Show help information.


                """#
        ),
        Help(
            command: ["certs", "rotate"],
            text: #"""
                OVERVIEW: Makes new keys under old names, or with --keep-key new roots that
                hold the old keys.

                What was built or installed with the old key is refused from then on. A root
                that ended, or that may not vouch for a new host, is renewed by --keep-key:
                pins of its key stay true, and devices must be given it again.

                USAGE: pindrill certs rotate <names> ... [--file <file>] [--keep-key] [--certs <folder>] [--days <n>] [--unconstrained]

                ARGUMENTS:
                  <names>                 Keys and roots of the keyring.

                OPTIONS:
                  --file <file>           The scenario file (default: the scenarios.yaml that
                                          is here, or else the shipped one).
                  --keep-key              Only the certificates of roots are new.
                  --certs <folder>        The keyring. (default: certs/local)
                  --days <n>              How many days new roots live. (default: 90)
                  --unconstrained         New roots may vouch for every name, not only for
                                          those of the file.
                  --version               Show the version.
                  -h, --help              Show help information.


                """#
        ),
        Help(
            command: ["certs", "remove"],
            text: #"""
                OVERVIEW: Forgets keys and roots for good.

                A device that was given a root trusts it until somebody removes it there as
                well.

                USAGE: pindrill certs remove [<names> ...] [--all] [--certs <folder>]

                ARGUMENTS:
                  <names>                 Keys and roots of the keyring.

                OPTIONS:
                  --all                   Everything.
                  --certs <folder>        The keyring. (default: certs/local)
                  --version               Show the version.
                  -h, --help              Show help information.


                """#
        ),
        Help(
            command: ["demo"],
            text: #"""
                OVERVIEW: Shows what pinning prevents, and what it breaks, in three minutes.

                Five short lessons for people who watch: a login is intercepted, a pin prevents
                it, a rotation locks everybody out, a backup pin saves it, and a careless
                comparison is fooled. Nothing else is needed, and nothing is acted: an app of
                PinDrill's own talks to PinDrill over TLS, and the usual judgement is shown.
                Each screen fits 100 columns and 30 lines.

                On a terminal each part stays as long as a person needs to read it; elsewhere
                nothing waits.

                Exit status: 0; 1 something happened that the story does not say; 130 it was
                ended early.

                USAGE: pindrill demo [--lesson <name>] [--pause] [--language <language>] [--speed <factor>] [--color <when>]

                OPTIONS:
                  --lesson <name>         Only this lesson. (values: login, pin, rotation,
                                          backup, stuffed-chain)
                  --pause                 Waits for a key after each part.
                  --language <language>   The language of the stories. (values: en, ko, ja, zh;
                                          default: en)
                  --speed <factor>        How many times faster than people usually read.
                                          (default: 1.0)
                  --color <when>          Colours: auto, always or never. (values: auto,
                                          always, never; default: auto)
                  --version               Show the version.
                  -h, --help              Show help information.


                """#
        ),
        Help(
            command: ["selftest"],
            text: #"""
                OVERVIEW: Plays the shipped catalogue to clients with known bugs, and to
                clients without any.

                Each bug has to be found by the scenario that is about it, and no client
                without a bug may be accused. docs/detection.md has the result as `--format
                markdown` writes it, and what was found of clients that were written without
                the catalogue.

                Exit status: 0 every bug was found and nobody was accused; 1 a bug was missed,
                or a correct client accused.

                USAGE: pindrill selftest [--client <glob> ...] [--jobs <n>] [--format <format>] [--first-try <file>] [--verbose] [--color <when>] [--json] [--quiet]

                OPTIONS:
                  --client <glob>         Only clients of this name; * and ? are wildcards.
                  --jobs <n>              Trials at the same time (default: 8 for each core).
                  --format <format>       How the result is written: text or markdown. (values:
                                          text, markdown; default: text)
                  --first-try <file>      What was found of clients written without the
                                          catalogue, for the page.
                  --verbose               Names every client and every doubt, not only those
                                          that went another way.
                  --color <when>          Colours: auto, always or never. (values: auto,
                                          always, never; default: auto)
                  --json                  Writes the result to standard output as JSON, and
                                          nothing else there.
                  --quiet                 Writes nothing for people but errors: the exit
                                          status, --json and reports have the result.
                  --version               Show the version.
                  -h, --help              Show help information.


                """#
        ),
        Help(
            command: ["version"],
            text: #"""
                OVERVIEW: Prints the versions of pindrill and of its TLS library.

                USAGE: pindrill version

                OPTIONS:
                  --version               Show the version.
                  -h, --help              Show help information.


                """#
        ),
    ]
}
