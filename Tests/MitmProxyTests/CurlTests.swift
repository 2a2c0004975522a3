import Foundation
import MitmProxy
import NIOCore
import TLSCore
import TestSupport
import Testing
import Witness

/// The client everybody has, with nothing in its environment but a path.
struct CurlTests {
    static let curl = Tool("curl")
    // curl believes its own clock. Minting with valid fields cannot fail.
    static let authority = try! Authority(rootNamed: "Acme Root", now: Date())
    static let stranger = try! Authority(rootNamed: "Mallory Root", now: Date())

    /// What curl made of a proxy, and the proxy of curl; `nil` where there is no curl.
    static func run(
        pinning pin: Pin? = nil,
        trusting anchor: Authority = CurlTests.authority,
        through way: Way = .direct
    ) async throws -> (status: Int32, output: String, seen: [Observation])? {
        guard let curl else {
            print("skipped: there is no curl")
            return nil
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "curl-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let anchors = folder.appending(path: "anchors.pem")
        try PEM.encode(anchor.certificate).write(to: anchors, atomically: true, encoding: .utf8)
        let today = try authority.identity(
            .leaf(names: [SubjectName(Fixture.host)], now: Date()),
            key: Fixture.today.key
        )
        return try await Fixture.withProxy(presenting: Presentation(today)) { proxy in
            let arguments =
                ["--disable", "--silent", "--max-time", "5", "--cacert", anchors.path]
                + (pin.map { ["--pinnedpubkey", $0.curl] } ?? [])
                + way.arguments(proxy.port)
            let result = try curl.run(arguments, environment: ["PATH": "/usr/bin:/bin"])
            return (result.status, result.output, try await proxy.settle())
        }
    }

    enum Way: CaseIterable {
        case direct, tunnel, socks, socksWithPassword

        func arguments(_ port: Int) -> [String] {
            switch self {
            case .direct: ["--connect-to", "::127.0.0.1:\(port)", "https://\(Fixture.host)/"]
            case .tunnel: ["--proxy", "http://127.0.0.1:\(port)", "https://\(Fixture.host)/"]
            case .socks: ["--proxy", "socks5h://127.0.0.1:\(port)", "https://\(Fixture.host)/"]
            case .socksWithPassword: ["--proxy", "socks5h://me:abc@127.0.0.1:\(port)", "https://\(Fixture.host)/"]
            }
        }
    }

    @Test(arguments: Way.allCases)
    func `curl accepts a chain it trusts, and a key it has pinned`(way: Way) async throws {
        for pin in [nil, Fixture.today.pin] {
            guard let (status, output, seen) = try await CurlTests.run(pinning: pin, through: way) else { return }

            #expect(status == 0)
            #expect(output == Fixture.bodyEnd)
            #expect(seen.map(\.reaction) == [.accepted])
            #expect(seen.first?.target == Fixture.host)
        }
    }

    @Test(arguments: Way.allCases)
    func `curl refuses a chain it does not trust`(way: Way) async throws {
        guard let (status, output, seen) = try await CurlTests.run(trusting: CurlTests.stranger, through: way)
        else { return }

        #expect(status == 60)
        #expect(output == "")
        #expect(seen.map(\.reaction.isRejected) == [true])
    }

    @Test(arguments: Way.allCases)
    func `curl withholds its request from a key it has not pinned`(way: Way) async throws {
        guard let (status, output, seen) = try await CurlTests.run(pinning: Fixture.next.pin, through: way)
        else { return }

        #expect(status == 90)
        #expect(output == "")
        #expect(seen.map(\.reaction) == [.rejected(.withheldRequest)])
    }
}
