/// Dictionaries in the words of TrustKit and of App Transport Security, written in code.
enum DictionaryForm {
    private static let makers: Set<String> = [
        "initSharedInstance", "initialize", "TrustKit", "initSharedInstanceWithConfiguration:",
        "initializeWithConfiguration:", "initWithConfiguration:",
    ]

    static func sites(of tree: SyntaxTree) -> [SourceReader.Site] {
        var sites: [SourceReader.Site] = []
        // What stands where no system looks for it.
        var misplaced: Set<Int> = []
        tree.visit { expression, place in
            switch expression.kind {
            case .table(let pairs):
                for pair in pairs where pair.key.names("NSExceptionDomains") {
                    pair.value.visit { part in
                        misplaced.insert(part.token)
                        return true
                    }
                }
                if tree.language == .script, tree.isToldToLog(expression.token) { break }
                if misplaced.contains(expression.token) {
                    for pair in pairs where pair.key.names("NSPinnedDomains") { sites.append(site(misplaced: pair)) }
                    break
                }
                for (key, form) in [("TSKPinnedDomains", FoundPins.Form.trustkit), ("NSPinnedDomains", .ats)]
                where pairs.contains(where: { $0.key.names(key) }) {
                    let holder = tree.holder(of: expression, at: place)
                    var site = site(form, of: expression, heldBy: holder)
                    site.uses = tree.uses(ofWhatHolds: expression.token, in: makers)
                    site.isIdle = site.uses.isEmpty && tree.isIdle(whatHolds: expression.token)
                    sites.append(site)
                }
            // `[configuration setObject:domains forKey:kTSKPinnedDomains]`
            case .call(let callee, let arguments):
                if case .member(_, "setObject:forKey:") = callee.kind, arguments.count == 2,
                    arguments[1].value.names("TSKPinnedDomains")
                {
                    sites.append(site(.trustkit, ofDomains: arguments[0].value, key: "TSKPinnedDomains"))
                }
            default: break
            }
            return true
        }
        if !tree.tokens.contains(where: { ["TSKPinnedDomains", "kTSKPinnedDomains"].contains($0.name ?? $0.plainText) })
        {
            sites += oldSites(of: tree)
        }
        for block in tree.blocks {
            for statement in block.statements {
                guard case .assignment(let target, _, let value) = statement.kind else { continue }
                switch target.kind {
                case .index(_, let key) where key.names("TSKPinnedDomains"):
                    sites.append(site(.trustkit, ofDomains: value, key: "TSKPinnedDomains"))
                case .index(_, let key) where key.names("NSPinnedDomains"):
                    sites.append(site(.ats, ofDomains: value, key: "NSPinnedDomains"))
                case .member(_, "NSPinnedDomains"):
                    sites.append(site(.ats, ofDomains: value, key: "NSPinnedDomains"))
                default: break
                }
            }
        }
        return sites
    }

    /// Domains without `TSKPinnedDomains` around them, as TrustKit took them before it had that key.
    private static func oldSites(of tree: SyntaxTree) -> [SourceReader.Site] {
        let given = tree.calls(makers).flatMap { call in call.arguments.map(\.value) }
        guard !given.isEmpty else { return [] }
        /// Whether a maker is given a table itself, or the variable of it.
        func isGiven(_ table: Expression) -> Bool {
            given.contains { argument in
                if argument.token == table.token { return true }
                guard case .name(let name) = argument.kind,
                    let block = tree.block(declaring: name, from: argument.block)
                else { return false }
                return tree.blocks[block].declarations[name]?.contains { $0.value?.token == table.token } ?? false
            }
        }
        var sites: [SourceReader.Site] = []
        tree.visit { expression, _ in
            guard case .table(let pairs) = expression.kind else { return true }
            let isOld = pairs.contains { pair in
                guard case .table(let fields) = pair.value.kind else { return false }
                return fields.contains { $0.key.names("TSKPublicKeyHashes") }
            }
            guard isOld, isGiven(expression) else { return true }
            let what = "domains without 'TSKPinnedDomains' around them: TrustKit throws, and older versions pin these"
            sites.append(
                SourceReader.Site(form: .trustkit, line: expression.line, token: expression.token) { evaluator in
                    let whole = evaluator.value(of: expression)
                    let value = Value.table([.init(key: .text("TSKPinnedDomains"), value: whole, line: expression.line)]
                    )
                    let parts = value.plain.parts
                    return .described(
                        hosts: value.plain.domains,
                        pins: parts.flatMap(\.pins).uniqued,
                        what: what,
                        known: parts
                    )
                }
            )
            return false
        }
        return sites
    }

