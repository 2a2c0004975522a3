import Foundation
import TLSCore

extension TrustKitReader {
    mutating func pins(_ value: AppleDocument.Value?, _ enforces: Bool, _ path: [String]) -> [Pin] {
        var pins: [Pin] = []
        var areReadable = true
        for (index, text) in texts(value, path).enumerated() {
            if let pin = Pin(base64: text) {
                pins.append(pin)
            } else {
                areReadable = false
                if PinMistake.isSetByBuild(text) {
                    report(path + ["[\(index)]"], PinMistake(in: text).complaint)
                    continue
                }
                complain(path + ["[\(index)]"], "\(PinMistake(in: text).complaint): TrustKit throws for an invalid pin")
            }
        }
        let needed = enforces ? 2 : 1
        let count = Set(pins).count
        if areReadable, count < needed {
            let found = pins.count == count ? "\(count)" : "\(count) distinct (\(pins.count) written)"
            let why = enforces ? "without a backup pin TrustKit throws" : "TrustKit throws"
            complain(path, "found \(found), expected at least \(needed) pins: \(why)", fix: PinScope.backup)
        }
        return pins
    }

    mutating func expiration(_ value: AppleDocument.Value?, _ path: [String]) -> Date? {
        guard let value else { return nil }
        guard case .text(let text) = value else {
            return refuse(path, "found \(value.kind), expected a day: TrustKit throws")
        }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let isDay = parts.count == 3 && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }
        // A day that the calendar does not have would be rolled over into the next month; `NSDateFormatter` does not.
        let format = Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day()
        if isDay, let date = try? Date(text, strategy: format),
            date.formatted(format).split(separator: "-").map({ Int($0) }) == parts.map({ Int($0) })
        {
            return date
        }
        let message = "found '\(text)', expected a day as in 2026-11-30"
        let consequence = "\(message); TrustKit takes it for no expiration at all"
        warn(.misreadValue, path, consequence, fix: "write a day as in 2026-11-30")
        return nil
    }

    mutating func addresses(_ value: AppleDocument.Value?, _ path: [String]) -> [String] {
        let addresses = texts(value, path)
        for (index, text) in addresses.enumerated() where URL(string: text) == nil {
            complain(path + ["[\(index)]"], "found '\(text)', expected an address: TrustKit throws")
        }
        return addresses
    }

    private mutating func texts(_ value: AppleDocument.Value?, _ path: [String]) -> [String] {
        guard let value else { return [] }
        guard case .list(let list) = value else {
            return refuse(path, "found \(value.kind), expected an array of strings: TrustKit throws") ?? []
        }
        return list.enumerated().compactMap { index, entry in
            guard case .text(let text) = entry else {
                return refuse(path + ["[\(index)]"], "found \(entry.kind), expected a string: TrustKit throws")
            }
            return text
        }
    }

    /// `boolValue`, which numbers and strings have too.
    mutating func flag(_ value: AppleDocument.Value?, _ usual: Bool, _ path: [String]) -> Bool {
        switch value {
        case nil: return usual
        case .flag(let flag): return flag
        case .number(let number): return number != 0
        case .text(let text):
            let unsigned = text[...].drop { $0 == " " }.drop { "+-".contains($0) }
            let digits = Substring(unsigned).drop { $0 == "0" }
            let flag = digits.first.map { "YyTt123456789".contains($0) } ?? false
            let message = "found \(AppleDocument.Value.text(text).kind), expected true or false"
            warn(.misreadValue, path, "\(message); TrustKit takes it for \(flag)", fix: "write the boolean \(flag)")
            return flag
        case .some(let other):
            return refuse(path, "found \(other.kind), expected true or false: TrustKit throws") ?? usual
        }
    }
}
