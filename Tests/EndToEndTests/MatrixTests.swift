import Foundation
import MitmProxy
import NIOCore
import Pinning
import Scenarios
import TLSCore
import TestSupport
import Testing
import Witness

@testable import MitmHarness

/// Every event of the table of pinning systems, really served on loopback to real clients, against what the model of
/// each says of the same chain, anchors, host and instant, and against the table.
///
/// The table was made from the clients' sources and from runs of its own, so neither was copied from the other.
@Suite struct MatrixTests {
    /// Real clients believe their own clock. Every call that can throw has fixed arguments.
    static let world = try! MatrixWorld(now: Date())

    @Test(arguments: RealClient.all)
    func `a real client does what its model says`(client: RealClient) async throws {
        try await withTemporaryFolder { folder in
            guard let declaration = try client.prepare(folder) else {
                print("skipped: \(client.name) is not installed")
                return
            }

            for form in client.forms {
                let outcomes = try await meetEveryEvent(form, declaration, folder)

                for outcome in outcomes { #expect(outcome.disagreements == [], "\(outcome)") }
                // A client that always does the same proves nothing.
                #expect(Set(outcomes.map(\.isAccepted)) == [true, false], "\(form.name)")
            }
        }
    }

    @Test func `a system of the table is tried, or it is known why not`() {
        let tried = RealClient.all.flatMap(\.forms).map(\.name)
        let untried = RealClient.elsewhere.values.flatMap(\.self)

        #expect(Set(tried).isDisjoint(with: untried))
        #expect(Set(PinningMatrix.shared.policies).subtracting(tried).sorted() == untried.sorted())
    }

    /// What came of one event.
    private struct Outcome: CustomStringConvertible {
        var form: String
        var event: String
        var situation: Situation
        var decision: Decision
        var report: ClientReport
        var wire: Wire

        /// Whether the client got its answer; `nil` where its word and the wire do not say the same.
        var isAccepted: Bool? {
            switch (report.word, wire) {
            case (.succeeded, .accepted): true
            case (.refused, .rejected): false
            // To most programs a server that is too old is any failure.
            case (.failed, .rejected) where situation.version < .tls1_2: false
            // It lacks the version, and so talks to nobody.
            case (.failed, _) where situation.version < .tls1_2 && wire.isLack(ofVersion: true),
                (.refused, _) where situation.version < .tls1_2 && wire.isLack(ofVersion: true):
                false
            default: nil
            }
        }

        /// What the client, its model and the table do not agree on.
        var disagreements: [String] {
            guard let isAccepted else { return ["the client and the wire"] }
            var found: [String] = []
            switch decision.demand {
            case .accept where !isAccepted, .reject where isAccepted: found.append("the model")
            // A client may name more reasons than the first.
            case .reject where decision.isRefusalByPin && report.blamesPin == false: found.append("the model's reason")
            default: break
            }
            switch PinningMatrix.shared.cell(event: event, policy: form) {
            case "accept"? where !isAccepted, "reject"? where isAccepted: found.append("the table")
            default: break
            }
            return found
        }

        var description: String {
            "\(form), \(event): the model says \(decision.demand), for \(decision); the client \(report.word): "
                + "\(report.account) \(report.output); on the wire it \(wire)"
        }
    }

    /// Serves one event after the other to a client that pins in this form.
    private func meetEveryEvent(
        _ form: RealClient.Form,
        _ declaration: CommandDeclaration,
        _ folder: URL
    ) async throws -> [Outcome] {
        var declaration = declaration
        form.change(&declaration)
        let client = try CommandClient(declaration, here: RealClient.sources.path)
        let place = folder.appending(path: form.name)
        for folder in [place, place.appending(path: "home"), place.appending(path: "tmp")] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        }
        let proxy = try await InterceptingProxy.start(presenting: Presentation(rules: []))
        var outcomes: [Outcome] = []
        do {
            for event in MatrixWorld.events {
                var situation = try #require(MatrixTests.world.situation(event))
                // A program of this machine knows one kind of anchor.
                situation.store = try TrustStore(situation.store.anchors.map { TrustAnchor($0.certificate) })
                let server = try #require(MatrixTests.world.server(event))
                let configuration = form.configure(MatrixTests.world, event)
                let isOld = situation.version < .tls1_2
                proxy.present(
                    Presentation(.always(.identity(server)), offer: TLSOffer(version: isOld ? situation.version : nil))
                )
                let report = try await client.attempt(
                    Endpoint(
                        host: situation.host,
                        port: proxy.port,
                        store: situation.store,
                        configuration: configuration,
                        step: event,
                        folder: place,
                        timeout: .seconds(60),
                        instant: situation.instant
                    )
                )
                let wire = Wire(try await proxy.settle())
                outcomes.append(
                    Outcome(
                        form: form.name,
                        event: event,
                        situation: situation,
                        decision: configuration.decide(situation),
                        report: report,
                        wire: wire
                    )
                )
            }
        } catch {
            await client.finish()
            await proxy.stop()
            throw error
        }
        await client.finish()
        await proxy.stop()
        return outcomes
    }
}
