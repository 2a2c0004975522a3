/// A version of TLS; the raw value is its number on the wire.
package enum TLSVersion: UInt16, CaseIterable, Comparable, Sendable, CustomStringConvertible {
    case tls1_0 = 0x0301
    case tls1_1 = 0x0302
    case tls1_2 = 0x0303
    case tls1_3 = 0x0304

    package static func < (left: TLSVersion, right: TLSVersion) -> Bool { left.rawValue < right.rawValue }

    /// As in `TLS 1.3`.
    package var description: String { "TLS 1.\(rawValue - 0x0301)" }
}
