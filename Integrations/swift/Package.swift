// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "PinDrillControl",
    platforms: [.iOS(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v8)],
    products: [.library(name: "PinDrillControl", targets: ["PinDrillControl"])],
    targets: [
        .target(
            name: "PinDrillControl",
            // So that a test of the main actor, as those of XCUITest are, keeps its drill and its app there.
            swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
        ),
        // For macOS and Linux, where a process can be started.
        .executableTarget(name: "example", dependencies: ["PinDrillControl"], path: "examples"),
    ]
)
