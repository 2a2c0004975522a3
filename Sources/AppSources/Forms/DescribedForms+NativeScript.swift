/// NativeScript's plugins for HTTP, which are given a certificate file for a host.
extension DescribedForms {
    /// `enableSSLPinning({ host: 'api.acme.example', certificate: folder.getFile('acme.cer').path })`
    static func nativeScript(_ tree: SyntaxTree) -> [SourceReader.Site] {
        tree.calls(["enableSSLPinning"]).compactMap { call, _, arguments in
            guard let first = arguments.first?.value, let (whole, _) = options(first, in: tree),
                case .table(let pairs) = whole.kind,
                let host = pairs.first(where: { $0.key.names("host") })?.value,
                let certificate = pairs.first(where: { $0.key.names("certificate") })?.value
            else { return nil }
            let what = "a certificate file that NativeScript's plugin is given for one host"
            return site(.nativeScript, call, hosts: [host], pins: [file(certificate, in: tree)], what: what)
        }
    }

    /// The name of the file of which an expression is the path: `folder.getFile('acme.cer').path`.
    private static func file(_ path: Expression, in tree: SyntaxTree, steps: Int = 3) -> Expression {
        switch path.kind {
        case .name(let name) where steps > 0:
            guard let block = tree.block(declaring: name, from: path.block),
                let found = tree.blocks[block].declarations[name], found.count == 1, found[0].kind == .value,
                let value = found[0].value, tree.changes[name] == nil
            else { return path }
            return file(value, in: tree, steps: steps - 1)
        case .member(let base, "path"): return file(base, in: tree, steps: steps)
        case .call(let callee, let arguments) where callee.finalName == "getFile" && arguments.count == 1:
            return arguments[0].value
        default: return path
        }
    }
}
