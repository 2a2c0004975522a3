/// The text form of DER (RFC 7468), of certificates and keys; only certificates, which are public, are written.
package enum PEM {
    /// One `CERTIFICATE` block, 64 columns wide, with a final newline.
    package static func encode(_ certificate: Certificate) -> String {
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
    package static func encode(_ certificates: some Sequence<Certificate>) -> String {
        certificates.map { encode($0) }.joined()
    }

    /// Why some text holds no readable certificates.
    package struct ParseError: Error, Equatable, CustomStringConvertible, Sendable {
        /// 1-based line of the block, or of the place where one was expected.
        package let line: Int
        package let description: String
    }

    /// Every certificate, in order; keys, parameters, requests, revocations and text between blocks (RFC 7468 section 2)
    /// are passed over.
    ///
    /// Throws when there is none, when a block is not whole, or when one does not hold what it says.
    package static func certificates(in text: String) throws(ParseError) -> [Certificate] {
        var found: [Certificate] = []
        for block in try blocks(in: text) {
            if block.isCertificate {
                found.append(try block.certificate())
            } else if !["KEY", "PARAMETERS", "REQUEST", "CRL"].contains(where: block.label.hasSuffix) {
                throw ParseError(line: block.line, description: block.refusal)
            }
        }
        guard !found.isEmpty else {
            let isKey = try blocks(in: text).contains { $0.label.hasSuffix("KEY") }
            throw ParseError(line: 1, description: "no certificate found\(isKey ? ", but a key" : "")")
        }
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

        var isCertificate: Bool { ["CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE"].contains(label) }

        /// Why nothing is read from a block of a label that is not known.
        var refusal: String {
            switch label {
            case "OPENSSH PRIVATE KEY", "SSH2 PUBLIC KEY", "SSH2 ENCRYPTED PRIVATE KEY":
                "this is an SSH key: TLS certificates hold no such keys"
            case "PKCS7", "CMS": KeyMaterial.pkcs7Advice
            default: "this is a \(label) block, which holds no key that can be pinned"
            }
        }

        /// Its Base64, read.
        func der() throws(ParseError) -> [UInt8] {
            guard let der = Base64.decode(body.joined()) else {
                throw ParseError(line: line, description: "this \(noun) block is not Base64")
            }
            return der
        }

        func certificate() throws(ParseError) -> Certificate {
            let der = try der()
            do {
                return try label.hasPrefix("TRUSTED") ? Certificate(trusted: der) : Certificate(der: der)
            } catch {
                throw ParseError(line: line, description: "this block is no \(noun): \(error)")
            }
        }
    }

    /// Every block, in order, and nothing of the text between them.
    ///
    /// Throws where a line is a damaged part of a block: passed over, the block would be missing in silence.
    static func blocks(in text: String) throws(ParseError) -> [Block] {
        var found: [Block] = []
        var open: Block?
        var number = 0
        // Not `separator: "\n"`: to Swift, CR LF is one character, and another one. Not `isNewline`: that knows characters
        // which no editor counts as lines.
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
        for line in lines {
            number += 1
            // A byte-order mark may stand wherever a file began that was put together with others.
            let line = line.trimming { $0.isWhitespace || $0 == "\u{FEFF}" }
            if let label = label(in: line, behind: "BEGIN") {
                guard open == nil else { break }
                open = Block(line: number, label: label)
            } else if let block = open, label(in: line, behind: "END") == block.label {
                found.append(block)
                open = nil
            } else if label(in: line, behind: "END") != nil {
                guard open == nil else { break }
                throw ParseError(line: number, description: "this END line has no BEGIN line")
            } else if let flaw = flaw(in: line, isInside: open != nil) {
                throw ParseError(line: number, description: flaw)
            } else {
                // In place: a copy of the block would make long ones take the square of their length.
                open?.body.append(String(line))
            }
        }
        if let open { throw ParseError(line: open.line, description: "this \(open.noun) block does not end") }
        return found
    }

    /// The label of a line that begins or ends a block.
    private static func label(in line: Substring, behind word: String) -> String? {
        guard line.hasPrefix("-----\(word) "), line.hasSuffix("-----") else { return nil }
        let label = line.dropFirst(word.count + 6).dropLast(5)
        return label.isEmpty || label.contains("--") ? nil : String(label)
    }

    /// What shows that a line is a damaged part of a block.
    private static func flaw(in line: Substring, isInside: Bool) -> String? {
        if line.contains("-----BEGIN") || line.contains("-----END") {
            return "this line holds more, or less, than '-----BEGIN …-----'; PEM needs line breaks around that"
        }
        guard !isInside else { return nil }
        if line.utf8.contains(0) { return "this line is UTF-16 text; save it as UTF-8" }
        // What DER of 128 bytes or more begins with; 43 characters are a pin, which a note may hold.
        let isBody = line.utf8.split { !Base64.isDigit($0) }.contains { $0.count > 43 && $0.starts(with: "MI".utf8) }
        return isBody ? "this Base64 stands in no block; its BEGIN line is missing, or damaged" : nil
    }
}

extension Substring {
    fileprivate func trimming(_ drops: (Character) -> Bool) -> Substring {
        var rest = drop(while: drops)
        while let last = rest.last, drops(last) { rest.removeLast() }
        return rest
    }
}
