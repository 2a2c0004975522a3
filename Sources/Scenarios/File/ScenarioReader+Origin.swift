import Pinning
import Witness

/// `origin` and `budget`.
extension ScenarioReader {
    private static let answerKeys = [
        "status", "headers", "body", "file", "redirect", "delay", "failure", "times", "echo", "size", "events",
        "websocket",
        "grpc",
    ]

    /// - Parameter isComplete: whether what it does not name is missing.
    func origin(_ node: YAMLNode, isComplete: Bool = false) -> OriginDeclaration? {
        if node.scalar == "relay" {
            if !hasUpstream { report("there is nobody to relay to; write 'upstream: { url: … }' at the top", at: node) }
            return OriginDeclaration(routes: [], isRelay: true)
        }
        guard let entries = entries(of: node, "answers by route, such as 'GET /v1/*'") else { return nil }
        if entries.isEmpty { report("this origin has no routes; leave 'origin' out", at: node) }
        let routes = entries.flatMap { entry -> [RouteDeclaration] in
            guard let route = route(entry.key) else { return [] }
            return answers(entry.value, to: route)
        }
        return OriginDeclaration(routes: routes, isComplete: isComplete)
    }

    func budget(_ node: YAMLNode) -> Budget? {
        guard let fields = fields(of: node, called: "the budget", known: ["connections", "requests"]) else {
            return nil
        }
        if node.isEmptyMapping { report("a budget needs 'connections' or 'requests'", at: node) }
        let limit = { [self] (key: String) in fields[key].flatMap { integer($0, in: 1...4096, "a number of \(key)") } }
        return Budget(connections: limit("connections"), requests: limit("requests"))
    }

    /// `GET /v1/*`.
    private func route(_ node: YAMLNode) -> RouteDeclaration? {
        guard let text = text(node, "a route such as 'GET /v1/*'") else { return nil }
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard words.count == 2, Self.isMethod(words[0]) else {
            let path = words.count == 1 && text.hasPrefix("/") ? text : "/v1/items"
            report("'\(text.prefix(80))' is not a route; write a method and a path, as in 'GET \(path)'", at: node)
            return nil
        }
        guard words[1].hasPrefix("/"), !words[1].contains(where: { "?#".contains($0) }) else {
            report("a route's path begins with '/' and has no '?' or '#': '\(words[1].prefix(80))'", at: node)
            return nil
        }
        return RouteDeclaration(method: words[0], path: words[1], location: node.location)
    }

    private static func isMethod(_ word: String) -> Bool {
        word == "*" || (word != "CONNECT" && !word.isEmpty && word.allSatisfy { "A"..."Z" ~= $0 })
    }

    /// One answer, or several in turn.
    private func answers(_ node: YAMLNode, to route: RouteDeclaration) -> [RouteDeclaration] {
        guard case .list(let values) = node.content else { return answer(node, to: route).map { [$0] } ?? [] }
        if values.isEmpty { report("'\(route.method) \(route.path)' has no answer", at: node) }
        return values.enumerated().compactMap { index, value in
            let answer = answer(value, to: route)
            if index < values.count - 1, let answer, answer.times == nil {
                report("the answers behind this one are never given; say 'times'", at: value)
            }
            return answer
        }
    }

