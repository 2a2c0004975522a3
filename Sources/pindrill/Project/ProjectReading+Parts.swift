import AppSources
import Foundation
import Pinning
import TLSCore

extension ProjectReading.Unread {
    /// A file of a dialect's own that is not read as a whole, with its literal pins.
    init(_ place: ProjectReading.Place, _ parts: [FoundPins.Part], hosts: [String] = [], reason: String) {
        self.init(
            place: place,
            hosts: (hosts + parts.compactMap(\.host)).uniqued,
            pins: parts.flatMap(\.pins).uniqued,
            known: parts.filter { $0.host != nil || $0.expression != nil },
            reason: reason
        )
    }

    /// The literal pins of a property list, or of XML that is none as it stands.
    static func parts(of data: Data, file: String) -> [FoundPins.Part] {
        let read = PolicyFile.parts(of: data, file: file)
        if !read.isEmpty {
            return read.map { part in
                let isHost = part.name.isHost
                return .init(
                    host: isHost ? part.name : nil,
                    pins: part.pins,
                    line: part.line,
                    expression: isHost ? nil : part.name
                )
            }
        }
        let text = String(decoding: data, as: UTF8.self)
        let written = WrittenConfigurations.readBroken(text)
        if !written.isEmpty { return written }
        guard let rest = TextPins.read(text, path: file, isKnown: { _ in false })
        else {
            return []
        }
        let known = Set(rest.known.flatMap(\.pins))
        let others = rest.pins.filter { !known.contains($0) }
        return rest.known + (others.isEmpty ? [] : [.init(host: nil, pins: others, line: rest.line)])
    }
}

extension String {
    fileprivate var isHost: Bool { !["$(", "${"].contains(where: contains) }
}
