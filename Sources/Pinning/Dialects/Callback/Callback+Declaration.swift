import TLSCore

extension Callback {
    /// The keys of `callback:`.
    init?(reading node: PolicyNode, with reader: inout PolicyReader) {
        let fields = reader.fields(node, known: ["form", "keys"], required: ["form", "keys"])
        self.init(reader.choice(fields["form"], default: .goVerifyConnection), keys: reader.keyPins(fields["keys"]))
    }

    package func rendered() -> String {
        var writer = DeclarationWriter()
        writer.open(Dialect.callback.rawValue)
        writer.text("form", form.rawValue)
        writer.list("keys", keys.map { "\($0)" })
        return writer.output
    }
}
