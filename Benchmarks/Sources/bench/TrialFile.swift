import Foundation
import MitmHarness
import Scenarios

/// The shortest trial there is: one step, one attempt.
struct TrialFile {
    let file: ScenarioFile
    let oracle: Oracle

    init() throws {
        file = try ScenarioFile(parsing: TrialFile.text, file: "benchmark.yaml")
        oracle = Oracle(try PKI(file.blueprint, now: Date()))
    }

    func trial(of client: String) throws -> Trial {
        guard let trial = file.trials.first(where: { $0.client.name == client }) else {
            throw Failure("no client \(client)")
        }
        return trial
    }

    /// Plays one trial that often.
    ///
    /// - Throws: `Failure` when one did not pass, for then something else was measured.
    func play(_ trial: Trial, times: Int, jobs: Int) async throws {
        let runner = Runner(file, oracle: oracle, options: RunnerOptions(jobs: jobs))
        let results = await runner.run(Array(repeating: trial, count: times))
        guard results.count == times, results.allSatisfy({ $0.verdict == .pass }) else {
            throw Failure("a trial of \(trial.client.name) did not pass")
        }
    }

    static let host = "api.acme.example"

    private static let text = """
        version: 1
        host: \(host)
        keys: { leaf: {} }
        authorities: { root: {} }
        stores: { phone: { system: [root] } }
        chains: { today: { key: leaf, issuer: root } }
        policies: { leaf-only: { pins: [leaf], position: leaf } }
        clients:
          reference: { kind: reference }
          curl:
            run: >-
              curl --silent --show-error --fail --max-time 5 --cacert {trust} --pinnedpubkey {pins}
              --connect-to ::{endpoint} {url}
            refused: { exit: [60, 90] }
            refused-pin: { exit: 90 }
        scenarios:
          - name: nothing-happens
            about: The server shows the certificate that everybody knows.
            steps: [ { present: today } ]

        """
}
