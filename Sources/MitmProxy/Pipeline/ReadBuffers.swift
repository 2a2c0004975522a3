import NIOCore

extension AdaptiveRecvByteBufferAllocator {
    /// The size of the buffer that a channel reads into, which it keeps while it is idle: SwiftNIO begins with 2 kB, which is
    /// a tenth of an idle connection. A client's hello fills 512 bytes, and who sends much gets more with each read.
    static let growing = AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 512, maximum: 65536)
}
