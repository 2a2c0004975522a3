import Testing

@testable import TLSCore

@Suite struct `A server name extension` {
    @Test(
        arguments: [
            ("a.example", "a.example"), ("API.Acme.Example", "api.acme.example"), ("xn--bcher-kva.example", nil),
            ("192.0.2.1", nil), ("a_b.example", nil),
        ] as [(String, String?)]
    )
    func `gives its host in lower case`(sent: String, expected: String?) {
        let contents = serverName(Array(sent.utf8))

        let name = ClientHello.serverName(in: contents)

        #expect(name == expected ?? sent)
    }

    @Test(
        arguments: [
            [], [0], [0, 0], [0, 3, 0, 0, 0], [0, 4, 1, 0, 1, 0x61], [0, 4, 0, 0, 1, 0x61, 0], [0, 5, 0, 0, 1, 0x61],
            [0, 4, 0, 0, 2, 0x61], [0, 5, 0, 0, 1, 0x61, 0x62], serverName([0x61, 0, 0x62]), serverName([0x20]),
            serverName([0x61, 0x0A]), serverName([0xC3, 0xBC]), serverName([UInt8](repeating: 0x61, count: 256)),
        ] as [[UInt8]]
    )
    func `gives nothing where it is malformed or names no host`(contents: [UInt8]) {
        #expect(ClientHello.serverName(in: contents) == nil)
    }

    @Test func `may name a host of 255 bytes`() {
        let longest = [UInt8](repeating: 0x61, count: 255)

        #expect(ClientHello.serverName(in: serverName(longest))?.utf8.count == 255)
    }
}

/// The extension's contents: one host name.
private func serverName(_ name: [UInt8]) -> [UInt8] {
    let entry = [0, UInt8(name.count >> 8), UInt8(name.count & 0xFF)] + name
    return [UInt8(entry.count >> 8), UInt8(entry.count & 0xFF)] + entry
}

@Suite struct `An application protocol extension` {
    @Test(
        arguments: [
            ([0, 3, 2, 0x68, 0x32], ["h2"]), ([0, 5, 2, 0x68, 0x32, 1, 0x61], ["h2", "a"]), ([], []), ([0], []),
            ([0, 3, 3, 0x68, 0x32], []), ([0, 4, 2, 0x68, 0x32], []), ([0, 3, 2, 0x68, 0x32, 0], []),
        ] as [([UInt8], [String])]
    )
    func `gives its names, or none where it is malformed`(contents: [UInt8], names: [String]) {
        #expect(ClientHello.applicationProtocols(in: contents) == names)
    }
}

@Suite struct `A list of cipher suites` {
    @Test(
        arguments: [([], []), ([0x13], []), ([0x13, 0x01], [0x1301]), ([0x13, 0x01, 0xC0], [0x1301])]
            as [([UInt8], [UInt16])]
    )
    func `gives its whole numbers`(contents: [UInt8], suites: [UInt16]) {
        #expect(ClientHello.cipherSuites(in: contents) == suites)
    }
}

@Suite struct `A supported versions extension` {
    @Test(
        arguments: [
            ([4, 3, 4, 3, 3], [.tls1_2, .tls1_3]), ([6, 0x1A, 0x1A, 3, 2, 3, 1], [.tls1_0, .tls1_1]), ([], []),
            ([4, 3, 4], []), ([2, 3, 4, 0], []), ([3, 3, 4, 3], [.tls1_3]),
        ] as [([UInt8], [TLSVersion])]
    )
    func `H25: gives the versions that have names, or none where it is malformed`(
        contents: [UInt8],
        versions: [TLSVersion]
    ) {
        #expect(ClientHello.versions(in: contents) == versions)
    }
}
