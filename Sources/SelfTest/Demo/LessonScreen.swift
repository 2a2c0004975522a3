package import Scenarios
import TLSCore
import Witness

/// A lesson as it is shown. Its three parts fit a screen of 100 columns and 30 lines together.
package struct LessonScreen: Sendable {
    package static let width = 100
    package static let height = 30

    private let texts: LessonTexts
    private let style: TextStyle
    private let width: Int
    /// How wide the column of labels is.
    private let margin: Int

    package init(_ texts: LessonTexts, style: TextStyle, width: Int = LessonScreen.width) {
        self.texts = texts
        self.style = style
        self.width = min(width, Self.width)
        margin = (texts.labels.filter { $0.key.hasPrefix("row.") }.map(\.value.columns).max() ?? 0) + 2
    }

    /// A part of a screen, after which there is a pause.
    package struct Part: Sendable {
        package var lines: [String]
        fileprivate var prose: [String]

        /// How long a person needs: 16 letters a second, or 5 characters of Chinese (Trauzettel-Klosinski and Dietz, 2012,
        /// Standardized Assessment of Reading Performance: English 987 and Chinese 255 characters a minute). What is no
        /// prose is looked at.
        package var readingTime: Duration {
            let (characters, wide) = (prose.joined().count, prose.joined().columns - prose.joined().count)
            return .seconds(Double(characters - wide) / 16 + Double(wide) / 5 + Double(lines.count) / 2)
        }
    }

    /// Who does what, and what the app will be shown.
    package func opening(_ setting: Lesson.Setting) -> Part {
        let story = story(setting.lesson)
        let names = Lesson.Name.allCases
        let number = (names.firstIndex(of: setting.lesson.name) ?? 0) + 1
        let heading = texts.heading.filled(["number": "\(number)", "count": "\(names.count)", "title": story.title])
        let (path, extras) = (setting.view.path.reversed().map { $0 }, setting.view.extras)
        let links =
            path.enumerated().map { ($0 == 0 ? "certificate" : "signed-by", $1) } + extras.map { ("besides", $0) }
        let rows = links.map { part, link in [label(part), link.name, "\(label("key")) \(link.key)"] }
        let widths = (0..<3).map { column in rows.map { $0[column].columns }.max() ?? 0 }
        let table = zip(links, rows).map { part, row in
            let (link, cells) = (part.1, zip(row, widths).map { $0.padded(to: $1) }.joined(separator: "  "))
            let holder = style.consequence(link.holder == .owner ? .served : .intercepted, label(link.holder.rawValue))
            let pinned = setting.isPinned(link) ? style.heading(label("pinned")) : nil
            let remarks = [holder, pinned, link.anchor.map { label("anchor.\($0.rawValue)") }].compactMap(\.self)
            return "  \(cells)  \(remarks.joined(separator: label("comma")))"
        }
        let lines =
            [style.heading(heading), ""] + story.story.wrapped(to: width, indent: "") + [""]
            + row(
                "app",
                label(setting.pins.isEmpty ? "no-pins" : "pins", ["keys": setting.pins.joined(separator: ", ")])
            )
            + row("shown", label("shown-for", ["host": setting.trial.scenario.steps[1].host])) + table + [""]
        return Part(lines: lines, prose: [story.title, story.story])
    }

    /// What was seen of it, as it happened.
    package func outcome(_ outcome: Lesson.Outcome, _ setting: Lesson.Setting) -> Part {
        let (story, step) = (story(setting.lesson), outcome.step)
        let key = outcome.control.planned.shownChains[0].key
        let before = label("before", ["key": key, "consequence": consequence(outcome.control)])
        let hasSent = step.decisive?.wire == .accepted
        let verdict = texts.verdicts[step.judgement.verdict.rawValue] ?? ""
        let judged = label(
            "judged",
            [
                "verdict": style.verdict(step.judgement.verdict, verdict), "consequence": consequence(step),
                "meaning": story.verdict,
            ]
        )
        let lines =
            row("before", before) + row("wire", label(hasSent ? "sent" : "withheld"))
            + (setting.view.holder == .owner ? row("attacker", label("no-attacker")) : thief(outcome))
            + row("says", step.decisive?.report.account ?? "") + row("user", story.user)
            + row("verdict", judged)
            + [""]
        return Part(lines: lines, prose: [story.user, story.verdict])
    }

    /// What was learnt.
    package func ending(_ setting: Lesson.Setting) -> Part {
        let learnt = story(setting.lesson).learnt
        return Part(lines: row("learnt", learnt).map(style.heading), prose: [learnt])
    }

    private func thief(_ outcome: Lesson.Outcome) -> [String] {
        guard !outcome.stolen.isEmpty else { return row("attacker", label("nothing")) }
        let lines = outcome.stolen.split(whereSeparator: \.isNewline).map { line in
            let text = "    > \(line)"
            return line.contains("password=") ? style.consequence(.intercepted, text) : text
        }
        return row("attacker", label("read")) + lines
    }

    private func consequence(_ step: StepResult) -> String {
        style.consequence(step.consequence, texts.consequences[step.consequence.rawValue] ?? "")
    }

    private func label(_ name: String, _ values: [String: String] = [:]) -> String {
        (texts.labels[name] ?? name).filled(values)
    }

    // A test looks for each story in each language.
    private func story(_ lesson: Lesson) -> LessonTexts.Story { texts.lessons[lesson.name.rawValue]! }

    private func row(_ name: String, _ text: String) -> [String] {
        var lines = text.wrapped(to: width, indent: .spaces(margin))
        if lines.isEmpty { lines = [""] }
        lines[0] = label("row.\(name)").padded(to: margin) + lines[0].dropFirst(margin)
        return lines
    }
}

extension String {
    /// The same with values in place of their names in braces.
    fileprivate func filled(_ values: [String: String]) -> String {
        values.reduce(self) { $0.replacing("{\($1.key)}", with: $1.value) }
    }
}
