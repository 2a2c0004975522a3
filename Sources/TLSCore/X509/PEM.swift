/// The text form of DER (RFC 7468), for certificates: public things only.
public enum PEM {
    /// One `CERTIFICATE` block, 64 columns wide, with a final newline.
    public static func encode(_ certificate: Certificate) -> String {
        let text = Base64.encode(certificate.der)
        var lines = ["-----BEGIN CERTIFICATE-----"]
        var rest = text[...]
        while !rest.isEmpty {
            lines.append(String(rest.prefix(64)))
            rest = rest.dropFirst(64)
        }
        lines.append("-----END CERTIFICATE-----\n")
        return lines.joined(separator: "\n")
    }

    /// Several blocks, one after the other, in the order given.
    public static func encode(_ certificates: some Sequence<Certificate>) -> String {
        certificates.map { encode($0) }.joined()
    }

    /// Why some text holds no readable certificates.
    public struct ParseError: Error, Equatable, CustomStringConvertible, Sendable {
        /// 1-based line of the block, or of the place where one was expected.
        public let line: Int
        public let description: String
    }

    /// Every `CERTIFICATE` block, in order; other blocks and text between them are passed over.
    ///
    /// Throws when there is none, when a block does not end, or when one does not hold a certificate.
    public static func certificates(in text: String) throws(ParseError) -> [Certificate] {
        var found: [Certificate] = []
        var body: (line: Int, text: String)?
        var number = 0
        // Not `separator: "\n"`: to Swift, CR LF is one character, and another one.
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            number += 1
            let line = line.trimming { $0.isWhitespace }
            switch (line, body) {
            case ("-----BEGIN CERTIFICATE-----", nil):
                body = (number, "")
            case ("-----END CERTIFICATE-----", let block?):
                guard let der = Base64.decode(block.text) else {
                    throw ParseError(line: block.line, description: "this certificate block is not Base64")
                }
                do {
                    found.append(try Certificate(der: der))
                } catch {
                    throw ParseError(line: block.line, description: "this block is no certificate: \(error)")
                }
                body = nil
            case (_, let block?):
                if line.hasPrefix("-----") {
                    throw ParseError(line: block.line, description: "this certificate block does not end")
                }
                body?.text += line
            default:
                continue
            }
        }
        if let body { throw ParseError(line: body.line, description: "this certificate block does not end") }
        guard !found.isEmpty else { throw ParseError(line: 1, description: "no certificate found") }
        return found
    }
}

extension Substring {
    fileprivate func trimming(_ drops: (Character) -> Bool) -> Substring {
        var rest = drop(while: drops)
        while let last = rest.last, drops(last) { rest.removeLast() }
        return rest
    }
}
