package import Foundation

/// Why reports are not the shards of one run.
package struct ShardError: Error, CustomStringConvertible {
    package let description: String
    init(_ description: String) { self.description = description }
}

/// Puts the shards of a run together: what their reports begin and end with, and which trial comes next. The trials
/// themselves stay lines of text, so that it takes no memory for them.
package struct ShardMerge {
    /// The report of one shard.
    package struct Part {
        /// As its reader named it.
        let name: String
        let head: ReportHead
        let end: ReportEnd

        /// - Parameters:
        ///   - head: the first line of a report of lines, and `end` its last.
        package init(_ name: String, head: Data, end: Data) throws(ShardError) {
            self.name = name
            do {
                self.head = try RecordedReport.decoder.decode(ReportHead.self, from: head)
                self.end = try RecordedReport.decoder.decode(ReportEnd.self, from: end)
            } catch {
                throw ShardError("\(name): this is not a whole report as --report jsonl=PATH or json=PATH writes it")
            }
            guard self.head.version == 1 else {
                throw ShardError(
                    "\(name): this report is of version \(self.head.version), and this release knows version 1"
                )
            }
        }
    }

    private let parts: [Part]
    private var scenarios: Set<String> = []
    /// Of the last trial, 0 before the first.
    private var place = 0
    private var lastShard = 0
    private var count = 0

    /// - Throws: where one is missing, is there twice, was interrupted, or is of another run.
    package init(_ parts: [Part]) throws(ShardError) {
        guard let first = parts.first, let shard = first.head.shard else {
            throw ShardError("\(parts.first?.name ?? "nothing"): this report is of no shard: run with --shard")
        }
        self.parts = parts
        var names: [Int: String] = [:]
        for part in parts {
            guard let own = part.head.shard else {
                throw ShardError("\(part.name): this report is of no shard: run with --shard")
            }
            guard let trials = own.trialsInAll else {
                throw ShardError("\(part.name): this shard has not even read the scenario file; play it again")
            }
            guard own.of == shard.of, trials == shard.trialsInAll else {
                throw ShardError(
                    "\(part.name) is shard \(own.index) of \(own.of), of \(trials) trials, and \(first.name) is one of \(shard.of), of \(shard.trialsInAll ?? 0)"
                )
            }
            guard part.head.file == first.head.file else {
                throw ShardError("\(part.name) is of '\(part.head.file)', and \(first.name) of '\(first.head.file)'")
            }
            if let name = Self.otherVersion(part.head.versions ?? [:], first.head.versions ?? [:]) {
                throw ShardError("\(part.name) played another version of '\(name)' than \(first.name)")
            }
            if let other = names.updateValue(part.name, forKey: own.index) {
                throw ShardError("shard \(own.index) is there twice: \(other) and \(part.name)")
            }
            guard !part.end.interrupted else {
                throw ShardError("\(part.name): shard \(own.index) was interrupted: play it again")
            }
        }
        let missing = (1...max(1, shard.of)).filter { names[$0] == nil }
        guard missing.isEmpty else {
            let list =
                missing.prefix(10).map(String.init).joined(separator: ", ") + (missing.count > 10 ? " and more" : "")
            throw ShardError(
                "\(missing.count == 1 ? "shard" : "shards") \(list) of \(shard.of) missing: give the reports of all"
            )
        }
    }

    /// A client of which both tell, and not the same.
    private static func otherVersion(_ one: [String: String], _ other: [String: String]) -> String? {
        one.sorted { $0.key < $1.key }.first { name, version in other[name].map { $0 != version } ?? false }?.key
    }

    /// The first line of the whole report.
    package func head() throws -> String { try merged.asJSONLine() }

    /// The same in the indented form, as far as the trials.
    package func indentedHead() throws -> String { try JSONReport.opening(merged) }

    private var merged: ReportHead {
        var head = parts[0].head
        head.shard = nil
        head.started = parts.map(\.head.started).min() ?? head.started
        head.command = head.command.map(Self.withoutShard)
        let versions = parts.reduce(into: [String: String]()) { all, part in
            all.merge(part.head.versions ?? [:]) { one, _ in one }
        }
        head.versions = versions.isEmpty ? nil : versions
        // In the order of their first trials, which all of one shard are in already.
        var stories: [String: RecordedScenario] = [:]
        var order: [String] = []
        for story in parts.flatMap({ $0.head.scenarios ?? [] }) {
            if stories[story.name] == nil { order.append(story.name) }
            stories[story.name] =
                stories[story.name].map { ($0.place ?? 0) <= (story.place ?? 0) ? $0 : story } ?? story
        }
        let ordered = order.compactMap { stories[$0] }.enumerated()
            .sorted { ($0.element.place ?? 0, $0.offset) < ($1.element.place ?? 0, $1.offset) }.map(\.element)
        head.scenarios = ordered.isEmpty ? nil : ordered.map { $0.withoutPlace }
        return head
    }

    private static func withoutShard(_ words: [String]) -> [String] {
        var isValue = false
        return words.filter { word in
            if isValue {
                isValue = false
                return false
            }
            isValue = ["--shard", "--durations"].contains(word)
            return !isValue && !["--shard=", "--durations="].contains(where: word.hasPrefix)
        }
    }

    /// Where the trial of a line stands in the whole; `nil`: the line does not tell.
    package static func place(of line: some Collection<UInt8>) -> Int? {
        let mark = JSONLinesReport.placeMark.utf8
        guard line.starts(with: mark) else { return nil }
        let digits = line.dropFirst(mark.count).prefix { 0x30...0x39 ~= $0 }
        return Int(String(decoding: digits, as: UTF8.self))
    }

    /// Takes the line of the next trial.
    ///
    /// - Parameter shard: the index of its report among the parts.
    /// - Returns: the same as the report of one run has it.
    /// - Throws: where a trial is there twice, or one is missing before it.
    package mutating func take(_ line: [UInt8], from shard: Int) throws(ShardError) -> [UInt8] {
        guard let place = Self.place(of: line), let comma = line.firstIndex(of: UInt8(ascii: ",")) else {
            throw ShardError("\(parts[shard].name): a trial does not tell its place")
        }
        let (name, last) = (parts[shard].name, parts[lastShard].name)
        if place == self.place { throw ShardError("trial \(place) is there twice: in \(last) and in \(name)") }
        if place < self.place { throw ShardError("\(name): trial \(place) does not stand in its place") }
        if place > self.place + 1 { throw ShardError("trial \(self.place + 1) is missing: no shard has it") }
        (self.place, lastShard) = (place, shard)
        count += 1
        scenarios.insert(Self.scenario(of: line))
        return [UInt8(ascii: "{")] + line[(comma + 1)...]
    }

    /// The name as JSON writes it. Keys are in order, so no step stands before it, and within a text its quotation marks
    /// would have a backslash.
    private static func scenario(of line: [UInt8]) -> String {
        let mark = Array("\"scenario\":\"".utf8)
        guard let start = line.prefix(1 << 16).firstRange(of: mark)?.upperBound else { return "" }
        var (end, isEscaped) = (start, false)
        while end < line.endIndex, isEscaped || line[end] != UInt8(ascii: "\"") {
            isEscaped = !isEscaped && line[end] == UInt8(ascii: "\\")
            end += 1
        }
        return String(decoding: line[start..<end], as: UTF8.self)
    }

    /// The last line of the whole report.
    ///
    /// - Throws: where trials are missing.
    package func end() throws -> String { try total().asJSONLine() }

    /// The same in the indented form, behind the trials.
    package func indentedEnd() throws -> String { try JSONReport.closing(total()) }

    /// What the run ended with.
    package var exitStatus: Int32 {
        let ends = parts.map(\.end)
        if ends.contains(where: { $0.exitStatus == 1 }) { return 1 }
        // A shard in which nothing passed ends with 2 as well, and that is no doubt about the others.
        let isDoubtful = ends.contains { $0.exitStatus == 2 && $0.summary.verdicts["inconclusive", default: 0] > 0 }
        return isDoubtful || !ends.contains { $0.exitStatus == 0 } ? 2 : 0
    }

    private func total() throws -> ReportEnd {
        let planned = parts[0].head.shard?.trialsInAll ?? 0
        guard count == planned else {
            throw ShardError("\(planned - count) of \(planned) trials are missing: no shard has them")
        }
        var summary = parts[0].end.summary
        for part in parts.dropFirst() { summary.add(part.end.summary) }
        summary.planned = planned
        summary.played(scenarios.count)
        let first = parts.map(\.head.started).min() ?? parts[0].head.started
        let ends = parts.map { Int64($0.head.started.timeIntervalSince(first) * 1000) + $0.end.duration }
        return ReportEnd(duration: ends.max() ?? 0, exitStatus: exitStatus, interrupted: false, summary: summary)
    }
}

extension RecordedScenario {
    fileprivate var withoutPlace: RecordedScenario {
        var copy = self
        copy.place = nil
        return copy
    }
}

extension RecordedReport.Summary {
    fileprivate mutating func add(_ other: Self) {
        trials += other.trials
        verdicts.merge(other.verdicts, uniquingKeysWith: +)
        consequences.merge(other.consequences, uniquingKeysWith: +)
        undeclaredBreaches += other.undeclaredBreaches
        undeclaredOutages += other.undeclaredOutages
    }

    /// Sets how many scenarios of the file were played.
    fileprivate mutating func played(_ count: Int) {
        let known = scenarios.played + scenarios.notPlayed
        scenarios = Scenarios(played: count, notPlayed: max(0, known - count))
    }
}
