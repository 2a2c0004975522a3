import Foundation
import Yams

/// A value of a declaration in YAML, and where it stands.
struct PolicyNode: Sendable {
    enum Content: Sendable {
        case text(String, isPlain: Bool)
        case list([PolicyNode])
        /// In file order.
        case mapping([(key: String, line: Int, value: PolicyNode)])
    }

    var content: Content
    var line: Int
    var keyPath: String

    /// What a reader would call it.
    var kind: String {
        switch content {
        case .list: "a list"
        case .mapping: "a mapping"
        case .text(let text, let isPlain): isPlain && ["", "~", "null"].contains(text) ? "nothing" : "'\(text)'"
        }
    }

    /// The only document of some text. Anchors and aliases are refused, because a few of them can stand for more
    /// values than memory holds.
    init(parsing text: String, file: String) throws(PolicyFileError) {
        func refuse(_ line: Int, _ message: String) -> PolicyFileError {
            PolicyFileError(file: file, [PolicyFileError.Problem(line: line, message)])
        }
        guard text.utf8.count <= 1 << 20 else { throw refuse(1, "larger than 1 MiB") }
        if let line = PolicyNode.lineOfAnchor(text) {
            throw refuse(line, "anchors ('&name') are not supported here; write the values out")
        }
        switch withLargeStack({ PolicyNode.compose(text) }) {
        case .success(let node): self = node
        case .failure(let problem): throw PolicyFileError(file: file, [problem])
        }
    }

    private init(_ content: Content, line: Int, keyPath: String) {
        self.content = content
        self.line = line
        self.keyPath = keyPath
    }

    /// The line of the first ampersand where a value may begin, in a comment too.
    private static func lineOfAnchor(_ text: String) -> Int? {
        var line = 1
        var last = UInt8(ascii: "\n")
        for byte in text.utf8 {
            if byte == UInt8(ascii: "&"), "\n\r\t [{,-:?!".utf8.contains(last) { return line }
            if byte == UInt8(ascii: "\n") { line += 1 }
            last = byte
        }
        return nil
    }

    private static func compose(_ text: String) -> Result<PolicyNode, PolicyFileError.Problem> {
        do {
            // Yams hands libyaml a pointer into the string: a short one, kept inline, must not be it. The encoding is
            // named because Yams' default looks at an environment variable.
            var lasting = ""
            lasting.reserveCapacity(max(64, text.utf8.count))
            lasting += text
            guard let node = try Yams.compose(yaml: lasting, .basic, .default, .utf8) else {
                return .failure(PolicyFileError.Problem(line: 1, "the file is empty"))
            }
            return .success(try convert(node, keyPath: "", depth: 0))
        } catch let problem as PolicyFileError.Problem {
            return .failure(problem)
        } catch {
            return .failure(problem(error))
        }
    }

    private static func convert(_ node: Node, keyPath: String, depth: Int) throws -> PolicyNode {
        let line = node.mark?.line ?? 1
        guard depth < 32 else { throw PolicyFileError.Problem(line: line, "nested more than 32 levels deep") }
        switch node {
        case .scalar(let scalar):
            return PolicyNode(.text(scalar.string, isPlain: scalar.style == .plain), line: line, keyPath: keyPath)
        case .sequence(let sequence):
            let values = try sequence.enumerated().map { index, value in
                try convert(value, keyPath: "\(keyPath)[\(index)]", depth: depth + 1)
            }
            return PolicyNode(.list(values), line: line, keyPath: keyPath)
        case .mapping(let mapping):
            let entries = try mapping.map { key, value in
                let keyLine = key.mark?.line ?? line
                guard let name = key.scalar?.string else {
                    throw PolicyFileError.Problem(line: keyLine, keyPath: keyPath, "expected a text as key")
                }
                let path = keyPath.isEmpty ? name : "\(keyPath).\(name)"
                return (key: name, line: keyLine, value: try convert(value, keyPath: path, depth: depth + 1))
            }
            return PolicyNode(.mapping(entries), line: line, keyPath: keyPath)
        case .alias:
            throw PolicyFileError.Problem(line: line, keyPath: keyPath, "aliases are not supported here")
        }
    }

    private static func problem(_ error: any Error) -> PolicyFileError.Problem {
        switch error as? YamlError {
        case .scanner(_, let reason, let mark, _), .parser(_, let reason, let mark, _),
            .composer(_, let reason, let mark, _):
            PolicyFileError.Problem(line: mark.line, "not valid YAML: \(reason)")
        case .duplicatedKeysInMapping(let names, let context):
            PolicyFileError.Problem(line: context.mark.line, "'\(names.first ?? "")' is given twice")
        case .reader(let reason, _, let value, let text):
            PolicyFileError.Problem(
                line: text.unicodeScalars.prefix { $0.value != UInt32(bitPattern: value) }.count { $0 == "\n" } + 1,
                "not valid YAML: \(reason)"
            )
        default: PolicyFileError.Problem("not valid YAML")
        }
    }
}

extension PolicyFileError.Problem: Error {}
