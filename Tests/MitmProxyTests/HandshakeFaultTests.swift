import Foundation
import NIOCore
import NIOEmbedded
import TLSCore
import Testing
import Witness

@testable import MitmProxy

/// Handshakes that are slow or hang, in a time that the tests make.
struct HandshakeFaultTests {
    private static func wire(_ fault: HandshakeFault) throws -> FirstBytesTests.Wire {
        var presentation = Presentation(rules: [(.meaning(Fixture.host), .always(.identity(Fixture.today)))])
        presentation.fault = fault
        let wire = try FirstBytesTests.Wire(presenting: presentation)
        wire.receive(try FirstBytesTests.clientHello())
        return wire
    }

    @Test func `an answer is held back for as long as was asked, and not longer`() throws {
        let wire = try Self.wire(HandshakeFault(.delay(.seconds(2))))

        wire.channel.embeddedEventLoop.advanceTime(by: .milliseconds(1999))
        #expect(try wire.sent().isEmpty)
        #expect(wire.seen?.shown == [])
        wire.channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(try wire.sent().starts(with: [0x16]))
        #expect(wire.seen?.shown == ["today"])
    }

    @Test func `a client that leaves meanwhile is shown nothing`() throws {
        let wire = try Self.wire(HandshakeFault(.delay(.seconds(2))))

        _ = try wire.channel.finish()
        wire.channel.embeddedEventLoop.advanceTime(by: .seconds(2))

        #expect(wire.seen?.shown == [])
        #expect(wire.seen?.reaction == .inconclusive(.nothingPresented))
    }

    @Test func `after the client's hello nothing comes, and our limit ends it`() throws {
        let wire = try Self.wire(HandshakeFault(.stop(.hang, after: .clientHello)))

        wire.channel.embeddedEventLoop.advanceTime(by: .seconds(9))
        #expect(wire.seen?.isClosed == false)
        wire.channel.embeddedEventLoop.advanceTime(by: .seconds(2))
        #expect(wire.seen?.end?.how == .timedOut)
        #expect(try wire.sent().isEmpty)
        #expect(wire.seen?.reaction == .inconclusive(.unanswered))
    }

    @Test func `after the server's hello nothing comes`() throws {
        let wire = try Self.wire(HandshakeFault(.stop(.hang, after: .serverHello)))

        let sent = try wire.sent()
        // One record, whose message is a ServerHello (RFC 8446 section 4).
        #expect(sent.count == 5 + Int(sent[3]) << 8 + Int(sent[4]))
        #expect(sent[5] == 2)
        #expect(wire.seen?.shown == [])
        #expect(wire.seen?.isUnanswered == true)
    }

    @Test(arguments: [HandshakeFault.Stop.reset, .close])
    func `after the client's hello the connection ends, by our doing`(stop: HandshakeFault.Stop) throws {
        let wire = try Self.wire(HandshakeFault(.stop(stop, after: .clientHello)))

        #expect(try wire.sent().isEmpty)
        #expect(wire.seen?.end?.party == .us)
        #expect(wire.seen?.end?.how == .cutOff)
        #expect(wire.seen?.reaction == .inconclusive(.unanswered))
    }

    @Test(arguments: [HandshakeFault.Stop.reset, .close])
    func `after the server's hello the connection ends, by our doing`(stop: HandshakeFault.Stop) throws {
        let wire = try Self.wire(HandshakeFault(.stop(stop, after: .serverHello)))

        let sent = try wire.sent()
        #expect(sent.count == 5 + Int(sent[3]) << 8 + Int(sent[4]))
        #expect(sent[5] == 2)
        #expect(wire.seen?.shown == [])
        #expect(wire.seen?.end?.how == .cutOff)
    }

    /// RST and FIN, as a socket of this machine tells them apart.
    @Test(arguments: [(HandshakeFault.Stop.reset, ECONNRESET), (.close, 0)], HandshakeFault.Message.allCases)
    func `a real socket is reset, or reads the end`(
        ending: (stop: HandshakeFault.Stop, error: Int32),
        message: HandshakeFault.Message
    ) async throws {
        var presentation = Presentation(rules: [(.meaning(Fixture.host), .always(.identity(Fixture.today)))])
        presentation.fault = HandshakeFault(.stop(ending.stop, after: message))

        let error = try await Fixture.withProxy(presenting: presentation) { proxy in
            let socket = try Socket(port: proxy.port)
            try socket.write(FirstBytesTests.clientHello())
            return socket.errorAtEnd()
        }

        #expect(error == ending.error)
    }
}
