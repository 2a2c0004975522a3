import Foundation
import TLSCore

/// The one file of a keyring: it is replaced as a whole, so that a key and the root that holds it never part.
private struct KeyringDocument: Codable {
    static let version = 1

    struct Key: Codable {
        var name: String
        var type: String
        var holder: String
        var made: Date
        var key: String
    }

    struct Root: Codable {
        var name: String
        var key: String
        var holder: String
        var anchor: String?
        var certificate: String
    }

    var version = Self.version
    var host: String
    var keys: [Key]
    var roots: [Root]
}

extension Keyring {
    /// Why a file holds no keyring.
    package struct Unreadable: Error, CustomStringConvertible {
        package let description: String
    }

    /// Every private key is in it.
    package func text() throws -> String {
        let document = KeyringDocument(
            host: host,
            keys: try keys.sorted { $0.key < $1.key }.map { name, kept in
                .init(
                    name: name,
                    type: kept.type.rawValue,
                    holder: kept.holder.rawValue,
                    made: kept.made,
                    key: try kept.key.pem()
                )
            },
            roots: roots.sorted { $0.key < $1.key }.map { name, kept in
                .init(
                    name: name,
                    key: kept.key,
                    holder: kept.holder.rawValue,
                    anchor: kept.anchor?.rawValue,
                    certificate: kept.certificate.pem
                )
            }
        )
        return try document.asJSON()
    }

    package init(parsing bytes: [UInt8]) throws(Unreadable) {
        struct Version: Decodable {
            var version: Int
        }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let data = Data(bytes)
        guard let version = (try? decoder.decode(Version.self, from: data))?.version else {
            throw Unreadable(
                description: bytes.isEmpty
                    ? "this file is empty, and no keyring" : "this file is damaged, or no keyring"
            )
        }
        guard version == KeyringDocument.version else {
            throw Unreadable(
                description: "this keyring is of version \(version), which another release of pindrill made"
            )
        }
        let document: KeyringDocument
        do {
            document = try decoder.decode(KeyringDocument.self, from: data)
        } catch {
            throw Unreadable(description: "this keyring is damaged: something is missing in it")
        }
        self.init()
        host = document.host
        for entry in document.keys {
            guard let type = KeyType(rawValue: entry.type), let holder = Holder(rawValue: entry.holder),
                let key = try? PrivateKey(pem: entry.key)
            else { throw Unreadable(description: "the key '\(entry.name)' of this keyring cannot be read") }
            keys[entry.name] = Key(type: type, holder: holder, made: entry.made, key: key)
        }
        for entry in document.roots {
            guard let holder = Holder(rawValue: entry.holder),
                let certificate = try? PEM.certificates(in: entry.certificate).first
            else { throw Unreadable(description: "the root '\(entry.name)' of this keyring cannot be read") }
            guard keys[entry.key]?.key.pin == certificate.pin else {
                throw Unreadable(
                    description:
                        "the root '\(entry.name)' of this keyring does not hold the key '\(entry.key)': one of them "
                        + "was put there by somebody else"
                )
            }
            roots[entry.name] = Root(
                certificate: certificate,
                key: entry.key,
                holder: holder,
                anchor: entry.anchor.flatMap(TrustAnchor.Origin.init)
            )
        }
    }
}
