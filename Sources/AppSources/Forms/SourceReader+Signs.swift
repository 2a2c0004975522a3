extension SourceReader {
    /// Without one of these, or a digest in quotes, a source holds no pins in any form that is known: a folder passes it by.
    package static let signs = [
        "CertificatePinner", "PinnedDomains", "TrustEvaluator", "ServerTrustPolicy", "SslPinning", "sslPinning",
        "SSLPinning", "PublicKeyHashes", "sha256/", "sha1/", "ingerprint", "SecurityContext", "adCertificate",
        "validateCertificate", "SslPolicyErrors", "CertificateVerifyProc", "createSsl", "SslCredentials",
        "trustManager(", "openRawResource",
        "SecTrust", "checkServerTrusted", "erCertificates", "SecurityPolicy", "checkServerIdentity", "ostnameVerifier",
        "HOSTNAME_VERIFIER",
        "getPeer", "humbprint", "TrustManagerFactory", "CertificateValidationCallback",
        "CertificateCustomValidationCallback", "ertSha", "ertHash", "pinned", "Pinned", "Pins", "PINS",
        "PinningTrustManager", "ublicKeyHash", "spki", "Spki", "SPKI",
        "PinningSSLSocketFactory", "HandshakeCertificates", "SSLSecurity", "HTTPSecurity", "Asn1Header",
        "CertificateHandler", "AuthenticationChallenge", "onReceivedSslError", "DangerousAcceptAny",
        "ignore-certificate-errors",
        "ICertificatePolicy", "SubjectKeyIdentifierValidator", "SubjectPublicKeyInfoValidator",
        "ertificatePinning", "ertificate_pinning", "ecureHttpClient", "ertificateChecker", "INGERPRINT", "SSL_PIN",
        "rejectUnauthorized", "trustRoots", "PEMRootCert", "VerificationCallback", "BEGIN CERTIFICATE", "gAwIBAg",
        "ca: ", "ca = ", "certificateAuthority", "caCerts", "createX509CertificatePinning", "ChannelCredentials",
        "RootCertificates", "CustomTrustStore", "TrustStrategy", "TrustMaterial",
        "ValidationHandler", "checkCertificate", "InCertChain", "SSLCertMode", "ssl-pinning", "react-native-pinch",
        "sha256.convert", "sha1.convert",
        "hpkp", "ublic-Key-Pins", "ublic-key-pins", "PUBLIC_KEY_PINS", "addSha256Pins", "network-security-config",
    ]
}
