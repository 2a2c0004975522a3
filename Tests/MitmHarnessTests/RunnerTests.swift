import MitmHarness
import Pinning
import Synchronization
import TLSCore
import TestSupport
import Testing
import Witness

@testable import Scenarios

@Suite struct `The runner` {
    @Test func `comes to the same results with one job and with eight`() async throws {
        let catalogue = try Catalogue.trickier.get()
        let trials = catalogue.trials(of: "reference")

        let alone = await catalogue.runner(.jobs(1)).run(trials)
        let together = await catalogue.runner(.jobs(8)).run(trials)

        #expect(alone.count == trials.count)
        #expect(alone.map(Essence.init) == together.map(Essence.init))
    }

    @Test func `hands out results in the order of the trials, whichever ends first`() async throws {
        let catalogue = try Catalogue.trickier.get()
        let (first, second) = (declaration("first"), declaration("second"))
        let secondIsOver = Signal()
        let runner = catalogue.runner(.jobs(2)) { declaration in
            EventfulClient(
                onAttempt: { if declaration.name == "first" { await secondIsOver.wait() } },
                onFinish: { if declaration.name == "second" { secondIsOver.send() } }
            )
        }

        var handedOut: [String] = []
        var finished: [String] = []
        let results = await runner.run(
            [catalogue.trial("only-a-stuffed-chain", client: first), catalogue.trial("good-then-bad", client: second)],
            onFinish: { finished.append($0.client) },
            onResult: { handedOut.append($0.client) }
        )

        #expect(results.map(\.client) == ["first", "second"])
        #expect(handedOut == ["first", "second"])
        #expect(finished == ["second", "first"])
    }

    @Test func `returns finished trials only when it is cancelled, and finishes its clients`() async throws {
        let catalogue = try Catalogue.trickier.get()
        let (isStuck, isFinished) = (Signal(), Signal())
        let runner = catalogue.runner(.jobs(1)) { declaration in
            guard declaration.name == "stuck" else { return ReferenceClient() }
            return EventfulClient(
                onAttempt: {
                    isStuck.send()
                    try? await Task.sleep(for: .seconds(60))
                },
                onFinish: { isFinished.send() }
            )
        }
        let trials = ["good", "stuck", "never"].map { name in
            catalogue.trial("only-a-stuffed-chain", client: declaration(name))
        }

        let running = Task { await runner.run(trials) }
        await isStuck.wait()
        running.cancel()
        let results = await running.value
        await isFinished.wait()

        #expect(results.map(\.client) == ["good"])
        #expect(results.map(\.verdict) == [.pass])
    }

    @Test func `says of a client that cannot be made why its trial could not be run`() async throws {
        struct Trouble: Error, CustomStringConvertible { let description = "out of clients" }
        let catalogue = try Catalogue.trickier.get()
        let runner = catalogue.runner { declaration in
            guard declaration.name != "broken" else { throw Trouble() }
            return ReferenceClient()
        }

        let results = await runner.run([
            catalogue.trial("pinned-ca-under-a-foreign-name", client: declaration("broken")),
            catalogue.trial("pinned-ca-under-a-foreign-name", client: declaration("good")),
        ])

        let trouble = Judgement(.inconclusive, .couldNotRun("out of clients"))
        #expect(results[0].steps.map(\.judgement) == [trouble, trouble])
        #expect(results[1].verdict == .pass)
    }

    @Test func `skips a client whose program is missing, and says which`() async throws {
        let catalogue = try Catalogue.trickier.get()
        let missing = ClientDeclaration(
            name: "missing",
            kind: .command(CommandDeclaration(run: "pindrill-no-such-program {url}"))
        )

        let results = await catalogue.runner().run([catalogue.trial("only-a-stuffed-chain", client: missing)])

        let skipped = Judgement(.skipped, .skipped("'pindrill-no-such-program' is not installed"))
        #expect(results[0].steps.map(\.judgement) == [skipped, skipped])
        #expect(results[0].steps.map(\.attempts) == [[], []])
    }
}

