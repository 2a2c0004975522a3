import Foundation
package import TLSCore

/// How the files of a pinning system are told from others, and read.
package struct PolicyFormat: Sendable {
    /// The certificates of a file that a declaration names, by the name it is given there.
    package typealias Certificates = (String) throws -> [Certificate]
    package typealias Read =
        @Sendable (PolicyContents, _ certificates: Certificates) throws(PolicyFileError) -> any PinConfiguration
    /// Reads what stands under the dialect's key in YAML.
    typealias ReadDeclaration = @Sendable (PolicyReader, YAMLNode) -> (any PinConfiguration)?

    /// What gives it away, for people.
    let sign: String
    /// What it looks at of the device, and of how the app was built.
    package let settings: Set<AppDevice.Setting>
    let recognises: @Sendable (PolicyContents) -> Bool
    let read: Read
    /// `nil` where it cannot be declared in YAML.
    let readDeclaration: ReadDeclaration?

    /// A format of the system's own.
    package init(
        _ sign: String,
        settings: Set<AppDevice.Setting> = [],
        recognises: @escaping @Sendable (PolicyContents) -> Bool,
        read: @escaping Read
    ) {
        self.init(sign, settings, recognises, read, nil)
    }

    /// A format of the system's own beside a declaration.
    init(
        _ dialect: Dialect,
        or sign: String,
        settings: Set<AppDevice.Setting> = [],
        recognises: @escaping @Sendable (PolicyContents) -> Bool,
        read: @escaping Read,
        declaration: @escaping ReadDeclaration
    ) {
        self.init(
            "\(sign), or \(dialect.key)",
            settings,
            { recognises($0) || $0.declares(dialect) },
            { contents, certificates throws(PolicyFileError) in
                try contents.declares(dialect)
                    ? contents.declaration(dialect, certificates) : read(contents, certificates)
            },
            declaration
        )
    }

    /// A declaration and nothing else.
    init(_ dialect: Dialect, declaration: @escaping ReadDeclaration) {
        self.init(
            dialect.key,
            [],
            { $0.declares(dialect) },
            { contents, certificates throws(PolicyFileError) in
                try contents.declaration(dialect, certificates)
            },
            declaration
        )
    }

    private init(
        _ sign: String,
        _ settings: Set<AppDevice.Setting>,
        _ recognises: @escaping @Sendable (PolicyContents) -> Bool,
        _ read: @escaping Read,
        _ readDeclaration: ReadDeclaration?
    ) {
        self.sign = sign
        self.settings = settings
        self.recognises = recognises
        self.read = read
        self.readDeclaration = readDeclaration
    }
}

extension Dialect {
    fileprivate var key: String { "key '\(rawValue):' in YAML" }
}

/// A file before anybody knows its dialect.
package struct PolicyContents: Sendable {
    let data: Data
    let file: String
    let device: AppDevice
    /// `nil` for what is no UTF-8.
    let text: String?

    init(data given: Data, file: String, device: AppDevice = AppDevice()) {
        let data = given.narrowed
        self.data = data
        self.file = file
        self.device = device
        text = String(validating: data, as: UTF8.self)
    }

    func holds(_ word: String) -> Bool { data.range(of: Data(word.utf8)) != nil }

    func declares(_ dialect: Dialect) -> Bool {
        text != nil && (data.starts(with: (dialect.rawValue + ":").utf8) || holds("\n\(dialect.rawValue):"))
    }

    /// A header's name has no case.
    var holdsPinningHeader: Bool {
        guard let lowercased = text?.lowercased() else { return false }
        return lowercased.hasPrefix("public-key-pins") || lowercased.contains("\npublic-key-pins")
            || lowercased.contains("\r\npublic-key-pins")
    }

    /// The header's value alone. Elsewhere the same words are a slip, which the file's own reader names.
    var holdsPinningDirectives: Bool {
        let directives = ["pin-sha256=", "max-age=", "includesubdomains", "report-uri="]
        guard let text, holds("pin-sha256=") else { return false }
        return text.split(whereSeparator: \.isNewline).contains { line in
            let line = line.drop(while: \.isWhitespace).lowercased()
            return directives.contains(where: line.hasPrefix)
        }
    }

    var isPinnedPublicKey: Bool {
        let start = text?.drop(while: \.isWhitespace) ?? ""
        return start.hasPrefix("sha256//") || holdsPublicKey && !declaresAnything
            || Array(data).isSubjectPublicKeyInfo
    }

    /// Whether a key stands in it as PEM, and not only the words in quotes by which a program finds one.
    private var holdsPublicKey: Bool {
        let mark = "-----BEGIN PUBLIC KEY-----"
        return holds(mark)
            && (text ?? "").split(whereSeparator: \.isNewline).contains { line in
                let line = line.drop(while: \.isWhitespace)
                return line.hasPrefix(mark) && line.dropFirst(mark.count).allSatisfy(\.isWhitespace)
            }
    }

    private var declaresAnything: Bool { Dialect.allCases.contains(where: declares) }

    /// What a reader would call it.
    var kind: String {
        if data.isEmpty { return "an empty file" }
        if data.starts(with: Data("bplist".utf8)) || holds("<plist") { return "a property list" }
        if holds("-----BEGIN CERTIFICATE-----") || (try? Certificate(der: Array(data))) != nil {
            return "a certificate"
        }
        guard let start = text?.first(where: { !$0.isWhitespace }) else { return "bytes that are no text" }
        return start == "<" ? "XML" : start == "{" || start == "[" ? "JSON" : "a text"
    }

    func error(_ message: String) -> PolicyFileError { PolicyFileError(file: file, [PolicyFileError.Problem(message)]) }

    func requireText() throws(PolicyFileError) -> String {
        if let text { return text }
        let problem = PolicyFileError.Problem(
            line: data.lineThatIsNotUTF8,
            "expected a text in UTF-8, found \(kind)"
        )
        throw PolicyFileError(file: file, [problem])
    }

    /// Reads it as the declaration that it is.
    func declaration(_ dialect: Dialect, _ certificates: PolicyFormat.Certificates) throws(PolicyFileError)
        -> any PinConfiguration
    {
        try YAMLPolicy.parse(
            requireText(),
            file: file,
            dialect: dialect,
            device: device,
            certificates: certificates
        )
    }
}

extension Data {
    /// The 1-based line of the first bytes that are not UTF-8, in which no other character holds a line feed's byte.
    var lineThatIsNotUTF8: Int? {
        split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .firstIndex { String(validating: $0, as: UTF8.self) == nil }.map { $0 + 1 }
    }
}
