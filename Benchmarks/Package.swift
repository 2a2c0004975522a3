// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who uses PinDrill fetches or builds it. Linux only: it reads /proc.

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

let pinDrill: Target.Dependency = .product(name: "MitmHarness", package: "PinDrill")

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "PinDrill", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.0"),
    ],
    targets: [
        // Starts servers, loads them, reads what they cost, plays trials, and prints the table.
        .executableTarget(
            name: "bench",
            dependencies: [
                pinDrill, "CAllocator", "CVerify", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .systemLibrary(name: "CAllocator"),
        .systemLibrary(name: "CVerify"),
        // The proxy under test, and nothing else in its process.
        .executableTarget(name: "bench-server", dependencies: [pinDrill], swiftSettings: settings),
        // The one load generator for every server. In C on OpenSSL alone: a change in PinDrill cannot change the load.
        .executableTarget(
            name: "bench-load",
            linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]
        ),
    ]
)
