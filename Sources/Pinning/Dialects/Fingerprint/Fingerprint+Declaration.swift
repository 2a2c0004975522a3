import TLSCore

extension Fingerprint {
    private enum Requirement: String, CaseIterable {
        case required
        case none
    }

    private enum OrdinaryChecks: String, CaseIterable {
        case kept
        case dropped
    }

    /// The keys of `fingerprint:`, with the words of each library.
    init?(reading node: YAMLNode, with reader: PolicyReader) {
        let known = ["library", "assert_fingerprint", "cert_reqs", "fingerprints", "ordinaryChecks", "sha", "case"]
        let fields = reader.fields(node, known: known)
        let library = fields["library"].flatMap { reader.choice($0, "a library") } ?? Library.urllib3
        let own: Set =
            library.takesOne
            ? ["assert_fingerprint", "cert_reqs"]
            : library == .httpCertificatePinning
                ? ["fingerprints", "sha"] : ["fingerprints", "ordinaryChecks", "case"]
        for (key, value) in fields.sorted(by: { $0.value.mark.line < $1.value.mark.line })
        where key != "library" && !own.contains(key) {
            let message =
                library == .aiohttp && key == "cert_reqs"
                ? "aiohttp's fingerprint replaces every check; there is nothing to require"
                : "\(library.rawValue) has no '\(key)'"
            reader.report(message, at: value)
        }
        guard library.takesOne else {
            guard let list = fields["fingerprints"] else {
                reader.report("the entry has no 'fingerprints'", at: node)
                return nil
            }
            let checks =
                fields["ordinaryChecks"].flatMap { reader.choice($0, "what becomes of them") } ?? OrdinaryChecks.kept
            let texts = (reader.list(list, of: "fingerprints") ?? []).compactMap { reader.prose($0, "a fingerprint") }
            self.init(
                written: texts,
                library: library,
                requiresCertificate: checks == .kept,
                computed: fields["sha"].flatMap { reader.choice($0, "a digest") },
                letters: fields["case"].flatMap { reader.choice($0, "a case") } ?? .any
            )
            return
        }
        let requirement = fields["cert_reqs"].flatMap { reader.choice($0, "a requirement") } ?? Requirement.required
        guard let value = fields["assert_fingerprint"] else {
            reader.report("the entry has no 'assert_fingerprint'", at: node)
            return nil
        }
        guard let text = reader.prose(value, "a fingerprint") else { return nil }
        // Colons and case do not matter.
        let digest = Fingerprint.bytes(text.filter { $0 != ":" })
        guard let digest, let algorithm = FingerprintDigest(count: digest.count) else {
            let refusal: PolicyFinding.Rule = library == .aiohttp ? .throwsAtStart : .locksOut
            let found = digest.map { "\($0.count) bytes" } ?? "'\(text)'"
            reader.report(
                "expected 32, 40 or 64 hexadecimal digits (MD5, SHA-1, SHA-256), found \(found)",
                at: value,
                refusal
            )
            return nil
        }
        guard library == .urllib3 || algorithm == .sha256 else {
            reader.report(
                "aiohttp takes SHA-256 only: md5 and sha1 are insecure and not supported",
                at: value,
                .throwsAtStart
            )
            return nil
        }
        let pinned = PinnedDigest(digest, algorithm, of: .certificate, written: text)
        self.init([pinned], library: library, requiresCertificate: requirement == .required)
    }

    /// As an app lists them: the library takes what never matches without a word.
    private init(
        written texts: [String],
        library: Library,
        requiresCertificate: Bool,
        computed: FingerprintDigest?,
        letters: Letters
    ) {
        var digests: [PinnedDigest] = []
        var unusable: [Unusable] = []
        for text in texts {
            // What the library takes out itself; a callback compares texts as they are.
            let digits =
                library == .httpCertificatePinning ? text.filter { !$0.isWhitespace && $0 != ":" } : text
            guard let bytes = Fingerprint.bytes(digits), let algorithm = FingerprintDigest(count: bytes.count),
                algorithm != .md5
            else {
                let reason =
                    digits.contains(":")
                    ? "it has colons, which \(library.rawValue) compares as they are"
                    : "expected 40 or 64 hexadecimal digits"
                unusable.append(Unusable(written: text, reason: reason))
                continue
            }
            guard letters.fit(digits) else {
                let reason = "the digest that it is compared with has \(letters.rawValue)-case letters"
                unusable.append(Unusable(written: text, reason: reason))
                continue
            }
            guard algorithm == computed ?? algorithm else {
                let reason = "it has another length than the digest that is computed"
                unusable.append(Unusable(written: text, reason: reason))
                continue
            }
            digests.append(PinnedDigest(bytes, algorithm, of: .certificate, written: text))
        }
        self.init(
            digests,
            unusable,
            library: library,
            requiresCertificate: requiresCertificate,
            computed: computed,
            letters: letters
        )
    }

    package func rendered() -> String {
        var writer = DeclarationWriter()
        writer.open(Dialect.fingerprint.rawValue)
        if library != .urllib3 { writer.text("library", library.rawValue) }
        if library.takesOne {
            writer.text("assert_fingerprint", digests.first?.hexadecimal ?? "")
        } else {
            let texts = digests.map(\.hexadecimal).map { letters == .upper ? $0.uppercased() : $0 }
            writer.list("fingerprints", texts + unusable.map(\.written))
        }
        switch library {
        case .urllib3: if !requiresCertificate { writer.text("cert_reqs", Requirement.none.rawValue) }
        case .dio, .dotNet:
            if !requiresCertificate { writer.text("ordinaryChecks", OrdinaryChecks.dropped.rawValue) }
            if letters != .any { writer.text("case", letters.rawValue) }
        case .httpCertificatePinning: if let computed { writer.text("sha", computed.rawValue) }
        case .aiohttp: break
        }
        return writer.output
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.map { $0.isASCII ? $0.hexDigitValue : nil }
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return bytes
    }
}

extension FingerprintDigest {
    /// Told by the length alone.
    fileprivate init?(count: Int) {
        guard let algorithm = FingerprintDigest.allCases.first(where: { $0.count == count }) else { return nil }
        self = algorithm
    }
}
