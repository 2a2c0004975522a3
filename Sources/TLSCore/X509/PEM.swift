/// The text form of DER (RFC 7468), of certificates and keys; only certificates, which are public, are written.
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
        let found = try blocks(in: text) { $0 == "CERTIFICATE" }.map { block throws(ParseError) in
            let der = try block.der()
            do {
                return try Certificate(der: der)
            } catch {
                throw ParseError(line: block.line, description: "this block is no certificate: \(error)")
            }
        }
        guard !found.isEmpty else { throw ParseError(line: 1, description: "no certificate found") }
        return found
    }

    /// What stands between one `BEGIN` line and its `END` line.
    struct Block {
        /// 1-based line of its `BEGIN`.
        let line: Int
        /// As in `CERTIFICATE`.
        let label: String
        /// The lines between, without the space around them.
        var body: [String] = []

        /// What people call it, as in "RSA private key".
        var noun: String {
            let words = label.split(separator: " ").map { word in
                ["RSA", "EC", "DSA", "DH", "X509", "CRL", "PKCS7", "CMS", "SSH2"].contains(word)
                    ? String(word) : word.lowercased()
            }
            return words.joined(separator: " ")
        }

        /// Its Base64, read.
        func der() throws(ParseError) -> [UInt8] {
            guard let der = Base64.decode(body.joined()) else {
                throw ParseError(line: line, description: "this \(noun) block is not Base64")
            }
            return der
        }
    }

    /// Every block whose label is wanted, in order; other blocks and text between them are passed over.
    ///
    /// Throws when a wanted block does not end.
    static func blocks(in text: String, where isWanted: (String) -> Bool) throws(ParseError) -> [Block] {
        var found: [Block] = []
        var open: Block?
        var number = 0
        // Not `separator: "\n"`: to Swift, CR LF is one character, and another one.
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            number += 1
            let line = line.trimming { $0.isWhitespace }
            if open == nil {
                guard line.hasPrefix("-----BEGIN "), line.hasSuffix("-----"), line.utf8.count > 16 else { continue }
                let label = String(line.dropFirst(11).dropLast(5))
                if isWanted(label) { open = Block(line: number, label: label) }
            } else if !line.hasPrefix("-----") {
                // In place: a copy of the block would make long ones take the square of their length.
                open?.body.append(String(line))
            } else if let block = open, line == "-----END \(block.label)-----" {
                found.append(block)
                open = nil
            } else {
                break
            }
        }
        if let open { throw ParseError(line: open.line, description: "this \(open.noun) block does not end") }
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
