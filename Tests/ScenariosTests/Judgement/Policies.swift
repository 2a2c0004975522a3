import Pinning
import TLSCore

@testable import Scenarios

/// Policies of every shape, over the chains of `World`.
enum Policies {
    static let none = PolicyDeclaration(name: "none")
    static let leaf = requiring("leaf", [.key(of: "leaf")], .leaf)
    static let spare = requiring("spare", [.key(of: "spare")], .leaf)
    static let backup = requiring("backup", [.key(of: "leaf"), .key(of: "spare")], .leaf)
    static let issuing = requiring("issuing", [.key(of: "issuing")], .authority)
    static let root = requiring("root", [.key(of: "root")], .authority)
    /// The certificate of `today`, whatever its day.
    static let certificate = PolicyDeclaration(
        name: "certificate",
        requirements: [
            RequirementDeclaration(pins: [.leafCertificate(ofChain: "today")], match: .certificate, position: .leaf)
        ]
    )
    static let rootCertificate = PolicyDeclaration(
        name: "root-certificate",
        requirements: [
            RequirementDeclaration(pins: [.authorityCertificate(of: "root")], match: .certificate, position: .authority)
        ]
    )
    /// The leaf certificate of `renewed`, which is not valid before day 50.
    static let datedLeaf = PolicyDeclaration(
        name: "dated-leaf",
        requirements: [
            RequirementDeclaration(pins: [.leafCertificate(ofChain: "renewed")], match: .certificate, position: .leaf)
        ]
    )
    static let both = PolicyDeclaration(
        name: "both",
        requirements: [
            RequirementDeclaration(pins: [.key(of: "leaf")], position: .leaf),
            RequirementDeclaration(pins: [.key(of: "issuing")], position: .authority),
        ]
    )
    static let reporting = PolicyDeclaration(
        name: "reporting",
        requirements: [RequirementDeclaration(pins: [.key(of: "leaf")], position: .leaf)],
        failure: .report
    )
    static let exempting = PolicyDeclaration(
        name: "exempting",
        requirements: [RequirementDeclaration(pins: [.key(of: "leaf")], position: .leaf)],
        exempt: [.user]
    )
    /// Looks for the leaf's key in whatever the server sends.
    static let presented = PolicyDeclaration(
        name: "presented",
        requirements: [RequirementDeclaration(pins: [.key(of: "leaf")], position: .any, search: .presentedChain)]
    )
    static let anyHost = PolicyDeclaration(name: "any-host", checks: [.path, .validity])
    static let anyTime = PolicyDeclaration(name: "any-time", checks: [.path, .host])
    static let anyPath = PolicyDeclaration(name: "any-path", checks: [.host, .validity])
    /// Its pin is all that it checks.
    static let pinOnly = PolicyDeclaration(
        name: "pin-only",
        requirements: [RequirementDeclaration(pins: [.key(of: "leaf")], position: .leaf)],
        checks: []
    )

    private static func requiring(
        _ name: String,
        _ pins: [RequirementDeclaration.PinSource],
        _ position: PinRequirement.Position
    ) -> PolicyDeclaration {
        PolicyDeclaration(name: name, requirements: [RequirementDeclaration(pins: pins, position: position)])
    }
}
