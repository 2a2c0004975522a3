import Scenarios

/// Finds a version by the bytes of its name, without a string for each row.
struct VersionIndex {
    private struct Entry {
        var name: [UInt8]
        var hash: UInt64
        var version: Int?
    }

    /// Names that were seen, by the place that their hash gives them, or the next free one.
    private var slots: [Int]
    private var entries: [Entry] = []
    /// A file that names a new version on each row must not fill the memory.
    static let mostNames = 20_000

    private let names: [String: Int]
    private let patterns: [(pattern: Glob, version: Int)]
    private var last: Int?

    init(_ versions: [String]) {
        slots = Array(repeating: -1, count: 1 << 16)
        names = Dictionary(versions.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        patterns = versions.enumerated().filter { $1.contains("*") || $1.contains("?") }.map { (Glob($1), $0) }
    }

    /// The names that are no version of the fleet, in the order in which they came up.
    var unknown: [String] {
        entries.filter { $0.version == nil }.map { String(decoding: $0.name, as: UTF8.self) }
    }

    private(set) var hasMore = false

    /// - Returns: `nil` for a name that is no version's.
    mutating func find(_ name: UnsafeBufferPointer<UInt8>) -> Int? {
        if let last, entries[last].name.count == name.count, entries[last].name.elementsEqual(name) {
            return entries[last].version
        }
        // FNV-1a.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        var slot = Int(truncatingIfNeeded: hash ^ (hash >> 32)) & (slots.count - 1)
        while slots[slot] >= 0 {
            let index = slots[slot]
            if entries[index].hash == hash, entries[index].name.elementsEqual(name) {
                last = index
                return entries[index].version
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        let version = version(named: String(decoding: name, as: UTF8.self))
        guard entries.count < Self.mostNames else {
            hasMore = hasMore || version == nil
            return version
        }
        slots[slot] = entries.count
        last = entries.count
        entries.append(Entry(name: Array(name), hash: hash, version: version))
        return version
    }

    private func version(named name: String) -> Int? {
        names[name] ?? patterns.first { $0.pattern.matches(name) }?.version
    }
}
