/// One request that an origin read, and what it made of it.
public struct AnsweredRequest: Hashable, Sendable {
    public var method: String
    /// Without the query.
    public var path: String
    /// The status that was sent; `nil` where the connection was ended instead.
    public var status: Int?
    /// Whether the origin does not have what was asked for.
    public var isMissing: Bool
    /// Whether the answer was meant to be trouble: no success, or broken off. Who fails then has done nothing wrong.
    package var isTrouble: Bool

    package init(method: String, path: String, status: Int?, isMissing: Bool = false, isTrouble: Bool = false) {
        self.method = method
        self.path = path
        self.status = status
        self.isMissing = isMissing
        self.isTrouble = isTrouble
    }

    /// How many are kept of one connection.
    package static let limit = 64
}

extension AnsweredRequest: CustomStringConvertible {
    public var description: String { "\(method) \(path)" }
}
