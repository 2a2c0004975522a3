/// Code of the app's own that compares the server's certificate: its pins are found, and no verdict is given.
///
/// A function that takes a digest, a key or the bytes of a certificate is looked at together with those that call it and
/// those that it calls. What looks like a digest among their texts and constants is a pin.
enum ComparisonForm {
    static func sites(of tree: SyntaxTree) -> [SourceReader.Site] {
        clues(tree).flatMap { clue -> [SourceReader.Site] in
            let groups = CodeGroup.groups(of: tree) { clue.isEvidence(tree.tokens, $0) }
            return groups.filter { group in
                group.context.contains { clue.isGate(tree.tokens[$0]) }
            }
            .map { site(clue, $0, tree) }
        }
    }

    private static func site(_ clue: Clue, _ group: CodeGroup, _ tree: SyntaxTree) -> SourceReader.Site {
        let line = tree.tokens[group.evidence].line
        return SourceReader.Site(form: clue.form, line: line) { evaluator in
            let reading = GroupReading(group, evaluator)
            if !reading.pins.isEmpty {
                let pins = reading.pins.map { String($0.drop(while: \.isWhitespace)) }
                return .described(hosts: reading.hosts, pins: pins, what: clue.what)
            }
            let files = reading.files
            if !files.isEmpty {
                return .described(hosts: reading.hosts, pins: files, what: "certificate files, \(clue.what)")
            }
            let reason = "the server's certificate is compared in code, with what this source does not tell"
            return .gaps([.init(line: line, reason: reason)], hosts: reading.hosts)
        }
    }

    /// By which words such code is known.
    private struct Clue {
        var form: FoundPins.Form
        var what = "compared with the server's certificate in code"
        /// Members of a certificate, or functions that take it apart.
        var words: Set<String>
        /// Of these one stands in the same code, or the words mean something else.
        var gates: Set<String>
        /// Parts of such words.
        var gateParts: [String] = []
        /// Words that count behind a dot alone.
        var needsDot = false

        func isEvidence(_ tokens: [Token], _ place: Int) -> Bool {
            guard let name = tokens[place].name, words.contains(name) else { return false }
            guard needsDot else { return true }
            guard place > 0, tokens[place - 1].isMark(".") || tokens[place - 1].isMark("?.") else { return false }
            // `crypto.sha1.convert(…)` is a digest of anything.
            return !(place + 2 < tokens.count && tokens[place + 2].isName("convert"))
        }

        func isGate(_ token: Token) -> Bool {
            guard let name = token.name else { return false }
            return gates.contains(name) || gateParts.contains { name.contains($0) }
        }
    }

    private static let apple = Clue(
        form: .delegate,
        words: [
            "SecTrustCopyKey", "SecTrustCopyPublicKey", "SecTrustGetCertificateAtIndex", "SecTrustCopyCertificateChain",
            "SecTrustSetAnchorCertificates",
        ],
        gates: ["sec_protocol_options_set_verify_block"],
        gateParts: ["hallenge", "serverTrust", "pinn", "Pinn"]
    )

    private static func clues(_ tree: SyntaxTree) -> [Clue] {
        switch tree.language {
        case .swift, .objectiveC: [apple]
        case .dart:
            [
                Clue(
                    form: .dartFingerprint,
                    words: ["der", "pem", "sha1"],
                    gates: [
                        "badCertificateCallback", "validateCertificate", "onBadCertificate", "peerCertificate",
                        "X509Certificate", "HttpClient",
                    ],
                    needsDot: true
                )
            ]
        case .cSharp:
            [
                Clue(
                    form: .dotNet,
                    words: [
                        "GetCertHashString", "GetCertHash", "Thumbprint", "GetPublicKeyString", "GetPublicKey",
                        "GetRawCertData", "GetRawCertDataString", "RawData", "ExportSubjectPublicKeyInfo",
                    ],
                    gates: ["SslPolicyErrors", "sslPolicyErrors", "UserDefinedServerCertValidationDelegate"],
                    gateParts: [
                        "CertificateValidationCallback", "CertificateCustomValidationCallback",
                        "X509CertificateValidator",
                    ],
                    needsDot: true
                )
            ]
        case .script:
            [
                Clue(
                    form: .electron,
                    words: ["fingerprint", "certificate"],
                    gates: ["setCertificateVerifyProc"]
                ),
                Clue(
                    form: .nodeIdentity,
                    words: ["fingerprint", "fingerprint256", "fingerprint512", "pubkey"],
                    gates: ["checkServerIdentity", "getPeerCertificate"],
                    needsDot: true
                ),
            ]
        case .kotlin, .java:
            [
                Clue(
                    form: .trustManager,
                    words: [
                        "MessageDigest", "getPublicKey", "publicKey", "getEncoded", "encoded", "getTBSCertificate",
                        "subjectPublicKeyInfo", "generateCertificate",
                    ],
                    gates: [
                        "checkServerTrusted", "getPeerCertificates", "peerCertificates", "getServerCertificates",
                        "serverCertificates",
                    ]
                ), apple,
            ]
        case .groovy: []
        }
    }
}

