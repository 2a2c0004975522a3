extension LeafDelegate {
    /// The keys of `delegate:`.
    init?(reading node: DeclaredNode, with reader: inout DeclaredReader) {
        let fields = reader.fields(node, known: ["form", "certificates"], required: ["certificates"])
        let form = reader.choice(fields["form"], default: Form.asIntended)
        self.init(form, certificates: reader.pinnedCertificates(fields["certificates"]).map(\.pin))
    }
}

extension PublicKeyPinning {
    /// The keys of `public-key-pinning-ios:`.
    init?(reading node: DeclaredNode, with reader: inout DeclaredReader) {
        let fields = reader.fields(node, known: ["keys"], required: ["keys"])
        self.init(keys: reader.keyPins(fields["keys"]))
    }
}
