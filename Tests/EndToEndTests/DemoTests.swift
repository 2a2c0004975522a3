import Foundation
import MitmHarness
import Pinning
import Scenarios
import TestSupport
import Testing

@testable import SelfTest

/// `pindrill demo`. Its words in English stand in docs/demo.md, which `ReadmeTests` hold it to.
struct DemoTests {
    @Test(arguments: LessonTexts.Language.allCases)
    func `in each language a lesson fits a screen, and has the password`(language: LessonTexts.Language) async throws {
        let ending = try await Program.run("demo", "--language", language.rawValue)

        #expect(ending.status == 0, "\(ending.errors)")
        #expect(ending.errors.isEmpty)
        for line in ending.output.split(separator: "\n") { #expect(line.columns <= 100, "\(line)") }
        let texts = try LessonTexts.shipped(language)
        let titles = Lesson.Name.allCases.compactMap { texts.lessons[$0.rawValue]?.title }
        let lines = ending.output.split(separator: "\n", omittingEmptySubsequences: false)
        let starts = titles.compactMap { title in lines.firstIndex { $0.hasSuffix(title) } }
        #expect(starts.count == 5)
        for (start, end) in zip(starts, starts.dropFirst() + [lines.count]) {
            #expect(end - start < LessonScreen.height)
        }
        #expect(ending.output.matches(of: #/    > user=alice&password=correct-horse-42\n/#).count == 2)
        #expect(!ending.output.contains("\u{1B}"))
    }

    @Test(arguments: LessonTexts.Language.allCases)
    func `each language says all that English says`(language: LessonTexts.Language) throws {
        let (texts, english) = (try LessonTexts.shipped(language), try LessonTexts.shipped(.en))

        #expect(Set(texts.lessons.keys) == Set(Lesson.Name.allCases.map(\.rawValue)))
        #expect(Set(texts.labels.keys) == Set(english.labels.keys))
        #expect(Set(texts.verdicts.keys) == Set(english.verdicts.keys))
        #expect(Set(texts.consequences.keys) == Set(english.consequences.keys))
        for (name, label) in english.labels {
            let places = label.matches(of: #/\{\w+\}/#).map { String($0.output) }
            for place in places { #expect(texts.labels[name]?.contains(place) == true, "\(name)") }
        }
    }

    @Test(arguments: LessonTexts.Language.allCases)
    func `in each language it takes about three minutes`(language: LessonTexts.Language) async throws {
        let (file, oracle) = try Self.catalogue()
        let screen = LessonScreen(try LessonTexts.shipped(language), style: TextStyle(isColoured: false))

        var time = Duration.zero
        for name in Lesson.Name.allCases {
            let setting = try Lesson(name).setting(in: file, oracle: oracle, at: Date())
            let outcome = try await setting.play(in: file, oracle: oracle)
            for part in [screen.opening(setting), screen.outcome(outcome, setting), screen.ending(setting)] {
                time += part.readingTime
            }
        }

        #expect((.seconds(150)...(.seconds(240))).contains(time), "\(time)")
    }

    @Test(arguments: [
        (Lesson.Name.login, LoginApp { .judging($0) { _, _ in false } }, "'today' should have ended with pass, served"),
        (.pin, LoginApp { TLSExchange(obeying: $0.unpinned) }, "'forged' should have ended with pass, protected"),
        (
            .rotation, LoginApp { TLSExchange(obeying: $0.unpinned) },
            "'rotated' should have ended with pass, locked-out"
        ),
        (
            .backup,
            LoginApp { endpoint in
                TLSExchange(obeying: endpoint.changing { $0.requirements[0].pins.removeSubrange(1...) })
            },
            "'rotated' should have ended with pass, served"
        ),
        (.stuffedChain, .obedient, "'stuffed' should have ended with fail, intercepted"),
    ])
    func `a story that does not happen is not told`(name: Lesson.Name, app: LoginApp, complaint: String) async throws {
        let (file, oracle) = try Self.catalogue()
        var lesson = Lesson(name)
        lesson.app = app

        let setting = try lesson.setting(in: file, oracle: oracle, at: Date())
        let failure = await #expect(throws: Lesson.Contradiction.self) {
            try await setting.play(in: file, oracle: oracle)
        }

        #expect(failure?.description.hasPrefix(complaint) == true, "\(failure?.description ?? "")")
    }

    @Test func `a chain that is not as the story says is not shown`() throws {
        var file = try ScenarioFile.shipped()
        let place = try #require(file.scenarios.firstIndex { $0.name == "stuffed-chain" })
        file.scenarios[place].steps[1].present = ["misissued"]
        let oracle = Oracle(try PKI(file.blueprint, now: Date()))

        let failure = #expect(throws: Lesson.Contradiction.self) {
            try Lesson(.stuffedChain).setting(in: file, oracle: oracle, at: Date())
        }

        #expect(failure?.description == "'misissued' is the attacker's, and has a pinned key nowhere")
    }

    @Test func `without somebody to press keys it ends`() async throws {
        let ending = try await Program.run("demo", "--lesson", "pin", "--pause")

        #expect(ending.status == 130)
        #expect(ending.errors.hasSuffix("The demo was ended early.\n"))
        #expect(ending.output.hasPrefix("Lesson 2 of 5: The pinned app refuses\n"))
        #expect(!ending.output.contains("Learnt"))
    }

    /// Runs the demo on a terminal of 100 x 30, presses a key at each pause (`x`, or from the second on `C` for Ctrl-C), and
    /// says how it ended, whether keys were given one by one at a pause, and whether the terminal is as it was.
    private static let terminal = """
        import codecs, fcntl, os, pty, struct, subprocess, sys, termios
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
        before = termios.tcgetattr(theirs)
        def begin():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        keys, program, *words = sys.argv[1:]
        child = subprocess.Popen([program] + words, stdin=theirs, stdout=theirs, stderr=theirs, preexec_fn=begin)
        text, raw = "", 0
        decoder = codecs.getincrementaldecoder("utf-8")()
        os.set_blocking(ours, False)
        import select
        while child.poll() is None or select.select([ours], [], [], 0)[0]:
            if not select.select([ours], [], [], 0.05)[0]: continue
            text += decoder.decode(os.read(ours, 65536))
            if keys and text.count("Any key goes on") > raw:
                while termios.tcgetattr(theirs)[3] & termios.ICANON: pass
                raw += 1
                os.write(ours, b"\\x03" if keys == "C" and raw == 2 else b"x")
        print(text.replace("\\x1b", "ESC"))
        print("status", child.returncode, "pauses", raw, "restored", termios.tcgetattr(theirs) == before)
        """

    private static func onTerminal(keys: String, environment: [String: String] = [:], _ words: String...) throws
        -> String
    {
        let python = try #require(Tool("python3"))
        let all = ["-c", terminal, keys, Program.url.path, "demo", "--lesson", "pin"] + words
        let result = try python.run(all, environment: ["TERM": "xterm"].merging(environment) { $1 })
        #expect(result.status == 0, "\(result.output)")
        return result.output
    }

    private static let hasPython = Tool("python3") != nil

    @Test(.enabled(if: hasPython, "python3 is not installed"))
    func `on a terminal a lesson has a screen of its own, and goes on at a key`() throws {
        let output = try Self.onTerminal(keys: "x", "--pause")

        #expect(output.hasPrefix("ESC[HESC[2JESC[1mLesson 2 of 5"), "\(output)")
        #expect(output.contains("Her password has not left the phone."))
        #expect(output.hasSuffix("status 0 pauses 3 restored True\n"), "\(output)")
    }

    @Test(.enabled(if: hasPython, "python3 is not installed"))
    func `Ctrl-C ends it, and gives the terminal back`() throws {
        let output = try Self.onTerminal(keys: "C", "--pause")

        #expect(output.contains("The demo was ended early."), "\(output)")
        #expect(!output.contains("Learnt"))
        #expect(output.hasSuffix("status 130 pauses 2 restored True\n"), "\(output)")
    }

    @Test(.enabled(if: hasPython, "python3 is not installed"), arguments: [["NO_COLOR": "1"], ["TERM": "dumb"]])
    func `where nobody wants colours there are plain lines only`(environment: [String: String]) throws {
        let output = try Self.onTerminal(keys: "", environment: environment, "--speed", "100")

        #expect(!output.contains("ESC"), "\(output)")
        #expect(output.contains("Learnt"))
        #expect(output.hasSuffix("status 0 pauses 0 restored True\n"), "\(output)")
    }

    private static func catalogue() throws -> (ScenarioFile, Oracle) {
        let file = Lesson.adapt(try ScenarioFile.shipped())
        return (file, Oracle(try PKI(file.blueprint, now: Date())))
    }
}
