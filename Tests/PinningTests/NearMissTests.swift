import TLSCore
import TestSupport
import Testing

@testable import Pinning

@Suite struct `Near misses` {
    /// SHA-256 of `no digit 401` has a Base64 without a digit: `ICDUvWKIlD+EhNqWwNCCQtHvMnpFmDMmFKjdadvNCiU=`.
    static let pins = [Pin(hashing: Array("no digit 401".utf8))] + (0..<40).map { Pin(hashing: [$0]) }

    @Test(arguments: NearMiss.allCases)
    func `are never the pin itself, whatever its bytes are`(nearMiss: NearMiss) throws {
        let certificate = try #require(Sample.server.chain.first)

        for pin in Self.pins + [certificate.pin, certificate.fingerprint] {
            #expect(nearMiss.miss(pin, matching: certificate) != pin)
        }
    }

    @Test(arguments: NearMiss.allCases)
    func `are pins all the same, or damaged in each of their texts`(nearMiss: NearMiss) {
        for pin in Self.pins {
            let damage = nearMiss.damage(to: pin)

            #expect(damage.isEmpty != nearMiss.isDamaged)
            #expect(damage.keys.sorted() == (nearMiss.isDamaged ? [pin.base64, pin.hex].sorted() : []))
            for text in damage.values { #expect(throws: Pin.ParseError.self) { try Pin(parsing: text) } }
        }
    }
}
