import SwiftUI

@main
struct AcmeApp: App {
    private let session: PinnedSession

    init() {
        startPinning()
        session = PinnedSession()
    }

    var body: some Scene { WindowGroup { Text("Acme") } }
}
