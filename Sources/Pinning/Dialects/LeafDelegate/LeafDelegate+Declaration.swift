extension LeafDelegate {
    /// The keys of `delegate:`.
    init?(reading node: PolicyNode, with reader: inout PolicyReader) {
        let fields = reader.fields(node, known: ["form", "certificates"], required: ["certificates"])
        let form = reader.choice(fields["form"], default: Form.asIntended)
        self.init(form, certificates: reader.pinnedCertificates(fields["certificates"]).map(\.pin))
    }
}
