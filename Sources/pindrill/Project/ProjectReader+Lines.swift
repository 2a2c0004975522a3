import AppSources
import Foundation
import Pinning
import Scenarios
import TLSCore

/// Scripts, configurations of servers, and what is written in languages that are not read.
extension ProjectReader {
    /// - Parameter isSource: whether the rest of it is read as a language; then only what starts a tunnel is looked for.
    mutating func readLines(_ file: ProjectFolder.File, isSource: Bool = false) {
        let hasPins = ["pinnedpubkey", "pinnedPubkey", "PinnedPubKey", "--servercert", "--trusted-cert"].contains(
            where: file.holds
        )
        let hasHeader = !isSource && ["Public-Key-Pins", "public-key-pins"].contains(where: file.holds)
        let hasOption = !isSource && file.holds(LibraryOptions.name)
        let hasFingerprint = !isSource && FingerprintOptions.names.contains(where: file.holds)
        let hasSetting =
            !isSource && !TextPins.isProgram(file.path) && ProgramSettings.names.contains(where: file.holds)
        guard hasPins || hasHeader || hasOption || hasFingerprint || hasSetting else { return }
        let text = String(decoding: file.bytes, as: UTF8.self)
        let options =
            (hasFingerprint ? FingerprintOptions.read(text, path: file.path) : [])
            + (hasSetting ? ProgramSettings.read(text, path: file.path) : [])
        for found in options {
            digestsOfLines.formUnion(found.pins.map(FoundPins.digest))
            let hosts = found.hosts.isEmpty ? [nil] : found.hosts.map(Optional.some)
            let known = hosts.map { FoundPins.Part(host: $0, pins: found.pins, line: found.line) }
            let place = place(file.path, found.line, found.name)
            let what = found.what + FoundPins.placeholders(among: found.pins)
            described.append(.init(place: place, hosts: found.hosts, pins: found.pins, known: known, what: what))
        }
        for found in hasPins ? CommandLines.read(text, fileName: file.path, definitions: definitions) : []
        where !isSource || found.tool.what != nil {
            let place = place(file.path, found.line, found.tool.rawValue, found.conditions)
            digestsOfLines.formUnion(found.pins.map(FoundPins.digest))
            let hosts = [found.host].compactMap { $0 }
            if let gap = found.gap {
                let known =
                    found.pins.isEmpty ? [] : [FoundPins.Part(host: found.host, pins: found.pins, line: found.line)]
                unread.append(.init(place: place, hosts: hosts, pins: found.pins, known: known, reason: gap))
            } else if let what = found.tool.what ?? found.plain {
                let known = [FoundPins.Part(host: found.host, pins: found.pins, line: found.line)]
                described.append(.init(place: place, hosts: hosts, pins: found.pins, known: known, what: what))
            } else if !found.value.hasPrefix("sha256//") {
                unread.append(
                    .init(place: place, hosts: hosts, reason: "the pinned key is in the file '\(found.value)'")
                )
            } else {
                let quoted = "'" + found.value.replacing("'", with: "''") + "'"
                let declaration =
                    "curl:\n  pinnedpubkey: \(quoted)\n  tool: \(found.tool.rawValue)\n  insecure: \(found.isInsecure)\n"
                add(place, .curl, Data(declaration.utf8), host: found.host)
            }
        }
        for found in hasOption ? LibraryOptions.read(text) : [] {
            digestsOfLines.formUnion(found.pins.map(FoundPins.digest))
            let known = found.pins.isEmpty ? [] : [FoundPins.Part(host: found.host, pins: found.pins, line: found.line)]
            unread.append(
                .init(
                    place: place(file.path, found.line, "curl"),
                    hosts: [found.host].compactMap { $0 },
                    pins: found.pins,
                    known: known,
                    reason: LibraryOptions.reason
                )
            )
        }
        for found in hasHeader ? ServerHeaders.read(text, fileName: file.path) : [] {
            digestsOfLines.formUnion(found.pins.map(FoundPins.digest))
            if let gap = found.gap {
                let hosts = [found.host].compactMap { $0 }
                let place = place(file.path, found.line, "header", found.conditions)
                let known =
                    found.pins.isEmpty ? [] : [FoundPins.Part(host: found.host, pins: found.pins, line: found.line)]
                unread.append(.init(place: place, hosts: hosts, pins: found.pins, known: known, reason: gap))
                continue
            }
            let lines = String(repeating: "\n", count: found.line - 1)
            add(
                place(file.path, found.line, "header", found.conditions),
                .hpkp,
                Data("\(lines)\(found.name): \(found.value)\n".utf8),
                host: found.host
            )
        }
    }

    /// What a script or a program writes for Android.
    mutating func readWritten(_ file: ProjectFolder.File) {
        for found in WrittenConfigurations.read(String(decoding: file.bytes, as: UTF8.self)) {
            let place = place(file.path, found.line, FoundPins.Form.networkSecurity.rawValue)
            let (hosts, pins) = (found.parts.compactMap(\.host).uniqued, found.parts.flatMap(\.pins).uniqued)
            if let gap = found.gap {
                unread.append(.init(place: place, hosts: hosts, pins: pins, known: found.parts, reason: gap))
            } else {
                described.append(.init(place: place, hosts: hosts, pins: pins, known: found.parts, what: found.what))
            }
        }
    }
}
