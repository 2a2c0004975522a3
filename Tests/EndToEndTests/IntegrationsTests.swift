import Foundation
import TestSupport
import Testing

/// `Integrations`: what tests in other languages import, with a real client as the app.
@Suite(.serialized) struct IntegrationsTests {
    /// A way to play the story of the examples.
    struct Language: CustomTestStringConvertible {
        let name: String
        /// A line for the shell that is true where it can be played.
        let condition: String
        /// Plays it with `$kind`, which is `pinned` or `naive`, and `$story`.
        let line: String

        var testDescription: String { name }
        var isPossible: Bool {
            get async throws {
                // Every system that has tests has a shell.
                guard try Tool("sh")!.run(["-c", condition], environment: Program.bareEnvironment).status == 0 else {
                    print("skipped: \(name): this is not so here: \(condition)")
                    return false
                }
                if name == "junit5" { try await #expect(IntegrationsTests.compiled.value.status == 0) }
                return true
            }
        }
    }

    static let languages = [
        Language(
            name: "python",
            condition: "\(python) -c 'import pytest'",
            line: """
                PYTHONPATH=$here/python/src PYTHONDONTWRITEBYTECODE=1 \(python) -m pytest -p pindrill.pytest_plugin \
                -p no:cacheprovider --pindrill-file "$story" $here/python/examples/test_$kind.py
                """
        ),
        Language(
            name: "node",
            condition: "node -e 'process.exit(parseInt(process.versions.node) >= 18 ? 0 : 1)'",
            line: "STORY=$story node --test $here/node/examples/$kind.test.js"
        ),
        Language(
            name: "junit5",
            condition: "javac -version && ls /usr/share/java/junit-platform-console.jar",
            line: """
                \(jars)
                STORY=$story java $quick -cp $classes:$jars org.junit.platform.console.ConsoleLauncher --disable-banner \
                --disable-ansi-colors --details=tree --select-class \
                "$(echo $kind | sed 's/pinned/PinnedTest/; s/naive/NaiveTest/')"
                """
        ),
        Language(
            name: "swift",
            condition: "swift --version && curl --version",
            line:
                "swift run --package-path $here/swift --scratch-path $here/../.build/integrations example $story $kind"
        ),
        Language(
            name: "curl",
            condition: "curl --version && jq --version",
            line: "sh $here/curl/examples/drill.sh $story $kind"
        ),
    ]

    /// Debian's, where its pytest is, or else the first one's.
    private static let python =
        FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/pytest") ? "/usr/bin/python3" : "python3"

    private static let jars = """
        classes=$here/../.build/integrations/java
        quick="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
        jars=$(ls /usr/share/java/junit-*.jar /usr/share/java/opentest4j.jar /usr/share/java/apiguardian-api.jar \
        /usr/share/java/picocli.jar | tr '\\n' ':')
        """

    /// Once for all tests.
    private static let compiled = Task {
        try await play(
            "\(jars)\nmkdir -p $classes\njavac -J-XX:TieredStopAtLevel=1 --release 11 -cp $jars -d $classes "
                + "$here/junit5/src/main/java/pindrill/*.java $here/junit5/examples/*.java"
        )
    }

    private static let story = Places.package.appending(path: "Integrations/story.yaml")

    /// Has `pindrill serve` at work, of which the line after it has address and token, and `pindrill` is not in its path.
    private static let served = """
        mkfifo place
        pindrill serve "$story" --port 0 --proxy-port 0 --json >place &
        trap "kill $!" EXIT
        read -r place <place
        place=$(printf %s "$place" | tr -d '\\\\')
        export PINDRILL_URL=$(printf %s "$place" | sed 's/.*"url" *: *"\\([^"]*\\)".*/\\1/')
        token=$(printf %s "$place" | sed 's/.*"token" *: *"\\([^"]*\\)".*/\\1/')
        PATH=$plain

        """

    private static func play(
        _ line: String,
        kind: String = "pinned",
        story: URL = story
    ) async throws -> Program.Ending {
        let path = Program.bareEnvironment["PATH", default: ""]
        let environment = [
            "PATH": "\(Program.url.deletingLastPathComponent().path):\(path)", "plain": path, "LANG": "C.UTF-8",
            "kind": kind, "story": story.path, "here": Places.package.appending(path: "Integrations").path,
        ]
        return try await withTemporaryFolder { folder in
            try await Started.with(
                URL(filePath: "/bin/sh"),
                ["-ec", line],
                environment: environment.merging(["HOME": folder.path]) { $1 },
                in: folder
            ) { try await $0.ending() }
        }
    }

