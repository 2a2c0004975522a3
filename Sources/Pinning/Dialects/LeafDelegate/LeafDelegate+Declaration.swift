extension LeafDelegate {
    /// The keys of `delegate:`.
    init?(reading node: DeclaredNode, with reader: inout DeclaredReader) {
        let fields = reader.fields(node, known: ["form", "certificates"], required: ["certificates"])
        let form = reader.choice(fields["form"], default: Form.asIntended)
        self.init(form, certificates: reader.pinnedCertificates(fields["certificates"]).map(\.pin))
    }
}
