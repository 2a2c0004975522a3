import Foundation
package import Pinning
package import Scenarios
import Synchronization
import TLSCore

/// A program of somebody's own, told everything by its command line and its environment.
///
/// Nothing of our environment reaches it but PATH and LANG: inherited variables and dot files make clients pass and fail
/// for the wrong reason.
package struct CommandClient: ClientUnderTest {
    private let declaration: CommandDeclaration
    private let run: CommandTemplate
    private let here: String
    private let inherited: [String: String]
    private let outputLimit: Int
    private let onStart: @Sendable (ChildCommand) -> Void
    private let session = SessionBox()

    /// - Parameters:
    ///   - here: the scenario file's folder: where a program like `./client.sh` is looked for.
    ///   - inherited: the variables that may be passed on; all but PATH and LANG are dropped.
    ///   - outputLimit: how many bytes of each output stream are kept.
    ///   - onStart: is shown each program before it is started.
    /// - Throws: `TemplateError` when the command line cannot be read.
    package init(
        _ declaration: CommandDeclaration,
        here: String = FileManager.default.currentDirectoryPath,
        inherited: [String: String] = ProcessInfo.processInfo.environment,
        outputLimit: Int = 64 * 1024,
        onStart: @escaping @Sendable (ChildCommand) -> Void = { _ in }
    ) throws(TemplateError) {
        self.declaration = declaration
        self.here = here
        self.inherited = inherited.filter { ["PATH", "LANG"].contains($0.key) }
        self.outputLimit = outputLimit
        self.onStart = onStart
        run = try CommandTemplate(
            parsing: declaration.run,
            knownPlaceholders: CommandPlaceholder.allCases.map(\.rawValue) + declaration.morePlaceholders
        )
    }

    /// The program as the command line names it; `nil` where that depends on the attempt.
    package var program: String? { run.program }

    package var takesPins: Bool { !pinsTaken.isEmpty }

    package var canBeIsolated: Bool { true }

    package var takesIdentity: Bool { !Set(placeholders).isDisjoint(with: [.cert, .key]) }

    package var takesCollector: Bool {
        let texts = [declaration.stdin].compactMap { $0 } + declaration.env.values
        let named = texts.compactMap { try? TextTemplate(parsing: $0).placeholders }.reduce(run.placeholders) {
            $0.union($1)
        }
        return [CommandPlaceholder.collector, .secureCollector].map(\.rawValue).contains(where: named.contains)
    }

    /// What the pins that the client is told are digests of.
    package var pinsTaken: Set<PinRequirement.Match> { Set(placeholders.compactMap(\.match)) }

    /// What the command line, or what the program reads, asks for. To one that lives through a trial only what it reads for
    /// each attempt can be said anew.
    package var placeholders: [CommandPlaceholder] {
        let isTold = declaration.lifetime == .trial
        let texts = [declaration.stdin].compactMap { $0 } + (isTold ? [] : Array(declaration.env.values))
        let named = texts.compactMap { try? TextTemplate(parsing: $0).placeholders }
            .reduce(isTold ? [] : run.placeholders) { $0.union($1) }
        return CommandPlaceholder.allCases.filter { named.contains($0.rawValue) }
    }

    /// That there is no such program, in words; `nil` where there is one. One that is there and cannot be run is a
    /// mistake, and says so when it is tried.
    package var absence: String? {
        // A program that is chosen by a placeholder can only be looked for when it runs.
        guard let program, !ChildCommand.isWordOfTheShell(program),
            ChildCommand.place(of: resolved(program), path: inherited["PATH"] ?? "") == nil
        else { return nil }
        return program.contains("/") ? "'\(program)' does not exist" : "'\(program)' is not installed"
    }

    package func reasonToSkip(_ trial: Trial) -> String? {
        if let absence { return absence }
        if trial.policy.rules?.requirements.isEmpty == true,
            let placeholder = CommandPlaceholder.allCases.first(where: {
                $0.match != nil && run.required.contains($0.rawValue)
            })
        {
            return "it must have {\(placeholder.rawValue)}, and policy '\(trial.policy.name)' has no pins: write "
                + "[... {\(placeholder.rawValue)}] if it can do without, or name its 'policies'"
        }
        // Unless the file says that the client was built with this policy, it can only be told what placeholders can say.
        guard takesPins, trial.client.policies == nil,
            let trait = trial.policy.trait(withoutPlaceholderIn: placeholders)
        else { return nil }
        let placeholder = pinsTaken.contains(.key) ? "{pins}" : "{fingerprints}"
        return
            "\(placeholder) cannot express \(trait); name the policy in the client's 'policies' if it has it built in"
    }

    package var clockObstacle: String? {
        if declaration.lifetime == .trial {
            return "it lives through the trial, and a clock is moved where a program starts"
        }
        return MovedClock.library == nil ? "its clock cannot be moved: install faketime (Linux)" : nil
    }

    /// The first line of what the program prints that its declaration names for that.
    package func version() async -> String? {
        guard let line = declaration.version,
            let words = try? CommandTemplate(parsing: line).fill([CommandPlaceholder.here.rawValue: here], lists: [:]),
            let program = words.first
        else { return nil }
        let command = ChildCommand(
            arguments: [resolved(program)] + words.dropFirst(),
            environment: inherited,
            workingDirectory: here,
            timeout: .seconds(10)
        )
        guard let outcome = try? await command.run(), outcome.ending == .exited(0) else { return nil }
        return outcome.standardOutput.text.split(whereSeparator: \.isNewline).first.map { String($0.prefix(80)) }
    }

    package func attempt(
        _ endpoint: Endpoint,
        beforeEnding: @escaping BeforeEnding = { _ in }
    ) async throws(CancellationError) -> ClientReport {
        let told = OwnWords(endpoint, here: here)
        let command: ChildCommand
        let line: String
        do {
            let values = try CommandValues(endpoint, here: here)
            let plain = try self.command(for: endpoint, values)
            command = endpoint.network.map { $0.entering(plain) } ?? plain
            line = try declaration.stdin.map { try TextTemplate(parsing: $0).fill(values.byName) } ?? endpoint.url
        } catch {
            return ClientReport(.nothing, account: "not run: \(error)")
        }
        onStart(command)
        switch declaration.lifetime {
        case .attempt: return try await report(command, told, beforeEnding: beforeEnding)
        case .trial:
            let start = ContinuousClock.now
            let answer = await session.start(command)
                .attempt(line, timeout: command.timeout, beforeEnding: beforeEnding)
            if Task.isCancelled { throw CancellationError() }
            return report(answer, told, duration: ContinuousClock.now - start)
        }
    }

    /// Runs the command with all that it starts. What it leaves running has a moment to end by itself, and is then ended.
    private func report(
        _ command: ChildCommand,
        _ told: OwnWords,
        beforeEnding: @escaping BeforeEnding
    ) async throws(CancellationError) -> ClientReport {
        let descendants = Descendants(ofTrialIn: command.environment[CommandPlaceholder.dir.variable] ?? "")
        // Whoever is not known to have gone is made to.
        let left = Mutex([Descendants.Process]?.none)
        defer { if left.withLock({ $0?.isEmpty != true }) { descendants.end() } }
        let outcome = try await command.run { hasTimedOut in
            if !hasTimedOut {
                let processes = await descendants.outliving(.seconds(2))
                left.withLock { $0 = processes }
            }
            await beforeEnding(hasTimedOut)
        }
        var report = report(outcome, told)
        report.leftRunning = left.withLock { $0 ?? [] }.map(\.description)
        return report
    }

    package func finish() async { await session.finish() }

    /// The client starts in the trial's folder, and its author wrote a path as seen from the scenario file's.
    private func resolved(_ program: String) -> String {
        program.hasPrefix("/") || !program.contains("/") ? program : "\(here)/\(program)"
    }

    private func command(for endpoint: Endpoint, _ values: CommandValues) throws -> ChildCommand {
        var environment = inherited
        environment.merge(values.variables) { _, ours in ours }
        let home = endpoint.folder.appending(path: "home").path
        for name in ["HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"] {
            environment[name] = home
        }
        environment["TMPDIR"] = endpoint.folder.appending(path: "tmp").path
        for (name, text) in declaration.env { environment[name] = try TextTemplate(parsing: text).fill(values.byName) }
        if endpoint.clock != .zero { MovedClock.set(endpoint.clock, in: &environment) }
        let input = declaration.lifetime == .trial ? nil : declaration.stdin
        // A template has at least one word, and the first is in no group that could be left out.
        let words = try run.fill(values.byName, lists: values.lists)
        guard !words.isEmpty else { throw TemplateError.nothingLeft }
        return ChildCommand(
            arguments: [resolved(words[0])] + words.dropFirst(),
            environment: environment,
            workingDirectory: endpoint.folder.path,
            standardInput: Array(try input.map { try TextTemplate(parsing: $0).fill(values.byName) }?.utf8 ?? "".utf8),
            timeout: declaration.timeout ?? endpoint.timeout,
            outputLimit: outputLimit
        )
    }

    // MARK: What it says

    private func report(_ outcome: ChildOutcome, _ told: OwnWords) -> ClientReport {
        let output = [outcome.standardOutput.text, outcome.standardError.text].filter { !$0.isEmpty }
            .joined(separator: "\n")
        var report = report(outcome.ending, output: output, told)
        report.ending =
            switch outcome.ending {
            case .exited(let status): .exited(status)
            case .signalled(let signal): .signalled(signal)
            case .timedOut: .timedOut
            case .notStarted: .notStarted
            }
        report.output = String(output.suffix(2000))
        report.duration = outcome.duration
        return report
    }

    private func report(_ ending: ChildOutcome.Ending, output: String, _ told: OwnWords) -> ClientReport {
        switch ending {
        case .exited(let status) where status == 126 || status == 127:
            return ClientReport(.nothing, account: "exit \(status): it could not be run" + itsLine(of: output))
        case .exited(let status):
            var report = report(exit: status, output: told.blanked(in: output), account: "exit \(status)")
            // What no rule knows is explained by the program alone, such as a script that its interpreter did not find.
            if report.word == .failed { report.account += itsLine(of: output) }
            report.advice = advice(report.word, exit: status)
            return report
        case .signalled(let signal): return ClientReport(.nothing, account: "ended by signal \(signal)")
        case .timedOut: return ClientReport(.nothing, account: "ended by our timeout")
        case .notStarted(let reason): return ClientReport(.nothing, account: reason)
        }
    }

    private func itsLine(of output: String) -> String {
        ClientReport.tellingLine(of: output).map { ": \($0)" } ?? ""
    }

    private func report(exit status: Int32, output: String, account: String) -> ClientReport {
        if declaration.isSilent { return ClientReport(.nothing, account: "\(account), and it is 'silent'") }
        do throws(CostlyPattern) {
            let blamesPin = try declaration.refusedPin?.matches(exit: status, output: output)
            let isRefusal =
                blamesPin == true ? true : try declaration.refused?.matches(exit: status, output: output) ?? false
            // Who says both has come through in the end, one way or another: that is no refusal to believe.
            let isSuccess =
                try declaration.succeeded?.matchesSuccess(exit: status, output: output) ?? (status == 0 && !isRefusal)
            let word: ClientReport.Word = isSuccess ? .succeeded : isRefusal ? .refused : .failed
            let words = status == 0 && word == .refused ? ", and the words of a rejection" : ""
            return telling(
                ClientReport(word, blamesPin: word == .succeeded ? nil : blamesPin, account: account + words)
            )
        } catch {
            return ClientReport(.nothing, account: "\(account): \(error)")
        }
    }

    /// What to write where the word is wrong.
    private func advice(_ word: ClientReport.Word, exit status: Int32) -> String? {
        switch word {
        case .succeeded where declaration.succeeded == nil:
            "exit \(status) counts as success: a client that says more in its text needs refused: { text: … }, "
                + "one that cannot tell needs silent: true"
        case .refused where status == 0:
            "exit 0 counts as a rejection for its words: if it had succeeded, write succeeded: { text: … } with words that it "
                + "prints only then"
        case .failed where status == 0:
            "exit 0 without the words of 'succeeded' counts as a failure"
        case .failed:
            unknown(status)
        default: nil
        }
    }

    private func unknown(_ status: Int32) -> String {
        let known = (declaration.refused ?? declaration.refusedPin)?.exit ?? []
        if known.contains(Int(status)) {
            return
                "exit \(status) is in 'refused', but none of its texts was printed: if this is how it rejects, add its "
                + "words to 'text'"
        }
        if declaration.refused?.text.isEmpty == false, known.isEmpty {
            return
                "exit \(status), and none of the texts of 'refused' was printed: if this is how it rejects, add its words"
        }
        let list = (known.map(String.init) + ["\(status)"]).joined(separator: ", ")
        return "exit \(status) is not in 'refused': if this is how it rejects, write refused: { exit: [\(list)] }"
    }

    /// A client that can tell a refusal, and does not, says that it is something else.
    private func telling(_ report: ClientReport) -> ClientReport {
        var report = report
        report.canTellRefusal = declaration.refused != nil || declaration.refusedPin != nil
        return report
    }

    /// A client that lives through a trial answers in a line: `succeeded`, `refused`, `refused-pin` or `failed`, or in
    /// words that its own rules know.
    private func report(_ answer: ChildSession.Answer, _ told: OwnWords, duration: Duration) -> ClientReport {
        var report =
            switch answer {
            case .line(let line): report(line: line, told)
            case .timedOut: ClientReport(.nothing, account: "no answer in time")
            case .ended(let ending): self.report(ending, output: "", told)
            }
        report.duration = duration
        return report
    }

    private func report(line: String, _ told: OwnWords) -> ClientReport {
        let account = "“\(line.prefix(200))”"
        if declaration.isSilent { return ClientReport(.nothing, account: account) }
        do throws(CostlyPattern) {
            let words = told.blanked(in: line)
            let blamesPin = try declaration.refusedPin?.matches(text: words)
            if try declaration.succeeded?.matches(text: words) == true {
                return telling(ClientReport(.succeeded, account: account))
            }
            if let answer = line.split(separator: " ").first.flatMap({ ClientAnswer(rawValue: String($0)) }) {
                return telling(ClientReport(answer, blamesPin: blamesPin, account: account))
            }
            let isRefusal = blamesPin == true ? true : try declaration.refused?.matches(text: words) ?? false
            guard isRefusal else { return ClientReport(.nothing, account: account) }
            return telling(ClientReport(.refused, blamesPin: blamesPin, account: account))
        } catch {
            return ClientReport(.nothing, account: "\(account): \(error)")
        }
    }
}

/// The process of a client that lives through a trial, once it is started.
private actor SessionBox {
    private var session: ChildSession?

    func start(_ command: ChildCommand) -> ChildSession {
        if let session { return session }
        let started = ChildSession.start(command)
        session = started
        return started
    }

    func finish() async {
        _ = await session?.finish()
        session = nil
    }
}
