/// A TLS alert (RFC 8446 section 6, RFC 5246 section 7.2), by its number: stacks use different numbers for the same
/// cause, so the number is reported and the cause is never inferred from it.
public struct Alert: Hashable, Sendable {
    public let number: UInt8
    /// Whether it ends the connection. TLS 1.3 has no level: there, everything but 0 and 90 is fatal.
    public let isFatal: Bool

    public init(_ number: UInt8, isFatal: Bool) {
        self.number = number
        self.isFatal = isFatal
    }

    /// `close_notify`: the orderly end of what one side sends.
    public static let closeNotify = Alert(0, isFatal: false)
}

extension Alert: CustomStringConvertible {
    /// The RFC's name, and the number, as in `unknown_ca (48)`.
    public var description: String { Alert.names[number].map { "\($0) (\(number))" } ?? "alert \(number)" }

    private static let names: [UInt8: String] = [
        0: "close_notify", 10: "unexpected_message", 20: "bad_record_mac", 22: "record_overflow",
        40: "handshake_failure", 42: "bad_certificate", 43: "unsupported_certificate", 44: "certificate_revoked",
        45: "certificate_expired", 46: "certificate_unknown", 47: "illegal_parameter", 48: "unknown_ca",
        49: "access_denied", 50: "decode_error", 51: "decrypt_error", 70: "protocol_version",
        71: "insufficient_security", 80: "internal_error", 86: "inappropriate_fallback", 90: "user_canceled",
        109: "missing_extension", 110: "unsupported_extension", 112: "unrecognized_name",
        113: "bad_certificate_status_response", 116: "certificate_required", 120: "no_application_protocol",
    ]
}

/// Which way something went.
package enum Direction: Hashable, Sendable {
    /// From the peer to us: in an observation, from the client.
    case inward
    /// From us to the peer.
    case outward
}
