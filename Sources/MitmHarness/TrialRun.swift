import Foundation
import MitmProxy
import NIOCore
import Pinning
import Scenarios
import Synchronization
import TLSCore
package import Witness

/// Plays one trial: step after step, attempt after attempt, on a stage of its own.
struct TrialRun {
    let trial: Trial
    let client: any ClientUnderTest
    var oracle: Oracle
    let options: RunnerOptions
    private let canary = Canary()

    /// - Throws: `CancellationError` only: whatever else goes wrong becomes part of the result.
    func play() async throws(CancellationError) -> TrialResult {
        var run = self
        do {
            let planned = try oracle.plan(trial, instant: options.clock())
            let chains = planned.flatMap { $0.step.present + $0.step.also.map(\.chain) }
            if planned.contains(where: \.isGenuine) {
                run.oracle = try await askGenuineServer()
            } else if chains.contains(where: oracle.pki.blueprint.needsGenuine), let ask = inquiry {
                run.oracle = Oracle(oracle.pki.knowing(try await options.genuine.chain(ask)))
            }
        } catch {
            return TrialResult(trial, brokenDown: error)
        }
        return try await run.playSteps()
    }

    /// The same oracle, with what the genuine server shows now.
    private func askGenuineServer() async throws -> Oracle {
        guard let inquiry else { return oracle }
        return Oracle(oracle.pki.knowing(try await inquiry()))
    }

    /// What asks the genuine server for its chain; `nil` where there is none.
    private var inquiry: (@Sendable () async throws -> PKI.Genuine)? {
        guard let upstream = options.upstream, let tls = upstream.tls else { return nil }
        return { [options] in
            do {
                var inquiry = ChainInquiry(host: upstream.host, port: upstream.port, serverName: tls.name)
                inquiry.proxy = options.upstreamProxy
                return PKI.Genuine(chain: try await inquiry.run(), roots: tls.roots)
            } catch {
                throw GenuineServerFailure(
                    description: "the genuine server, \(upstream.host):\(upstream.port): \(error)"
                )
            }
        }
    }

    private struct GenuineServerFailure: Error, CustomStringConvertible {
        let description: String
    }

    /// Whether the genuine server shows something else than what was planned for.
    private func hasChanged(_ planned: PlannedStep) async throws -> Bool {
        guard planned.isGenuine else { return false }
        let demands = try await askGenuineServer().decide(trial.policy, step: planned.step, instant: options.clock())
        return demands.map(\.decision.demand) != planned.shownChains.map(\.decision.demand)
    }

