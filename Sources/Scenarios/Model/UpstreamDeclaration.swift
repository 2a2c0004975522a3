package import TLSCore

/// The genuine server of a file: who answers behind a relay.
package struct UpstreamDeclaration: Hashable, Sendable {
    package var host: String
    package var port: Int
    /// Whose signatures make its chain good, and the name that must stand in it; `nil`: it speaks in the clear.
    package var tls: TLS?
    package var location: SourceLocation

    /// What its chain is called where a step presents it.
    package static let chain = "upstream"

    package struct OwnCertificate: Hashable, Sendable {
        /// Leaf first.
        package var chain: [Certificate]
        /// Its private key, in PEM.
        package var key: String
    }

    package struct TLS: Hashable, Sendable {
        package var roots: [Certificate]
        package var name: String
        /// What a relay proves itself by, where the server asks for that.
        package var certificate: OwnCertificate?
    }
}
