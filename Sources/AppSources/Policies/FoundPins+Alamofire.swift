extension FoundPins {
    /// Alamofire's evaluators as a declaration, where every certificate that they pin is known.
    func evaluators(_ value: Value, _ allHosts: Bool, _ assets: [String: String?]) -> Reading {
        guard case .table(let entries) = value else {
            return .gaps([Gap(line: line, reason: "it is no dictionary")], hosts: [])
        }
        var text = LinedText()
        text.write("alamofire: {allHostsMustBeEvaluated: \(allHosts), hosts: {", at: line)
        for entry in entries {
            switch evaluator(entry.value, assets) {
            case .declared(let declaration):
                text.write("\((entry.key.text ?? "").quotedForYAML): \(declaration), ", at: entry.line)
            case .undeclared(let what): return undeclared(entries, what)
            }
        }
        text.write("}}\n")
        return .policy(dialect: "alamofire", text: text.text, hosts: [])
    }

    /// Each host that is held to anything, with its own files where they differ.
    private func undeclared(_ entries: [Value.Entry], _ what: String) -> Reading {
        let pinned = entries.filter { !$0.value.isExempt }
        let parts = pinned.compactMap { entry -> Part? in
            let pins = (entry.value.assetNames + entry.value.digests).uniqued
            return entry.key.text.map { Part(host: $0, pins: pins, line: entry.line) }
        }
        let areTold = parts.allSatisfy { !$0.pins.isEmpty } && Set(parts.map(\.pins)).count > 1
        let (hosts, pins) = (parts.compactMap(\.host).uniqued, parts.flatMap(\.pins).uniqued)
        // Alamofire looks for a host as it is written.
        let others = hosts.filter { $0.contains("/") || $0.contains("*") }
        let unasked =
            others.isEmpty
            ? "" : "; no host has the name \(others.joined(separator: " or ")), so that it is never asked"
        let open = entries.filter(\.value.isOpen).compactMap(\.key.text)
        let exempt = open.isEmpty ? "" : "; whatever \(open.joined(separator: " or ")) shows is let through"
        return .described(hosts: hosts, pins: pins, what: what + unasked + exempt, known: areTold ? parts : [])
    }

    private enum Declared {
        case declared(String)
        case undeclared(String)
    }

    private func evaluator(_ value: Value, _ assets: [String: String?]) -> Declared {
        // A `struct` that is made with its members.
        if case .object(let type, _) = value { return .undeclared("an evaluator of the app's own, \(type)") }
        guard case .made(let made) = value else {
            return .undeclared(
                "an evaluator that is not understood (\(value.firstUnknown?.reason ?? "it is no evaluator"))"
            )
        }
        var flags: [String] = []
        func take(_ label: String, as name: String) -> String? {
            switch made[label] {
            case nil: return nil
            case .flag(let flag):
                flags.append("\(name): \(flag)")
                return nil
            default: return "'\(label)' is not known"
            }
        }
        var problem: String?
        let kind: String
        var pinned = ""
        // Swift 2 wrote cases with a capital.
        let name =
            made.name.hasSuffix("Evaluator") ? made.name : made.name.prefix(1).lowercased() + made.name.dropFirst()
        switch name {
        case "DefaultTrustEvaluator", "performDefaultEvaluation":
            kind = "default"
            problem = take("validateHost", as: "validateHost")
        case "RevocationTrustEvaluator":
            kind = "revocation"
            problem =
                take("performDefaultValidation", as: "performDefaultValidation")
                ?? take("validateHost", as: "validateHost")
            if made["options"] != nil { problem = "its options are not modelled" }
        case "DisabledTrustEvaluator", "DisabledEvaluator", "disableEvaluation": kind = "disabled"
        case "PinnedCertificatesTrustEvaluator", "pinCertificates":
            kind = "pinned-certificates"
            problem =
                take("acceptSelfSignedCertificates", as: "acceptSelfSigned")
                ?? take("performDefaultValidation", as: "performDefaultValidation")
                ?? take("validateCertificateChain", as: "performDefaultValidation")
                ?? take("validateHost", as: "validateHost")
            switch files(made["certificates"], assets) {
            case .declared(let list): pinned = "certificates: \(list)"
            case .undeclared(let what): return .undeclared(what)
            }
        case "PublicKeysTrustEvaluator", "pinPublicKeys":
            kind = "public-keys"
            problem =
                take("performDefaultValidation", as: "performDefaultValidation")
                ?? take("validateCertificateChain", as: "performDefaultValidation")
                ?? take("validateHost", as: "validateHost")
            switch files(made["keys"] ?? made["publicKeys"], assets) {
            case .declared(let list): pinned = "keys: \(list)"
            case .undeclared(let what): return .undeclared(what)
            }
        case "CompositeTrustEvaluator": return composite(made, assets)
        default: return .undeclared("an evaluator of the app's own, \(made.name)")
        }
        if let problem { return .undeclared(problem) }
        let parts = ["evaluator: \(kind)"] + (pinned.isEmpty ? [] : [pinned]) + flags
        return .declared("{" + parts.joined(separator: ", ") + "}")
    }

    /// Several evaluators, all of which must agree: where one compares, and the others are the ordinary checks, it is that one.
    private func composite(_ made: Value.Made, _ assets: [String: String?]) -> Declared {
        guard case .list(let parts)? = made["evaluators"] ?? made.arguments.first?.value, !parts.isEmpty else {
            return .undeclared("evaluators of which all must agree, and which are not known")
        }
        let others = parts.filter { !$0.isExempt || $0.isOpen }
        guard others.count > 1 || others.contains(where: { $0.isLoose }) else {
            return evaluator(others.first ?? parts[0], assets)
        }
        let names = parts.map { if case .made(let made) = $0 { made.name } else { "another" } }
        return .undeclared("evaluators of which all must agree: \(names.joined(separator: ", "))")
    }

    private func files(_ value: Value?, _ assets: [String: String?]) -> Declared {
        let names = value?.assetNames ?? []
        if case .unknown(let unknown)? = value {
            return .undeclared("certificates that are not known (\(unknown.reason))")
        }
        guard let value, !value.isOfBundle else {
            return .undeclared("the certificates of the whole bundle, which only the built app tells")
        }
        guard !names.isEmpty, value.isOfAssetsAlone else {
            if value.isOfTextsAlone { return .undeclared("certificates or keys that the source holds") }
            let reason = value.firstUnknown?.reason ?? "they are no files that are named"
            return .undeclared("certificates of which not all are known (\(reason))")
        }
        var paths: [String] = []
        for name in names {
            switch assets[name.lowercased()] {
            case .some(.some(let path)): paths.append(path)
            case .some(.none): return .undeclared("the certificate '\(name)', which there is more than once")
            case .none: return .undeclared("the certificate '\(name)', which is not in what was read")
            }
        }
        return .declared("[" + paths.map(\.quotedForYAML).joined(separator: ", ") + "]")
    }
}

