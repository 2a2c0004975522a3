import Foundation

extension RecordedReport {
    /// The same without what is another in every run: times, hashes and ports. Two reports of one run of the same clients then
    /// differ only where something differed.
    ///
    /// Durations become 0, and the start becomes 1970: no field that readers count on goes away.
    var stable: RecordedReport {
        var copy = self
        copy.started = Date(timeIntervalSince1970: 0)
        copy.duration = 0
        copy.command = command.map { $0.map(\.withoutPorts) }
        copy.trials = trials.map(\.stable)
        copy.scenarios = scenarios.map { $0.map(\.stable) }
        return copy
    }
}

extension RecordedTrial {
    var stable: RecordedTrial {
        var copy = self
        copy.duration = 0
        copy.findings = findings.map { $0.map(\.withoutPorts) }
        copy.steps = steps.map(\.stable)
        return copy
    }
}

extension RecordedScenario {
    /// Without the digests of keys that were made for the run.
    fileprivate var stable: RecordedScenario {
        func bare(_ links: [Link]) -> [Link] {
            links.map { link in
                var link = link
                link.pin = nil
                return link
            }
        }
        var copy = self
        for step in steps.indices {
            for chain in steps[step].chains.indices {
                copy.steps[step].chains[chain].path = bare(steps[step].chains[chain].path)
                copy.steps[step].chains[chain].extras = steps[step].chains[chain].extras.map(bare)
            }
        }
        return copy
    }
}

extension RecordedStep {
    fileprivate var stable: RecordedStep {
        var copy = self
        copy.duration = 0
        copy.grounds = grounds.withoutPorts
        copy.advice = advice?.withoutPorts
        copy.leaks = leaks.map { $0.map(\.withoutPorts) }
        copy.attempts = attempts.map(\.stable)
        copy.twin = twin?.stable
        return copy
    }
}

extension RecordedAttempt {
    fileprivate var stable: RecordedAttempt {
        var copy = self
        copy.duration = 0
        copy.account = account.withoutPorts
        copy.output = output.withoutPorts
        copy.connections = connections.map(\.stable)
        return copy
    }
}

extension RecordedConnection {
    fileprivate var stable: RecordedConnection {
        var copy = self
        copy.certificateSha256 = nil
        copy.clientCertificate?.sha256 = nil
        copy.forwardedFrom = forwardedFrom?.withoutPorts
        copy.requestLine = requestLine?.withoutPorts
        copy.timeline = timeline.map { $0.map(\.withoutPorts) }
        return copy
    }
}

extension String {
    /// Without ports that the system chooses, folders that are made for a trial, and times that were measured.
    fileprivate var withoutPorts: String {
        guard contains(where: \.isNumber) || contains("/") else { return self }
        return replacing(#/(?<name>[\w\]]):[1-9][0-9]{3,4}\b/#) { "\($0.output.name):…" }
            .replacing(#/\bport [1-9][0-9]{3,4}\b/#) { _ in "port …" }
            .replacing(#/\/[\w\/.-]*pindrill-[0-9A-Za-z][\w-]*/#) { _ in "…" }
            .replacing(#/\b(?<word>in|after) [0-9]+ (?<unit>ms|s)\b/#) { "\($0.output.word) … \($0.output.unit)" }
    }
}