    @Test(arguments: languages)
    func `an app that pins passes`(language: Language) async throws {
        guard try await language.isPossible else { return }

        let ending = try await Self.play(language.line)

        #expect(ending.status == 0, "\(ending)")
    }

    @Test(arguments: languages)
    func `an app that pins nothing fails, and the test says why`(language: Language) async throws {
        guard try await language.isPossible else { return }

        let ending = try await Self.play(language.line, kind: "naive")

        let output = ending.output + ending.errors
        #expect(ending.status != 0, "\(output)")
        for line in [
            "attacker-installed-root · leaf-and-backup · app: fail (intercepted), expected: pass",
            "step 2: api.acme.example showed forged, whose key is the attacker's: fail (intercepted)",
            "why: talked to the wrong server",
            "the wire saw: sent its request",
            "the app's word: worked",
        ] {
            #expect(output.contains(line), "\(output)")
        }
    }

    @Test(arguments: languages)
    func `a PinDrill that is there is found by its address and the file of its token`(language: Language) async throws {
        guard try await language.isPossible else { return }

        let ending = try await Self.play(
            Self.served + "(umask 77; echo $token >token)\nexport PINDRILL_TOKEN_FILE=$PWD/token\n" + language.line
        )

        #expect(ending.status == 0, "\(ending)")
    }

    @Test(arguments: languages)
    func `the server's errors come through, and its token does not`(language: Language) async throws {
        guard try await language.isPossible else { return }
        let both = """
            for PINDRILL_TOKEN in $token not-$token; do
            export PINDRILL_TOKEN
            (
            \(language.line)
            ) >said 2>&1 && echo passed
            cat said
            ! grep -F "$token" said >hidden || echo "the token is there"
            done

            """

        let ending = try await withTemporaryFolder { folder in
            let text = try String(contentsOf: Self.story, encoding: .utf8)
            let file = folder.appending(path: "story.yaml")
            try text.replacing("attacker-installed-root,", with: "attacker-installed-roots,")
                .write(to: file, atomically: true, encoding: .utf8)
            return try await Self.play(Self.served + both, kind: "naive", story: file)
        }

        #expect(ending.status == 0, "\(ending)")
        #expect(ending.output.contains("'attacker-installed-roots'"), "\(ending)")
        #expect(ending.output.contains("token"), "\(ending)")
        #expect(!ending.output.contains("passed\n"), "\(ending)")
        #expect(!ending.output.contains("the token is there"), "\(ending)")
    }

    @Test(arguments: languages)
    func `a file that cannot be served is named`(language: Language) async throws {
        guard try await language.isPossible else { return }

        let ending = try await Self.play(language.line, story: URL(filePath: "/nowhere/none.yaml"))

        #expect(ending.status != 0)
        #expect((ending.output + ending.errors).contains("none.yaml"), "\(ending)")
    }

    // Who forgets the last of the four lines would have a test that nothing can fail.
    @Test(arguments: [
        (
            "python",
            """
            PYTHONPATH=$here/python/src:$here/python/examples PYTHONDONTWRITEBYTECODE=1 \(python) -c '
            import app, pindrill, sys
            with pindrill.PinDrill(sys.argv[1]) as it:
                it.drill("attacker-installed-root").play(lambda attempt: app.ask(attempt, []))
            ' $story
            """
        ),
        (
            "node",
            """
            cat >forgets.mjs <<'END'
            const { PinDrill } = await import(`${process.env.here}/node/pindrill.js`)
            const { ask } = await import(`${process.env.here}/node/examples/app.js`)
            const it = await PinDrill.open(process.env.story)
            await (await it.drill('attacker-installed-root')).play((attempt) => ask(attempt, []))
            await it.close()
            END
            node forgets.mjs
            """
        ),
        (
            "junit5",
            """
            \(jars)
            cat >Forgets.java <<'END'
            public class Forgets {
                public static void main(String[] words) throws Exception {
                    try (pindrill.PinDrill it = pindrill.PinDrill.serving(words[0]).open()) {
                        it.drill("attacker-installed-root").play(attempt -> "skip");
                    }
                }
            }
            END
            java $quick -cp $classes:$jars Forgets.java $story
            """
        ),
        (
            "curl",
            """
            . $here/curl/pindrill.sh
            app() { echo skip; }
            pindrill_open $story
            pindrill_drill attacker-installed-root
            pindrill_play app
            """
        ),
    ])
    func `a drill whose verdict nobody asks for is an error`(name: String, line: String) async throws {
        guard try await Self.languages.first(where: { $0.name == name })?.isPossible == true else { return }

        let ending = try await Self.play(line)

        #expect(ending.status != 0)
        #expect(
            (ending.output + ending.errors).contains("nobody asked for the verdict of 'attacker-installed-root'"),
            "\(ending)"
        )
    }

