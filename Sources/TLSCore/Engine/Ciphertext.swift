import COpenSSL
import NIOCore

/// The ciphertext of one connection that is on its way, in both directions: the one BIO that OpenSSL reads from and writes
/// to. It reads what the network brought where that lies, and writes where the network will take it: OpenSSL's own memory
/// BIOs would copy all of it once more, and keep their memory while a connection is idle.
final class Ciphertext {
    /// From the peer.
    private var inward = ByteBuffer()
    /// To the peer.
    private var outward = ByteBuffer()

    /// How many bytes from the peer OpenSSL has not read yet.
    var waiting: Int { inward.readableBytes }

    /// Takes what the peer sent.
    func receive(_ bytes: ByteBuffer) {
        if inward.readableBytes == 0 { inward = bytes } else { inward.writeImmutableBuffer(bytes) }
    }

    /// Hands out what goes to the peer; `nil` when there is nothing.
    func takeOutward() -> ByteBuffer? {
        guard outward.readableBytes > 0 else { return nil }
        let bytes = outward
        outward = ByteBuffer()
        return bytes
    }

    /// Makes room for what so much plaintext becomes, so that it need not be moved while it grows.
    func makeRoom(forPlaintext count: Int) {
        // More than any cipher of TLS adds to a record.
        let mostAdded = 256
        let records = count / TLSEngine.largestRecord + 1
        outward.reserveCapacity(minimumWritableBytes: count + records * mostAdded)
    }

    /// Gives a connection this BIO. It must live as long as the connection, which does not own it.
    func connect(to ssl: OpaquePointer) throws(OpenSSLError) {
        let method = try require(Ciphertext.method, "make a kind of BIO")
        let bio = try require(BIO_new(method.pointer), "make a BIO")
        BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
        BIO_set_init(bio, 1)
        // It takes over the one reference, for both directions (`SSL_set_bio(3)`).
        SSL_set_bio(ssl, bio, bio)
    }

    fileprivate func read(into room: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(room.count, inward.readableBytes)
        inward.readWithUnsafeReadableBytes { bytes in
            room.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
            return count
        }
        // Where the bytes lay is the network's to use again.
        if inward.readableBytes == 0 { inward = ByteBuffer() }
        return count
    }

    fileprivate func write(_ bytes: UnsafeRawBufferPointer) { outward.writeBytes(bytes) }

    // MARK: As OpenSSL sees it

    private static let method: Owned? = {
        let type = BIO_get_new_index() | BIO_TYPE_SOURCE_SINK
        guard let method = BIO_meth_new(type, "ciphertext") else { return nil }
        BIO_meth_set_read_ex(method, readCallback)
        BIO_meth_set_write_ex(method, writeCallback)
        BIO_meth_set_ctrl(method, controlCallback)
        return Owned(method) { BIO_meth_free($0) }
    }()

    fileprivate static func of(_ bio: OpaquePointer?) -> Ciphertext? {
        BIO_get_data(bio).map { Unmanaged<Ciphertext>.fromOpaque($0).takeUnretainedValue() }
    }
}

private let readCallback:
    @convention(c) (OpaquePointer?, UnsafeMutablePointer<CChar>?, Int, UnsafeMutablePointer<Int>?) -> Int32 = {
        bio,
        room,
        count,
        read in
        pd_bio_forget_retry(bio)
        let taken = Ciphertext.of(bio)?.read(into: UnsafeMutableRawBufferPointer(start: room, count: count)) ?? 0
        read?.pointee = taken
        // More may come.
        if taken == 0 { pd_bio_retry_reading(bio) }
        return taken > 0 ? 1 : 0
    }

private let writeCallback:
    @convention(c) (OpaquePointer?, UnsafePointer<CChar>?, Int, UnsafeMutablePointer<Int>?) -> Int32 = {
        bio,
        bytes,
        count,
        written in
        pd_bio_forget_retry(bio)
        Ciphertext.of(bio)?.write(UnsafeRawBufferPointer(start: bytes, count: count))
        written?.pointee = count
        return 1
    }

private let controlCallback: @convention(c) (OpaquePointer?, Int32, Int, UnsafeMutableRawPointer?) -> Int = {
    bio,
    command,
    _,
    _ in
    switch command {
    case BIO_CTRL_FLUSH: 1
    case BIO_CTRL_PENDING: Ciphertext.of(bio)?.waiting ?? 0
    default: 0
    }
}
