import Foundation
import HTTPTypes
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import ControlPlane
@testable import MitmHarness

/// How much may go on at once: what is more is refused in a sentence, and what goes on goes on.
@Suite struct `Limits` {
    /// One scenario for each of many hosts, and a client that never ends.
    private static let story = """
        version: 1
        host: api.acme.example
        keys: { leaf: {} }
        authorities: { acme-root: {} }
        stores: { phone: { system: [acme-root] } }
        chains: { today: { key: leaf, issuer: acme-root, names: ["*.acme.example"] } }
        policies: { none: {} }
        clients: { app: { kind: attended }, slow: { run: sleep 60 } }
        scenarios:
        \((1...17).map { "  - { name: s\($0), steps: [ { present: today, host: h\($0).acme.example } ] }" }.joined(separator: "\n"))

        """

    @Test func `of drills at work`() async throws {
        try await Plane.with(Self.story) { plane in
            for number in 1...ControlRoom.mostDrills {
                let answer = try await plane.ask(.post, "/v1/drills", #"{"scenario":"s\#(number)"}"#)
                #expect(answer.status == 201, "\(answer.text)")
            }
            let more = try await plane.ask(.post, "/v1/drills", #"{"scenario":"s9"}"#)
            _ = try await plane.ask(.post, "/v1/drills/drill-3/stop")
            let room = try await plane.ask(.post, "/v1/drills", #"{"scenario":"s9"}"#)

            #expect(more.status == 429 && more["message"] == "8 drills are at work; end one of them first")
            #expect(room.status == 201)
        }
    }

    @Test func `of runs at work`() async throws {
        try await Plane.with(Self.story) { plane in
            for _ in 1...ControlRoom.mostRuns {
                let answer = try await plane.ask(.post, "/v1/runs", #"{"scenarios":["s1"]}"#)
                #expect(answer.status == 201, "\(answer.text)")
            }
            let more = try await plane.ask(.post, "/v1/runs", "{}")
            _ = try await plane.ask(.post, "/v1/runs/run-1/stop")
            let room = try await plane.ask(.post, "/v1/runs", #"{"scenarios":["s1"]}"#)

            #expect(more.status == 429 && more["message"] == "2 runs are at work; end one of them first")
            #expect(room.status == 201)
        }
    }

    @Test func `of presentations`() async throws {
        try await Plane.with(Self.story) { plane in
            let path = { (number: Int) in "/v1/presentations/h\(number).acme.example" }
            for number in 1...ControlRoom.mostPresentations {
                let answer = try await plane.ask(.put, path(number), #"{"scenario":"s\#(number)"}"#)
                #expect(answer.status == 200, "\(answer.text)")
            }
            let more = try await plane.ask(.put, path(17), #"{"scenario":"s17"}"#)
            // One that is there can be changed.
            let same = try await plane.ask(.put, path(16), #"{"scenario":"s16"}"#)
            _ = try await plane.ask(.delete, path(1))
            let room = try await plane.ask(.put, path(17), #"{"scenario":"s17"}"#)

            #expect(more.status == 429 && more["message"] == "16 presentations are at work; end one of them first")
            #expect(same.status == 200 && room.status == 200)
        }
    }

    @Test func `of readers of events`() async throws {
        try await Plane.with(Self.story) { plane in
            let readers = (0..<EventLog.mostListeners).map { _ in plane.server.room.events.listen(after: nil) }
            let more = try await plane.ask(.get, "/v1/events")

            #expect(readers.count == 64)
            #expect(more.status == 429 && more["message"] == "64 already listen")
        }
    }

    @Test(arguments: [true, false])
    func `of what waits for a reader: who takes nothing is let go, and holds nobody up`(takes: Bool) async throws {
        struct Text: Encodable { var text: String }
        try await Plane.with(Self.story) { plane in
            let reader = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: plane.port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                    }
                }
            let events = plane.server.room.events
            let long = Text(text: String(repeating: "a", count: 200_000))
            try await reader.executeThenClose { inbound, outbound in
                let head =
                    "GET /v1/events HTTP/1.1\r\nHost: 127.0.0.1:\(plane.port)\r\nAuthorization: Bearer \(Plane.token)\r\n\r\n"
                try await outbound.write(ByteBuffer(string: head))
                var parts = inbound.makeAsyncIterator()
                _ = try await parts.next()
                var (sent, taken) = (0, 0)
                for _ in 0..<EventLog.waiting {
                    events.emit("drill", long)
                    sent += 200_000
                    while takes, taken < sent { taken += try #require(try await parts.next()).readableBytes }
                }
                if !takes { for _ in 0..<EventLog.waiting { events.emit("drill", long) } }

                #expect(try await plane.ask(.get, "/health", token: nil).status == 200)
                guard !takes else { return }
                // What was on its way still arrives, and then the end.
                while let part = try? await parts.next() { taken += part.readableBytes }
                #expect(taken < 2 * EventLog.waiting * 200_000)
            }
        }
    }

    @Test func `of notes of an attempt, and of what one has to say`() async throws {
        try await Plane.with(Self.story) { plane in
            _ = try await plane.ask(.post, "/v1/drills?wait=60", #"{"scenario":"s1"}"#)
            let path = "/v1/drills/drill-1/note"
            for _ in 1...DrillSession.mostNotes { _ = try await plane.ask(.post, path, #"{"text":"so"}"#) }
            let more = try await plane.ask(.post, path, #"{"text":"so"}"#)
            let long = try await plane.ask(.post, path, #"{"text":"\#(String(repeating: "a", count: 4097))"}"#)
            let next = try await plane.ask(.post, "/v1/drills/drill-1/word?wait=60", #"{"attempt":1,"word":"again"}"#)
            let room = try await plane.ask(.post, path, #"{"text":"so"}"#)

            #expect(more.status == 409 && more["message"] == "100 notes are enough for one attempt; give its word")
            #expect(long.status == 400 && long["message"] == "a note has at most 4096 characters")
            #expect(next.status == 200 && room.status == 200)
        }
    }
}
