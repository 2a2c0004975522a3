package import Foundation
import TLSCore

extension ATSConfiguration {
    /// Reads an `Info.plist`, XML or binary.
    ///
    /// It refuses what is no property list, holds no `NSPinnedDomains`, or a pin that the build fills in. Everything else the
    /// system takes without a word, so it is taken here too, and told in `warnings`.
    package init(parsing data: Data, file: String) throws(PolicyFileError) {
        let document = try AppleDocument(parsing: data, file: file, readsJSON: false)
        var reader = ATSReader(document)
        let configuration = reader.read()
        guard let configuration else { throw PolicyFileError(file: file, reader.problems) }
        self = configuration
        warnings = reader.warnings
        domainLines = EntryLines(document.lines(of: domains.map(\.name), below: ATSReader.path))
    }

    package func rendered() -> String {
        var text = PropertyListText()
        text.dictionary {
            $0.dictionary("NSAppTransportSecurity") {
                if !exceptions.isEmpty {
                    $0.dictionary("NSExceptionDomains") { for exception in exceptions { exception.write(to: &$0) } }
                }
                $0.dictionary("NSPinnedDomains") { for domain in domains { domain.write(to: &$0) } }
            }
        }
        return text.finished()
    }
}

extension ATSConfiguration.Domain {
    fileprivate func write(to text: inout PropertyListText) {
        text.dictionary(name) {
            if includesSubdomains { $0.boolean("NSIncludesSubdomains", true) }
            for (key, pins) in [("NSPinnedCAIdentities", authority), ("NSPinnedLeafIdentities", leaf)] {
                guard let pins else { continue }
                $0.array(key) { list in
                    for pin in pins { list.dictionary { $0.string("SPKI-SHA256-BASE64", pin.base64) } }
                }
            }
        }
    }
}

extension ATSConfiguration.ExceptionDomain {
    fileprivate func write(to text: inout PropertyListText) {
        text.dictionary(name) {
            $0.string("NSExceptionMinimumTLSVersion", oldestVersion.transportSecurityName)
            if includesSubdomains { $0.boolean("NSIncludesSubdomains", true) }
        }
    }
}

extension TLSVersion {
    fileprivate var transportSecurityName: String { "TLSv1.\(rawValue - TLSVersion.tls1_0.rawValue)" }
}

private struct ATSReader {
    let document: AppleDocument
    private(set) var problems: [PolicyFileError.Problem] = []
    private(set) var warnings: [PolicyFinding] = []

    init(_ document: AppleDocument) { self.document = document }

    private static let security = "NSAppTransportSecurity"
    private static let pinned = "NSPinnedDomains"
    static let path = [security, pinned]

    mutating func read() -> ATSConfiguration? {
        guard case .table(let root) = document.root else {
            return refuse([], "found \(document.root.kind), expected a dictionary")
        }
        guard let value = root[ATSReader.security] else {
            if let place = document.path(to: ATSReader.pinned) { return refuseMisplaced(place) }
            return refuse([], "found no \(ATSReader.security), expected it with \(ATSReader.pinned) in it")
        }
        guard case .table(let security) = value else {
            return refuse([ATSReader.security], "found \(value.kind), expected a dictionary")
        }
        guard let pinned = security[ATSReader.pinned] else {
            if let place = document.path(to: ATSReader.pinned) { return refuseMisplaced(place) }
            return refuse([ATSReader.security], "found no \(ATSReader.pinned): nothing is pinned")
        }
        let path = ATSReader.path
        var domains: [ATSConfiguration.Domain] = []
        if case .table(let table) = pinned {
            domains = table.sorted { $0.key < $1.key }.compactMap { domain($0.key, $0.value, path + [$0.key]) }
        } else {
            let message = "found \(pinned.kind), expected a dictionary; the system pins nothing"
            warn(.notPinned, .breach, path, message, fix: "make it a dictionary of domains")
        }
        warnOfCleartext(security)
        guard problems.isEmpty else { return nil }
        return ATSConfiguration(domains, exceptions: exceptions(security["NSExceptionDomains"]))
    }

    /// Beside any of the narrower keys the system passes over it (Apple, "NSAllowsArbitraryLoads").
    private mutating func warnOfCleartext(_ security: [String: AppleDocument.Value]) {
        let narrower = ["ForMedia", "InWebContent"].map { "NSAllowsArbitraryLoads\($0)" } + ["NSAllowsLocalNetworking"]
        let key = "NSAllowsArbitraryLoads"
        guard security[key] == .flag(true), narrower.allSatisfy({ security[$0] == nil }) else { return }
        let message = "connections without TLS are allowed to every host, and no pin protects those"
        let fix = "take it out, and give exceptions to the hosts that need them"
        warn(.cleartext, .warning, [ATSReader.security, key], message, fix: fix)
    }

