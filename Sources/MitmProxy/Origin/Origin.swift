/// The server behind the proxy: answers every request the same way, but for the routes it is given, so that a client's
/// success depends on nothing but the certificate it was shown. Who asks for JSON is given `{}` in place of the greeting.
public struct Origin: Sendable {
    public var status: Int
    /// Sent in this order, before `content-length` and, where due, `connection`, which are ours to say: of these two
    /// here, `connection: close` closes after every answer, and all else is left out, as is `transfer-encoding`.
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]
    /// Bodies of particular paths, by the path without its query; every other path has `body`.
    public var pages: [String: [UInt8]]
    /// The first that matches a request answers it.
    package var routes: [Route] = []
    /// Whether whatever has no route is missing: status 404. `/` and the pages are always there.
    package var hasOnlyRoutes = false

    public init(
        status: Int = 200,
        headers: [(name: String, value: String)] = [("content-type", "text/plain; charset=utf-8")],
        body: [UInt8] = Origin.greeting,
        pages: [String: [UInt8]] = Origin.gitRepository
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.pages = pages
    }

    public static let greeting = Array("hello from PinDrill\n".utf8)

    /// What `git ls-remote https://host/pindrill.git` asks for (gitprotocol-http(5), "dumb" clients): one branch.
    public static let gitRepository: [String: [UInt8]] = [
        "/pindrill.git/info/refs": Array("\(String(repeating: "1", count: 40))\trefs/heads/main\n".utf8),
        "/pindrill.git/HEAD": Array("ref: refs/heads/main\n".utf8),
    ]
}
