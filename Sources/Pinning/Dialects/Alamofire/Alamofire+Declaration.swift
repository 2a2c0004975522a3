import TLSCore

extension Alamofire {
    /// The keys of `alamofire:`, with Alamofire's own words.
    init?(reading node: YAMLNode, with reader: PolicyReader) {
        let fields = reader.fields(node, known: ["allHostsMustBeEvaluated", "ats", "hosts"], required: ["hosts"])
        let hosts = fields["hosts"].map { reader.entries($0) } ?? []
        self.init(
            hosts: hosts.compactMap { entry in
                Evaluator(reading: entry.value, with: reader).map { Host(entry.key, $0) }
            },
            allHostsMustBeEvaluated: fields["allHostsMustBeEvaluated"].flatMap(reader.boolean) ?? true,
            transportSecurity: fields["ats"].flatMap { reader.choice($0, "a setting of App Transport Security") }
                ?? .enforced
        )
        for entry in hosts { hostLines[entry.key] = entry.line }
    }

    package func rendered() -> String {
        var writer = DeclarationWriter()
        writer.open(Dialect.alamofire.rawValue)
        if !allHostsMustBeEvaluated { writer.boolean("allHostsMustBeEvaluated", false) }
        if transportSecurity != .enforced { writer.text("ats", transportSecurity.rawValue) }
        guard !hosts.isEmpty else {
            writer.emptyMapping("hosts")
            return writer.output
        }
        writer.open("hosts")
        for host in hosts {
            writer.open(host.name)
            host.evaluator.write(to: &writer)
            writer.close()
        }
        return writer.output
    }
}

extension Alamofire.Evaluator {
    private enum Kind: String, CaseIterable {
        case `default`
        case revocation
        case pinnedCertificates = "pinned-certificates"
        case publicKeys = "public-keys"
        case composite
        case disabled

        var flags: [String] {
            switch self {
            case .default: ["validateHost"]
            case .revocation: ["performDefaultValidation", "validateHost", "requirePositiveResponse"]
            case .pinnedCertificates: ["acceptSelfSigned", "performDefaultValidation", "validateHost"]
            case .publicKeys: ["performDefaultValidation", "validateHost"]
            case .composite, .disabled: []
            }
        }

        var contents: [String] {
            switch self {
            case .pinnedCertificates: ["certificates"]
            case .publicKeys: ["keys"]
            case .composite: ["evaluators"]
            case .default, .revocation, .disabled: []
            }
        }

        static let fields = ["evaluator"] + allCases.flatMap { $0.contents + $0.flags }
    }

    init?(reading node: YAMLNode, with reader: PolicyReader) {
        // First every known key, so that the evaluator is known before its own keys are.
        let all = reader.fields(node, known: Kind.fields, required: ["evaluator"])
        guard let named = all["evaluator"] else { return nil }
        let kind: Kind = reader.choice(named, "an evaluator") ?? .default
        let own = ["evaluator"] + kind.contents + kind.flags
        for (key, value) in all.sorted(by: { $0.value.mark.line < $1.value.mark.line }) where !own.contains(key) {
            reader.report("the evaluator '\(kind.rawValue)' has no such key", at: value)
        }
        for key in kind.contents where all[key] == nil { reader.report("the evaluator has no '\(key)'", at: node) }
        func flag(_ name: String, default value: Bool) -> Bool { all[name].flatMap(reader.boolean) ?? value }
        let performDefaultValidation = flag("performDefaultValidation", default: true)
        let validateHost = flag("validateHost", default: true)
        switch kind {
        case .default: self = .default(validateHost: validateHost)
        case .disabled: self = .disabled
        case .revocation:
            self = .revocation(
                performDefaultValidation: performDefaultValidation,
                validateHost: validateHost,
                requirePositiveResponse: flag("requirePositiveResponse", default: false)
            )
        case .publicKeys:
            self = .publicKeys(
                reader.keyPins(all["keys"]),
                performDefaultValidation: performDefaultValidation,
                validateHost: validateHost
            )
        case .pinnedCertificates:
            let pinned = reader.pinnedCertificates(all["certificates"])
            let acceptSelfSigned = flag("acceptSelfSigned", default: false)
            if acceptSelfSigned, let list = all["certificates"], pinned.contains(where: { $0.certificate == nil }) {
                reader.report("acceptSelfSigned trusts these, so give the certificates and not their digests", at: list)
            }
            self = .pinnedCertificates(
                pinned,
                acceptSelfSigned: acceptSelfSigned,
                performDefaultValidation: performDefaultValidation,
                validateHost: validateHost
            )
        case .composite:
            self = .composite(
                (all["evaluators"].flatMap { reader.list($0, of: "evaluators") } ?? [])
                    .compactMap { Alamofire.Evaluator(reading: $0, with: reader) }
            )
        }
    }

    func write(to writer: inout DeclarationWriter) {
        func kind(_ kind: Kind) { writer.text("evaluator", kind.rawValue) }
        func flag(_ name: String, _ value: Bool, default usual: Bool = true) {
            if value != usual { writer.boolean(name, value) }
        }
        switch self {
        case .default(let validateHost):
            kind(.default)
            flag("validateHost", validateHost)
        case .revocation(let performDefaultValidation, let validateHost, let requirePositiveResponse):
            kind(.revocation)
            flag("performDefaultValidation", performDefaultValidation)
            flag("validateHost", validateHost)
            flag("requirePositiveResponse", requirePositiveResponse, default: false)
        case .pinnedCertificates(let pinned, let acceptSelfSigned, let performDefaultValidation, let validateHost):
            kind(.pinnedCertificates)
            writer.list("certificates", pinned.map { $0.certificate?.pem ?? "\($0.pin)" })
            flag("acceptSelfSigned", acceptSelfSigned, default: false)
            flag("performDefaultValidation", performDefaultValidation)
            flag("validateHost", validateHost)
        case .publicKeys(let pins, let performDefaultValidation, let validateHost):
            kind(.publicKeys)
            writer.list("keys", pins.map { "\($0)" })
            flag("performDefaultValidation", performDefaultValidation)
            flag("validateHost", validateHost)
        case .composite(let evaluators):
            kind(.composite)
            writer.items("evaluators", evaluators) { $1.write(to: &$0) }
        case .disabled: kind(.disabled)
        }
    }
}
