package import Foundation
package import TLSCore

extension TrustKitConfiguration {
    package static var onlyKeyType: KeyType? { nil }

    package var refusesOtherHosts: Bool { false }

    package var bringsAnchors: Bool { false }

    package func remembered(from host: String, path: [Certificate]) -> Self { self }

    package func ownFindings(at instant: Date) -> [PolicyFinding] {
        var found = warnings
        for domain in domains {
            guard case .pinned(let policy) = domain.rule else { continue }
            let scope = scope(of: domain)
            if !policy.disablesDefaultReportURI {
                found.append(scope.foreignReports(TrustKitConfiguration.defaultReportURI))
            }
        }
        if platform == .macOS, ignoresPinningForUserAnchors, domains.contains(where: { $0.rule != .excluded }) {
            found.append(
                PolicyFinding(
                    .exemptAnchors,
                    .warning,
                    keyPath: "TSKIgnorePinningForUserDefinedTrustAnchors",
                    "no pin holds for paths to anchors that the user or an administrator of the Mac installed",
                    fix: "set it to false, unless company proxies are to read along"
                )
            )
        }
        return found
    }

    /// The search begins at the root, and a key of an unknown kind ends it.
    package func ownFindings(of scope: PinScope, knownChain: [Certificate]) -> [PolicyFinding] {
        let keys = scope.lists.flatMap(\.digests)
        for certificate in knownChain.reversed() where !keys.isEmpty {
            guard let kind = AppleKeyHash(certificate) else {
                return [scope.unhashable(certificate, by: "TrustKit")]
            }
            if keys.contains(PinnedDigest(kind.pin(of: certificate))) { break }
        }
        return []
    }
}

extension PublicKeyPinning {
    package func ownFindings(of scope: PinScope, knownChain: [Certificate]) -> [PolicyFinding] {
        guard let leaf = knownChain.first, AppleKeyHash(leaf) != .rsa2048 else { return [] }
        return [scope.unhashable(leaf, by: "public-key-pinning-ios, which knows RSA 2048 only,")]
    }
}

extension PinScope {
    func unhashable(_ certificate: Certificate, by library: String) -> PolicyFinding {
        finding(
            .unhashableKey,
            .outage,
            "\(library) cannot compute the pin of \(certificate.subject), whose key is \(certificate.keyDescription): the "
                + "server is rejected, pinned or not",
            fix: "use a key of a kind that it knows, or another library"
        )
    }

    func foreignReports(_ address: String) -> PolicyFinding {
        finding(
            .foreignReports,
            .warning,
            "reports of failures, with host names and certificates, also go to \(address)",
            fix: "disable the default report address, unless that is wanted"
        )
    }
}
