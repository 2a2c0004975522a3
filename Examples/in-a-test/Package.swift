// swift-tools-version: 6.2
import PackageDescription

// A package of its own, as yours is: it sees of PinDrill what you see.
let package = Package(
    name: "in-a-test",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "PinDrill", path: "../..")],
    targets: [
        .testTarget(
            name: "InATest",
            dependencies: [.product(name: "MitmHarness", package: "PinDrill")],
            path: "Tests",
            swiftSettings: [.swiftLanguageMode(.v6), .enableUpcomingFeature("MemberImportVisibility")]
        )
    ]
)
