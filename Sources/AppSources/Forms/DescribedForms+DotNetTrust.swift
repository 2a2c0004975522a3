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
        let added = tree.calls(["Add", "AddRange", "Import", "ImportFromPem", "ImportFromPemFile"]).compactMap {
            call,
            _,
            _ -> Int? in
            guard case .call(let callee, _) = call.kind, case .member(let base, _) = callee.kind,
                base.finalName == "CustomTrustStore"
            else { return nil }
            return call.token
        }
        // `new X509ChainPolicy { CustomTrustStore = { root } }`
        let listed = tree.tokens.indices.dropLast(2).filter { place in
            tree.tokens[place].isName("CustomTrustStore") && tree.tokens[place + 1].isMark("=")
                && ["{", "["].contains(where: tree.tokens[place + 2].isMark)
        }
        var told: [CodeGroup] = []
        return (added + listed).sorted().compactMap { place in
            guard let group = CodeGroup.groups(of: tree, { $0 == place }).first,
                !told.contains(where: { $0.holds(place) })
            else { return nil }
            told.append(group)
            let line = tree.tokens[place].line
            return SourceReader.Site(form: .dotNet, line: line, token: place) { evaluator in
                let reading = GroupReading(group, evaluator)
                let own = reading.files + reading.pins.filter(PinText.isCertificate)
                let what = "certificates of the app's own are the only roots of the chain that is built"
                guard own.isEmpty else { return .described(hosts: [], pins: own, what: what) }
                let reason = "which certificates are the roots of its chain is not told by this source"
                return .gaps([.init(line: line, reason: reason)], hosts: [])
            }
        }
    }
}
