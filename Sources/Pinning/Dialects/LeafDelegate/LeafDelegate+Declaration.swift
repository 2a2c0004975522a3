extension LeafDelegate {
    /// The keys of `delegate:`.
    init?(reading node: YAMLNode, with reader: PolicyReader) {
        let fields = reader.fields(node, known: ["form", "certificates"], required: ["certificates"])
        let form = fields["form"].flatMap { reader.choice($0, "a form") } ?? Form.asIntended
        self.init(form, certificates: reader.pinnedCertificates(fields["certificates"]).map(\.pin))
    }
}
