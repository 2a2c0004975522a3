package import Foundation
import TLSCore

extension PolicyFile {
    /// The literal pins that an entry of a property list has.
    package struct Part: Hashable, Sendable {
        /// As its key is written, which may hold a variable of the build.
        package var name: String
        package var pins: [String]
        package var line: Int
    }

    /// Which literal pins the domains of a property list have, should it not be read as a whole; none of any other file.
    package static func parts(of data: Data, file: String) -> [Part] {
        guard let document = try? AppleDocument(parsing: data, file: file, readsJSON: false) else { return [] }
        return ["NSPinnedDomains", "TSKPinnedDomains"].flatMap { key -> [Part] in
            guard let path = document.path(to: key), case .table(let domains) = document.root.value(at: path) else {
                return []
            }
            return domains.compactMap { name, entry in
                let pins = entry.pins
                return pins.isEmpty ? nil : Part(name: name, pins: pins, line: document.line(of: path + [name]) ?? 1)
            }
            .sorted { ($0.line, $0.name) < ($1.line, $1.name) }
        }
    }
}

extension AppleDocument.Value {
    fileprivate func value(at path: [String]) -> AppleDocument.Value? {
        path.reduce(self) { value, key in if case .table(let table)? = value { table[key] } else { nil } }
    }

    fileprivate var pins: [String] {
        switch self {
        case .text(let text): Pin(base64: text) == nil ? [] : [text]
        case .list(let list): list.flatMap(\.pins)
        case .table(let table): table.sorted { $0.key < $1.key }.flatMap(\.value.pins)
        case .flag, .number, .other: []
        }
    }
}
