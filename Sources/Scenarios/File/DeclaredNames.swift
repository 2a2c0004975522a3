/// Which names a file declares, as what, and where.
final class DeclaredNames {
    typealias Kind = Subject.Kind

    private var lists: [Kind: [String]] = [:]
    private var locations: [Kind: [String: SourceLocation]] = [:]
    /// Kinds whose section cannot be read: whether one of their names exists is not known.
    var unreadable: Set<Kind> = []

    func add(_ name: String, as kind: Kind, at location: SourceLocation) {
        guard self.location(of: name, as: kind) == nil else { return }
        lists[kind, default: []].append(name)
        locations[kind, default: [:]][name] = location
    }

    func location(of name: String, as kind: Kind) -> SourceLocation? { locations[kind]?[name] }

    /// In file order.
    func all(_ kinds: [Kind]) -> [String] { kinds.flatMap { lists[$0] ?? [] } }

    /// The first of `kinds` that declares the name.
    func kind(of name: String, among kinds: [Kind] = Kind.allCases) -> Kind? {
        kinds.first { location(of: name, as: $0) != nil }
    }
}

extension Subject.Kind {
    /// `a key`, `an authority`.
    var withArticle: String { self == .authority ? "an authority" : "a \(rawValue)" }

    var plural: String {
        switch self {
        case .authority: "authorities"
        case .policy: "policies"
        default: rawValue + "s"
        }
    }
}
