import MitmProxy
import NIOCore
import NIOPosix
import TLSCore
import Testing
import Witness

/// When a proxy says that nothing more will come, and what it keeps in mind.
@Suite(.timeLimit(.minutes(10)))
struct SettleTests {
    @Test func `settling alone sees nobody, however often`() async throws {
        try await Fixture.withProxy { proxy in
            for _ in 0..<3 {
                let seen = try await proxy.settle()
                #expect(seen.isEmpty)
            }
            #expect(proxy.observations() == [])
        }
    }

    @Test func `settling waits for a client to close`() async throws {
        try await Fixture.withProxy { proxy in
            let client = try TLSClient(proxy.port)
            client.shakeHands()
            async let settled = proxy.settle(patience: .seconds(30))
            try await proxy.untilSettling()
            #expect(proxy.observations().first?.isClosed == false)

            client.close()

            #expect(try await settled.map(\.isClosed) == [true])
        }
    }

    @Test func `J9: settling does not wait for the end of a connection that has carried a request`() async throws {
        try await Fixture.withProxy { proxy in
            let client = try TLSClient(proxy.port)
            client.shakeHands()
            _ = client.ask()

            let seen = try await proxy.settle(patience: .hours(1))

            #expect(seen.map(\.reaction) == [.accepted])
            #expect(seen.map(\.isClosed) == [false])
            client.close()
        }
    }

    @Test func `J9: settling waits for a connection that has not spoken beside one that has`() async throws {
        try await Fixture.withProxy { proxy in
            let (served, silent) = (try TLSClient(proxy.port), try TLSClient(proxy.port))
            served.shakeHands()
            _ = served.ask()
            silent.shakeHands()
            async let settled = proxy.settle(patience: .seconds(30))
            try await proxy.untilSettling()

            _ = silent.ask()

            #expect(try await settled.map(\.reaction) == [.accepted, .accepted])
            served.close()
            silent.close()
        }
    }

    @Test func `J9: settling waits for whatever is open where a connection was turned away`() async throws {
        try await Fixture.withProxy { proxy in
            let (served, refused) = (try TLSClient(proxy.port), try TLSClient(proxy.port))
            served.shakeHands()
            _ = served.ask()
            refused.shakeHands()
            refused.close()

            let hasty = try await proxy.settle(patience: .milliseconds(50))
            async let settled = proxy.settle(patience: .seconds(30))
            try await proxy.untilSettling()
            served.close()

            #expect(hasty.map(\.isClosed) == [false, true])
            #expect(try await settled.map(\.isClosed) == [true, true])
        }
    }

    @Test func `settling gives up on a client that stays`() async throws {
        try await Fixture.withProxy { proxy in
            let client = try TLSClient(proxy.port)
            client.shakeHands()

            let seen = try await proxy.settle(patience: .milliseconds(50))

            #expect(seen.map(\.reaction) == [.inconclusive(.stillOpen)])
            #expect(proxy.settling == 0)
            client.close()
        }
    }

