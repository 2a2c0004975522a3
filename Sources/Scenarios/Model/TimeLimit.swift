/// Why a text is no time limit.
package struct TimeLimitError: Error, Equatable, CustomStringConvertible {
    package let text: String

    package var description: String {
        "'\(text.prefix(80))' is no time limit; write 10s, 500ms or 2m, more than nothing and at most "
            + "\(Duration.longestLimit.written) (a number alone is seconds)"
    }
}

extension Duration {
    fileprivate static let longestLimit = Duration.seconds(24 * 3600)

    private static let units: KeyValuePairs = ["h": 3_600_000, "m": 60_000, "s": 1_000, "ms": 1]

    /// How long something may take, as options and files say it: a number and `ms`, `s`, `m` or `h`; without one, seconds.
    package init(limit text: String) throws(TimeLimitError) {
        guard let parts = text.wholeMatch(of: /([0-9]{1,12}(?:\.[0-9]{1,6})?)([a-z]*)/)?.output,
            let count = Double(parts.1),
            let length = parts.2.isEmpty ? 1_000 : Self.units.first(where: { $0.key == parts.2 })?.value
        else { throw TimeLimitError(text: text) }
        let milliseconds = (count * Double(length)).rounded()
        self = .milliseconds(milliseconds)
        guard milliseconds > 0, self <= Self.longestLimit else { throw TimeLimitError(text: text) }
    }

    /// A form that is read back, with the largest unit of which there are several.
    package var written: String {
        let unit = Self.units.first { milliseconds % Int64($0.value) == 0 && milliseconds >= 2 * Int64($0.value) }
        return unit.map { "\(milliseconds / Int64($0.value))\($0.key)" } ?? "\(milliseconds)ms"
    }
}
