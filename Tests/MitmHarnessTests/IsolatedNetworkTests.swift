import Foundation
import NIOCore
import TestSupport
import Testing
import Witness

@testable import MitmHarness

/// What a network of a client's own is made of; `IsolationTests` run clients in one.
struct IsolatedNetworkTests {
    @Test func `every name has an address of its own, and only IPv4`() {
        let names = NameServer(socket: -1)

        let first = names.answer(to: query("api.acme.example"))
        let again = names.answer(to: query("API.acme.EXAMPLE"))
        let second = names.answer(to: query("www.acme.example"))

        #expect(address(first) == [198, 18, 0, 1])
        #expect(address(again) == [198, 18, 0, 1])
        #expect(address(second) == [198, 18, 0, 2])
        #expect(names.name(of: "198.18.0.2") == "www.acme.example")
        #expect(names.name(of: "198.18.0.3") == nil)
        #expect(names.name(of: "2001:db8::1") == nil)
        #expect(code(names.answer(to: query("api.acme.example", type: 28))) == 0)
        #expect(address(names.answer(to: query("localhost"))) == [127, 0, 0, 1])
        #expect(code(names.answer(to: query("1.0.18.198.in-addr.arpa", type: 12))) == 3)
    }

    @Test func `a damaged question is answered with its fault, or not at all`() {
        let names = NameServer(socket: -1)
        let good = Array(query("api.acme.example").readableBytesView)

        var random = SplitMix64(seed: 53)
        for _ in 0..<DamagedInputs.count(of: 100_000) {
            var damaged = Array(good.prefix(Int.random(in: 0...good.count, using: &random)))
            for _ in 0..<Int.random(in: 0...3, using: &random) where !damaged.isEmpty {
                damaged[Int.random(in: damaged.indices, using: &random)] = .random(in: .min ... .max, using: &random)
            }
            let answer = names.answer(to: ByteBuffer(bytes: damaged))
            #expect((answer?.readableBytes ?? 0) <= damaged.count + 16)
        }
    }

    @Test func `a name with a token in it is told of once`() throws {
        let names = NameServer(socket: -1)
        let canary = Canary()
        _ = names.answer(to: query("\(canary.token()).acme.example"))
        _ = names.answer(to: query("www.acme.example"))

        let told = names.takeNames(with: canary)

        #expect(told.map(\.reaction) == [.cleartext])
        #expect(told.first?.leaks == [Leak(.lookup, offset: 0)])
        #expect(names.takeNames(with: canary).isEmpty)
    }

    @Test func `neither a question of another type nor bytes that are none hide a token`() {
        let names = NameServer(socket: -1)
        let canary = Canary()
        _ = names.answer(to: query("\(canary.token()).acme.example", type: 16))
        _ = names.answer(to: ByteBuffer(string: canary.token()))
        _ = names.answer(to: query("www.acme.example", type: 16))

        #expect(names.takeNames(with: canary).count == 1)
        #expect(names.takeUnreadable().count == 1)
        #expect(names.takeUnreadable().isEmpty)
    }

    @Test func `a tool that is missing is named with its package`() throws {
        #expect(
            throws: IsolatedNetwork.Failure.self,
            "clients cannot be isolated: 'no-such-tool' is not installed (package tools)"
        ) {
            try IsolatedNetwork.tool("no-such-tool", package: "tools", path: "/usr/bin")
        }
        #expect(try IsolatedNetwork.tool("sh", package: "dash", path: "/usr/bin:/bin").hasSuffix("/sh"))
    }

    private func query(_ name: String, type: UInt16 = 1) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.writeMultipleIntegers(UInt16(7), UInt16(0x0100), UInt16(1), UInt16(0), UInt16(0), UInt16(0))
        for label in name.split(separator: ".") {
            bytes.writeInteger(UInt8(label.utf8.count))
            bytes.writeString(String(label))
        }
        bytes.writeMultipleIntegers(UInt8(0), type, UInt16(1))
        return bytes
    }

    private func address(_ answer: ByteBuffer?) -> [UInt8]? { answer.map { $0.readableBytesView.suffix(4).map { $0 } } }

    private func code(_ answer: ByteBuffer?) -> Int? {
        answer.map { Int($0.readableBytesView.dropFirst(3).first ?? 255) & 15 }
    }
}
