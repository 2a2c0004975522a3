import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// PinDrill could not be asked, or gave no verdict.
public struct PinDrillError: Error, CustomStringConvertible, LocalizedError {
    public let description: String
    public var errorDescription: String? { description }

    init(_ description: String) { self.description = description }
}

/// The way to a PinDrill. Drills keep it, so that what was started lives as long as they do, and no longer.
final class Connection {
    let url: String
    var answerSeconds: TimeInterval = 60
    private let token: String
    private let running: (any Ending)?

    init(url: String, token: String, running: (any Ending)? = nil) {
        self.url = url
        self.token = token
        self.running = running
    }

    func end() async { await running?.end() }

    func ask<Answer: Decodable>(_ method: String, _ path: String, _ body: [String: Any]? = nil) async throws -> Answer {
        try JSONDecoder().decode(Answer.self, from: Data(try await read(method, path, body).utf8))
    }

    func read(_ method: String, _ path: String, _ body: [String: Any]? = nil) async throws -> String {
        let base = url.hasSuffix("/") ? String(url.dropLast()) : url
        guard base.hasPrefix("http"), let place = URL(string: base + path) else {
            throw PinDrillError("'\(url)' is no address")
        }
        try Self.checkProxy(before: place)
        var request = URLRequest(url: place, timeoutInterval: 30 + answerSeconds)
        request.httpMethod = method
        request.httpBody = try body.map { try JSONSerialization.data(withJSONObject: $0) }
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        let (data, response): (Data, URLResponse)
        do {
            (data, response) = try await Self.session.data(for: request)
        } catch {
            throw PinDrillError(
                "no PinDrill answers at \(url): \(error.localizedDescription); is 'pindrill serve' running?"
            )
        }
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard (200..<300).contains(status) else { throw PinDrillError(Self.sentence(status, data)) }
        return String(decoding: data, as: UTF8.self)
    }

    static func quoted(_ name: String) -> String {
        name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? name
    }

    /// Linux's URLSession takes the proxy of the environment, whatever its configuration says, and would send the token there.
    private static func checkProxy(before place: URL) throws {
        #if os(Linux)
        let environment = ProcessInfo.processInfo.environment
        let proxies = ["http_proxy", "all_proxy", "ALL_PROXY"].filter { environment[$0]?.isEmpty == false }
        let direct = (environment["no_proxy"] ?? environment["NO_PROXY"] ?? "").split(separator: ",")
        guard let proxy = proxies.first, let host = place.host, !direct.contains(where: { $0 == host || $0 == "*" })
        else {
            return
        }
        throw PinDrillError("\(proxy) is set, and PinDrill must not be asked through a proxy: set no_proxy=\(host)")
        #endif
    }

    /// Never through a proxy that the system names.
    private static let session: URLSession = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.connectionProxyDictionary = [:]
        return URLSession(configuration: configuration)
    }()

    private static func sentence(_ status: Int, _ body: Data) -> String {
        guard let error = try? JSONDecoder().decode(ServerError.self, from: body) else {
            return "PinDrill answered with status \(status)"
        }
        guard let nearest = error.nearest, !error.message.contains(nearest) else { return error.message }
        return "\(error.message); did you mean '\(nearest)'?"
    }
}

/// What was started, and can be ended.
protocol Ending {
    func end() async
}
