import ControlPlane
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
}