/// Functions that belong together, because one calls the other, with a piece of evidence in one of them.
struct CodeGroup {
    /// The token by which it was found.
    var evidence: Int
    private var ranges: [Range<Int>]

    /// The head of the type around it, whose kind is named there.
    private var head: Range<Int> = 0..<0

    var tokens: [Int] { ranges.flatMap(Array.init) }

    var context: [Int] { tokens + Array(head) }

    func holds(_ token: Int) -> Bool { ranges.contains { $0.contains(token) } }

    private struct Function {
        var name: String
        var range: Range<Int>
        /// Whether others can call it; a value that is made with a function calls only.
        var isCalled = true
    }

    /// Longer than any file of a person, and a bound for the work.
    private static let mostFunctions = 2000
    private static let mostEvidence = 200

    static func groups(of tree: SyntaxTree, _ isEvidence: (Int) -> Bool) -> [CodeGroup] {
        let evidence = tree.tokens.indices.filter(isEvidence).prefix(mostEvidence)
        guard !evidence.isEmpty else { return [] }
        let functions = functions(of: tree)
        let byName = Dictionary(grouping: functions.indices.filter { functions[$0].isCalled }) { functions[$0].name }
        // Which functions a function names.
        var named: [Int: Set<Int>] = [:]
        func calls(of index: Int) -> Set<Int> {
            if let known = named[index] { return known }
            var found: Set<Int> = []
            for place in functions[index].range {
                // Its own name stands in it, and others may have the same.
                guard let name = tree.tokens[place].name, name != functions[index].name, let others = byName[name]
                else {
                    continue
                }
                found.formUnion(others)
            }
            found.remove(index)
            named[index] = found
            return found
        }
        var groups: [(evidence: Int, members: Set<Int>, range: Range<Int>)] = []
        for place in evidence {
            let holder = functions.indices.filter { functions[$0].isCalled && functions[$0].range.contains(place) }
                .min { functions[$0].range.count < functions[$1].range.count }
            guard let holder else {
                let range = statement(around: place, tree)
                if !groups.contains(where: { $0.range.contains(place) }) { groups.append((place, [], range)) }
                continue
            }
            if groups.contains(where: { $0.members.contains(holder) }) { continue }
            var members: Set<Int> = [holder]
            for _ in 0..<2 {
                let callers = functions.indices.filter {
                    !members.contains($0) && !calls(of: $0).isDisjoint(with: members)
                }
                members.formUnion(callers)
            }
            for _ in 0..<2 { for member in members { members.formUnion(calls(of: member)) } }
            groups.append((place, members, functions[holder].range))
        }
        // Those that share a function are one.
        var merged: [(evidence: Int, members: Set<Int>, range: Range<Int>)] = []
        for group in groups {
            if let index = merged.firstIndex(where: { !$0.members.isDisjoint(with: group.members) }) {
                merged[index].members.formUnion(group.members)
            } else {
                merged.append(group)
            }
        }
        return merged.map { group in
            let ranges = group.members.isEmpty ? [group.range] : group.members.sorted().map { functions[$0].range }
            var whole = CodeGroup(evidence: group.evidence, ranges: outermost(ranges))
            whole.head = head(around: group.evidence, tree)
            return whole
        }
    }

