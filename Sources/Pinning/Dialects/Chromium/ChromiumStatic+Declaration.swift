import Foundation
import TLSCore

extension ChromiumStatic {
    private static let day = Date.ISO8601FormatStyle().year().month().day()

    /// The keys of `chromium:`, with the words of Chromium's own list.
    init?(reading node: YAMLNode, with reader: PolicyReader) {
        let fields = reader.fields(node, known: ["hosts", "built"], required: ["hosts"])
        let entries = fields["hosts"].map { reader.entries($0) } ?? []
        let hosts = entries.map { entry in
            let known = ["include_subdomains", "static_spki_hashes", "bad_static_spki_hashes"]
            let fields = reader.fields(entry.value, known: known)
            return Host(
                entry.key,
                includesSubdomains: fields["include_subdomains"].flatMap(reader.boolean) ?? false,
                required: reader.keyPins(fields["static_spki_hashes"]),
                forbidden: reader.keyPins(fields["bad_static_spki_hashes"])
            )
        }
        var builtAt: Date?
        if let built = fields["built"], let text = reader.prose(built, "a date") {
            builtAt = try? Date(text, strategy: Self.day)
            if builtAt.map({ $0.formatted(Self.day) }) != text {
                reader.report("expected a date as in 2026-01-31, found '\(text)'", at: built)
            }
        }
        self.init(hosts: hosts, builtAt: builtAt)
        for entry in entries { hostLines[entry.key] = entry.line }
    }

    package func rendered() -> String {
        var writer = DeclarationWriter()
        writer.open(Dialect.chromium.rawValue)
        if let builtAt { writer.text("built", builtAt.formatted(Self.day)) }
        guard !hosts.isEmpty else {
            writer.emptyMapping("hosts")
            return writer.output
        }
        writer.open("hosts")
        for host in hosts {
            writer.open(host.name)
            writer.boolean("include_subdomains", host.includesSubdomains)
            writer.list("static_spki_hashes", host.required.map { "\($0)" })
            if !host.forbidden.isEmpty { writer.list("bad_static_spki_hashes", host.forbidden.map { "\($0)" }) }
            writer.close()
        }
        return writer.output
    }
}
