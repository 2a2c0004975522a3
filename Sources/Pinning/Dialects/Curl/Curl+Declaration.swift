import TLSCore

extension Curl {
    /// The keys of `curl:`, for what the bare option cannot say.
    init?(reading node: YAMLNode, with reader: PolicyReader) {
        let fields = reader.fields(node, known: ["pinnedpubkey", "tool", "insecure"], required: ["pinnedpubkey"])
        let tool = fields["tool"].flatMap { reader.choice($0, "a tool") } ?? Tool.curl
        let isInsecure = fields["insecure"].flatMap(reader.boolean) ?? false
        guard let value = fields["pinnedpubkey"], let text = reader.prose(value, "a pin") else { return nil }
        guard let source = Source(parsing: text) else {
            reader.report("\(Source.expectation); paste the contents of a key file here", at: value)
            return nil
        }
        self.init(source, tool: tool, isInsecure: isInsecure)
    }

    /// The bare option where the defaults hold, and a declaration otherwise.
    package func rendered() -> String {
        guard tool != .curl || isInsecure else { return source.text + (source.text.hasSuffix("\n") ? "" : "\n") }
        var writer = DeclarationWriter()
        writer.open(Dialect.curl.rawValue)
        writer.text("pinnedpubkey", source.text)
        if tool != .curl { writer.text("tool", tool.rawValue) }
        if isInsecure { writer.boolean("insecure", true) }
        return writer.output
    }
}
