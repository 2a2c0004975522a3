import COpenSSL

extension Certificate {
    /// Whether `issuer` vouches for this certificate: its name and key identifier are those meant, its key may sign
    /// certificates, and the signature is made with it. Dates and purposes do not count.
    public func isIssued(by issuer: Certificate) -> Bool {
        ERR_clear_error()
        defer { ERR_clear_error() }
        guard X509_check_issued(issuer.x509.pointer, x509.pointer) == X509_V_OK,
            let key = X509_get0_pubkey(issuer.x509.pointer)
        else { return false }
        return X509_verify(x509.pointer, key) == 1
    }

    /// Whether its issuer has the other's subject, and the other's key made the signature; nothing else counts.
    package func isSigned(by issuer: Certificate) -> Bool {
        defer { ERR_clear_error() }
        guard isNamed(by: issuer), let key = X509_get0_pubkey(issuer.x509.pointer) else { return false }
        return X509_verify(x509.pointer, key) == 1
    }
}