    private func playSteps() async throws(CancellationError) -> TrialResult {
        let start = ContinuousClock.now
        let planned: [PlannedStep]
        do {
            planned = try oracle.plan(trial, instant: options.clock()).map { step in
                var step = step
                if client.takesIdentity {
                    step.step.limits.clientCertificate = step.step.limits.clientCertificate ?? .asked
                }
                return step
            }
        } catch {
            return TrialResult(trial, brokenDown: error, duration: ContinuousClock.now - start)
        }
        var results: [StepResult] = []
        do {
            try await Stage.with(
                oracle.pki,
                limits: options,
                clientTimeout: trial.client.timeout,
                canary: canary,
                hasCollector: client.takesCollector
                    && (client is CommandClient || planned.contains(where: \.step.reports)),
                takesEarlyData: planned.contains { $0.step.resumes == .earlyData },
                name: trial.name,
                isolates: client.canBeIsolated && (options.isolates || trial.client.isIsolated),
                startTLS: trial.client.startTLS,
                applicationProtocols: trial.client.applicationProtocols
            ) { stage in
                var resumable: [Int: PlannedStep] = [:]
                var index = 0
                var clockDoubt: String?
                var isClockTried = false
                while index < planned.count {
                    let step = planned[index]
                    if step.step.clock != .zero, !isClockTried {
                        isClockTried = true
                        clockDoubt = try await self.clockDoubt(planned, on: stage)
                    }
                    if step.step.clock != .zero, let clockDoubt {
                        results.append(StepResult(step, untried: Judgement(.skipped, .skipped(clockDoubt))))
                        index += 1
                        continue
                    }
                    let number = planned[...index].count { !$0.isControl } + (step.isControl ? 1 : 0)
                    let place = Place(
                        label: "\(step.isControl ? "control-" : "")\(number)-\(step.step.present[0])",
                        number: index + 1,
                        count: planned.count
                    )
                    let earlier = index < results.count ? results[index].attempts : []
                    let (result, wish) = try await play(step, at: place, on: stage, after: &resumable, earlier: earlier)
                    if index < results.count { results[index] = result } else { results.append(result) }
                    let mayPause = wish != .back && index + 1 < planned.count
                    try await client.take(result, number: place.number, mayPause: mayPause)
                    index = wish == .back ? max(0, index - 1) : index + 1
                }
            }
        } catch is CancellationError {
            await client.finish()
            throw CancellationError()
        } catch {
            await client.finish()
            let missing = planned.dropFirst(results.count)
            let steps =
                results + missing.map { StepResult($0, untried: Judgement(.inconclusive, .couldNotRun("\(error)"))) }
            return TrialResult(trial, steps: steps, duration: ContinuousClock.now - start)
        }
        await client.finish()
        if Task.isCancelled { throw CancellationError() }
        return TrialResult(trial, steps: results, duration: ContinuousClock.now - start)
    }

    private static let strangersAdvice =
        "other trials were at work: if this client asked nobody after it rejected, another's may have found this port; "
        + "play it alone with --jobs 1"

    /// A step's place among all that are played, controls included; the number is from 1.
    private struct Place {
        var label: String
        var number: Int
        var count: Int
    }

    /// Why a step cannot be played to this client, in words; `nil` where it can.
    private func reasonToSkip(_ planned: PlannedStep) -> String? {
        let step = planned.step
        if step.reports, !client.takesCollector {
            return "it is not told where to report: its command has no {collector}"
        }
        guard let nearMiss = step.nearMiss else { return nil }
        if planned.isPinned, !client.takesPins {
            return "it takes no pins, so it cannot be handed one that is nearly right (\(nearMiss.rawValue))"
        }
        if nearMiss.isDamaged, case .imported = trial.policy.source {
            return "what its pinning system makes of a damaged pin is not known here (\(nearMiss.rawValue))"
        }
        return nil
    }