extension Value {
    /// Texts that look like pins, which an evaluator of the app's own is given.
    fileprivate var digests: [String] { texts.filter(PinText.isDigest).uniqued }

    /// Whether it is an evaluator that compares nothing with pins.
    fileprivate var isExempt: Bool {
        isOpen
            || isMade(of: [
                "DefaultTrustEvaluator", "RevocationTrustEvaluator", "performDefaultEvaluation",
                "performRevokedEvaluation",
            ])
    }

    /// Whether it is an evaluator that leaves out an ordinary check, which another one may do.
    fileprivate var isLoose: Bool {
        guard case .made(let made) = self else { return true }
        return ["performDefaultValidation", "validateHost"].contains { name in
            if case .flag(false)? = made[name] { true } else { false }
        }
    }

    /// Whether it is an evaluator that takes every certificate.
    fileprivate var isOpen: Bool { isMade(of: ["DisabledTrustEvaluator", "DisabledEvaluator", "disableEvaluation"]) }

    /// Swift 2 wrote cases with a capital.
    private func isMade(of names: [String]) -> Bool {
        guard case .made(let made) = self else { return false }
        return names.contains { $0.lowercased() == made.name.lowercased() }
    }

    /// Names of files that a bundle is asked for.
    package var assetNames: [String] {
        switch self {
        case .made(let made):
            guard let name = made["forResource"]?.text ?? made["resource"]?.text else {
                return made.arguments.flatMap(\.value.assetNames)
            }
            guard let end = (made["ofType"] ?? made["withExtension"])?.text else { return [name] }
            return ["\(name).\(end)"]
        case .list(let values): return values.flatMap(\.assetNames)
        case .table(let entries): return entries.flatMap(\.value.assetNames)
        case .object(_, let fields): return fields.sorted { $0.key < $1.key }.flatMap(\.value.assetNames)
        case .text, .number, .flag, .nothing, .unknown: return []
        }
    }

    /// Whether it is all that a bundle has: `Bundle.main.af.certificates`, `ServerTrustPolicy.publicKeys()`, and Swift 2's
    /// `certificatesInBundle()`.
    fileprivate var isOfBundle: Bool {
        guard case .made(let made) = self else { return false }
        return ["certificates", "publicKeys", "certificatesInBundle", "publicKeysInBundle"].contains(made.name)
            && assetNames.isEmpty
    }

    /// Whether every element of a list is made from a text that the source has: `SecKeyCreateWithData(Data(base64Encoded: key)!, …)`.
    fileprivate var isOfTextsAlone: Bool {
        switch self {
        case .list(let values): !values.isEmpty && values.allSatisfy(\.isOfTextsAlone)
        case .made: assetNames.isEmpty && digests.count == 1
        default: false
        }
    }

    /// Whether every element of a list comes from a file that is named.
    fileprivate var isOfAssetsAlone: Bool {
        switch self {
        case .list(let values): !values.isEmpty && values.allSatisfy(\.isOfAssetsAlone)
        case .made: assetNames.count == 1
        default: false
        }
    }
}
