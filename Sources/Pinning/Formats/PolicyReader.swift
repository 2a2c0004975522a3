import TLSCore

/// Reads the values of a declaration and collects everything that is wrong with them.
final class PolicyReader: YAMLReader {
    /// The certificates of a file that the declaration names.
    let certificates: (String) throws -> [Certificate]
    let device: AppDevice
    private(set) var problems: [PolicyFileError.Problem] = []

    init(device: AppDevice, certificates: @escaping (String) throws -> [Certificate]) {
        self.device = device
        self.certificates = certificates
    }

    func report(_ message: @autoclosure () -> String, at node: YAMLNode) { report(message(), at: node, nil) }

    /// - Parameter refusal: what the declared system itself makes of it, where it is that which refuses.
    func report(_ message: String, at node: YAMLNode, _ refusal: PolicyFinding.Rule?) {
        problems.append(PolicyFileError.Problem(line: node.mark.line, keyPath: node.keyPath, message, refusal: refusal))
    }

    func fields(_ node: YAMLNode, known: [String], required: [String] = []) -> [String: YAMLNode] {
        fields(of: node, called: "the entry", known: known, required: required) ?? [:]
    }

    /// The entries of a mapping whose keys are names: of hosts, say.
    func entries(_ node: YAMLNode) -> [(key: String, line: Int, value: YAMLNode)] {
        (entries(of: node, "a mapping") ?? []).compactMap { entry in
            prose(entry.key, "a name").map { ($0, entry.key.mark.line, entry.value) }
        }
    }

    /// Public-key pins: each a digest, or a file or block of certificates whose keys are meant.
    func keyPins(_ node: YAMLNode?) -> [Pin] {
        (node.flatMap { list($0, of: "pins") } ?? []).flatMap { entry -> [Pin] in
            switch pinOrCertificates(entry) {
            case .pin(let pin): [pin]
            case .certificates(let certificates): certificates.map(\.pin)
            case nil: []
            }
        }
    }

    /// Certificates: each a file or block of them, or a digest of one.
    func pinnedCertificates(_ node: YAMLNode?) -> [Alamofire.PinnedCertificate] {
        (node.flatMap { list($0, of: "certificates") } ?? []).flatMap { entry -> [Alamofire.PinnedCertificate] in
            switch pinOrCertificates(entry) {
            case .pin(let pin): [Alamofire.PinnedCertificate(pin)]
            case .certificates(let certificates): certificates.map { Alamofire.PinnedCertificate($0) }
            case nil: []
            }
        }
    }

    private enum Entry {
        case pin(Pin)
        case certificates([Certificate])
    }

    private func pinOrCertificates(_ node: YAMLNode) -> Entry? {
        guard let text = prose(node, "a pin or a certificate") else { return nil }
        do {
            if text.contains("-----BEGIN") { return .certificates(try PEM.certificates(in: text)) }
            if !text.hasPrefix("sha256/"), text.contains(".") { return .certificates(try certificates(text)) }
            return .pin(try Pin(parsing: text))
        } catch let error as Pin.ParseError {
            let body = text.hasPrefix("sha256/") ? String(text.dropFirst(7)) : text
            report("\(error)" + (PinMistake(in: body).hint.map { " (\($0))" } ?? ""), at: node)
            return nil
        } catch {
            report("\(error)", at: node)
            return nil
        }
    }
}
