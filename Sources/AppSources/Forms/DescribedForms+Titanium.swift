/// Titanium's module for HTTPS, which is given a certificate file for each address.
extension DescribedForms {
    /// `https.createX509CertificatePinningSecurityManager([{ url: 'https://api.acme.example', serverCertificate: 'acme.der' }])`
    static func titanium(_ tree: SyntaxTree) -> [SourceReader.Site] {
        tree.calls(["createX509CertificatePinningSecurityManager"]).flatMap { call, _, arguments in
            guard let first = arguments.first?.value else { return [SourceReader.Site]() }
            let what = "the key of a certificate file that Titanium's module is given for one address"
            var sites: [SourceReader.Site] = []
            for entry in tree.elements(of: first) ?? [] {
                guard let (whole, _) = options(entry, in: tree), case .table(let pairs) = whole.kind,
                    let url = pairs.first(where: { $0.key.names("url") })?.value,
                    let certificate = pairs.first(where: { $0.key.names("serverCertificate") })?.value
                else { continue }
                sites.append(site(.titanium, entry, hosts: [url], pins: [certificate], what: what))
            }
            // One that is not told is named beside the others.
            guard sites.isEmpty || sites.count < tree.elements(of: first)?.count ?? 0 else { return sites }
            return sites + [
                SourceReader.Site(form: .titanium, line: call.line, token: call.token) { _ in
                    let reason = "the addresses and certificates of its list are not told by this source"
                    return .gaps([.init(line: call.line, reason: reason)], hosts: [])
                }
            ]
        }
    }
}

extension SyntaxTree {
    /// Those of a list, or of the constant that it is and that nothing changes; `nil` for anything else.
    func elements(of expression: Expression) -> [Expression]? {
        switch expression.kind {
        case .list(let elements): return elements
        case .name(let name):
            let own = block(declaring: name, from: expression.block).flatMap { blocks[$0].declarations[name] } ?? []
            guard own.count == 1, let value = own[0].value, case .list(let elements) = value.kind, changes[name] == nil
            else { return nil }
            return elements
        default: return nil
        }
    }
}
