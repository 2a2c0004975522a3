import COpenSSL

// What OpenSSL calls back. C callbacks cannot capture, so each finds its engine through `SSL_get_ex_data` and forwards.

extension TLSEngine {
    static let index = pd_ssl_new_index()

    static func from(_ ssl: OpaquePointer?) -> TLSEngine? {
        guard let ssl, let pointer = SSL_get_ex_data(ssl, index) else { return nil }
        return Unmanaged<TLSEngine>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// The callback comes once, then again when we go on, and again after a HelloRetryRequest: only the first counts.
    fileprivate func readHello(_ alert: UnsafeMutablePointer<Int32>?) -> Int32 {
        guard hello == nil else {
            alert?.pointee = SSL_AD_INTERNAL_ERROR
            return refusesHello ? SSL_CLIENT_HELLO_ERROR : SSL_CLIENT_HELLO_SUCCESS
        }
        hello = ClientHello(
            serverName: helloExtension(UInt32(TLSEXT_TYPE_server_name)).flatMap(ClientHello.serverName(in:)),
            applicationProtocols: helloExtension(UInt32(TLSEXT_TYPE_application_layer_protocol_negotiation))
                .map(ClientHello.applicationProtocols(in:)) ?? [],
            cipherSuites: ClientHello.cipherSuites(in: helloCipherSuites),
            versions: helloExtension(UInt32(TLSEXT_TYPE_supported_versions)).map(ClientHello.versions(in:))
                ?? [TLSVersion(rawValue: UInt16(truncatingIfNeeded: SSL_client_hello_get0_legacy_version(ssl)))]
                .compactMap { $0 },
            fingerprint: fingerprint
        )
        return SSL_CLIENT_HELLO_RETRY
    }

    private func helloExtension(_ type: UInt32) -> [UInt8]? {
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        guard SSL_client_hello_get0_ext(ssl, type, &bytes, &count) == 1 else { return nil }
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    private var helloCipherSuites: [UInt8] {
        var bytes: UnsafePointer<UInt8>?
        let count = SSL_client_hello_get0_ciphers(ssl, &bytes)
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    fileprivate func noteAlert(_ direction: Direction, level: UInt8, number: UInt8) {
        let isFatal = SSL_version(ssl) == TLS1_3_VERSION ? number != 0 && number != 90 : level == SSL3_AL_FATAL
        pending.append(.record(.alert(direction, Alert(number, isFatal: isFatal))))
    }

    /// Staples the identity's OCSP response, for a client that asks for one.
    fileprivate func staple() -> Int32 {
        guard let staple = identity?.staple, pd_ssl_staple(ssl, staple, staple.count) == 1 else {
            return SSL_TLSEXT_ERR_NOACK
        }
        return SSL_TLSEXT_ERR_OK
    }

    fileprivate func noteSent(_ message: UInt8) {
        switch Int32(message) {
        case SSL3_MT_CERTIFICATE: pending.append(.record(.presented))
        // Neither goes out before it is settled whether the session is resumed (RFC 5246 section 7.3, RFC 8446 section 2).
        case SSL3_MT_ENCRYPTED_EXTENSIONS, SSL3_MT_FINISHED:
            guard !hasNotedResumption, let origin = resumedOrigin else { break }
            hasNotedResumption = true
            pending.append(.record(.resumed(origin)))
        default: break
        }
    }

    /// Whether the trust store knows that it trusts what was sent, for this host, now. What it refuses is verified here, for
    /// the connection's own reason.
    private func isRemembered(_ sent: @autoclosure () -> [Certificate]) -> Bool {
        guard let remembered, let trust = context.trust, trust.remembers else { return false }
        return trust.evaluate(sent(), host: remembered.host, at: remembered.instant).isTrusted
    }

    /// Verifies the server as OpenSSL would by itself, but for what is too weak: that is the trust store's to say, and
    /// the connection's own security level would also forbid old versions of TLS.
    fileprivate func verify(_ chain: OpaquePointer) -> Bool {
        if isRemembered(TrustStore.certificates(X509_STORE_CTX_get0_untrusted(chain))) { return true }
        X509_VERIFY_PARAM_set_auth_level(X509_STORE_CTX_get0_param(chain), TrustStore.securityLevel)
        guard X509_verify_cert(chain) != 1 else { return true }
        verificationFailure = TrustFailure(
            code: X509_STORE_CTX_get_error(chain),
            depth: Int(X509_STORE_CTX_get_error_depth(chain))
        )
        return false
    }
}

let helloCallback: SSL_client_hello_cb_fn = { ssl, alert, _ in
    TLSEngine.from(ssl)?.readHello(alert) ?? SSL_CLIENT_HELLO_SUCCESS
}

let infoCallback: @convention(c) (OpaquePointer?, Int32, Int32) -> Void = { ssl, place, value in
    guard place & SSL_CB_ALERT != 0 else { return }
    let direction: Direction = place & SSL_CB_READ != 0 ? .inward : .outward
    TLSEngine.from(ssl)?.noteAlert(
        direction,
        level: UInt8(truncatingIfNeeded: value >> 8),
        number: UInt8(truncatingIfNeeded: value)
    )
}

let messageCallback:
    @convention(c) (
        Int32, Int32, Int32, UnsafeRawPointer?, Int, OpaquePointer?, UnsafeMutableRawPointer?
    ) -> Void = { isWritten, _, contentType, bytes, count, ssl, _ in
        guard contentType == SSL3_RT_HANDSHAKE, count > 0, let bytes, let engine = TLSEngine.from(ssl) else { return }
        if isWritten == 1 {
            engine.noteSent(bytes.load(as: UInt8.self))
        } else if engine.hello == nil, bytes.load(as: UInt8.self) == UInt8(SSL3_MT_CLIENT_HELLO) {
            // OpenSSL hands over no extension that it does not know, and so not all that makes a fingerprint.
            engine.fingerprint = JA4(message: Array(UnsafeRawBufferPointer(start: bytes, count: count)))
        }
    }

let verificationCallback: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = { chain, _ in
    guard let chain, let ssl = X509_STORE_CTX_get_ex_data(chain, SSL_get_ex_data_X509_STORE_CTX_idx()) else { return 0 }
    return TLSEngine.from(OpaquePointer(ssl))?.verify(chain) == true ? 1 : 0
}

let applicationProtocolCallback: SSL_CTX_alpn_select_cb_func = { ssl, chosen, chosenCount, offered, offeredCount, _ in
    let wanted = TLSEngine.from(ssl)?.applicationProtocols ?? []
    guard !wanted.isEmpty, let offered else { return SSL_TLSEXT_ERR_NOACK }
    for name in wanted.map({ Array($0.utf8) }) {
        var index = 0
        while index < Int(offeredCount) {
            let length = Int(offered[index])
            guard index + 1 + length <= Int(offeredCount) else { break }
            if UnsafeBufferPointer(start: offered + index + 1, count: length).elementsEqual(name) {
                chosen?.pointee = offered + index + 1
                chosenCount?.pointee = offered[index]
                return SSL_TLSEXT_ERR_OK
            }
            index += 1 + length
        }
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL
}

let statusCallback: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = { ssl, _ in
    TLSEngine.from(ssl)?.staple() ?? SSL_TLSEXT_ERR_NOACK
}
