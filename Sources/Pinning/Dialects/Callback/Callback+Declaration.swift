import TLSCore

extension Callback {
    /// The keys of `callback:`.
    init?(reading node: YAMLNode, with reader: PolicyReader) {
        let fields = reader.fields(node, known: ["form", "keys"], required: ["form", "keys"])
        let form = fields["form"].flatMap { reader.choice($0, "a form") } ?? Form.goVerifyConnection
        self.init(form, keys: reader.keyPins(fields["keys"]))
    }

    package func rendered() -> String {
        var writer = DeclarationWriter()
        writer.open(Dialect.callback.rawValue)
        writer.text("form", form.rawValue)
        writer.list("keys", keys.map { "\($0)" })
        return writer.output
    }
}
