/// Something that a file declares by a name.
package protocol NamedDeclaration: Hashable, Sendable {
    var name: String { get }
}

/// A list of declarations, in file order, of which each is found by its name without a search: the shipped catalogue
/// has hundreds, and every decision asks for several.
@propertyWrapper
package struct ByName<Declaration: NamedDeclaration>: Hashable, Sendable {
    package var wrappedValue: [Declaration] { didSet { places = Self.places(in: wrappedValue) } }
    private var places: [String: Int]

    package init(wrappedValue: [Declaration]) {
        self.wrappedValue = wrappedValue
        places = Self.places(in: wrappedValue)
    }

    /// The first of that name; `nil` where there is none.
    package subscript(name: String) -> Declaration? { places[name].map { wrappedValue[$0] } }

    private static func places(in list: [Declaration]) -> [String: Int] {
        Dictionary(list.indices.map { (list[$0].name, $0) }) { first, _ in first }
    }
}
