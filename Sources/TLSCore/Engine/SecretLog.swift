import COpenSSL

/// Who is told the secrets of connections, so that what was captured of them can be decrypted: in the NSS key log format
/// (`SSL_CTX_set_keylog_callback(3)`), a line for each.
package final class SecretLog: Sendable {
    let write: @Sendable (String) -> Void

    package init(_ write: @escaping @Sendable (String) -> Void) { self.write = write }
}

extension SecretLog: Hashable {
    package static func == (left: SecretLog, right: SecretLog) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

let secretCallback: SSL_CTX_keylog_cb_func = { ssl, line in
    guard let line else { return }
    TLSEngine.from(ssl)?.context.secrets?.write(String(cString: line))
}
