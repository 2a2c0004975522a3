import Foundation
import TestSupport
import Testing

@testable import Scenarios

@Suite struct `Shards of a run` {
    /// Trials in the order of one run, dealt out to three shards.
    private static let whole: Report = {
        let trials = (1...7).map { number in
            let trial = Results.trial(
                number == 5 ? Results.fooled : Results.served,
                Results.protected,
                scenario: "scenario \"\(number)\""
            )
            return trial
        }
        var report = Results.report()
        report.trials = trials
        report.planned = trials.count
        report.scenarios = Coverage(played: 7, known: 9)
        report.command = ["run", "--jobs", "2"]
        return report
    }()

    private static func shard(_ index: Int, of count: Int = 3) -> Report {
        var report = whole
        report.trials = whole.trials.enumerated().filter { $0.offset % count == index - 1 }.map { offset, trial in
            var trial = trial
            trial.trial.place = offset + 1
            return trial
        }
        report.planned = report.trials.count
        report.scenarios.played = report.trials.count
        report.shard = RecordedReport.Shard(index: index, of: count, trialsInAll: whole.trials.count)
        report.command = ["run", "--shard", "\(index)/\(count)", "--durations", "old.json", "--jobs", "2"]
        return report
    }

    /// What merging makes of reports of lines.
    private static func merged(_ texts: [String]) throws -> (lines: String, indented: String, status: Int32) {
        let shards = texts.map { $0.split(separator: "\n").map { Array($0.utf8) + [0x0A] } }
        var merge = try ShardMerge(
            shards.enumerated().map { index, lines in
                try ShardMerge.Part("\(index + 1).jsonl", head: Data(lines[0]), end: Data(lines[lines.count - 1]))
            }
        )
        var (lines, indented) = (try merge.head(), try merge.indentedHead())
        var isFirst = true
        let rest = shards.enumerated().flatMap { index, lines in lines.dropFirst().dropLast().map { (index, $0) } }
            .sorted { (ShardMerge.place(of: $0.1) ?? 0) < (ShardMerge.place(of: $1.1) ?? 0) }
        for (index, line) in rest {
            let line = try merge.take(line, from: index)
            lines += String(decoding: line, as: UTF8.self)
            indented +=
                (isFirst ? "\n" : ",\n") + String(decoding: JSONIndentation.indented(line[...], by: 4), as: UTF8.self)
            isFirst = false
        }
        return (lines + (try merge.end()), indented + (try merge.indentedEnd()), merge.exitStatus)
    }

    private static func text(_ report: Report) throws -> String {
        String(decoding: try report.document(.jsonl, exitStatus: report.exitStatus()), as: UTF8.self)
    }

    @Test func `merge into exactly the report of one run`() throws {
        let texts = try [3, 1, 2].map { try Self.text(Self.shard($0)) }

        let merged = try Self.merged(texts)

        #expect(merged.status == 1)
        #expect(merged.lines == (try Self.text(Self.whole)))
        #expect(merged.indented == String(decoding: try Self.whole.document(.json, exitStatus: 1), as: UTF8.self))
    }

    @Test func `that passed merge into a run that passed, also where one had nothing to play`() throws {
        var (one, two) = (Self.shard(1, of: 2), Self.shard(2, of: 2))
        one.trials += two.trials
        one.trials.removeAll { $0.verdict == .fail }
        for index in one.trials.indices { one.trials[index].trial.place = index + 1 }
        two.trials = []
        for count in [one.trials.count] {
            (one.planned, two.planned) = (count, 0)
            one.shard?.trialsInAll = count
            two.shard?.trialsInAll = count
        }

        #expect((one.exitStatus(), two.exitStatus()) == (0, 2))
        #expect(try Self.merged([Self.text(one), Self.text(two)]).status == 0)
    }

    @Test func `are refused where they are not those of one run`() throws {
        var other = Self.shard(2)
        other.file = "other.yaml"
        var cut = Self.shard(2)
        cut.planned += 1
        var doubled = Self.shard(2)
        doubled.trials[0].trial.place = 1
        var fewer = Self.shard(2)
        fewer.trials.removeFirst()
        fewer.planned -= 1
        var last = Self.shard(2)
        last.trials.removeLast()
        last.planned -= 1
        var newer = Self.shard(2)
        newer.versions = ["curl": "8"]
        var older = Self.shard(1)
        older.versions = ["curl": "7"]
        let (one, three) = (Self.shard(1), Self.shard(3))
        let cases: [([Report], String)] = [
            ([one, three], "shard 2 of 3 missing: give the reports of all"),
            ([one], "shards 2, 3 of 3 missing: give the reports of all"),
            ([one, three, one], "shard 1 is there twice: 1.jsonl and 3.jsonl"),
            ([one, other, three], "2.jsonl is of 'other.yaml', and 1.jsonl of 'scenarios.yaml'"),
            ([one, cut, three], "2.jsonl: shard 2 was interrupted: play it again"),
            ([one, doubled, three], "trial 1 is there twice: in 1.jsonl and in 2.jsonl"),
            ([one, fewer, three], "trial 2 is missing: no shard has it"),
            ([older, newer, three], "2.jsonl played another version of 'curl' than 1.jsonl"),
            ([Self.whole], "1.jsonl: this report is of no shard: run with --shard"),
            (
                [one, Self.shard(2, of: 4), three],
                "2.jsonl is shard 2 of 4, of 7 trials, and 1.jsonl is one of 3, of 7"
            ),
        ]
        for (reports, message) in cases {
            let error = #expect(throws: ShardError.self) { try Self.merged(reports.map(Self.text)) }
            #expect(error?.description == message)
        }
    }

    @Test func `tell where a trial stands, and nothing else is taken for it`() {
        #expect(ShardMerge.place(of: Array("{\"place\":12,\"client\":\"a\"}".utf8)) == 12)
        #expect(ShardMerge.place(of: Array("{\"client\":\"a\",\"place\":12}".utf8)) == nil)
        #expect(ShardMerge.place(of: [UInt8]()) == nil)
    }
}
