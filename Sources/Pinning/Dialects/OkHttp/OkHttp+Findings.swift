package import Foundation
package import TLSCore

extension OkHttp {
    package static var onlyKeyType: KeyType? { nil }

    package var refusesOtherHosts: Bool { false }

    package var bringsAnchors: Bool { false }

    package func remembered(from host: String, path: [Certificate]) -> Self { self }

    package func ownFindings(of scope: PinScope, knownChain: [Certificate]) -> [PolicyFinding] { [] }

    package func ownFindings(at instant: Date) -> [PolicyFinding] {
        scopes.flatMap { scope -> [PolicyFinding] in
            let pins = entries.filter { $0.pattern.text == scope.name }.flatMap(\.pins)
            if pins.isEmpty {
                let message = "no pin is given: nothing is pinned by it"
                return [scope.finding(.notPinned, .breach, message, fix: "give it two pins, or take it out")]
            }
            return pins.compactMap { pin in
                if !pin.canMatch {
                    let message = "'\(pin)' has not the length of its digest, and never matches"
                    return scope.finding(.unusablePin, .outage, message, fix: "compute the pin again from the key")
                }
                guard pin.algorithm == .sha1 else { return nil }
                return scope.weakDigest("'\(pin)' is a SHA-1 pin: SHA-1 has been broken")
            }
        }
    }
}

extension PinScope {
    func weakDigest(_ message: String) -> PolicyFinding {
        finding(.weakDigest, .warning, message, fix: "replace it by the SHA-256 pin of the same key")
    }
}