    private mutating func domain(
        _ name: String,
        _ value: AppleDocument.Value,
        _ path: [String]
    ) -> ATSConfiguration.Domain? {
        guard !name.contains("\0") else {
            let message = "found a zero byte in the name; the system never matches it"
            warn(.deadEntry, .breach, path, message, fix: "write the bare host name")
            return nil
        }
        guard case .table(let table) = value else {
            let message = "found \(value.kind), expected a dictionary; the system does not pin this domain"
            warn(.notPinned, .breach, path, message, fix: "give it a dictionary with a list of pins")
            return nil
        }
        let domain = ATSConfiguration.Domain(
            name,
            includesSubdomains: flag(table["NSIncludesSubdomains"], path + ["NSIncludesSubdomains"]),
            leaf: pins(table["NSPinnedLeafIdentities"], path + ["NSPinnedLeafIdentities"]),
            authority: pins(table["NSPinnedCAIdentities"], path + ["NSPinnedCAIdentities"])
        )
        if domain.leaf == nil, domain.authority == nil {
            let message = "found neither NSPinnedLeafIdentities nor NSPinnedCAIdentities; the system does not pin it"
            warn(.notPinned, .breach, path, message, fix: "give it one of them")
        }
        return domain
    }

    private mutating func flag(_ value: AppleDocument.Value?, _ path: [String]) -> Bool {
        guard let value else { return false }
        if case .flag(let flag) = value { return flag }
        let isMeant = ![.number(0), .text("NO"), .text("false"), .text("0")].contains(value)
        let message = "found \(value.kind), expected true or false; the system takes it for false"
        warn(.misreadValue, isMeant ? .breach : .warning, path, message, fix: "write <true/> or <false/>")
        return false
    }

    private mutating func pins(_ value: AppleDocument.Value?, _ path: [String]) -> [Pin]? {
        guard let value else { return nil }
        guard case .list(let list) = value else {
            let message = "found \(value.kind), expected an array; no server can match"
            warn(.locksOut, .outage, path, message, fix: "make it an array of dictionaries")
            return []
        }
        let pins = list.enumerated().compactMap { index, entry in pin(entry, path + ["[\(index)]"]) }
        if pins.isEmpty {
            let message = "found no usable pin; no server can match"
            warn(.locksOut, .outage, path, message, fix: "give it the pins that were meant, or take the list out")
        }
        return pins
    }

    private mutating func pin(_ entry: AppleDocument.Value, _ path: [String]) -> Pin? {
        guard case .table(let table) = entry else {
            warnUnusable(path, "found \(entry.kind), expected a dictionary with SPKI-SHA256-BASE64")
            return nil
        }
        let path = path + ["SPKI-SHA256-BASE64"]
        guard case .text(let text) = table["SPKI-SHA256-BASE64"] else {
            let found = table["SPKI-SHA256-BASE64"]?.kind ?? "nothing"
            warnUnusable(path, "found \(found), expected a string")
            return nil
        }
        if let pin = Pin(base64: text) { return pin }
        if PinMistake.isSetByBuild(text) {
            problems.append(document.problem(path, PinMistake(in: text).complaint))
            return nil
        }
        let mistake = PinMistake(in: text)
        warnUnusable(path, mistake.complaint, mistake.isPlaceholder ? .placeholderPin : .unusablePin)
        return nil
    }

    /// Only the version: other exceptions do not change which chains an app takes.
    private func exceptions(_ value: AppleDocument.Value?) -> [ATSConfiguration.ExceptionDomain] {
        guard case .table(let table) = value else { return [] }
        return table.compactMap { name, entry in
            guard !name.contains("\0"), case .table(let keys) = entry,
                case .text(let text) = keys["NSExceptionMinimumTLSVersion"],
                let version = TLSVersion.allCases.first(where: { $0.transportSecurityName == text })
            else { return nil }
            let includesSubdomains = keys["NSIncludesSubdomains"] == .flag(true)
            return .init(name, includesSubdomains: includesSubdomains, oldestVersion: version)
        }
    }

    private mutating func refuseMisplaced(_ path: [String]) -> ATSConfiguration? {
        var problem = document.problem(path, "the system does not look here: move it into \(ATSReader.security)")
        problem.refusal = .notPinned
        problem.fix = "move it into \(ATSReader.security)"
        problems.append(problem)
        return nil
    }

    private mutating func refuse(_ path: [String], _ message: String) -> ATSConfiguration? {
        problems.append(document.problem(path, message))
        return nil
    }

    private mutating func warnUnusable(
        _ path: [String],
        _ flaw: String,
        _ rule: PolicyFinding.Rule = .unusablePin
    ) {
        let fix = "write the Base64 of the key's SHA-256 digest, without a prefix"
        warn(rule, .outage, path, "\(flaw); it never matches", fix: fix)
    }

    private mutating func warn(
        _ rule: PolicyFinding.Rule,
        _ severity: PolicyFinding.Severity,
        _ path: [String],
        _ message: String,
        fix: String
    ) {
        warnings.append(PolicyFinding(rule, severity, document.problem(path, message), fix: fix))
    }
}

extension AppleDocument {
    /// The lines of keys that stand in one dictionary.
    func lines(of keys: [String], below path: [String]) -> [String: Int] {
        Dictionary(keys.compactMap { key in line(of: path + [key]).map { (key, $0) } }) { first, _ in first }
    }

    func problem(_ path: [String], _ message: String) -> PolicyFileError.Problem {
        let text = path.reduce("") { $1.hasPrefix("[") || $0.isEmpty ? $0 + $1 : "\($0).\($1)" }
        return PolicyFileError.Problem(line: line(of: path), keyPath: text, message)
    }
}
