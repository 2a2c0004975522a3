import ArgumentParser
import Foundation
import Scenarios
import SelfTest

struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows what pinning prevents, and what it breaks, in three minutes.",
        discussion: """
            Five short lessons for people who watch: a login is intercepted, a pin prevents it, a rotation locks everybody \
            out, a backup pin saves it, and a careless comparison is fooled. Nothing else is needed, and nothing is \
            acted: an app of PinDrill's own talks to PinDrill over TLS, and the usual judgement is shown. Each screen \
            fits 100 columns and 30 lines.

            On a terminal each part stays as long as a person needs to read it; elsewhere nothing waits.

            Exit status: 0; 1 something happened that the story does not say; 130 it was ended early.
            """
    )

    @Option(help: ArgumentHelp("Only this lesson.", valueName: "name"))
    var lesson: Lesson.Name?

    @Flag(help: "Waits for a key after each part.")
    var pause = false

    @Option(help: ArgumentHelp("The language of the stories.", valueName: "language"))
    var language = LessonTexts.Language.en

    @Option(help: ArgumentHelp("How many times faster than people usually read.", valueName: "factor"))
    var speed = 1.0

    @Option(help: ArgumentHelp("Colours: auto, always or never.", valueName: "when"))
    var color: ColorChoice = .auto

    func validate() throws {
        guard (0.1...100).contains(speed) else { throw ValidationError("--speed must be from 0.1 to 100") }
        if pause, speed != 1 { throw ValidationError("--speed means nothing with --pause") }
    }

    func run() async throws {
        let texts = try LessonTexts.shipped(language)
        let loaded = try LoadedFile(nil, now: Date(), adapting: Lesson.adapt)
        let show = Show(
            texts: texts,
            screen: LessonScreen(texts, style: TextStyle(isColoured: color.isColoured), width: Terminal.width ?? 100),
            clears: Terminal.isOutputTerminal && color.isColoured,
            input: pause ? StandardInput() : nil,
            speed: Terminal.isOutputTerminal ? speed : .infinity
        )
        let lessons = lesson.map { [$0] } ?? Lesson.Name.allCases
        let end = await Interruption.cancelling { () -> Result<Void, any Error> in
            do { return .success(try await show.play(lessons, of: loaded)) } catch { return .failure(error) }
        }
        do {
            try end.get()
        } catch is CancellationError {
            Terminal.complain("\nThe demo was ended early.")
            throw ExitCode(130)
        } catch {
            Terminal.complain("\(error)")
            throw ExitCode(1)
        }
        try Terminal.finish()
    }

    /// One showing, part by part.
    private struct Show: Sendable {
        let texts: LessonTexts
        let screen: LessonScreen
        let clears: Bool
        /// Where a key is waited for; `nil`: only time passes.
        let input: StandardInput?
        let speed: Double

        func play(_ lessons: [Lesson.Name], of loaded: LoadedFile) async throws {
            for name in lessons {
                do {
                    try await play(Lesson(name), of: loaded)
                } catch let contradiction as Lesson.Contradiction {
                    throw InputError("lesson '\(name.rawValue)' did not go as its story says: \(contradiction)")
                }
                if name != lessons.last { Terminal.write("\n") }
            }
            if lessons.count > 1 { Terminal.write("\n\(texts.closing)\n") }
        }

        private func play(_ lesson: Lesson, of loaded: LoadedFile) async throws {
            let (file, oracle) = (loaded.file, loaded.oracle)
            let setting = try lesson.setting(in: file, oracle: oracle, at: Date())
            if clears { Terminal.clearScreen() }
            try await show(screen.opening(setting))
            try await show(screen.outcome(try await setting.play(in: file, oracle: oracle), setting))
            try await show(screen.ending(setting))
        }

        private func show(_ part: LessonScreen.Part) async throws {
            Terminal.write(part.lines.joined(separator: "\n") + "\n")
            guard let input else { return try await Task.sleep(for: part.readingTime / speed) }
            if clears { Terminal.showProgress(texts.anyKey) } else { Terminal.remark(texts.anyKey) }
            defer { if clears { Terminal.clearProgress() } }
            guard await input.key() else { throw CancellationError() }
        }
    }
}

extension Lesson.Name: ExpressibleByArgument {}
extension LessonTexts.Language: ExpressibleByArgument {}
