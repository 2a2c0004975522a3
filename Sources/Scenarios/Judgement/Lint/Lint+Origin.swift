import Pinning

/// `never-used`, of what a scenario asks for.
extension Lint {
    /// Routes that never answer: one above answers all that they would.
    func unansweredRoutes() -> [LintFinding] {
        file.scenarios.flatMap { scenario in
            let origins = ([scenario.origin].compactMap { $0 } + scenario.steps.compactMap(\.origin)).map(\.routes)
            var known: Set<SourceLocation> = []
            return origins.flatMap { routes in
                routes.indices.compactMap { index -> LintFinding? in
                    let route = routes[index]
                    guard let above = routes[..<index].first(where: { $0.covers(route) && $0.isBeside(route) }),
                        known.insert(route.location).inserted
                    else { return nil }
                    return LintFinding(
                        .neverUsed,
                        Subject(.scenario, scenario.name),
                        at: route.location,
                        "'\(route.name)' is never answered so: '\(above.name)' on line \(above.location.line) answers it",
                        fix: "put it first, or take it out"
                    )
                }
            }
        }
    }
}

extension RouteDeclaration {
    fileprivate var name: String { "\(method) \(path)" }

    /// Whether it leaves nothing to the other one.
    fileprivate func covers(_ other: RouteDeclaration) -> Bool {
        guard times == nil, redirect == nil, location != other.location, method == "*" || method == other.method else {
            return false
        }
        guard path.hasSuffix("*"), !path.dropLast().contains("*") else { return path == other.path }
        return other.path.hasPrefix(path.dropLast())
    }

    /// An inner origin is meant to answer in place of an outer one.
    fileprivate func isBeside(_ other: RouteDeclaration) -> Bool { location.line <= other.location.line }
}
