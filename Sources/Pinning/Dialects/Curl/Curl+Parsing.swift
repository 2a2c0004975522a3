import Foundation
import TLSCore

extension Curl {
    /// Reads the option's value: a list, or what stands in the file that it names (PEM or DER).
    package init(parsing data: [UInt8], file: String) throws(PolicyFileError) {
        if let text = String(validating: data, as: UTF8.self), let source = Source(parsing: text) {
            self.init(source)
        } else if data.isSubjectPublicKeyInfo {
            self.init(.publicKey(data))
        } else if let certificate = try? Certificate(der: data) {
            self.init(.certificate(certificate))
        } else {
            throw PolicyFileError(file: file, [PolicyFileError.Problem(Source.expectation)])
        }
    }
}

extension Curl.Source {
    static let expectation =
        "found neither 'sha256//…' pins nor a public key in PEM or DER: the tools would match nothing and leave "
        + "with a pin failure (curl: 90)"

    /// Reads a list or PEM; `nil` for anything else.
    init?(parsing text: String) {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if trimmed.hasPrefix("sha256//") {
            // As curl cuts it: whatever else stands between two pins is part of the first, which then never matches.
            let parts = trimmed.components(separatedBy: ";sha256//")
            self = .list(([String(parts[0].dropFirst("sha256//".count))] + parts.dropFirst()).map(Curl.Hash.init))
        } else if let key = Self.publicKey(pem: text) {
            self = .publicKey(key)
        } else if let certificate = try? PEM.certificates(in: text).first {
            self = .certificate(certificate)
        } else {
            return nil
        }
    }

    var text: String {
        switch self {
        case .list(let hashes): hashes.map { "sha256//" + $0.text }.joined(separator: ";")
        case .publicKey(let der):
            "-----BEGIN PUBLIC KEY-----\n"
                + Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
                + "\n-----END PUBLIC KEY-----\n"
        case .certificate(let certificate): certificate.pem
        }
    }

    private static func publicKey(pem text: String) -> [UInt8]? {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
        guard let begin = lines.firstIndex(of: "-----BEGIN PUBLIC KEY-----"),
            let end = lines[begin...].firstIndex(of: "-----END PUBLIC KEY-----"),
            let data = Data(base64Encoded: lines[(begin + 1)..<end].joined())
        else { return nil }
        let der = Array(data)
        return der.isSubjectPublicKeyInfo ? der : nil
    }
}

extension [UInt8] {
    /// Whether this is the DER of a public key (RFC 5280 section 4.1): a sequence of exactly an algorithm, which is a
    /// sequence, and a bit string. A certificate has three parts.
    var isSubjectPublicKeyInfo: Bool {
        guard let outer = element(at: 0, tag: 0x30), outer.upperBound == count,
            let algorithm = element(at: outer.lowerBound, tag: 0x30),
            element(at: algorithm.lowerBound, tag: 0x06) != nil,
            let key = element(at: algorithm.upperBound, tag: 0x03)
        else { return false }
        return key.upperBound == count && key.count > 1
    }

    /// The contents of the element that begins here; `nil` where another tag stands, or where it does not end.
    private func element(at start: Int, tag: UInt8) -> Range<Int>? {
        guard start + 1 < count, self[start] == tag else { return nil }
        var length = Int(self[start + 1])
        var body = start + 2
        if length >= 0x80 {
            let digits = length & 0x7F
            guard 1...3 ~= digits, body + digits <= count else { return nil }
            length = self[body..<(body + digits)].reduce(0) { $0 << 8 | Int($1) }
            body += digits
        }
        return body + length <= count ? body..<(body + length) : nil
    }
}
