import TLSCore

extension Fingerprint {
    private enum Requirement: String, CaseIterable {
        case required
        case none
    }

    /// The keys of `fingerprint:`, with urllib3's words.
    init?(reading node: YAMLNode, with reader: PolicyReader) {
        let fields = reader.fields(
            node,
            known: ["library", "assert_fingerprint", "cert_reqs"],
            required: ["assert_fingerprint"]
        )
        let library = fields["library"].flatMap { reader.choice($0, "a library") } ?? Library.urllib3
        let requirement = fields["cert_reqs"].flatMap { reader.choice($0, "a requirement") } ?? Requirement.required
        if library == .aiohttp, let node = fields["cert_reqs"] {
            reader.report("aiohttp's fingerprint replaces every check; there is nothing to require", at: node)
        }
        guard let value = fields["assert_fingerprint"], let text = reader.prose(value, "a fingerprint") else {
            return nil
        }
        let digest = Fingerprint.bytes(text)
        guard let digest, FingerprintDigest.allCases.contains(where: { $0.count == digest.count }) else {
            let refusal: PolicyFinding.Rule = library == .aiohttp ? .throwsAtStart : .locksOut
            let found = digest.map { "\($0.count) bytes" } ?? "'\(text)'"
            reader.report(
                "expected 32, 40 or 64 hexadecimal digits (MD5, SHA-1, SHA-256), found \(found)",
                at: value,
                refusal
            )
            return nil
        }
        guard let fingerprint = Fingerprint(digest, library: library, requiresCertificate: requirement == .required)
        else {
            reader.report(
                "aiohttp takes SHA-256 only: md5 and sha1 are insecure and not supported",
                at: value,
                .throwsAtStart
            )
            return nil
        }
        self = fingerprint
    }

    package func rendered() -> String {
        var writer = DeclarationWriter()
        writer.open(Dialect.fingerprint.rawValue)
        if library != .urllib3 { writer.text("library", library.rawValue) }
        writer.text(
            "assert_fingerprint",
            digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        )
        if library == .urllib3, !requiresCertificate { writer.text("cert_reqs", Requirement.none.rawValue) }
        return writer.output
    }

    /// Colons and case do not matter.
    private static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.filter { $0 != ":" }.map { $0.isASCII ? $0.hexDigitValue : nil }
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return bytes
    }
}
