/// How much a client may do in one attempt before it is a storm.
package struct Budget: Hashable, Sendable {
    /// `nil`: any number.
    package var connections: Int?
    package var requests: Int?

    package init(connections: Int? = nil, requests: Int? = nil) {
        self.connections = connections
        self.requests = requests
    }
}
