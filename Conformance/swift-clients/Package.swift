// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "swift-clients",
    platforms: [.macOS(.v13)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.86.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.34.0"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.29.0"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "3.0.0"),
    ],
    targets: [
        .executableTarget(
            name: "nio-ssl",
            dependencies: [
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .executableTarget(
            name: "async-http-client",
            dependencies: [.product(name: "AsyncHTTPClient", package: "async-http-client")]
        ),
        .executableTarget(name: "url-session"),
    ]
)
