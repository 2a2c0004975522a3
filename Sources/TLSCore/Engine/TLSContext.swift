import COpenSSL
import Synchronization

/// What many connections share: the settings, and on the client's side the trust store.
///
/// Making one costs far more than a connection does, so make it once and hand it to every engine.
package final class TLSContext: Sendable {
    /// Which side of a connection an endpoint plays.
    package enum Role: Hashable, Sendable {
        case server
        case client
    }

    package let role: Role
    let ssl: Owned
    private let settings: TLSSettings
    var applicationProtocols: [String] { settings.applicationProtocols }
    var secrets: SecretLog? { settings.secrets }
    var takesEarlyData: Bool { role == .server && settings.takesEarlyData }
    /// What a client trusts; `nil` for a server, and for a client that lets anybody in.
    let trust: TrustStore?

    /// A server's context. A session is resumed only where an engine is given tickets: a resumed client is shown no
    /// certificate.
    package convenience init(server settings: TLSSettings = TLSSettings()) throws(OpenSSLError) {
        try self.init(role: .server, settings, trust: nil)
    }

    /// A client's context. With a trust store, OpenSSL itself verifies the server during the handshake; without one,
    /// anybody is let in and the caller must judge.
    package convenience init(
        client settings: TLSSettings = TLSSettings(),
        trust: TrustStore?
    ) throws(OpenSSLError) {
        try self.init(role: .client, settings, trust: trust)
    }

    private init(role: Role, _ settings: TLSSettings, trust: TrustStore?) throws(OpenSSLError) {
        self.role = role
        self.settings = settings
        self.trust = trust
        ssl = try TLSContext.make(role, settings, trust: trust)
    }

    private static func make(
        _ role: Role,
        _ settings: TLSSettings,
        trust: TrustStore?
    ) throws(OpenSSLError) -> Owned {
        _ = OpenSSL.isReady
        ERR_clear_error()
        let method = role == .server ? TLS_server_method() : TLS_client_method()
        let context = try require(SSL_CTX_new(method), "make a TLS context")
        let owned = Owned(context) { SSL_CTX_free($0) }

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
        if settings.secrets != nil { SSL_CTX_set_keylog_callback(context, secretCallback) }

        switch role {
        case .server:
            SSL_CTX_set_client_hello_cb(context, helloCallback, nil)
            SSL_CTX_set_msg_callback(context, messageCallback)
            SSL_CTX_set_alpn_select_cb(context, applicationProtocolCallback, nil)
            pd_ctx_answer_status(context, statusCallback)
            SSL_CTX_set_session_id_context(context, [0], 1)
            SSL_CTX_set_tlsext_ticket_key_evp_cb(context, ticketKeyCallback)
            pd_ctx_call_back_for_sessions(context)
            SSL_CTX_set_not_resumable_session_callback(context, uselessSessionCallback)
            SSL_CTX_sess_set_new_cb(context, newSessionCallback)
            SSL_CTX_sess_set_get_cb(context, sessionCallback)
            SSL_CTX_set_session_ticket_cb(context, ticketCallback, nil, nil)
        case .client:
            // OpenSSL's own limit of 100 kB refuses a certificate with ten thousand names.
            pd_ctx_allow_certificates(context, 1 << 20)
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
        return owned
    }

    // MARK: Contexts that are used again

    private struct Use: Hashable {
        let role: Role
        let settings: TLSSettings
        /// No other store has it while the context lives, which keeps its own.
        let trust: ObjectIdentifier?
    }

    private static let used = Mutex<[(use: Use, context: TLSContext)]>([])
    private static let mostUsed = 16

    /// The one context of these settings and this very store, made when it is first asked for. Nothing of one connection
    /// comes to another by it: no session is remembered.
    package static func shared(
        _ role: Role,
        _ settings: TLSSettings,
        trust: TrustStore? = nil
    ) throws(OpenSSLError) -> TLSContext {
        let use = Use(role: role, settings: settings, trust: trust.map(ObjectIdentifier.init))
        if let known = used.withLock({ $0.first { $0.use == use }?.context }) { return known }
        let made = try TLSContext(role: role, settings, trust: trust)
        used.withLock { used in
            if used.count == mostUsed { used.removeFirst() }
            used.append((use, made))
        }
        return made
    }

    // MARK: Identities that are shown often

    private struct Shown {
        let identity: Identity
        var times = 1
        var context: Owned?
    }

    private let shown = Mutex<[Shown]>([])
    /// Making a context costs about as much as OpenSSL takes to check an identity this often.
    private static let often = 16
    private static let mostShown = 8

    /// This context with an identity that was checked once, for `SSL_set_SSL_CTX`; `nil` for one that is not shown often:
    /// OpenSSL compares certificate and key whenever it is given them.
    func holding(_ identity: Identity) -> Owned? {
        shown.withLock { shown in
            guard let index = shown.firstIndex(where: { $0.identity.isSame(as: identity) }) else {
                if shown.count == TLSContext.mostShown { shown.removeFirst() }
                shown.append(Shown(identity: identity))
                return nil
            }
            shown[index].times += 1
            if shown[index].times == TLSContext.often { shown[index].context = try? make(holding: identity) }
            return shown[index].context
        }
    }

    private func make(holding identity: Identity) throws(OpenSSLError) -> Owned {
        let context = try TLSContext.make(role, settings, trust: trust)
        var parsed = identity
        // OpenSSL keeps the encoding of a certificate that it has read; one that it has made it encodes at every handshake.
        parsed.chain = try identity.chain.map { certificate throws(OpenSSLError) in
            try Certificate(der: certificate.der)
        }
        try parsed.withOpenSSL { leaf, key, others throws(OpenSSLError) in
            try require(SSL_CTX_use_cert_and_key(context.pointer, leaf, key, others, 1), "hold an identity")
        }
        return context
    }
}

extension Identity {
    /// Whether these are the same objects, which is quicker to see than whether they are equal.
    fileprivate func isSame(as other: Identity) -> Bool {
        key.evp === other.key.evp && chain.count == other.chain.count
            && zip(chain, other.chain).allSatisfy { $0.x509 === $1.x509 }
    }

    /// Leaf, key, and the stack of the others.
    func withOpenSSL<Result>(
        _ body: (OpaquePointer, OpaquePointer, OpaquePointer?) throws(OpenSSLError) -> Result
    ) throws(OpenSSLError) -> Result {
        let others = pd_x509_stack_new()
        defer { pd_x509_stack_free(others) }
        for certificate in chain.dropFirst() { _ = pd_x509_stack_push(others, certificate.x509.pointer) }
        return try body(leaf.x509.pointer, key.evp.pointer, others)
    }
}
