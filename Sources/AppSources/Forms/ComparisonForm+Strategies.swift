/// What Unity and Apache's client do with what an app's own code says of a certificate.
extension ComparisonForm {
    /// Unity gives the bytes of the certificate.
    static let unity = Clue(
        form: .dotNet,
        words: ["ComputeHash", "HashData"],
        gates: ["CertificateHandler"],
        needsDot: true
    )

    /// What is said of a `TrustStrategy` of Apache's client, which asks the ordinary checks where it says no.
    static func ofStrategy(_ evidence: [Int], _ tree: SyntaxTree) -> String {
        guard tree.language == .java || tree.language == .kotlin,
            tree.tokens.contains(where: { $0.isName("loadTrustMaterial") }), !evidence.isEmpty,
            evidence.allSatisfy(tree.isOfStrategy)
        else { return "" }
        return "; where none matches, the ordinary checks decide"
    }
}

extension SyntaxTree {
    /// Whether a place stands in what `loadTrustMaterial` is given, or in a function `isTrusted`, and nothing is thrown there.
    fileprivate func isOfStrategy(_ place: Int) -> Bool {
        let given = calls(["loadTrustMaterial"]).flatMap(\.arguments).map(\.value).compactMap { value -> Range<Int>? in
            guard case .closure(let closure) = value.kind else { return nil }
            return range(of: closure.block)
        }
        let function = namedFunction(around: [place]).flatMap { $0.name == "isTrusted" ? $0.tokens : nil }
        guard let own = given.first(where: { $0.contains(place) }) ?? function else { return false }
        return !tokens[own.clamped(to: 0..<tokens.count)].contains { $0.isName("throw") }
    }

    /// Whether a handler of Unity takes a digest of the certificate's own bytes, and nothing takes it apart.
    var hashesWhatUnityGives: Bool {
        guard tokens.contains(where: { $0.isName("CertificateHandler") }) else { return false }
        let parts = ["X509Certificate", "X509Certificate2", "X509CertificateLoader"]
        return blocks.contains { block in
            functions(of: block, "ValidateCertificate").contains { function in
                let own = tokens[function.tokens.clamped(to: 0..<tokens.count)]
                return own.contains { $0.isName("ComputeHash") || $0.isName("HashData") }
                    && !own.contains { token in parts.contains(where: token.isName) }
            }
        }
    }
}