    private static func site(_ form: FoundPins.Form, of table: Expression, heldBy holder: Declaration?)
        -> SourceReader.Site
    {
        SourceReader.Site(form: form, line: table.line, token: table.token) { evaluator in
            if let holder, let line = evaluator.changes(of: holder).first?.line {
                if let value = evaluator.assigned(holder, before: .max) { return content(value, form, evaluator) }
                let reason = "'\(holder.name)' is changed on line \(line)"
                return .gaps([.init(line: table.line, reason: reason)], hosts: [])
            }
            return content(evaluator.value(of: table.withoutItself()), form, evaluator)
        }
    }

    private static func site(misplaced pair: Expression.Pair) -> SourceReader.Site {
        SourceReader.Site(form: .ats, line: pair.key.line, token: pair.key.token) { evaluator in
            let hosts: [String] =
                if case .table(let entries) = evaluator.value(of: pair.value) { entries.compactMap(\.key.text) } else {
                    []
                }
            let what = "NSPinnedDomains stands below NSExceptionDomains, where iOS does not look: nothing is pinned"
            return .described(hosts: hosts, pins: [], what: what)
        }
    }

    private static func site(_ form: FoundPins.Form, ofDomains value: Expression, key: String) -> SourceReader.Site {
        SourceReader.Site(form: form, line: value.line, token: value.token) { evaluator in
            let domains = evaluator.value(of: value.withoutItself(key))
            let table = Value.table([.init(key: .text(key), value: domains, line: value.line)])
            return content(table, form, evaluator)
        }
    }

    private static let irrelevant: Set<String> = ["TSKReportUris", "TSKPublicKeyAlgorithms"]

    /// All that TrustKit has.
    private static let keys: Set<String> = [
        "SwizzleNetworkDelegates", "PinnedDomains", "IgnorePinningForUserDefinedTrustAnchors", "PublicKeyHashes",
        "EnforcePinning", "ExcludeSubdomainFromParentPolicy", "IncludeSubdomains", "PublicKeyAlgorithms",
        "ReportUris", "DisableDefaultReportUri", "ExpirationDate", "AdditionalTrustAnchors", "AlgorithmRsa2048",
        "AlgorithmRsa4096", "AlgorithmEcDsaSecp256r1", "AlgorithmEcDsaSecp384r1",
    ]

    /// A constant in the words of TrustKit's that neither it nor the source has: `kTSKCatchallPolicy`.
    private static func foreignKey(_ tree: SyntaxTree) -> String? {
        tree.tokens.lazy.compactMap(\.name).first { name in
            // What it tells others, and called so in older versions, is no key of a configuration.
            name.hasPrefix("kTSK") && !name.hasPrefix("kTSKValidation") && !keys.contains(String(name.dropFirst(4)))
                && !tree.blocks.contains { $0.declarations[name] != nil }
        }
    }

    private static let flags: Set<String> = ["TSKEnforcePinning", "TSKIncludeSubdomains", "NSIncludesSubdomains"]