@Suite struct `A control` {
    @Test func `is inserted before the first step that must be refused, and named after it`() async throws {
        let endpoints = Record<Endpoint>()

        let result = try await play(
            """
            - { present: rotated }
            - { present: forged, store: attacked }
            - { present: forged, store: attacked }
            """,
            EventfulClient(onAttempt: {}, onEndpoint: endpoints.append)
        )

        #expect(
            endpoints.all.map(\.step) == ["control-1-today", "1-rotated", "control-2-today", "2-forged", "3-forged"]
        )
        #expect(result.steps.map(\.planned.isControl) == [true, false, true, false, false])
        #expect(result.steps.allSatisfy { $0.judgement == Judgement(.pass, .obeyed) })
    }

    @Test func `is not inserted where the file declares one, even behind`() async throws {
        let result = try await play(
            """
            - { present: forged }
            - { present: today }
            """,
            ReferenceClient()
        )

        #expect(result.steps.map(\.planned.isControl) == [false, false])
        #expect(result.verdict == .pass)
    }

    @Test func `counts for its own store alone`() async throws {
        // This client broke down on the phones that were attacked: it refuses everything there.
        let client = FaultyClient { endpoint in
            let isAttacked = endpoint.store.anchors.contains { $0.origin == .user }
            let report = await TLSExchange(obeying: endpoint).report(endpoint)
            return isAttacked ? ClientReport(.failed) : report
        }

        let result = try await play(
            """
            - { present: today }
            - { present: forged, store: attacked }
            - { present: forged }
            """,
            client
        )

        #expect(
            result.steps.map(\.judgement) == [
                Judgement(.pass, .obeyed),
                Judgement(.inconclusive, .failedAfterAccepting),
                Judgement(.inconclusive, .noControl),
                Judgement(.pass, .obeyed),
            ]
        )
    }

    @Test func `counts for its own host alone`() async throws {
        let client = FaultyClient { endpoint in
            let report = await TLSExchange(obeying: endpoint).report(endpoint)
            return endpoint.host == "shop.acme.example" ? ClientReport(.failed) : report
        }

        let result = try await play(
            """
            - { present: today }
            - { present: forged, host: shop.acme.example }
            """,
            client
        )

        #expect(
            result.steps.map(\.judgement) == [
                Judgement(.pass, .obeyed),
                Judgement(.inconclusive, .failedAfterAccepting),
                Judgement(.inconclusive, .noControl),
            ]
        )
    }

    @Test func `that did not pass makes a refusal inconclusive`() async throws {
        let refuser = FaultyClient { endpoint in
            let nothingWillDo = TLSExchange(trust: nil) { _ in Decision(.reject, .untrusted(TrustFailure(.revoked))) }
            return await nothingWillDo.report(endpoint)
        }

        let result = try await play(
            """
            - { present: today }
            - { present: forged }
            """,
            refuser
        )

        #expect(
            result.steps.map(\.judgement) == [
                Judgement(.fail, .refusedWhatItsPolicyAccepts), Judgement(.inconclusive, .noControl),
            ]
        )
    }

    @Test func `cannot be had of a policy that accepts nothing in that store`() async throws {
        let result = try await play(
            """
            - { present: today }
            - { present: forged, store: elsewhere }
            """,
            ReferenceClient()
        )

        #expect(result.steps.map(\.judgement) == [Judgement(.pass, .obeyed), Judgement(.inconclusive, .noControl)])
    }

    private func play(_ steps: String, _ client: any ClientUnderTest) async throws -> TrialResult {
        try await playSteps(steps, client)
    }
}

@Suite struct `A step` {
    @Test func `with attempts is as bad as the worst of them`() async throws {
        let attempts = Record<Endpoint>()
        let client = FaultyClient { endpoint in
            attempts.append(endpoint)
            let exchange = attempts.all.count == 3 ? TLSExchange.trusting : TLSExchange(obeying: endpoint)
            return await exchange.report(endpoint)
        }

        let result = try await playSteps("- { present: today }\n- { present: forged, attempts: 3 }", client)

        #expect(result.steps.map(\.attempts.count) == [1, 3])
        #expect(result.steps[1].attempts.map(\.judgement.verdict) == [.pass, .fail, .pass])
        #expect(result.steps[1].judgement == Judgement(.fail, .talkedToTheWrongServer))
        #expect(result.steps[1].consequence == .intercepted)
    }

    @Test func `may be about another host, which the client is told`() async throws {
        let endpoints = Record<Endpoint>()

        let result = try await playSteps(
            "- { present: today }\n- { present: today, host: shop.acme.example }",
            EventfulClient(onAttempt: {}, onEndpoint: endpoints.append)
        )

        #expect(endpoints.all.map(\.host) == ["api.acme.example", "shop.acme.example"])
        #expect(result.verdict == .pass)
        #expect(result.steps[1].attempts[0].observations.map(\.target) == ["shop.acme.example"])
    }

    @Test func `that shows a bad chain to nobody has not been passed`() async throws {
        let result = try await playSteps("- { present: [today, forged] }", ReferenceClient())

        let step = try #require(result.steps.last)
        #expect(step.judgement == Judgement(.inconclusive, .neverShown("forged")))
        #expect("\(step.judgement.grounds)" == "made too few connections to be shown 'forged'")
    }

    @Test(arguments: ["[today, forged]", "[forged, today]"])
    func `judges both chains that one attempt saw, each by its own connections`(chains: String) async throws {
        let client = FaultyClient { endpoint in
            let first = await TLSExchange(obeying: endpoint).report(endpoint)
            let second = await TLSExchange(obeying: endpoint).report(endpoint)
            return first.word == .refused ? first : second
        }

        let result = try await playSteps("- { present: \(chains) }", client)

        #expect(result.steps.map(\.judgement) == [Judgement(.pass, .obeyed), Judgement(.pass, .obeyed)])
        #expect(result.steps[1].consequence == .protected)
        #expect(result.steps[1].attempts[0].observations.count == 2)
    }

    @Test(arguments: ["[today, forged]", "[forged, today]"])
    func `fails if one of two connections accepts the bad chain`(chains: String) async throws {
        let client = FaultyClient { endpoint in
            _ = await TLSExchange.trusting.report(endpoint)
            return await TLSExchange.trusting.report(endpoint)
        }

        let result = try await playSteps("- { present: \(chains) }", client)

        #expect(result.steps.last?.judgement == Judgement(.fail, .talkedToTheWrongServer))
        #expect(result.steps.last?.consequence == .intercepted)
    }
}

/// What must not depend on how many trials run at a time.
private struct Essence: Equatable {
    let scenario: String
    let policy: String
    let outcomes: [Outcome]
    let wires: [[Wire]]
    let accounts: [[String]]

    init(_ result: TrialResult) {
        scenario = result.scenario
        policy = result.policy
        outcomes = result.steps.map(Outcome.init)
        wires = result.steps.map { $0.attempts.map(\.wire) }
        accounts = result.steps.map { $0.attempts.map(\.report.account) }
    }
}

extension RunnerOptions {
    fileprivate static func jobs(_ jobs: Int) -> RunnerOptions {
        var options = RunnerOptions.quick
        options.jobs = jobs
        // Only what hangs needs so long: other tests may keep the processor for a minute.
        options.timeout = .seconds(300)
        return options
    }
}

private func declaration(_ name: String) -> ClientDeclaration { ClientDeclaration(name: name, kind: .reference) }
