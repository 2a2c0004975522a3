import TLSCore
package import Witness

/// Connections of every kind, written as the facts that the wire would have recorded.
package enum Connection {
    package static let host = "api.acme.example"

    package static func accepting(_ chain: String = "today", to target: String? = host) -> Observation {
        seeing(chain, target, [established, .request, .data(count: 40), .closed(by: .client, .ended)])
    }

    package static func alerting(_ chain: String = "today", _ number: UInt8 = 48, to target: String? = host)
        -> Observation
    {
        seeing(chain, target, [.alert(.inward, Alert(number, isFatal: true)), .closed(by: .client, .ended)])
    }

    package static func hangingUp(_ chain: String = "today") -> Observation {
        seeing(chain, host, [.closed(by: .client, .ended)])
    }

    package static func withholding(_ chain: String = "today") -> Observation {
        seeing(chain, host, [established, .closed(by: .client, .ended)])
    }

    package static func stayingOpen(_ chain: String = "today") -> Observation { seeing(chain, host, [established]) }

    package static func cutOff(_ chain: String = "today", _ how: ConnectionEvent.Closing = .timedOut) -> Observation {
        seeing(chain, host, [established, .closed(by: .us, how)])
    }

    package static func mumbling(_ chain: String = "today", to target: String? = host) -> Observation {
        seeing(chain, target, [established, .data(count: 9), .closed(by: .client, .ended)])
    }

    package static let inTheClear = Observation([
        .connected(target: nil), .cleartext(host: host), .closed(by: .client, .ended),
    ])
    package static let passedThrough = Observation([
        .connected(target: host), .passedThrough(count: 900), .closed(by: .client, .ended),
    ])
    package static let silent = Observation([.connected(target: nil), .closed(by: .client, .ended)])

    private static let established = ConnectionEvent.established(
        TLSSession(version: .tls1_3, cipherSuite: "TLS_AES_256_GCM_SHA384", applicationProtocol: nil, isResumed: false)
    )

    private static func seeing(_ chain: String, _ target: String?, _ rest: [ConnectionEvent]) -> Observation {
        let presented = ConnectionEvent.presented(identity: chain, fingerprint: Pin(hashing: []), epoch: 1)
        let request = rest.contains(.request) ? Array("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8) : []
        return Observation([.connected(target: target), presented] + rest, firstBytes: request)
    }
}

// What the connections of an attempt amount to.

/// Alert 48, as OpenSSL sends it.
package let alert = Wire.rejected(.alert(Alert(48, isFatal: true)))
package let hungUp = Wire.rejected(.hungUp)
package let withheld = Wire.rejected(.withheldRequest)
package let silence = Wire.inconclusive(.nobodyConnected)
