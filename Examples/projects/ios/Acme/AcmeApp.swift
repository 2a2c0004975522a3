import SwiftUI

@main
struct AcmeApp: App {
    init() { startPinning() }

    var body: some Scene { WindowGroup { Text("Acme") } }
}
