import COpenSSL

/// What many connections share: the settings, and on the client's side the trust store.
///
/// Making one costs far more than a connection does, so make it once and hand it to every engine.
public final class TLSContext: Sendable {
    /// Which side of a connection an endpoint plays.
    public enum Role: Hashable, Sendable {
        case server
        case client
    }

    public let role: Role
    let ssl: Owned
    let applicationProtocols: [String]
    /// What a client trusts; `nil` for a server, and for a client that lets anybody in.
    let trust: TrustStore?

    /// A server's context. Sessions cannot be resumed: a resumed client is shown no certificate, and the trial is void.
    public convenience init(server settings: TLSSettings = TLSSettings()) throws(OpenSSLError) {
        try self.init(role: .server, settings, trust: nil)
    }

    /// A client's context. With a trust store, OpenSSL itself verifies the server during the handshake; without one,
    /// anybody is let in and the caller must judge.
    public convenience init(
        client settings: TLSSettings = TLSSettings(),
        trust: TrustStore?
    ) throws(OpenSSLError) {
        try self.init(role: .client, settings, trust: trust)
    }

    private init(role: Role, _ settings: TLSSettings, trust: TrustStore?) throws(OpenSSLError) {
        _ = OpenSSL.isReady
        ERR_clear_error()
        let method = role == .server ? TLS_server_method() : TLS_client_method()
        let context = try require(SSL_CTX_new(method), "make a TLS context")
        self.role = role
        ssl = Owned(context) { SSL_CTX_free($0) }
        applicationProtocols = settings.applicationProtocols
        self.trust = trust

        let versions = settings.versions
        try require(
            pd_ctx_set_versions(context, Int32(versions.lowerBound.rawValue), Int32(versions.upperBound.rawValue)),
            "choose TLS versions"
        )
        // Memory for idle connections, not for busy ones.
        pd_ctx_set_mode(context, Int(SSL_MODE_RELEASE_BUFFERS))
        pd_ctx_switch_session_cache_off(context)
        if let groups = settings.groups {
            try require(pd_ctx_set_groups(context, groups), "choose key-exchange groups")
        }

        // A harness must be able to show a weak certificate and to speak TLS 1.0; the *client* is to refuse.
        SSL_CTX_set_security_level(context, 0)
        try require(SSL_CTX_set_cipher_list(context, "DEFAULT:@SECLEVEL=0"), "choose cipher suites")
        SSL_CTX_set_info_callback(context, infoCallback)

        switch role {
        case .server:
            SSL_CTX_set_client_hello_cb(context, helloCallback, nil)
            SSL_CTX_set_msg_callback(context, messageCallback)
            SSL_CTX_set_alpn_select_cb(context, applicationProtocolCallback, nil)
        case .client:
            if let trust {
                SSL_CTX_set1_cert_store(context, trust.store.pointer)
                SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
                SSL_CTX_set_cert_verify_callback(context, verificationCallback, nil)
            }
            let offered = settings.applicationProtocols.flatMap { [UInt8(clamping: $0.utf8.count)] + Array($0.utf8) }
            // Unlike its neighbours, this call answers 0 for success.
            guard offered.isEmpty || SSL_CTX_set_alpn_protos(context, offered, UInt32(offered.count)) == 0 else {
                throw OpenSSLError.drain("offer application protocols")
            }
        }
    }
}
