import Foundation
import TLSCore
import TestSupport
import Testing

@Suite struct `Odd certificates` {
    @Test(.enabled(if: Places.hasVectors("wild"), "the shared test vectors are not beside this checkout"))
    func `of the wild are survived, whole and cut short`() throws {
        var read: [Certificate] = []
        var misread: [String] = []

        for file in try wildFiles() {
            let data = try Data(contentsOf: file.url)
            let text = String(decoding: data, as: UTF8.self)
            let found = (try? PEM.certificates(in: text)) ?? (try? [Certificate(der: Array(data))]) ?? []
            if found.count != file.certificates { misread.append(file.url.lastPathComponent) }
            read += found
            _ = try? PEM.certificates(in: String(text.prefix(text.count / 2)))
            _ = try? Certificate(der: Array(data.prefix(data.count / 2)))
        }
        let facts = read.map(readEverything)

        #expect(misread.isEmpty)
        #expect(read.count > 200)
        #expect(facts.allSatisfy { $0 > 0 })
    }

    @Test func `cut at any byte are refused, and survived`() {
        let der = Sample.server.leaf.der

        for count in der.indices {
            #expect(throws: OpenSSLError.self) { try Certificate(der: Array(der[..<count])) }
        }
    }

    @Test(arguments: 0..<10)
    func `with bytes changed are survived`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let der = Sample.server.leaf.der
        var read = 0

        for _ in 0..<500 {
            var changed = der
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                changed[Int.random(in: changed.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            guard let certificate = try? Certificate(der: changed) else { continue }
            read += 1
            _ = readEverything(of: certificate)
            let chain = [certificate, Sample.issuing.certificate]
            let result = Sample.store.evaluate(chain, host: Sample.host, at: Sample.now)
            #expect(!result.isTrusted || certificate == Sample.server.leaf)
        }

        #expect(read > 50)
    }

    @Test(arguments: 0..<10)
    func `of random bytes are refused`(seed: UInt64) {
        var random = SplitMix64(seed: seed)

        for _ in 0..<100 {
            let bytes = [0x30, 0x82, 0x01, 0x00] + random.bytes(256)
            #expect(throws: OpenSSLError.self) { try Certificate(der: bytes) }
        }
    }

    /// Each file, and how many certificates another library reads from it: some hold keys and revocation lists.
    private func wildFiles() throws -> [(url: URL, certificates: Int)] {
        let folder = Places.vectors.appending(path: "wild")
        let index = try String(contentsOf: folder.appending(path: "index.csv"), encoding: .utf8)
        return index.split(whereSeparator: \.isNewline).dropFirst().map { row in
            let fields = row.split(separator: ",", omittingEmptySubsequences: false)
            return (folder.appending(path: String(fields[0])), Int(fields[3]) ?? 0)
        }
    }

    /// Asks for every fact; how many characters they fill is of no interest, but they must all be computed.
    private func readEverything(of certificate: Certificate) -> Int {
        let texts = [
            certificate.subject, certificate.issuer, certificate.keyDescription, certificate.pem,
            "\(certificate.names)", "\(certificate.validity)", "\(certificate.pin)", "\(certificate.fingerprint)",
            "\(certificate.isAuthority) \(certificate.isSelfSigned)",
            "\(String(describing: certificate.failure(host: Sample.host, at: Sample.now)))",
        ]
        return texts.reduce(certificate.publicKey.count) { $0 + $1.count }
    }
}