    /// - Parameters:
    ///   - resumable: the steps whose sessions clients may still have, by the number of their presentation.
    ///   - earlier: attempts that were made before whoever attends the client went back to this step.
    /// - Returns: with the result, what whoever attends the client wants in place of the next step.
    private func play(
        _ planned: PlannedStep,
        at place: Place,
        on stage: Stage,
        after resumable: inout [Int: PlannedStep],
        earlier: [AttemptResult]
    ) async throws -> (StepResult, ClientReport.Wish?) {
        let start = ContinuousClock.now
        let step = planned.step
        if let reason = reasonToSkip(planned) {
            return (StepResult(planned, untried: Judgement(.skipped, .skipped(reason))), nil)
        }
        if step.restart { await client.finish() }
        let hadChanged = try await hasChanged(planned)
        var (shown, code) = withCode(step)
        var epoch = try await stage.present(shown)
        defer { if step.resumption { resumable[epoch] = planned } }
        // Who goes back makes up for an attempt that nobody came to.
        var attempts = earlier.filter { !$0.isVoid }
        var seen: [Observation] = []
        var wish: ClientReport.Wish?
        var left = step.attempts
        while left > 0 {
            var endpoint = try endpoint(for: step, label: place.label, on: stage)
            endpoint.scene = Endpoint.Scene(trial: trial, planned: planned, number: place.number, count: place.count) {
                [proxy = stage.proxy, page = options.page] in proxy.observations().without(page)
            }
            endpoint.scene?.code = code
            let (report, all, collected) = try await attempt(endpoint, on: stage)
            if client.connectsUnasked { try await stage.rest(from: step) }
            wish = report.wish
            // Who was asked for another attempt, and was not heard of, has made none.
            if wish != .again { left -= 1 }
            defer { if wish == .skip || wish == .back { left = 0 } }
            let new = all.since(seen) + bypasses(of: stage)
            seen = all
            var result = AttemptResult(new, report: report, elsewhere: planned) {
                AttemptResult($0, report: $1, in: planned, after: resumable) { own, report in
                    AttemptResult(
                        own,
                        report: report,
                        shownChains: planned.shownChains,
                        host: step.host,
                        isAboutVersion: step.limitsTLS,
                        fault: step.handshake,
                        isStranger: { oracle.isStranger($0, trial.policy, step, instant: options.clock()) }
                    )
                }
            }
            result.collected = collected
            if options.jobs > 1, stage.network == nil, result.isContradicted {
                result.report.advice = Self.strangersAdvice
            }
            if wish == nil || !result.isVoid { attempts.append(result) }
            if client.connectsUnasked, left > 0 {
                if step.resumption { resumable[epoch] = planned }
                (shown, code) = withCode(step)
                epoch = try await stage.present(shown)
                seen = []
            }
        }
        let twin = try await twin(of: planned, attempts, label: place.label, on: stage)
        var result = StepResult(planned, attempts: attempts, twin: twin, duration: ContinuousClock.now - start)
        // A window may have begun or ended while the client was at work: then nobody can say what it had to do.
        let now = options.clock()
        let afterwards =
            try oracle.decide(trial.policy, step: step, instant: now)
            + oracle.decideElsewhere(trial.policy, step: step, instant: now)
        if afterwards.map(\.decision.demand) != (planned.shownChains + planned.others).map(\.decision.demand) {
            result.judgement = Judgement(.inconclusive, .overtakenByTime)
        }
        let changes = try await hasChanged(planned)
        if result.judgement.verdict == .pass, hadChanged || changes {
            result.judgement = Judgement(.inconclusive, .overtakenByTime)
        }
        if wish != nil, result.judgement.verdict != .fail { result.judgement = Judgement(.inconclusive, .leftOut) }
        return (result, wish)
    }

    /// A step whose answers have a code for the next attempt, where they ask for one and a person says what the app shows.
    private func withCode(_ step: Step) -> (Step, code: String?) {
        guard client.connectsUnasked, let origin = step.origin, origin.hasCode else { return (step, nil) }
        let code = String(Int.random(in: 1000...9999))
        var shown = step
        shown.origin = origin.showing(code)
        return (shown, code)
    }

    /// Why nobody can tell whether a client's clock was moved; `nil` where it was. A program that asks the kernel itself
    /// keeps its clock, and would take a certificate that has ended by the moved one alone.
    private func clockDoubt(_ planned: [PlannedStep], on stage: Stage) async throws -> String? {
        guard client is CommandClient else { return nil }
        guard let accepted = planned.first(where: { $0.step.clock != .zero && $0.isAcceptance }),
            let ended = try oracle.pki.ending(chain: accepted.step.present[0], host: accepted.step.host)
        else { return "no chain of its own server is shown by which to see that its clock was moved" }
        let endpoint = try endpoint(for: accepted.step, label: "clock", on: stage)
        if endpoint.configuration.pins.contains(where: { $0.match == .certificate }) {
            return "its pins are of certificates, and so it would refuse the one by which its clock is seen to move"
        }
        try await stage.present(accepted.step, showing: ended)
        let (_, seen, _) = try await attempt(endpoint, on: stage)
        return seen.contains { $0.reaction == .accepted }
            ? "its clock cannot be seen to move: it took a certificate that had ended by then" : nil
    }