    /// A switch that the app's own code decides is a condition: each way is a configuration.
    private static func decided(_ value: Value, _ choices: Choices) -> Value {
        guard case .table(let entries) = value else { return value }
        return .table(
            entries.map { entry in
                guard let key = entry.key.text, flags.contains(key), case .unknown(let unknown) = entry.value,
                    unknown.reason.contains("is a parameter"), let name = unknown.subject
                else { return .init(key: entry.key, value: decided(entry.value, choices), line: entry.line) }
                return .init(key: entry.key, value: .flag(choices.holds(name)), line: entry.line)
            }
        )
    }

    /// Without what is spread before the pins: it is the rest of the app's configuration, and cannot replace them.
    private static func withoutRest(_ value: Value) -> Value {
        guard case .table(let entries) = value,
            let place = entries.firstIndex(where: { $0.key.text?.hasSuffix("PinnedDomains") ?? false })
        else { return value }
        return .table(
            entries.enumerated().filter { index, entry in
                guard index < place, case .unknown = entry.key else { return true }
                return entry.key != entry.value
            }
            .map(\.element)
        )
    }

    private static func content(_ value: Value, _ form: FoundPins.Form, _ evaluator: Evaluator) -> FoundPins.Content {
        let choices = evaluator.choices
        let value = decided(withoutRest(value.plain), choices)
        // Where a condition asks for domains, a way that has none is no configuration.
        let asksForDomains = choices.taken.contains { $0.condition.asksForContents }
        if asksForDomains, value.hasNoDomains { choices.isImpossible = true }
        var gaps: [FoundPins.Gap] = []
        collect(value, into: &gaps)
        guard gaps.isEmpty else { return .gaps(gaps, hosts: value.domains, known: value.parts) }
        if form == .trustkit, let foreign = foreignKey(evaluator.tree) {
            let parts = value.parts.map { part in
                guard let key = part.host, key.hasPrefix("TSK") else { return part }
                return .init(host: nil, pins: part.pins, line: part.line, expression: "k" + key)
            }
            return .described(
                hosts: value.domains.filter { !$0.hasPrefix("TSK") },
                pins: parts.flatMap(\.pins).uniqued,
                what: "given to a library that was made from TrustKit, which has no \(foreign)",
                known: parts
            )
        }
        return .dictionary(value)
    }

    private static func collect(_ value: Value, into gaps: inout [FoundPins.Gap]) {
        switch value {
        case .table(let entries):
            var seen: Set<Value> = []
            for entry in entries {
                if !seen.insert(entry.key).inserted, gaps.count < 20 {
                    gaps.append(
                        .init(
                            line: entry.line,
                            reason: "the key '\(entry.key.text ?? "")' stands twice in a dictionary"
                        )
                    )
                }
                let name = entry.key.text.map { "\($0): " } ?? "a key: "
                for part in [entry.key, entry.value] {
                    if case .table = part {
                        collect(part, into: &gaps)
                    } else if let unknown = part.firstUnknown, gaps.count < 20 {
                        gaps.append(
                            .init(line: unknown.line > 0 ? unknown.line : entry.line, reason: name + unknown.reason)
                        )
                    }
                }
            }
        default:
            if let unknown = value.firstUnknown { gaps.append(.init(line: unknown.line, reason: unknown.reason)) }
        }
    }

    static func isIrrelevant(_ key: Value) -> Bool { key.text.map(irrelevant.contains) ?? false }
}

extension Value.Entry {
    /// Whether TrustKit asks by itself decides nothing of a server; where only the app tells it, it may.
    fileprivate var known: Self {
        guard key.text == "TSKSwizzleNetworkDelegates" else { return self }
        if case .flag = value { return self }
        return .init(key: key, value: .flag(true), line: line)
    }
}

