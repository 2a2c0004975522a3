/// What somebody posted to a collector.
package struct CollectedReport: Hashable, Sendable {
    package var method: String
    package var contentType: String
    /// Up to the collector's limit.
    package var body: [UInt8]

    package init(method: String = "POST", contentType: String = "application/json", body: [UInt8]) {
        self.method = method
        self.contentType = contentType
        self.body = body
    }
}