    /// Tries the client with the pins of the very chain it refused, where that is the only way to learn whether it was
    /// its pins that made it refuse.
    private func twin(
        of planned: PlannedStep,
        _ attempts: [AttemptResult],
        label: String,
        on stage: Stage
    ) async throws -> AttemptResult? {
        guard client.takesPins, let refusal = attempts.first(where: \.isRefusal),
            refusal.report.blamesPin == nil,
            let shown = planned.shownChains.first(where: { shown in
                shown.decision.isRefusalByPin && refusal.observations.contains { $0.shown == shown.chain }
            })
        else { return nil }
        var step = planned.step
        step.present = [shown.chain]
        step.resumption = false
        step.handshake = nil
        var endpoint = try endpoint(for: step, label: "\(label)-twin", on: stage)
        let situation = Situation(
            chain: try oracle.pki.moved(by: step.clock).identity(chain: shown.chain, at: step.at, host: step.host)
                .chain,
            store: endpoint.store,
            host: step.host,
            at: endpoint.instant,
            version: step.offer.versions?.upperBound ?? .tls1_3
        )
        endpoint.configuration = endpoint.configuration.pinning(
            situation.chain,
            in: situation.store,
            host: situation.host,
            at: situation.instant
        )
        endpoint.certificates = situation.chain
        endpoint.damage = [:]
        // Some configurations cannot be brought to accept it by any pin.
        guard endpoint.configuration.decide(situation).demand != .reject else { return nil }
        try await stage.present(step)
        let (report, seen, _) = try await attempt(endpoint, on: stage)
        var accepting = shown
        accepting.decision = Decision(.accept, .trusted)
        return AttemptResult(
            seen + bypasses(of: stage),
            report: report,
            shownChains: [accepting],
            host: step.host
        )
    }

    private func bypasses(of stage: Stage) -> [Observation] {
        ((stage.network?.takeBypasses() ?? []) + stage.proxy.takeDatagrams()).map { $0.redacting(canary) }
    }

    private func endpoint(for step: Step, label: String, on stage: Stage) throws -> Endpoint {
        let pki = oracle.pki.moved(by: step.clock)
        let configuration = try oracle.configuration(of: trial.policy, in: step, instant: options.clock())
        var endpoint = Endpoint(
            host: step.writtenHost,
            port: stage.proxy.port,
            store: try pki.store(named: step.store, at: step.at).forgetful(),
            configuration: configuration,
            step: label,
            folder: stage.folder,
            timeout: options.timeout,
            instant: options.clock() + TimeInterval(step.clock.seconds)
        )
        endpoint.clock = step.clock
        if let port = stage.collector?.port { endpoint.collector = "http://127.0.0.1:\(port)/report" }
        endpoint.network = stage.network
        endpoint.listeners = stage.listeners
        endpoint.certificates = pki.certificates(in: configuration.pins)
        if let nearMiss = step.nearMiss, nearMiss.isDamaged {
            let whole = Set(
                try pki.configuration(of: trial.policy, at: step.at, host: step.host).pins.map(\.pin)
            )
            for pin in configuration.pins.map(\.pin) where !whole.contains(pin) {
                endpoint.damage.merge(nearMiss.damage(to: pin)) { $1 }
            }
        }
        endpoint.identity = client.takesIdentity ? try oracle.pki.clientIdentity() : nil
        return endpoint
    }

    /// One attempt, and all that was seen under the presentation in force.
    private func attempt(_ endpoint: Endpoint, on stage: Stage) async throws
        -> (ClientReport, [Observation], [CollectedReport])
    {
        let cutOff = CutOff()
        var endpoint = endpoint
        endpoint.canary = canary.token()
        var report = try await client.attempt(endpoint) { [options] hasTimedOut in
            // Who has ended has said all he will, but the wire may not have carried it yet, and what he left running may
            // go on. Who is late has had his time.
            let patience = hasTimedOut ? .milliseconds(50) : TimeAmount(options.patience)
            cutOff.note((try? await stage.proxy.settle(patience: patience)) ?? stage.proxy.observations())
        }
        try Task.checkCancellation()
        report.account = canary.redacting(report.account)
        report.output = canary.redacting(report.output)
        let seen = try await stage.proxy.settle(patience: TimeAmount(options.patience)).without(options.page)
        let collected = try await stage.collector?.take(patience: TimeAmount(options.patience)) ?? []
        return (report, cutOff.applied(to: seen).map { $0.redacting(canary) }, collected)
    }
}