extension Value {
    /// Without what no decision depends upon, and numbers out of their boxes.
    fileprivate var plain: Value {
        switch self {
        case .table(let entries):
            .table(
                entries.filter { !DictionaryForm.isIrrelevant($0.key) && !$0.isUntoldReport }
                    .map { .init(key: $0.key.withoutPrefix, value: $0.value.plain, line: $0.line).known }
            )
        case .list(let values): .list(values.map(\.plain))
        case .made(let made)
        where made.arguments.count == 1 && ["NSNumber", "Bool", "Set", "NSDictionary"].contains(made.name):
            made.arguments[0].value.plain
        default: self
        }
    }

    private var withoutPrefix: Value {
        if let text, text.hasPrefix("kTSK") { .text(String(text.dropFirst())) } else { self }
    }

    /// Whether a table of pinned domains stands in it, and is empty.
    fileprivate var hasNoDomains: Bool {
        guard case .table(let entries) = self else { return false }
        return entries.contains { entry in
            (entry.key.text?.hasSuffix("PinnedDomains") ?? false) && entry.value == .table([])
        }
    }
}

extension Expression {
    /// Without what an object takes over from itself, as a plugin finds it: `NSPinnedDomains: { ...(ats.NSPinnedDomains || {}), … }`.
    ///
    /// - Parameter key: under which it stands.
    fileprivate func withoutItself(_ key: String? = nil) -> Expression {
        guard case .table(let pairs) = kind else { return self }
        let first = pairs.firstIndex { if case .prefix("...", _) = $0.key.kind { false } else { true } } ?? pairs.count
        let kept = pairs.enumerated().filter { index, pair in
            guard index < first, let key, case .prefix("...", let other) = pair.key.kind else { return true }
            return !other.isWhatWas(under: key)
        }
        var own = self
        own.kind = .table(
            kept.map { _, pair in
                guard let key = pair.key.finalName ?? pair.key.plainText else { return pair }
                return Pair(key: pair.key, value: pair.value.withoutItself(key))
            }
        )
        return own
    }

    /// `ats.NSPinnedDomains || {}`
    private func isWhatWas(under key: String) -> Bool {
        switch kind {
        case .member(_, key): true
        case .index(_, let own): own.plainText == key
        case .binary("||", let first, let usual), .binary("??", let first, let usual):
            first.isWhatWas(under: key) && usual.isEmptyTable
        default: false
        }
    }

    private var isEmptyTable: Bool { if case .table(let pairs) = kind { pairs.isEmpty } else { false } }

    private var plainText: String? {
        guard case .text(let pieces) = kind, pieces.count == 1, case .plain(let text) = pieces[0] else { return nil }
        return text
    }

    /// Whether it is a key by that name, as a text or as a constant.
    func names(_ key: String) -> Bool {
        switch kind {
        case .name(let name): name == key || name == "k" + key
        case .member(_, let name): name == "k" + key
        case .text(let pieces):
            if pieces.count == 1, case .plain(let text) = pieces[0] { text == key || text == "k" + key } else { false }
        default: false
        }
    }
}

extension SyntaxTree {
    /// The declaration whose value an expression is.
    func holder(of expression: Expression, at place: Place) -> Declaration? {
        guard place.statement >= 0,
            case .declaration(let declaration) = blocks[place.block].statements[place.statement].kind,
            declaration.value?.token == expression.token
        else { return nil }
        return declaration
    }

    /// Calls by the last part of their names.
    func calls(_ names: Set<String>) -> [(call: Expression, name: String, arguments: [Expression.Argument])] {
        var found: [(Expression, String, [Expression.Argument])] = []
        visit { expression, _ in
            guard case .call(let callee, let arguments) = expression.kind else { return true }
            switch callee.kind {
            case .name(let name), .member(_, let name):
                if names.contains(name) { found.append((expression, name, arguments)) }
            default: break
            }
            return true
        }
        return found
    }
}

extension Value.Entry {
    /// Where reports go decides nothing; a finding is about it where it is told.
    fileprivate var isUntoldReport: Bool {
        guard key.text?.hasSuffix("TSKDisableDefaultReportUri") ?? false else { return false }
        return value.firstUnknown != nil
    }
}
