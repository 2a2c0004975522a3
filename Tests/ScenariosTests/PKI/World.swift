import Foundation
import TLSCore
import TestSupport

@testable import Scenarios

/// A small world with a chain of every kind.
enum World {
    static func pki() throws -> PKI { try PKI(blueprint, now: Sample.now) }

    static let blueprint = Blueprint(
        keys: [
            KeyDeclaration(name: "leaf"),
            KeyDeclaration(name: "spare"),
            KeyDeclaration(name: "weak", type: .rsa1024),
            KeyDeclaration(name: "evil", holder: .attacker),
        ],
        authorities: [
            AuthorityDeclaration(name: "root"),
            AuthorityDeclaration(name: "issuing", issuer: "root"),
            AuthorityDeclaration(name: "lower", issuer: "issuing"),
            AuthorityDeclaration(name: "other"),
            // The root again, by its name and key, vouched for by another root.
            AuthorityDeclaration(name: "crossed", issuer: "other", subject: .copied(from: "root"), key: "root"),
            AuthorityDeclaration(name: "dated", valid: StoryWindow(from: .days(-30), to: .days(20))),
            AuthorityDeclaration(name: "under-dated", issuer: "dated"),
            AuthorityDeclaration(name: "mallory", subject: .copied(from: "root"), holder: .attacker),
        ],
        stores: [
            StoreDeclaration(name: "phone", anchors: [.init("root"), .init("dated")]),
            StoreDeclaration(
                name: "attacked",
                anchors: [.init("root"), .init("dated"), .init("mallory", origin: .user)]
            ),
            StoreDeclaration(name: "modern", anchors: [.init("other")]),
        ],
        chains: [
            ChainDeclaration(
                name: "today",
                key: "leaf",
                issuer: .authority("issuing"),
                valid: StoryWindow(from: .days(-30), to: .days(60))
            ),
            ChainDeclaration(
                name: "renewed",
                key: "leaf",
                issuer: .authority("issuing"),
                valid: StoryWindow(from: .days(50), to: .days(140))
            ),
            ChainDeclaration(name: "fresh", key: "leaf", issuer: .authority("issuing")),
            ChainDeclaration(name: "rotated", key: "spare", issuer: .authority("issuing")),
            ChainDeclaration(name: "deep", key: "leaf", issuer: .authority("lower")),
            ChainDeclaration(name: "reversed", key: "leaf", issuer: .authority("lower"), order: .reversed),
            ChainDeclaration(name: "bare", key: "leaf", issuer: .authority("lower"), omit: ["lower"]),
            ChainDeclaration(name: "aging", key: "leaf", issuer: .authority("under-dated")),
            ChainDeclaration(name: "bridged", key: "leaf", issuer: .authority("crossed")),
            ChainDeclaration(name: "short", key: "weak", issuer: .authority("issuing")),
            ChainDeclaration(name: "own", key: "leaf", issuer: .selfSigned),
            ChainDeclaration(name: "forged", key: "evil", issuer: .authority("mallory")),
            ChainDeclaration(name: "stuffed", key: "evil", issuer: .authority("mallory"), append: ["today"]),
            ChainDeclaration(name: "mis-issued", key: "evil", issuer: .authority("issuing")),
            ChainDeclaration(
                name: "foreign",
                key: "evil",
                issuer: .authority("issuing"),
                names: ["shop.other.example", "*.other.example"]
            ),
            ChainDeclaration(name: "lookalike", key: "evil", issuer: .selfSigned),
        ]
    )
}
