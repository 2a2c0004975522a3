import Pinning
import Scenarios
import Testing

@testable import MitmHarness

@Suite struct `A function as a client` {
    /// It has its say where it returns in time, and where the cut of its connections makes it return it has none.
    @Test(arguments: [(cutsItOff: false, word: ClientReport.Word.refused), (true, .nothing)])
    func `J4: says nothing once its time is over`(cutsItOff: Bool, word: ClientReport.Word) async throws {
        let pki = try PKI.standard(host: "localhost")
        let (isCut, cut) = AsyncStream<Void>.makeStream()
        let (hasReturned, returning) = AsyncStream<Void>.makeStream()
        let client = FunctionClient(answer: { _ in .refused }) { _ in
            if cutsItOff { for await _ in isCut { break } }
            returning.finish()
        }

        let report = try await withMitmProxy(presenting: pki.today) { proxy in
            var endpoint = Endpoint(proxy, trust: pki.trust, policy: .unpinned)
            endpoint.timeout = cutsItOff ? .milliseconds(10) : .seconds(600)
            return try await client.attempt(endpoint) { _ in
                // As where the connections are ended: it returns before we have done.
                cut.finish()
                for await _ in hasReturned {}
            }
        }

        #expect(report.word == word)
    }
}
