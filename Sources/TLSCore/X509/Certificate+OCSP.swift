import COpenSSL
package import Foundation

/// What an authority answers when it is asked about a certificate (RFC 6960 section 2.2).
package enum OCSPStatus: String, CaseIterable, Sendable {
    case good, revoked, unknown
    /// Good, in an answer that has run out.
    case expired
}

extension Certificate {
    /// The issuer's signed answer about this certificate, in DER: an hour old, for a week; or for the week before.
    package func ocspResponse(
        _ status: OCSPStatus,
        from issuer: Authority,
        now: Date
    ) throws(OpenSSLError) -> [UInt8] {
        ERR_clear_error()
        let kind: Int32 =
            switch status {
            case .good, .expired: V_OCSP_CERTSTATUS_GOOD
            case .revoked: V_OCSP_CERTSTATUS_REVOKED
            case .unknown: V_OCSP_CERTSTATUS_UNKNOWN
            }
        let week = 7 * CertificateTemplate.day
        let begin = now - 3600 - (status == .expired ? week : 0)
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = pd_ocsp_response(
            x509.pointer,
            issuer.certificate.x509.pointer,
            issuer.key.evp.pointer,
            issuer.key.signsDigests ? EVP_sha256() : nil,
            kind,
            begin.wholeSeconds,
            (begin + (status == .expired ? week - 3600 : week)).wholeSeconds,
            &bytes
        )
        guard count > 0, let bytes else { throw OpenSSLError.drain("sign an OCSP response") }
        defer { pd_free(bytes) }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }

    /// Whether it asks for a stapled response (RFC 7633).
    package var mustStaple: Bool { X509_get_ext_by_NID(x509.pointer, NID_tlsfeature, -1) >= 0 }
}