    /// Plays `coded` with the code that curl is answered, and what `$wrong` has before it.
    @Test(arguments: [
        (
            "python",
            """
            PYTHONPATH=$here/python/src PYTHONDONTWRITEBYTECODE=1 \(python) -c '
            import pathlib, pindrill, subprocess, sys
            def app(attempt):
                pathlib.Path("trust.pem").write_text(attempt.trust)
                answer = ["curl", "-qsS", "--cacert", "trust.pem", "--proxy", attempt.proxy, attempt.url]
                attempt.code = sys.argv[2] + subprocess.check_output(answer, text=True)
                return "worked"
            with pindrill.PinDrill(sys.argv[1]) as it:
                it.drill("coded").play(app).expect("pass")
            ' $story "$wrong"
            """
        ),
        (
            "node",
            """
            cat >coded.mjs <<'END'
            import { execFileSync } from 'node:child_process'
            import { writeFileSync } from 'node:fs'
            const { PinDrill } = await import(`${process.env.here}/node/pindrill.js`)
            const it = await PinDrill.open(process.env.story)
            try {
              const drill = await it.drill('coded')
              await drill.play((attempt) => {
                writeFileSync('trust.pem', attempt.trust)
                const words = ['-qsS', '--cacert', 'trust.pem', '--proxy', attempt.proxy, attempt.url]
                attempt.code = process.env.wrong + execFileSync('curl', words)
                return 'worked'
              })
              drill.expect('pass')
            } finally {
              await it.close()
            }
            END
            export wrong
            node coded.mjs
            """
        ),
        (
            "curl",
            """
            . $here/curl/pindrill.sh
            app() { echo "worked $wrong$(curl -qsS --cacert "$trust" --proxy "$proxy" "$url")"; }
            pindrill_open $story
            pindrill_drill coded
            pindrill_play app
            pindrill_expect pass
            """
        ),
    ])
    func `what an app shows is held to the code of its answer`(name: String, line: String) async throws {
        guard try await Self.languages.first(where: { $0.name == name })?.isPossible == true else { return }

        let (right, wrong) = try await withTemporaryFolder { folder in
            let steps = "[{ present: today, origin: { GET /: { body: '{code}' } } }]"
            let file = folder.appending(path: "story.yaml")
            try (String(contentsOf: Self.story, encoding: .utf8) + "  - { name: coded, steps: \(steps) }\n")
                .write(to: file, atomically: true, encoding: .utf8)
            return (
                try await Self.play("wrong=\n" + line, story: file),
                try await Self.play("wrong=0\n" + line, story: file)
            )
        }

        #expect(right.status == 0, "\(right)")
        #expect(wrong.status != 0)
        #expect((wrong.output + wrong.errors).contains("that is not the code of this attempt's answer"), "\(wrong)")
    }

    // Nothing is fetched: what Maven does with plugins from elsewhere is not seen here.
    @Test(.enabled(if: Tool("mvn") != nil, "Maven is not installed"))
    func `Maven reads the project of the JUnit extension`() async throws {
        let ending = try await Self.play("mvn -o -q -B -f $here/junit5/pom.xml validate")

        #expect(ending.status == 0, "\(ending)")
    }

    @Test func `the page shows what the examples do`() throws {
        let page = try String(contentsOf: Places.package.appending(path: "docs/integrations.md"), encoding: .utf8)
        let blocks = page.matches(of: /<!-- of: (?<file>[^\n]+) -->\n```[a-z]+\n(?<lines>(?s).*?)```/)

        #expect(blocks.count == Self.languages.count)
        for block in blocks {
            let file = Places.package.appending(path: "Integrations/\(block.output.file)")
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
                .map { $0.trimmingCharacters(in: .whitespaces) }
            for line in block.output.lines.split(separator: "\n") {
                #expect(lines.contains(line.trimmingCharacters(in: .whitespaces)), "\(block.output.file): \(line)")
            }
        }
    }
}
