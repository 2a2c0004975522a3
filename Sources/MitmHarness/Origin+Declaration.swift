import MitmProxy
import NIOCore
import Scenarios

extension Origin {
    /// With the routes of a scenario file before its own.
    func answering(_ declaration: OriginDeclaration, host: String, port: Int) throws -> Origin {
        let values = ["host": host, "port": "\(port)", "endpoint": "127.0.0.1:\(port)"]
        var origin = self
        origin.routes = try declaration.routes.map { try Route($0, filling: values) } + routes
        origin.hasOnlyRoutes = hasOnlyRoutes || declaration.isComplete
        return origin
    }
}

extension Route {
    fileprivate init(_ declared: RouteDeclaration, filling values: [String: String]) throws {
        let redirect = try declared.redirect.map { [("location", try $0.fill(values))] } ?? []
        self.init(
            method: declared.method,
            path: declared.path,
            status: declared.status,
            headers: declared.headers.map { ($0.name, $0.value) } + redirect,
            body: declared.body,
            kind: Kind(declared.kind),
            delay: declared.delay.map { TimeAmount($0) },
            failure: declared.failure.map(Failure.init),
            times: declared.times
        )
    }
}

extension Route.Kind {
    fileprivate init(_ declared: RouteDeclaration.Kind) {
        self =
            switch declared {
            case .page: .page
            case .echo: .echo
            case .download(let count): .download(count)
            case .events(let events): .events(events.map { Route.Event($0.text, delay: TimeAmount($0.delay)) })
            case .call(let status): .call(status: status)
            case .webSocket: .webSocket
            }
    }
}

extension Route.Failure {
    fileprivate init(_ declared: RouteDeclaration.Failure) {
        self =
            switch declared {
            case .noAnswer: .silence
            case .afterHead: .head
            case .inBody: .truncated
            }
    }
}