    private func answer(_ node: YAMLNode, to route: RouteDeclaration) -> RouteDeclaration? {
        guard let fields = fields(of: node, called: "the answer", known: Self.answerKeys) else { return nil }
        var route = route
        route.headers = fields["headers"].map(headers) ?? []
        route.delay = fields["delay"].flatMap(delay)
        route.failure = fields["failure"].flatMap { choice($0, "a failure") }
        route.times = fields["times"].flatMap { integer($0, in: 1...1_000_000, "a number of requests") }
        let isMade = ["echo", "size", "events", "websocket", "grpc"].contains { fields[$0] != nil }
        let type = isMade ? kind(fields, of: &route) : content(fields, of: &route)
        if let kind = type, !route.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
            route.headers.insert(.init("content-type", kind), at: 0)
        }
        route.status = fields["status"].flatMap { integer($0, in: 200...599, "a status") } ?? 200
        if let node = fields["redirect"] { redirect(node, fields["status"], &route) }
        if [204, 205, 304].contains(route.status), !route.body.isEmpty {
            report("an answer with status \(route.status) has no body", at: fields["status"] ?? node)
        }
        if route.failure == .noAnswer {
            for key in ["status", "headers", "body", "file", "redirect"] {
                if let node = fields[key] { report("'\(key)' means nothing beside 'failure: no-answer'", at: node) }
            }
        } else if route.failure == .inBody, route.body.count < 2, let node = fields["failure"] {
            report("there is no body to break off in; give the answer a 'body' of two bytes or more", at: node)
        }
        return route
    }

    /// Fills in what is made for each request, and not written out; its type, where it is always the same.
    private func kind(_ fields: [String: YAMLNode], of route: inout RouteDeclaration) -> String? {
        let kinds = ["echo", "size", "events", "websocket"].filter { fields[$0] != nil }
        let others = ["body", "file", "redirect", "grpc"].filter { fields[$0] != nil }
        if let kind = kinds.first, let other = (kinds.dropFirst() + others).first, let node = fields[other] {
            report("'\(other)' means nothing beside '\(kind)'", at: node)
        }
        if let node = fields["grpc"] {
            route.kind = .call(status: integer(node, in: 0...16, "a status of gRPC") ?? 0)
            for key in ["status", "redirect"] {
                if let node = fields[key] { report("'\(key)' means nothing beside 'grpc'", at: node) }
            }
            _ = content(fields, of: &route)
            return nil
        }
        if let node = fields["echo"], isSaid(node) { route.kind = .echo }
        if let node = fields["websocket"], isSaid(node) { route.kind = .webSocket }
        if let node = fields["size"] {
            route.kind = .download(size(node) ?? 0)
            return "application/octet-stream"
        }
        if let node = fields["events"] {
            let values = list(node, of: "events") ?? []
            if node.isEmptyList { report("there is no event in it; leave it out", at: node) }
            route.kind = .events(values.compactMap(event))
            return "text/event-stream"
        }
        return nil
    }

    private func isSaid(_ node: YAMLNode) -> Bool { choice(node, "'true'", among: [("true", true)]) ?? false }

    /// `50MB`.
    private func size(_ node: YAMLNode) -> Int? {
        let units = ["B": 1, "kB": 1000, "MB": 1_000_000, "GB": 1_000_000_000]
        if let text = node.scalar, let match = text.wholeMatch(of: /([0-9]{1,10})(B|kB|MB|GB)/),
            let count = Int(match.1), let unit = units[String(match.2)], 1...10_000_000_000 ~= count * unit
        {
            return count * unit
        }
        report("expected a size up to 10GB, as in 50MB or 300kB", at: node)
        return nil
    }

    /// A text, or `{ data: …, event: …, id: …, delay: 1s }`.
    private func event(_ node: YAMLNode) -> RouteDeclaration.Event? {
        guard node.kind == .mapping else {
            return prose(node, "the data of an event").map { RouteDeclaration.Event(Self.lines("data", $0) + "\n") }
        }
        let known = ["data", "event", "id", "delay"]
        guard let fields = fields(of: node, called: "the event", known: known, required: ["data"]) else { return nil }
        let text = ["event", "id", "data"].map { key in
            fields[key].flatMap { prose($0, "the \(key) of an event") }.map { Self.lines(key, $0) } ?? ""
        }
        return RouteDeclaration.Event(text.joined() + "\n", delay: fields["delay"].flatMap(delay) ?? .zero)
    }

    private static func lines(_ name: String, _ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { "\(name): \($0)\n" }.joined()
    }

    /// Fills in the body; its type.
    private func content(_ fields: [String: YAMLNode], of route: inout RouteDeclaration) -> String? {
        if let text = fields["body"] {
            if let file = fields["file"] { report("'file' means nothing beside 'body'", at: file) }
            guard let text = prose(text, "a body") else { return nil }
            route.body = Array(text.utf8)
            let isJSON = text.first { !$0.isWhitespace }.map { "{[".contains($0) } ?? false
            return isJSON ? "application/json" : "text/plain; charset=utf-8"
        }
        guard let node = fields["file"], let name = text(node, "the name of a file") else { return nil }
        guard !Self.leadsOut(name) else {
            report("\(name): \(Self.outside)", at: node)
            return nil
        }
        do {
            route.body = try files.body(name, node.file)
        } catch {
            report("\(name): \(error)", at: node)
        }
        let types = [
            "json": "application/json", "html": "text/html; charset=utf-8", "txt": "text/plain; charset=utf-8",
            "xml": "application/xml",
        ]
        return name.split(separator: ".").last.flatMap { types[$0.lowercased()] } ?? "application/octet-stream"
    }

    private func redirect(_ node: YAMLNode, _ status: YAMLNode?, _ route: inout RouteDeclaration) {
        let codes = [301, 302, 303, 307, 308]
        if status == nil { route.status = 302 }
        if let status, !codes.contains(route.status) {
            report("a redirect has one of the statuses \(codes.map(String.init).joined(separator: ", "))", at: status)
        }
        if let header = route.headers.first(where: { $0.name.lowercased() == "location" }) {
            report("'\(header.name)' and 'redirect' say the same thing; leave one out", at: node)
        }
        guard let text = text(node, "a URL") else { return }
        guard ["https://", "http://", "/"].contains(where: text.hasPrefix), !text.contains(where: \.isWhitespace) else {
            report("'\(text.prefix(80))' is not a URL; begin with https://, http:// or /", at: node)
            return
        }
        do throws(TemplateError) {
            let redirect = try TextTemplate(parsing: text, knownPlaceholders: RouteDeclaration.placeholders)
            route.redirect = redirect
            if text.hasPrefix("https://"), RouteDeclaration.isOurAddress(redirect.authority) {
                report("no certificate is for the address '\(redirect.authority)'; write {host}:{port}", at: node)
            }
        } catch {
            report("\(error)", at: node)
        }
    }

    func delay(_ node: YAMLNode) -> Duration? {
        guard let delay = timeLimit(node) else { return nil }
        if delay > .seconds(60) { report("an answer is held back for 60s at most", at: node) }
        return delay
    }

    private func headers(_ node: YAMLNode) -> [RouteDeclaration.Header] {
        (entries(of: node, "headers by name") ?? []).flatMap { entry -> [RouteDeclaration.Header] in
            guard let name = text(entry.key, "the name of a header") else { return [] }
            guard !name.isEmpty, name.utf8.allSatisfy(RequestDetector.isToken) else {
                report("'\(name.prefix(80))' is not the name of a header", at: entry.key)
                return []
            }
            if ["content-length", "transfer-encoding"].contains(name.lowercased()) {
                report("'\(name)' follows from the body; leave it out", at: entry.key)
            }
            let values: [YAMLNode] = if case .list(let values) = entry.value.content { values } else { [entry.value] }
            return values.compactMap { value in
                guard let text = prose(value, "the value of a header") else { return nil }
                guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                    report("a header's value is one line without control characters", at: value)
                    return nil
                }
                return RouteDeclaration.Header(name, text)
            }
        }
    }
}
