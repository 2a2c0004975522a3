import Foundation
import TestSupport
import Testing
import Witness

@Suite struct `A canary` {
    private static func made() -> (canary: Canary, token: String) {
        var generator = SplitMix64(seed: 7)
        let canary = Canary(using: &generator)
        return (canary, canary.token(using: &generator))
    }

    @Test func `looks like any token, and no two are alike`() {
        let (canary, token) = Self.made()
        var generator = SplitMix64(seed: 8)

        #expect(token.count == 32 && token.allSatisfy { $0.isHexDigit && !$0.isUppercase })
        #expect(canary.token(using: &generator) != token)
    }

    @Test(arguments: ["", "u:", "us:", "usr:"])
    func `is found as it is, and in Base64 wherever it begins`(prefix: String) {
        let (canary, token) = Self.made()
        let basic = Data("\(prefix)\(token)".utf8).base64EncodedString()

        #expect(canary.places(in: Array("\(prefix)\(token) and \(token)".utf8)) == [prefix.count, prefix.count + 37])
        #expect(canary.places(in: Array("Basic \(basic)".utf8)).count == 1)
        #expect(canary.places(in: Array("Basic \(basic.lowercased())".utf8)).isEmpty)
        #expect(canary.places(in: Array(token.dropFirst().utf8)).isEmpty)
    }

    @Test func `is never told`() {
        let (canary, token) = Self.made()

        #expect(canary.redacting("GET /?a=\(token)&b=\(token) x") == "GET /?a={canary}&b={canary} x")
        #expect(canary.redacting("GET /?a=short") == "GET /?a=short")
    }
}
