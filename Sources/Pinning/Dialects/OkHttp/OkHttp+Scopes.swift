import TLSCore

extension OkHttp {
    package var scopes: [PinScope] {
        var seen: Set<String> = []
        return entries.map(\.pattern.text).filter { seen.insert($0).inserted }.map { text in
            // Every scope comes from an entry, and so has a pattern that can be read.
            scope(text, host: anyHost(of: text), entries.filter { $0.pattern.text == text })
        }
    }

    package func scope(for host: String) -> PinScope? {
        let canonical = canonicalHost(host) ?? host.lowercased()
        let matching = entries.filter { $0.pattern.matches(canonical, in: release) }
        guard let nearest = matching.max(by: { $0.pattern.text.utf8.count < $1.pattern.text.utf8.count }) else {
            return nil
        }
        return scope(nearest.pattern.text, host: host, matching)
    }

    private func scope(_ text: String, host: String, _ entries: [Entry]) -> PinScope {
        let digests = { (pins: [OkHttpPin]) in
            pins.isEmpty ? [] : [PinScope.List(pins.map(\.audited), search: self.search)]
        }
        return PinScope(
            text,
            keyPath: "add(\"\(text)\")",
            line: patternLines[text],
            host: host,
            written: digests(entries.flatMap(\.pins)),
            lists: digests(pins(for: host))
        )
    }

    private var search: PinRequirement.Search { release == .current ? .verifiedPath : .presentedChain }

    private func anyHost(of pattern: String) -> String {
        if pattern.hasPrefix("**.") { return PinScope.anyHost(below: "any." + pattern.dropFirst(3)) }
        return pattern.hasPrefix("*.") ? PinScope.anyHost(below: pattern.dropFirst(2)) : pattern
    }
}
