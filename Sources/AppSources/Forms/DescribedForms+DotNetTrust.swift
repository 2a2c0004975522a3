/// Roots of the app's own that .NET builds a chain to.
extension DescribedForms {
    /// `chain.ChainPolicy.CustomTrustStore.Add(new X509Certificate2("acme.crt"))`
    static func ownRoots(_ tree: SyntaxTree) -> [SourceReader.Site] {
        let ofServers: Set<String> = [
            "ClientCertificateValidation", "ClientCertificateMode", "UseHttps", "ConfigureHttpsDefaults",
            "AuthenticateAsServer", "AuthenticateAsServerAsync", "AddCertificate",
        ]
        let words = Set(tree.tokens.compactMap(\.name))
        guard words.contains("CustomRootTrust"), words.isDisjoint(with: ofServers) else { return [] }
        var told: [CodeGroup] = []
        return tree.calls(["Add", "AddRange", "Import", "ImportFromPem", "ImportFromPemFile"]).compactMap {
            call,
            _,
            _ in
            guard case .call(let callee, _) = call.kind, case .member(let base, _) = callee.kind,
                base.finalName == "CustomTrustStore",
                let group = CodeGroup.groups(of: tree, { $0 == call.token }).first,
                !told.contains(where: { $0.holds(call.token) })
            else { return nil }
            told.append(group)
            return SourceReader.Site(form: .dotNet, line: call.line, token: call.token) { evaluator in
                let reading = GroupReading(group, evaluator)
                let own = reading.files + reading.pins.filter(PinText.isCertificate)
                let what = "certificates of the app's own are the only roots of the chain that is built"
                guard own.isEmpty else { return .described(hosts: [], pins: own, what: what) }
                let reason = "which certificates are the roots of its chain is not told by this source"
                return .gaps([.init(line: call.line, reason: reason)], hosts: [])
            }
        }
    }
}
