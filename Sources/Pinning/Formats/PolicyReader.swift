import TLSCore

/// Reads the values of a declaration and collects everything that is wrong with them.
struct PolicyReader {
    let file: String
    /// The certificates of a file that the declaration names.
    let certificates: (String) throws -> [Certificate]
    let device: AppDevice
    private(set) var problems: [PolicyFileError.Problem] = []

    init(file: String, device: AppDevice, certificates: @escaping (String) throws -> [Certificate]) {
        self.file = file
        self.device = device
        self.certificates = certificates
    }

    /// - Parameter refusal: what the declared system itself makes of it, where it is that which refuses.
    mutating func report(_ message: String, at node: PolicyNode, _ refusal: PolicyFinding.Rule? = nil) {
        problems.append(PolicyFileError.Problem(line: node.line, keyPath: node.keyPath, message, refusal: refusal))
    }

    /// The values of a mapping by key: only `known` ones, and unless a problem says so all the `required` ones.
    mutating func fields(
        _ node: PolicyNode,
        known: [String],
        required: [String] = []
    ) -> [String: PolicyNode] {
        var fields: [String: PolicyNode] = [:]
        for (key, line, value) in entries(node) {
            if known.contains(key) {
                fields[key] = value
            } else {
                let near = nearest(to: key, among: known).map { "did you mean '\($0)'?" }
                let advice = near ?? "known are \(known.joined(separator: ", "))"
                let problem = PolicyFileError.Problem(line: line, keyPath: value.keyPath, "unknown key; \(advice)")
                problems.append(problem)
            }
        }
        guard case .mapping = node.content else { return fields }
        for key in required where fields[key] == nil { report("'\(key)' is missing", at: node) }
        return fields
    }

    mutating func entries(_ node: PolicyNode) -> [(key: String, line: Int, value: PolicyNode)] {
        if case .mapping(let entries) = node.content { return entries }
        report("expected a mapping, found \(node.kind)", at: node)
        return []
    }

    mutating func list(_ node: PolicyNode?) -> [PolicyNode] {
        guard let node else { return [] }
        if case .list(let values) = node.content { return values }
        report("expected a list, found \(node.kind)", at: node)
        return []
    }

    mutating func text(_ node: PolicyNode?, expected: String = "a text") -> String? {
        guard let node else { return nil }
        if case .text(let text, _) = node.content, !text.isEmpty { return text }
        report("expected \(expected), found \(node.kind)", at: node)
        return nil
    }

    mutating func boolean(_ node: PolicyNode?, default value: Bool) -> Bool {
        guard let node else { return value }
        if case .text(let text, isPlain: true) = node.content, ["true", "false"].contains(text) {
            return text == "true"
        }
        report("expected true or false, found \(node.kind)", at: node)
        return value
    }

    /// One of the words of a type; `value` where the key is absent or wrong.
    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ node: PolicyNode?,
        default value: Choice
    ) -> Choice {
        guard let node else { return value }
        let words = Choice.allCases.map(\.rawValue)
        guard case .text(let text, _) = node.content else {
            report("expected one of \(words.joined(separator: ", ")), found \(node.kind)", at: node)
            return value
        }
        if let choice = Choice(rawValue: text) { return choice }
        let advice = nearest(to: text, among: words).map { "did you mean '\($0)'?" }
        report("unknown word '\(text)'; \(advice ?? "known are \(words.joined(separator: ", "))")", at: node)
        return value
    }

    /// Public-key pins: each a digest, or a file or block of certificates whose keys are meant.
    mutating func keyPins(_ node: PolicyNode?) -> [Pin] {
        list(node).flatMap { entry -> [Pin] in
            switch pinOrCertificates(entry) {
            case .pin(let pin): [pin]
            case .certificates(let certificates): certificates.map(\.pin)
            case nil: []
            }
        }
    }

    /// Certificates: each a file or block of them, or a digest of one.
    mutating func pinnedCertificates(_ node: PolicyNode?) -> [Alamofire.PinnedCertificate] {
        list(node).flatMap { entry -> [Alamofire.PinnedCertificate] in
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

    private mutating func pinOrCertificates(_ node: PolicyNode) -> Entry? {
        guard let text = text(node, expected: "a pin or a certificate") else { return nil }
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
