// swift-tools-version: 6.2
import PackageDescription

// CI sets this: a new compiler's new warning must not stop a user's `make run`.
let warnings: [SwiftSetting] =
    Context.environment["PINDRILL_WARNINGS_AS_ERRORS"] == nil ? [] : [.treatAllWarnings(as: .error)]

let settings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + warnings

let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nioWebSocket: Target.Dependency = .product(name: "NIOWebSocket", package: "swift-nio")
let nioHTTP2: Target.Dependency = .product(name: "NIOHTTP2", package: "swift-nio-http2")
let nioEmbedded: Target.Dependency = .product(name: "NIOEmbedded", package: "swift-nio")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")

let package = Package(
    name: "PinDrill",
    platforms: [.macOS(.v15)],
    products: [
        // All that its users import, though MitmHarness depends on the others: SwiftPM compiles again only what names a
        // module that changed.
        .library(
            name: "MitmHarness",
            targets: ["MitmHarness", "MitmProxy", "Pinning", "Scenarios", "TLSCore", "Witness"]
        ),
        .executable(name: "pindrill", targets: ["pindrill"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-http2.git", from: "1.46.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.0"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache.git", from: "2.1.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.0"),
        .package(url: "https://github.com/jpsim/Yams.git", from: "6.2.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess.git", from: "1.0.0"),
        .package(url: "https://github.com/apple/swift-system.git", from: "1.5.0"),
    ],
    targets: [
        .systemLibrary(
            name: "COpenSSL",
            pkgConfig: "openssl",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
        ),
        // Data that the program carries along, as the files themselves.
        .target(name: "CEmbedded", exclude: ["Data"]),
        // Linux: a network of a client's own. In C, for what runs between fork and exec must be nothing else.
        .target(name: "CIsolation"),
        .target(name: "TLSCore", dependencies: ["COpenSSL", nioCore], swiftSettings: settings),
        // What an app's sources say of its pins, as text: no certificates, no files.
        .target(name: "AppSources", swiftSettings: settings),
        .target(
            name: "Pinning",
            dependencies: ["CEmbedded", "TLSCore", .product(name: "Yams", package: "Yams")],
            swiftSettings: settings
        ),
        .target(name: "Witness", dependencies: ["TLSCore"], swiftSettings: settings),
        .target(
            name: "MitmProxy",
            dependencies: ["TLSCore", "Witness", nioCore, nioPosix, nioHTTP1, nioHTTP2, nioWebSocket, logging],
            swiftSettings: settings
        ),
        .target(
            name: "Scenarios",
            dependencies: [
                "CEmbedded", "TLSCore", "Pinning", "Witness", .product(name: "Mustache", package: "swift-mustache"),
            ],
            swiftSettings: settings
        ),
        // Who is locked out on which day: versions in use, against what will be shown.
        .target(name: "Forecast", dependencies: ["TLSCore", "Pinning", "Scenarios"], swiftSettings: settings),
        .target(
            name: "MitmHarness",
            dependencies: [
                "CIsolation", "TLSCore", "Pinning", "Witness", "MitmProxy", "Scenarios", nioCore, nioPosix, nioHTTP2,
                logging,
                .product(name: "Subprocess", package: "swift-subprocess"),
                // On Apple platforms the SDK has it, as System.
                .product(name: "SystemPackage", package: "swift-system", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: settings
        ),
        // Clients that are right, and clients with one known bug each, to measure what the catalogue finds.
        .target(
            name: "SelfTest",
            dependencies: ["TLSCore", "Pinning", "Scenarios", "MitmHarness", nioCore, nioPosix],
            swiftSettings: settings
        ),
        // The only one that knows Hummingbird.
        .target(
            name: "ControlPlane",
            dependencies: [
                "CEmbedded", "TLSCore", "Pinning", "Witness", "Scenarios", "MitmHarness", logging,
                .product(name: "Hummingbird", package: "hummingbird"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "pindrill",
            dependencies: [
                "AppSources", "TLSCore", "Pinning", "Scenarios", "Forecast", "MitmHarness", "ControlPlane", "SelfTest",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),

        .target(name: "CSpawn", path: "Tests/CSpawn"),
        .target(
            name: "TestSupport",
            dependencies: [
                "CSpawn", "TLSCore", "Pinning", "Witness", "MitmProxy", "Scenarios", "MitmHarness", nioCore, nioPosix,
            ],
            path: "Tests/TestSupport",
            swiftSettings: settings
        ),
        .testTarget(
            name: "AppSourcesTests",
            dependencies: ["AppSources", "TestSupport"],
            // Sources in other languages, which the tests read.
            exclude: ["Forms"],
            swiftSettings: settings
        ),
        .testTarget(name: "TLSCoreTests", dependencies: ["TLSCore", "TestSupport", nioCore], swiftSettings: settings),
        .testTarget(name: "WitnessTests", dependencies: ["Witness", "TestSupport"], swiftSettings: settings),
        .testTarget(name: "PinningTests", dependencies: ["Pinning", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "MitmProxyTests",
            dependencies: ["MitmProxy", "TestSupport", nioCore, nioPosix, nioEmbedded],
            swiftSettings: settings
        ),
        .testTarget(
            name: "StackTests",
            dependencies: ["Pinning", "MitmProxy", "TestSupport"],
            // Programs in other languages, which the tests run.
            exclude: ["Clients"],
            swiftSettings: settings
        ),
        .testTarget(name: "ForecastTests", dependencies: ["Forecast", "TestSupport"], swiftSettings: settings),
        .testTarget(name: "ScenariosTests", dependencies: ["Scenarios", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "ControlPlaneTests",
            dependencies: [
                "ControlPlane", "TestSupport", .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOHTTP1", package: "swift-nio"), nioCore, nioPosix,
            ],
            swiftSettings: settings
        ),
        .testTarget(name: "MitmHarnessTests", dependencies: ["MitmHarness", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["MitmHarness", "MitmProxy", "SelfTest", "TestSupport", "pindrill"],
            // Programs in other languages, which the tests run.
            exclude: ["Clients"],
            swiftSettings: settings
        ),
    ]
)

// What the benchmarks measure is not public, so they are no package of their own; but nobody else fetches or builds them.
if Context.environment["PINDRILL_BENCHMARKS"] != nil {
    let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
    package.targets += [
        // Starts servers, loads them, reads what they cost, plays trials, and prints the table. Linux only: it reads /proc.
        .executableTarget(
            name: "bench",
            dependencies: [
                "CAllocator", "CVerify", "TLSCore", "Pinning", "Scenarios", "MitmHarness", argumentParser,
            ],
            path: "Benchmarks/Sources/bench",
            swiftSettings: settings
        ),
        .systemLibrary(name: "CAllocator", path: "Benchmarks/Sources/CAllocator"),
        .systemLibrary(name: "CVerify", path: "Benchmarks/Sources/CVerify"),
        // The proxy under test, and nothing else in its process.
        .executableTarget(
            name: "bench-server",
            dependencies: ["TLSCore", "MitmProxy", nioCore],
            path: "Benchmarks/Sources/bench-server",
            swiftSettings: settings
        ),
        // The one load generator for every server. In C on OpenSSL alone: a change in PinDrill cannot change the load.
        .executableTarget(
            name: "bench-load",
            path: "Benchmarks/Sources/bench-load",
            linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]
        ),
    ]
}

// Nor this: readers as libFuzzer drives them (Scripts/fuzz). A library, for libFuzzer has a main function of its own.
if Context.environment["PINDRILL_FUZZING"] != nil {
    package.products.append(.library(name: "FuzzTargets", type: .dynamic, targets: ["FuzzTargets"]))
    package.targets.append(
        .target(
            name: "FuzzTargets",
            dependencies: [
                "AppSources", "TLSCore", "Pinning", "Witness", "Scenarios", "Forecast", "MitmProxy", "MitmHarness",
                nioCore,
                nioEmbedded,
            ],
            path: "Reliability/Sources/FuzzTargets",
            swiftSettings: settings
        )
    )
}
