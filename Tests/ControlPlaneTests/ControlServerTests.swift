import ControlPlane
import Foundation
import Hummingbird
import HummingbirdTesting
import Testing

@Suite struct ControlServerTests {
    @Test func `a server answers that it is there`() async throws {
        let application = Application(router: ControlServer().router)
        try await application.test(.router) { client in
            try await client.execute(uri: "/health", method: .get) { #expect($0.status == .ok) }
        }
    }

    @Test func `a server tells what it answers`() async throws {
        let application = Application(router: ControlServer().router)
        try await application.test(.router) { client in
            try await client.execute(uri: "/openapi.json", method: .get) { response in
                let document = try JSONSerialization.jsonObject(with: Data(response.body.readableBytesView))
                #expect((document as? [String: Any])?["openapi"] as? String == "3.1.0")
            }
        }
    }
}
