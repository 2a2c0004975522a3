/// How a TLS endpoint behaves, whatever certificate it shows or expects.
package struct TLSSettings: Hashable, Sendable {
    /// The lowest and the highest version that is spoken.
    package var versions: ClosedRange<TLSVersion>
    /// Application protocols in order of preference (ALPN, RFC 7301). A server that shares none with a client that
    /// offers some refuses it with alert 120; a client that offers none is served all the same.
    package var applicationProtocols: [String]
    /// Key-exchange groups in order of preference, in OpenSSL's syntax (`SSL_CTX_set1_groups_list(3)`); `nil` leaves
    /// OpenSSL's own.
    package var groups: String?
    /// Whether a server takes early data where its tickets allow it.
    package var takesEarlyData = false
    /// Who is told the secrets of connections; `nil`: nobody.
    package var secrets: SecretLog?

    package init(
        versions: ClosedRange<TLSVersion> = .tls1_2 ... .tls1_3,
        applicationProtocols: [String] = ["http/1.1"],
        groups: String? = nil
    ) {
        self.versions = versions
        self.applicationProtocols = applicationProtocols
        self.groups = groups
    }
}
