extension OkHttp {
    /// The keys of `okhttp:`: `pins` by pattern, and where they matter `release` and `targetSdk`.
    init?(reading node: YAMLNode, with reader: PolicyReader) {
        let fields = reader.fields(node, known: ["pins", "release", "targetSdk"], required: ["pins"])
        let release = fields["release"].flatMap { reader.choice($0, "a release") } ?? Release.current
        let level = fields["targetSdk"].flatMap { reader.prose($0, "an API level") }
        if let level, Int(level) == nil, let node = fields["targetSdk"] {
            reader.report("expected an API level as in 35, found '\(level)'", at: node)
        }
        guard let pins = fields["pins"] else { return nil }
        var entries: [Entry] = []
        var lines = EntryLines()
        for (pattern, line, value) in reader.entries(pins) {
            lines[pattern] = line
            let digests = (reader.list(value, of: "pins") ?? []).compactMap { node -> OkHttpPin? in
                guard let text = reader.prose(node, "a pin") else { return nil }
                do { return try OkHttpPin(parsing: text) } catch { reader.report("\(error)", at: node, .throwsAtStart) }
                return nil
            }
            do {
                entries.append(Entry(try OkHttpPattern(pattern), digests))
            } catch {
                reader.report("\(error)", at: value, .throwsAtStart)
            }
        }
        self.init(entries, release: release, targetSDK: level.flatMap { Int($0) })
        patternLines = lines
    }
}