    private static func head(around place: Int, _ tree: SyntaxTree) -> Range<Int> {
        var best: Range<Int>?
        for block in tree.blocks {
            for statement in block.statements where statement.tokens.contains(place) {
                guard case .declaration(let declaration) = statement.kind, declaration.kind == .type,
                    statement.tokens.count < best?.count ?? .max
                else { continue }
                best = statement.tokens
            }
        }
        guard let best else { return 0..<0 }
        let end = best.first { tree.tokens[$0].isMark("{") } ?? best.lowerBound
        return best.lowerBound..<end
    }

    /// Without those that lie in others.
    private static func outermost(_ ranges: [Range<Int>]) -> [Range<Int>] {
        var kept: [Range<Int>] = []
        for range in ranges.sorted(by: { ($0.lowerBound, $1.upperBound) < ($1.lowerBound, $0.upperBound) })
        where range.upperBound > kept.last?.upperBound ?? -1 { kept.append(range) }
        return kept
    }

    private static func functions(of tree: SyntaxTree) -> [Function] {
        var found: [Function] = []
        for block in tree.blocks {
            let isOutside: Bool
            switch block.owner {
            case .file, .type: isOutside = true
            case .function, .closure, .inner: isOutside = false
            }
            for statement in block.statements where found.count < mostFunctions {
                guard case .declaration(let declaration) = statement.kind else {
                    if isOutside { found.append(Function(name: "", range: statement.tokens, isCalled: false)) }
                    continue
                }
                let isFunction: Bool
                switch declaration.kind {
                case .function: isFunction = true
                case .value:
                    if case .closure? = declaration.value?.kind { isFunction = true } else { isFunction = false }
                case .type, .parameter, .entry: isFunction = false
                }
                if isFunction {
                    found.append(Function(name: declaration.name, range: statement.tokens))
                } else if isOutside, declaration.kind == .value {
                    found.append(Function(name: declaration.name, range: statement.tokens, isCalled: false))
                }
            }
        }
        return found
    }

    private static func statement(around place: Int, _ tree: SyntaxTree) -> Range<Int> {
        var best = 0..<tree.tokens.count
        for block in tree.blocks where block.owner != .inner {
            for statement in block.statements
            where statement.tokens.contains(place) && statement.tokens.count < best.count {
                if case .declaration(let declaration) = statement.kind, declaration.kind == .type { continue }
                if block.owner == .closure { continue }
                best = statement.tokens
            }
        }
        return best
    }
}

/// The pins, hosts and files that a group of functions names.
struct GroupReading {
    private(set) var pins: [String] = []
    private(set) var hosts: [String] = []
    private(set) var files: [String] = []
    private let evaluator: Evaluator

    /// Names of one group that are looked up.
    private static let mostNames = 500

    init(_ group: CodeGroup, _ evaluator: Evaluator) {
        self.evaluator = evaluator
        let tokens = evaluator.tree.tokens
        var looked: Set<String> = []
        for place in group.tokens {
            switch tokens[place].kind {
            case .text(let pieces):
                guard pieces.count == 1, case .plain(let text) = pieces[0] else { continue }
                take(.text(text))
                if isBesideHost(tokens, place), PinText.isHost(text) { hosts.append(text) }
            case .name(let name):
                guard looked.count < Self.mostNames else { continue }
                if name == "forResource" || name == "pathForResource" || name == "URLForResource" {
                    takeResource(tokens, place)
                }
                if place >= 2, tokens[place - 1].isMark("."), let type = tokens[place - 2].name, type != "Self",
                    type.first?.isUppercase ?? false, looked.insert("\(type).\(name)").inserted
                {
                    take(member(name, of: type, at: place))
                }
                if looked.insert(name).inserted { takeDeclared(name) }
            default: break
            }
        }
        if pins.isEmpty { for name in looked { takeAssigned(name, tokens) } }
        pins = pins.uniqued
        hosts = hosts.uniqued
        files = files.uniqued
    }

    private mutating func takeDeclared(_ name: String) {
        for block in evaluator.tree.blocks {
            for declaration in block.declarations[name] ?? [] where declaration.kind == .value {
                guard declaration.value != nil || declaration.body != nil else { continue }
                take(evaluator.value(of: declaration))
            }
        }
    }

