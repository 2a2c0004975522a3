import AppSources
import Foundation
import Pinning
import TLSCore

extension FoundPins.Reading {
    /// The same, each reason once, with what is said of pins that nobody computed from a key or a certificate.
    var withPlaceholders: Self {
        switch self {
        case .policy: return self
        case .described(let hosts, let pins, let what, let known):
            let told = what + FoundPins.placeholders(among: pins)
            return .described(hosts: hosts, pins: pins, what: told, known: known)
        case .gaps(let all, let hosts, let known):
            // A builder may name one host on many lines.
            var reasons: Set<String> = []
            var gaps = all.filter { reasons.insert($0.reason).inserted }
            if !gaps.isEmpty { gaps[0].reason += FoundPins.placeholders(among: known.flatMap(\.pins).uniqued) }
            return .gaps(gaps, hosts: hosts, known: known)
        }
    }
}

extension FoundPins {
    /// What is said of pins that nothing known uses.
    static func unused(_ pins: [String]) -> String {
        let others = pins.count > 1 ? " and \(pins.count - 1) more" : ""
        return "a pin stands here\(others), and nothing that is known uses it\(placeholders(among: pins))"
    }

    /// Empty where there are none.
    static func placeholders(among pins: [String]) -> String {
        pins.map { pin in
            let bytes = bytes(of: pin)
            if pin.hasPrefix("sha256/"), !pin.hasPrefix("sha256//"), bytes?.count != 32, !pin.contains(":") {
                return "; the pin \(pin) is no digest"
            }
            guard let bytes,
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
            // OkHttp needs no `=` at the end.
            let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
            return Data(base64Encoded: text + padding).map(Array.init)
        }
        let digits = Array(text)
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...($0 + 1)]), radix: 16) }
    }
}
