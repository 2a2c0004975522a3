/// One of several parts of a run, each of which is played elsewhere.
package struct Shard: Hashable, Sendable {
    /// The first is 1.
    package let index: Int
    package let count: Int
    /// How many milliseconds trials took before, by the names that reports give them; the others are estimated.
    package var durations: [String: Int64] = [:]

    /// More machines than anybody has for this.
    private static let most = 10_000

    /// - Returns: `nil` where there is no such part.
    package init?(_ index: Int, of count: Int) {
        guard 1...Self.most ~= count, 1...count ~= index else { return nil }
        self.index = index
        self.count = count
    }

    /// Why there is no such part, in one line.
    package struct Mistake: Error, Hashable, CustomStringConvertible, Sendable {
        package let description: String
    }

    /// `2/4`, or `auto` for what the environment tells, or `auto/16` where that tells no number.
    ///
    /// GitLab sets `CI_NODE_INDEX`, from 1, and `CI_NODE_TOTAL` (1 where a job has one part). Kubernetes sets
    /// `JOB_COMPLETION_INDEX`, from 0, for the pods of an Indexed Job.
    package static func parse(_ text: String, environment: [String: String]) throws(Mistake) -> Shard {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let advice = "write INDEX/COUNT such as 1/4, auto, or auto/4"
        if parts.first != "auto" {
            guard parts.count == 2, let index = number(parts[0]), let count = number(parts[1]),
                let shard = Shard(index, of: count)
            else { throw Mistake(description: "'\(text)' is no part of a run; \(advice)") }
            return shard
        }
        let count = parts.count == 2 ? number(parts[1]) : nil
        guard parts.count == 1 || parts.count == 2 && count != nil else {
            throw Mistake(description: "'\(text)' is no part of a run; \(advice)")
        }
        let (place, told) = try place(in: environment)
        if let count, let total = told, count != total {
            throw Mistake(description: "'\(text)' says \(count) parts, and CI_NODE_TOTAL says \(total)")
        }
        guard let total = count ?? told else {
            throw Mistake(description: "JOB_COMPLETION_INDEX does not tell how many parts there are; write auto/COUNT")
        }
        guard let shard = Shard(place, of: total) else {
            throw Mistake(description: "the environment says part \(place) of \(total), and there is none")
        }
        return shard
    }

    private static func place(in environment: [String: String]) throws(Mistake) -> (index: Int, count: Int?) {
        func value(_ name: String) throws(Mistake) -> Int? {
            guard let text = environment[name], !text.isEmpty else { return nil }
            guard let number = number(text) else {
                throw Mistake(description: "\(name) is '\(text)', expected a number")
            }
            return number
        }
        let total = try value("CI_NODE_TOTAL")
        if let index = try value("CI_NODE_INDEX") {
            guard let total else { throw Mistake(description: "CI_NODE_INDEX is set, and CI_NODE_TOTAL is not") }
            return (index, total)
        }
        if let index = try value("JOB_COMPLETION_INDEX") { return (index + 1, nil) }
        if total == 1 { return (1, 1) }
        throw Mistake(description: "neither CI_NODE_INDEX nor JOB_COMPLETION_INDEX is set; write INDEX/COUNT")
    }

    private static func number(_ text: String) -> Int? {
        text.utf8.count <= 6 && text.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int(text) : nil
    }

    /// Its part of a run's trials, in their order, each with its place among them all.
    ///
    /// The dearest pieces are dealt out first, each to the part that has the least so far. It all follows from the file: neither
    /// the time nor the machine plays a part, so each trial is in exactly one of the parts, wherever they are played.
    package func part(of trials: [Trial]) -> [Trial] {
        let pieces = pieces(of: trials)
        let dearestFirst = pieces.indices.sorted { (pieces[$1].cost, $0) < (pieces[$0].cost, $1) }
        var loads = Array(repeating: Int64(0), count: count)
        var own: [Int] = []
        for piece in dearestFirst {
            // There is a part.
            let least = loads.indices.min { (loads[$0], $0) < (loads[$1], $1) }!
            loads[least] += pieces[piece].cost
            if least == index - 1 { own += pieces[piece].trials }
        }
        return own.sorted().map { index in
            var trial = trials[index]
            trial.place = index + 1
            return trial
        }
    }

    private struct Piece {
        var trials: [Int] = []
        /// In milliseconds.
        var cost: Int64 = 0
    }

    /// What is dealt out. Trials that follow each other share keys, certificates and what the oracle decides of them, as
    /// those of one variant do, and each part pays for its own. So three quarters stay together in pieces; the last quarter
    /// are single trials, which make the parts alike. A second's work is a piece, but no more than a quarter of a part, and
    /// no less than a sixteenth: small pieces make parts alike, and large ones make fewer keys.
    private func pieces(of trials: [Trial]) -> [Piece] {
        let costs = trials.map { (durations.isEmpty ? nil : durations[$0.name]) ?? $0.estimate }
        let total = costs.reduce(0, +)
        let share = total / Int64(count)
        let size = min(share / 4, max(share / 16, 1000))
        let variants = trials.map { $0.scenario.variant?.description }
        let neighbours = trials.indices.sorted { one, other in
            switch (variants[one], variants[other]) {
            case (let first?, let second?): (first, one) < (second, other)
            case (nil, nil): one < other
            case (let first, _): first != nil
            }
        }
        var pieces: [Piece] = []
        var (done, open) = (Int64(0), Piece())
        for trial in neighbours {
            open.trials.append(trial)
            open.cost += costs[trial]
            done += costs[trial]
            guard open.cost >= size || done * 4 > total * 3 else { continue }
            pieces.append(open)
            open = Piece()
        }
        return pieces + (open.trials.isEmpty ? [] : [open])
    }
}
