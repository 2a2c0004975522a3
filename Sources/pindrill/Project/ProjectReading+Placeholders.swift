import AppSources
import Foundation
import Pinning
import TLSCore

extension FoundPins {
    /// What is said of pins that nobody computed from a key or a certificate; empty where there are none.
    static func placeholders(among pins: [String]) -> String {
        pins.map { pin in
            guard let bytes = bytes(of: pin),
                let algorithm = FingerprintDigest.allCases.first(where: { $0.count == bytes.count }),
                let reason = PinnedDigest(bytes, algorithm, of: .key).placeholder
            else { return "" }
            return "; the pin \(pin) stands for no key (\(reason))"
        }
        .joined()
    }

    private static func bytes(of pin: String) -> [UInt8]? {
        let text = digest(of: pin)
        guard text.count.isMultiple(of: 2), text.allSatisfy(\.isHexDigit) else {
            return Data(base64Encoded: text).map(Array.init)
        }
        let digits = Array(text)
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...($0 + 1)]), radix: 16) }
    }
}
