import COpenSSL

/// An OpenSSL call failed: what was tried, and the codes OpenSSL left on its queue.
///
/// The codes are for comparing, the text is for people: OpenSSL changes its wording between releases.
package struct OpenSSLError: Error, CustomStringConvertible, Sendable {
    /// What was being done, as in "read a PEM private key".
    package let attempt: String
    /// OpenSSL's packed error codes, oldest first (`ERR_get_error(3)`).
    package let codes: [UInt]

    /// Takes, and so empties, this thread's error queue.
    static func drain(_ attempt: String) -> OpenSSLError {
        var codes: [UInt] = []
        while case let code = ERR_get_error(), code != 0 { codes.append(code) }
        return OpenSSLError(attempt: attempt, codes: codes)
    }

    /// Empties this thread's error queue, as it must be before a call whose errors are read. It hardly ever holds any, and
    /// clearing an empty one costs twenty times as much as looking.
    static func forget() {
        if ERR_peek_error() != 0 { ERR_clear_error() }
    }

    package var description: String {
        guard let last = codes.last else { return "could not \(attempt)" }
        return "could not \(attempt): \(OpenSSLError.text(of: last))"
    }

    /// OpenSSL's words for a code's reason, for people only.
    static func text(of code: UInt) -> String {
        ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
    }
}

/// Turns OpenSSL's `1` for success into nothing, and anything else into a thrown error.
func require(_ result: Int32, _ attempt: @autoclosure () -> String) throws(OpenSSLError) {
    guard result == 1 else { throw OpenSSLError.drain(attempt()) }
}

/// Turns OpenSSL's NULL into a thrown error.
func require<Value>(_ value: Value?, _ attempt: @autoclosure () -> String) throws(OpenSSLError) -> Value {
    guard let value else { throw OpenSSLError.drain(attempt()) }
    return value
}
