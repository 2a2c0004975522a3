import TLSCore

/// What the server behind the proxy answers where the ordinary answer will not do.
package struct OriginDeclaration: Hashable, Sendable {
    /// The first that matches a request, and has an answer left, answers it.
    package var routes: [RouteDeclaration]
    /// Whether the file says all that its server has: whatever else is asked for is then missing.
    package var isComplete: Bool

    /// Whether the file's upstream answers in place of any route.
    package var isRelay: Bool

    package init(routes: [RouteDeclaration], isComplete: Bool = false, isRelay: Bool = false) {
        self.isRelay = isRelay
        self.routes = routes
        self.isComplete = isComplete
    }

    /// The same routes, of which none leads away from a host.
    func staying(at host: String) -> OriginDeclaration {
        var copy = self
        for index in routes.indices where routes[index].otherHost(from: host) != nil {
            (copy.routes[index].redirect, copy.routes[index].status) = (nil, 200)
        }
        return copy
    }

    /// What stands in an answer for a code that is new in each attempt, where a person says what the app shows.
    private static let code = "{code}"

    package var hasCode: Bool {
        routes.contains { route in
            route.headers.contains { $0.value.contains(Self.code) } || !route.body.ranges(of: Self.code.utf8).isEmpty
        }
    }

    /// The same answers with a code in them.
    package func showing(_ code: String) -> OriginDeclaration {
        var copy = self
        for index in routes.indices {
            copy.routes[index].body.replace(Self.code.utf8, with: code.utf8)
            for header in routes[index].headers.indices {
                copy.routes[index].headers[header].value.replace(Self.code, with: code)
            }
        }
        return copy
    }

    /// These routes before those of what is around them.
    func inside(_ outer: OriginDeclaration?) -> OriginDeclaration {
        if isRelay { return self }
        return OriginDeclaration(
            routes: routes + (outer?.routes ?? []),
            isComplete: isComplete || outer?.isComplete == true
        )
    }
}

/// The answer to some requests.
package struct RouteDeclaration: Hashable, Sendable {
    package struct Header: Hashable, Sendable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// How an answer fails.
    package enum Failure: String, CaseIterable, Hashable, Sendable {
        case noAnswer = "no-answer"
        case afterHead = "after-head"
        case inBody = "in-body"
    }

    /// What the answer consists of.
    package enum Kind: Hashable, Sendable {
        case page
        case echo
        case download(Int)
        case events([Event])
        case call(status: Int)
        case webSocket
    }

    /// One server-sent event, as it is written.
    package struct Event: Hashable, Sendable {
        package var text: String
        package var delay: Duration

        package init(_ text: String, delay: Duration = .zero) {
            self.text = text
            self.delay = delay
        }
    }

    /// `*`: any.
    package var method: String
    /// `*` in it stands for any characters.
    package var path: String
    package var status: Int
    package var headers: [Header]
    package var body: [UInt8]
    package var kind = Kind.page
    /// The URL that `status` leads to, with its placeholders.
    package var redirect: TextTemplate?
    package var delay: Duration?
    package var failure: Failure?
    /// How many requests of a step it answers; `nil`: all.
    package var times: Int?
    package var location: SourceLocation

    package init(
        method: String = "GET",
        path: String,
        status: Int = 200,
        headers: [Header] = [],
        body: [UInt8] = [],
        redirect: TextTemplate? = nil,
        delay: Duration? = nil,
        failure: Failure? = nil,
        times: Int? = nil,
        location: SourceLocation = .code
    ) {
        self.method = method
        self.path = path
        self.status = status
        self.headers = headers
        self.body = body
        self.redirect = redirect
        self.delay = delay
        self.failure = failure
        self.times = times
        self.location = location
    }

    /// The host that a redirect leads to, if that is not the step's own, nor this machine.
    func otherHost(from host: String) -> String? {
        guard let redirect, !redirect.source.hasPrefix("/") else { return nil }
        let authority = redirect.authority.replacing("{host}", with: host)
        let name = SubjectName.relative(authority.prefix { $0 != ":" }.lowercased())
        return RouteDeclaration.isOurAddress(authority) || name == host ? nil : name
    }

    static func isOurAddress(_ authority: String) -> Bool {
        ["{endpoint}", "127.0.0.1", "localhost"].contains { authority == $0 || authority.hasPrefix("\($0):") }
    }

    /// What a redirect's URL may ask for, as `{name}`.
    package static let placeholders = [CommandPlaceholder.host, .port, .endpoint].map(\.rawValue)
}
