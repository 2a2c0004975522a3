import COpenSSL
import Foundation

/// The one owner of an OpenSSL object: frees it when nobody needs it any more.
///
/// The object must not be changed after it is wrapped; that is what makes sharing it between threads safe
/// (OpenSSL's own reference counts and caches are atomic or locked).
final class Owned: @unchecked Sendable {
    let pointer: OpaquePointer
    private let free: @Sendable (OpaquePointer) -> Void

    init(_ pointer: OpaquePointer, free: @escaping @Sendable (OpaquePointer) -> Void) {
        self.pointer = pointer
        self.free = free
    }

    deinit { free(pointer) }
}

/// Starts OpenSSL without its configuration file: a machine's `openssl.cnf` must not change a verdict.
enum OpenSSL {
    /// Touch before any other call into OpenSSL; the work is done once.
    static let isReady: Bool = {
        let options = UInt64(OPENSSL_INIT_NO_LOAD_CONFIG)
        return OPENSSL_init_ssl(options, nil) == 1
    }()
}

/// The TLS library that everything here stands on.
package enum TLSLibrary {
    /// Its name and version, as in `OpenSSL 3.0.19 27 Jan 2026`.
    package static var version: String { String(cString: OpenSSL_version(OPENSSL_VERSION)) }
}

/// Runs an OpenSSL `i2d` function twice, as its manual page asks (`d2i_X509(3)`): once for the length, once to write.
func derBytes(_ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8] {
    let count = Int(encode(nil))
    guard count > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
        var cursor = buffer.baseAddress
        written = max(0, Int(encode(&cursor)))
    }
}

/// Fills a memory BIO and returns what stands in it.
func textFromBIO(_ fill: (OpaquePointer) -> Int32) throws(OpenSSLError) -> String {
    let bio = try require(BIO_new(BIO_s_mem()), "make a memory buffer")
    defer { BIO_free(bio) }
    try require(fill(bio), "write text")
    var bytes: UnsafePointer<UInt8>?
    let count = pd_bio_peek(bio, &bytes)
    return String(decoding: UnsafeBufferPointer(start: bytes, count: max(0, count)), as: UTF8.self)
}

extension Date {
    /// Seconds since 1970, rounded down, as C counts them; held within 30 million years, where C can still write dates.
    var wholeSeconds: time_t { time_t(min(max(timeIntervalSince1970.rounded(.down), -1e15), 1e15)) }
}

/// SHA-256 of some bytes (FIPS 180-4).
package func sha256(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    _ = OpenSSL.isReady
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    let input = Array(bytes)
    _ = SHA256(input, input.count, &digest)
    return digest
}