    /// Texts behind `name =`, wherever that stands: what fills a set in an initialiser.
    private mutating func takeAssigned(_ name: String, _ tokens: [Token]) {
        guard name.count > 2 else { return }
        for place in tokens.indices.dropLast(2) where tokens[place].isName(name) {
            var next = place + 1
            // A type may stand between.
            while next < min(place + 12, tokens.count), !tokens[next].isMark("="), !tokens[next].isMark(";") {
                next += 1
            }
            guard next < tokens.count, tokens[next].isMark("="), next == place + 1 || tokens[place + 1].isMark(":")
            else {
                continue
            }
            var depth = 0
            for token in tokens[(next + 1)...].prefix(400) {
                switch token.kind {
                case .mark("("), .mark("["), .mark("{"): depth += 1
                case .mark(")"), .mark("]"), .mark("}"): depth -= 1
                case .text(let pieces):
                    if pieces.count == 1, case .plain(let text) = pieces[0] { take(.text(text)) }
                default: break
                }
                if depth < 0 || depth == 0 && token.isMark(";") { break }
                if depth == 0, token.startsLine, token.line > tokens[next].line + 1 { break }
            }
        }
    }

    private func member(_ name: String, of type: String, at place: Int) -> Value {
        let line = evaluator.tree.tokens[place].line
        let base = Expression(kind: .name(type), token: place, line: line, block: 0)
        return evaluator.member(Expression(kind: .member(base, name), token: place, line: line, block: 0))
    }

    private mutating func take(_ value: Value) {
        switch value {
        case .text(let text):
            if PinText.isDigest(text) { pins.append(text) }
            if PinText.isCertificateFile(text) { files.append(text) }
        case .list(let values):
            if let digest = PinText.digest(ofBytes: values) { return pins.append(digest) }
            for value in values { take(value) }
        case .table(let entries):
            for entry in entries {
                let before = pins.count
                take(entry.value)
                if pins.count > before, let host = entry.key.text, PinText.isHost(host) { hosts.append(host) }
            }
        case .object(_, let fields): for field in fields.sorted(by: { $0.key < $1.key }) { take(field.value) }
        case .number, .flag, .nothing, .made, .unknown: break
        }
    }

    /// Whether a text is compared with a host's name.
    private func isBesideHost(_ tokens: [Token], _ place: Int) -> Bool {
        let before = tokens[max(0, place - 6)..<place]
        let behind = tokens[min(place + 1, tokens.count)..<min(place + 5, tokens.count)]
        return before.contains(where: \.namesHost) || behind.contains(where: \.namesHost)
    }

    /// `forResource: "acme", ofType: "cer"`.
    private mutating func takeResource(_ tokens: [Token], _ place: Int) {
        guard place + 2 < tokens.count, tokens[place + 1].isMark(":"), let name = text(tokens, place + 2) else {
            return
        }
        var end: String?
        for next in (place + 3)..<max(place + 3, min(place + 8, tokens.count - 2))
        where tokens[next].isName("ofType") || tokens[next].isName("withExtension") {
            end = text(tokens, next + 2)
        }
        if !name.isEmpty { files.append(end.map { "\(name).\($0)" } ?? name) }
    }

    /// A text, or what a name of the file stands for; in Objective-C behind an `@`.
    private func text(_ tokens: [Token], _ place: Int) -> String? {
        guard place < tokens.count else { return nil }
        switch tokens[place].kind {
        case .mark("@"): return text(tokens, place + 1)
        case .text(let pieces):
            if pieces.count == 1, case .plain(let text) = pieces[0] { return text }
            return nil
        case .name(let name):
            guard place + 1 < tokens.count, !tokens[place + 1].isMark("."), !tokens[place + 1].isMark("(") else {
                return nil
            }
            return evaluator.lookUp(name, block: 0, line: tokens[place].line).text
        default: return nil
        }
    }
}

extension Token {
    fileprivate var namesHost: Bool {
        guard let name else { return false }
        return name.contains("host") || name.contains("Host") || name.contains("HOST")
    }
}
