import Foundation
import TLSCore

extension HPKP {
    /// Reads the header as a server sends it: alone, among other headers, or without its name.
    ///
    /// Of each of the two headers the first counts (section 2.3.1); one that enforces stands before one that reports.
    ///
    /// - Parameter host: who sent it.
    package init(parsing text: String, file: String, host: String? = nil) throws(PolicyFileError) {
        guard let field = HeaderField(in: text) else {
            let message = "expected 'Public-Key-Pins: pin-sha256=\"…\"; max-age=…', found no such header"
            throw PolicyFileError(file: file, [PolicyFileError.Problem(message)])
        }
        var reader = DirectiveReader(line: field.line)
        switch HPKPDirective.all(in: field.value) {
        case .success(let directives): directives.forEach { reader.read($0) }
        case .failure(let malformation): reader.report(malformation.message)
        }
        if reader.problems.isEmpty, reader.maxAge == nil, !field.isReportOnly {
            reader.report("max-age is missing; without it the header is ignored")
        }
        guard reader.problems.isEmpty else { throw PolicyFileError(file: file, reader.problems) }
        self.init(
            host: host,
            keys: reader.keys,
            maxAge: reader.maxAge,
            includesSubdomains: reader.includesSubdomains,
            reportURI: reader.reportURI,
            isReportOnly: field.isReportOnly
        )
        ignored = reader.ignored
    }
}

/// The header among the lines of a file.
private struct HeaderField {
    var line: Int
    var value: String
    var isReportOnly: Bool

    init?(in text: String) {
        var (enforcing, reporting, bare): (HeaderField?, HeaderField?, HeaderField?)
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.endsLine).enumerated() {
            for (name, isReportOnly) in [(HPKP.field, false), (HPKP.reportOnlyField, true)]
            where line.lowercased().hasPrefix(name.lowercased() + ":") {
                let value = String(line.dropFirst(name.count + 1))
                let field = HeaderField(line: number + 1, value: value, isReportOnly: isReportOnly)
                if isReportOnly { reporting = reporting ?? field } else { enforcing = enforcing ?? field }
            }
            if bare == nil, line.contains("pin-sha256") {
                bare = HeaderField(line: number + 1, value: String(line), isReportOnly: false)
            }
        }
        guard let field = enforcing ?? reporting ?? bare else { return nil }
        self = field
    }

    private init(line: Int, value: String, isReportOnly: Bool) {
        self.line = line
        self.value = value
        self.isReportOnly = isReportOnly
    }
}

private struct DirectiveReader {
    let line: Int
    private(set) var keys: [Pin] = []
    private(set) var maxAge: Int?
    private(set) var includesSubdomains = false
    private(set) var reportURI: String?
    private(set) var ignored: [String] = []
    private(set) var problems: [PolicyFileError.Problem] = []
    private var seen: Set<String> = []

    init(line: Int) { self.line = line }

    mutating func report(_ message: String, in directive: String = "") {
        // Whatever is wrong with it, browsers ignore the whole header.
        problems.append(PolicyFileError.Problem(line: line, keyPath: directive, message, refusal: .notPinned))
    }

    mutating func read(_ directive: HPKPDirective) {
        let name = directive.name.lowercased()
        // Only pins may be given more than once (section 2.1, rule 2).
        if !name.hasPrefix("pin-"), !seen.insert(name).inserted {
            return report("given twice; browsers ignore the whole header", in: directive.name)
        }
        switch name {
        case "pin-sha256": readPin(directive)
        case "max-age": readMaxAge(directive)
        case "includesubdomains":
            includesSubdomains = true
            if let value = directive.value { report("takes no value, found '\(value)'", in: directive.name) }
        case "report-uri": readReportURI(directive)
        // Other directives and digests are ignored, as browsers must.
        default:
            ignored.append(directive.name)
            guard !directive.isWellFormed else { return }
            report("'\(directive.value ?? "")' must stand in quotes", in: directive.name)
        }
    }

    private mutating func readPin(_ directive: HPKPDirective) {
        guard let value = directive.value else { return report("expected a pin in quotes", in: directive.name) }
        guard directive.isQuoted else { return report("'\(value)' must stand in quotes", in: directive.name) }
        guard let pin = Pin(base64: value) else { return report(PinMistake(in: value).complaint, in: directive.name) }
        guard pin.base64 == value else {
            return report("found '\(value)', expected its usual form, '\(pin.base64)'", in: directive.name)
        }
        keys.append(pin)
    }

    private mutating func readMaxAge(_ directive: HPKPDirective) {
        let value = directive.value ?? ""
        guard !value.isEmpty, value.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
            return report("expected seconds, as in max-age=5184000, found '\(value)'", in: directive.name)
        }
        // Browsers cap it; a number too large for an integer is as good as the largest.
        maxAge = Int(value) ?? .max
    }

    private mutating func readReportURI(_ directive: HPKPDirective) {
        guard let value = directive.value, directive.isQuoted else {
            return report("expected an address in quotes", in: directive.name)
        }
        guard let address = URL(string: value), address.scheme != nil else {
            return report("'\(value)' is no address", in: directive.name)
        }
        reportURI = value
    }
}
