/// The protocols in which TLS begins after some talk in the clear.
package enum StartTLSDialect: String, CaseIterable, Sendable {
    /// RFC 3207.
    case smtp
    /// RFC 3501 section 6.2.1.
    case imap
    /// RFC 2595 section 4.
    case pop3
    /// `SSLRequest` of PostgreSQL's frontend/backend protocol.
    case postgres
}
