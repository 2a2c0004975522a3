/// Sockets that somebody else has opened, and that listen: those of another network namespace.
package struct OpenedListeners: Sendable {
    /// Taken over by who listens on them.
    package var descriptors: [CInt]
    /// Connects to each of them, from where that can be done.
    package var connect: @Sendable () throws -> [CInt]

    package init(_ descriptors: [CInt], connect: @escaping @Sendable () throws -> [CInt]) {
        self.descriptors = descriptors
        self.connect = connect
    }
}
