import MitmHarness
import XCTest

@MainActor
final class PinningTestCase: XCTestCase {
    func testTheAppKnowsItsServerFromAnAttackerWhomTheDeviceTrusts() async throws {
        let pki = try PKI.standard(host: "localhost")
        try await withMitmProxy(presenting: pki.today) { proxy in
            let app = APIClient(url: proxy.url, trust: pki.trustPEM, pins: [pki.today.pin])
            let served = await proxy.watch { try await app.ping() }
            proxy.present(pki.attacker)
            let attacked = await proxy.watch { try await app.ping() }

            XCTAssertEqual(served.wire, .accepted)
            XCTAssertTrue(attacked.wire.isRejected)
            XCTAssertThrowsError(try attacked.result.get())
        }
    }
}