    @Test func `settling many times at once ignores every connection of its own`() async throws {
        try await Fixture.withProxy { proxy in
            try PresentationTests.visit(proxy)
            try await withThrowingTaskGroup(of: [Observation].self) { group in
                for _ in 0..<8 { group.addTask { try await proxy.settle() } }
                for try await seen in group { #expect(seen.filter { !$0.shown.isEmpty }.count == 1) }
            }

            #expect(try await proxy.settle().count == 1)
        }
    }

    @Test func `settling survives time limits that close its own connections`() async throws {
        try await Fixture.withProxy(ProxyConfiguration(handshakeTimeout: .nanoseconds(1))) { proxy in
            for _ in 0..<10 {
                let seen = try await proxy.settle()
                #expect(seen.isEmpty)
            }
        }
    }

    @Test func `a hundred connections at once are all seen`() async throws {
        let seen = try await Fixture.withProxy { proxy in
            let clients = try (0..<100).map { _ in try TLSClient(proxy.port) }
            for client in clients { #expect(client.shakeHands()) }
            for client in clients { client.send(Fixture.request) }
            for client in clients { client.close() }
            return try await proxy.settle(patience: .seconds(10))
        }

        #expect(seen.count == 100)
        #expect(seen.allSatisfy { $0.reaction == .accepted })
    }

    @Test func `the journal forgets the oldest closed connections, and never an open one`() async throws {
        try await Fixture.withProxy(ProxyConfiguration(journalLimit: 3)) { proxy in
            let first = try TLSClient(proxy.port, host: "open.example")
            first.shakeHands()
            for number in 0..<6 {
                try PresentationTests.visit(proxy, host: "\(number).example")
                _ = try await proxy.settle(patience: .milliseconds(20))
            }

            // The first stands for the four that were forgotten: one of them may have carried a request.
            #expect(proxy.observations().map(\.target) == [nil, "open.example", "4.example", "5.example"])
            #expect(proxy.observations().first?.reaction == .inconclusive(.forgotten(4)))
            first.close()
            #expect(try await proxy.settle().map(\.isClosed) == [false, true, true, true])
        }
    }

    @Test func `only the first bytes are kept, and all are counted`() async throws {
        let seen = try await Fixture.withProxy(ProxyConfiguration(keptBytes: 10)) { proxy in
            try PresentationTests.visit(proxy)
            return try await proxy.settle()
        }

        #expect(seen.first?.firstBytes == Array(Fixture.request.utf8.prefix(10)))
        #expect(seen.first?.bytesReceived == Fixture.request.utf8.count)
    }

    @Test func `stopping closes what is open, and frees the port`() async throws {
        let proxy = try await InterceptingProxy.start(presenting: Presentation(Fixture.today))
        let client = try TLSClient(proxy.port)
        client.shakeHands()

        await proxy.stop()

        #expect(client.readToEnd() == [])
        #expect(try await proxy.openCount == 0)
        #expect(proxy.observations().map { $0.end?.how } == [.superseded])
        #expect(throws: Socket.Failure.self) { try Socket(port: proxy.port) }
        #expect(try await proxy.settle().count == 1)
        await proxy.stop()
    }

    @Test func `a port in use is named, and so is the way out`() async throws {
        try await Fixture.withProxy { proxy in
            let error = await #expect(throws: ProxyError.self) {
                try await InterceptingProxy.start(
                    ProxyConfiguration(port: proxy.port),
                    presenting: Presentation(Fixture.today)
                )
            }

            #expect(
                error?.description
                    == "port \(proxy.port) on 127.0.0.1 is in use; choose another, or 0 for any free one"
            )
        }
    }

    @Test func `two hundred unruly clients leave nothing behind`() async throws {
        let limits = ProxyConfiguration(handshakeTimeout: .seconds(5))
        try await Fixture.withProxy(limits) { proxy in
            for number in 0..<200 {
                let client = try TLSClient(proxy.port)
                switch number % 8 {
                case 0: client.socket.write(client.hello().prefix(number))
                case 1: client.socket.write(client.hello() + [0x16, 3, 3, 0, 4, 1, 2, 3, 4])
                case 2: client.socket.write([UInt8](repeating: UInt8(number), count: 65536))
                case 3: client.socket.write("CONNECT \(number)")
                case 4: client.socket.write("GET / HTTP/1.1\r\n\r\n")
                case 5: client.socket.write(client.hello())
                case 6:
                    client.shakeHands()
                    client.socket.write([0x17, 3, 3, 0, 4, 1, 2, 3, 4])
                default: client.socket.write([0x16, 3, 1, 0xFF, 0xFF])
                }
                if number % 16 < 8 { client.socket.close() } else { client.socket.reset() }
            }

            let seen = try await proxy.settle(patience: .seconds(10))

            #expect(seen.allSatisfy { $0.isClosed })
            #expect(!seen.contains { $0.reaction == .accepted })
            // The proxy's own connection, by which it settled, may end a moment later.
            try await proxy.untilNothingIsOpen()
        }
    }
}

extension InterceptingProxy {
    /// Comes back as soon as somebody settles, or with an error when a time limit is over.
    fileprivate func untilSettling() async throws {
        while settling == 0 {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// Comes back as soon as no connection is open, or with an error when a time limit is over.
    fileprivate func untilNothingIsOpen() async throws {
        while try await openCount > 0 {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
