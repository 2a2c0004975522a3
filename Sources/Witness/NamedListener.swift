/// A port of its own beside the usual one, whose connections are meant for one place.
package struct NamedListener: Hashable, Sendable {
    package var name: String
    package var place: Routing.Place

    package init(name: String, place: Routing.Place) { (self.name, self.place) = (name, place) }

    /// The placeholders that lead a client there.
    package var placeholders: [String] { ["port.\(name)", "endpoint.\(name)"] }
}