/// The connections that were open when a client, or what it had left running, was made to end.
private final class CutOff: Sendable {
    private let numbers = Mutex(Set<Int>())

    func note(_ seen: [Observation]) {
        let open = seen.filter { !$0.isClosed }.compactMap(\.number)
        numbers.withLock { $0 = Set(open) }
    }

    /// The same connections; those of them that end now do so by our hand.
    func applied(to seen: [Observation]) -> [Observation] {
        let numbers = numbers.withLock { $0 }
        return seen.map { connection in
            connection.number.map(numbers.contains) == true ? connection.endedByUs : connection
        }
    }
}

extension [Observation] {
    /// Without those that a device's browser made to get its roots.
    func without(_ page: DevicePage?) -> [Observation] { page.map { page in filter { !page.concerns($0) } } ?? self }

    /// What is new beside an earlier look: connections that came since, and of older ones the facts that came since.
    package func since(_ earlier: [Observation]) -> [Observation] {
        let known = Dictionary(earlier.compactMap { seen in seen.number.map { ($0, seen) } }) { first, _ in first }
        return enumerated().compactMap { index, observation in
            let before =
                if let number = observation.number {
                    known[number]
                } else {
                    index < earlier.count && earlier[index].number == nil ? earlier[index] : nil
                }
            return before.map(observation.since) ?? observation
        }
    }
}

extension Observation {
    /// A connection that lives through several attempts stays what it was shown, so its handshake is kept.
    fileprivate func since(_ earlier: Observation) -> Observation? {
        // What the journal says in place of connections that it forgot is new whenever it says more.
        if earlier.events.contains(where: \.isForgetting) { return self == earlier ? nil : self }
        guard events.count >= earlier.events.count else { return self }
        var news = Array(events[earlier.events.count...])
        // The journal adds what comes next to a count that it has noted already.
        if let index = earlier.events.indices.last, case .data(let before) = earlier.events[index],
            case .data(let now) = events[index], now > before
        {
            news.insert(.data(count: now - before), at: 0)
        }
        if earlier.reaction == .accepted {
            // How a connection ends that has carried a request says nothing of the certificate.
            guard let more = news.firstIndex(where: \.isData) else { return nil }
            // A connection's first request is noted as such; whatever comes in a later attempt is another.
            news.insert(.request, at: more + 1)
        }
        guard !news.isEmpty else { return nil }
        var fresh = self
        fresh.events = earlier.events.filter(\.isSetUp) + news
        fresh.requests.removeFirst(earlier.requests.count)
        fresh.leaks.removeFirst(earlier.leaks.count)
        fresh.requestCount -= earlier.requestCount
        return fresh
    }
}

extension ConnectionEvent {
    /// Whether the fact stays true for as long as the connection lives.
    fileprivate var isSetUp: Bool {
        switch self {
        case .connected, .redirected, .forwarded, .hello, .presented, .resumed, .unanswered, .established,
            .clientCertificate,
            .unnoted:
            true
        default: false
        }
    }

    fileprivate var isForgetting: Bool { if case .forgotten = self { true } else { false } }

    fileprivate var isData: Bool { if case .data = self { true } else { false } }
}

extension AttemptResult {
    /// Whether somebody sent a request where the client says that it refused, and was seen to.
    fileprivate var isContradicted: Bool {
        (wire == .accepted || wire == .cleartext) && [.refused, .failed].contains(report.word)
            && observations.contains { $0.reaction.isRejected }
    }
}
