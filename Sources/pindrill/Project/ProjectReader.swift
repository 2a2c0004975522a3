import AppSources
import Foundation
import Pinning
import Scenarios
import TLSCore

/// One reading of a project's files.
struct ProjectReader {
    let folder: ProjectFolder
    /// Settings of the device, of which each dialect takes its own.
    private let device: [String]
    let definitions: [String: String]
    let module: SourceModule
    private let settings: XcodeSettings
    private let sources: [SourceModule.File]
    /// Certificate files by their names in lower case; `nil` where there are several of one name.
    private let assets: [String: String?]
    private(set) var configurations: [ProjectReading.Configuration] = []
    var described: [ProjectReading.Described] = []
    var unread: [ProjectReading.Unread] = []
    private(set) var tests: [String] = []
    private(set) var sourceCount = 0
    /// Digests that commands, headers and property lists are given.
    var digestsOfLines: Set<String> = []
    /// What was read in JSON.
    var tables: [FoundPins] = []

    init(_ folder: ProjectFolder, definitions: [String: String], _ device: [String]) {
        self.folder = folder
        self.device = device
        self.definitions = definitions
        var strings: [String: [String]] = [:]
        var buildFields: [String: [String]] = [:]
        var allFields: [AndroidResources.BuildField] = []
        var assets: [String: String?] = [:]
        var sources: [SourceModule.File] = []
        func add(_ value: String, to values: inout [String: [String]], _ name: String) {
            if !(values[name]?.contains(value) ?? false) { values[name, default: []].append(value) }
        }
        for file in folder.files {
            let name = file.path.split(separator: "/").last.map(String.init) ?? ""
            if let language = SourceLanguage(fileName: name) {
                let text = SourceLanguage.code(of: String(decoding: file.bytes, as: UTF8.self), fileName: name)
                sources.append(.init(path: file.path, language: language, text: text))
                if language == .groovy || name.hasSuffix(".gradle.kts"), file.holds("buildConfigField") {
                    let text = String(decoding: file.bytes, as: UTF8.self)
                    for field in AndroidResources.buildFields(in: text, language) where !field.isUsual {
                        add(field.value, to: &buildFields, field.name)
                        allFields.append(field)
                    }
                }
            } else if name.hasSuffix(".xml"), file.path.contains("res/values"), file.holds("<string") {
                for string in AndroidResources.strings(in: String(decoding: file.bytes, as: UTF8.self)) {
                    add(string.value, to: &strings, string.name)
                }
            } else if ["cer", "crt", "der", "pem"].contains(
                name.split(separator: ".").last.map { $0.lowercased() } ?? ""
            ) {
                let key = name.lowercased()
                assets[key] = assets[key] == nil ? .some(file.path) : .some(nil)
            }
        }
        self.sources = sources
        self.assets = assets
        settings = XcodeSettings(
            folder.files.filter { $0.path.hasSuffix(".xcconfig") }
                .map { ($0.path, String(decoding: $0.bytes, as: UTF8.self)) },
            definitions: definitions
        )
        module = SourceModule(
            // What scripts import as they do other scripts.
            sources + folder.files.compactMap(\.asData),
            definitions: definitions,
            strings: strings,
            buildFields: buildFields,
            variants: BuildVariants(allFields)
        )
    }

    mutating func read(only path: String?) {
        var found: [FoundPins] = []
        var suspects: [(file: SourceModule.File, isTest: Bool)] = []
        let reader = SourceReader(module)
        let texts = Dictionary(sources.map { ($0.path, $0) }) { first, _ in first }
        var testScripts: [ProjectFolder.File] = []
        for file in folder.files where path == nil || file.path == path {
            if file.isHeaderOfC {
                readLines(file)
            } else if texts[file.path] != nil, path != nil || !file.path.isOfTests, file.startsTunnels {
                readLines(file, isSource: true)
            }
            if let source = texts[file.path] {
                sourceCount += 1
                guard SourceReader.signs.contains(where: file.holds) || file.holdsBareDigest else { continue }
                suspects.append((source, path == nil && file.path.isOfTests))
            } else if path == nil, file.path.isOfTests, file.isOfLines {
                testScripts.append(file)
            } else {
                read(file)
            }
        }
        // Where all is tests, these are what was meant.
        let isAllTests = suspects.allSatisfy(\.isTest) && configurations.isEmpty && described.isEmpty && unread.isEmpty
        for file in testScripts {
            if isAllTests { read(file) } else if file.mayHoldTextPins { tests.append(folder.path(of: file.path)) }
        }
        for (file, isTest) in suspects {
            let own = reader.read(file)
            if isTest, !isAllTests {
                if !own.isEmpty || reader.hasPinTexts(file) { tests.append(folder.path(of: file.path)) }
                continue
            }
            found += own
        }
        for var one in found {
            // Of a file alone it is not known what else there is.
            if path != nil { one.unreferenced = nil }
            take(one)
        }
        let own = folder.files.filter { path == nil ? isAllTests || !$0.path.isOfTests : $0.path == path }
        let files = suspects.filter { isAllTests || !$0.isTest }.map(\.file)
        found += tables
        nameLeftovers(files + own.filter(\.isTableOfPins).compactMap(\.asData), found)
        nameTexts(own, found)
        nameCertificates(files, own.filter(\.isProgramWithCertificate), found)
        if path == nil { nameAccepting(files, reader) }
    }

    func place(_ path: String, _ line: Int?, _ form: String, _ conditions: [String] = [])
        -> ProjectReading.Place
    {
        .init(path: folder.path(of: path), line: line, form: form, conditions: conditions)
    }

    mutating func take(_ found: FoundPins) {
        var place = place(found.path, found.line, found.form.rawValue, found.conditions)
        place.asked = found.asked
        place.unreferenced = found.unreferenced.flatMap { isNamedElsewhere($0, than: found.path) ? nil : $0 }
        switch found.reading(assets: assets).withPlaceholders {
        case .policy(let name, let text, let hosts):
            guard let dialect = Dialect(rawValue: name) else { return }
            for host in hosts.isEmpty ? [nil] : hosts.map(Optional.some) {
                add(place, dialect, Data(text.utf8), host: host)
            }
        case .described(let hosts, let pins, let what, let known):
            described.append(.init(place: place, hosts: hosts, pins: pins, known: known, what: what))
        case .gaps(let gaps, let hosts, let known):
            for (index, gap) in gaps.enumerated() {
                var place = place
                place.line = gap.line > 0 ? gap.line : place.line
                // Once, and not with each reason.
                let known = index == 0 ? known : []
                let pins = known.flatMap(\.pins).uniqued
                unread.append(.init(place: place, hosts: hosts, pins: pins, known: known, reason: gap.reason))
            }
        }
    }

    mutating func add(_ place: ProjectReading.Place, _ dialect: Dialect, _ data: Data, host: String? = nil) {
        let (folder, own) = (folder, device.filter(dialect.knowsSetting))
        // What is found in a source is told by its form.
        let isFile = place.form == "file"
        configurations.append(
            .init(
                place: place,
                dialect: dialect,
                host: host,
                parts: { isFile ? ProjectReading.Unread.parts(of: data, file: place.path) : [] }
            ) { device in
                let device = own.isEmpty ? device : try AppDevice(parsing: own)
                let configuration = try PolicyFile.load(data, file: place.path, dialect: dialect, device: device) {
                    name in
                    guard let file = folder.files.first(where: { $0.path == name }) else {
                        throw InputError("\(name): no such file")
                    }
                    return try KeyMaterial.certificates(in: file.bytes)
                }
                return ImportedPolicy(file: place.path, configuration: configuration)
            }
        )
    }

    /// Pins in a source that no form has made anything of.
    private mutating func nameLeftovers(_ files: [SourceModule.File], _ found: [FoundPins]) {
        let known = found.reduce(into: Set<String>()) { $0.formUnion($1.digests) }
        let reader = SourceReader(module)
        for file in files {
            guard var rest = reader.leftovers(of: file, used: known) else { continue }
            for found in AndroidResources.pinnedFields(of: rest.pins, in: file) {
                // A build type or a flavour is a condition of its own.
                let place = place(file.path, rest.line, "text", found.variant.map { [$0] } ?? [])
                let reason = "fields of the build hold pins, and nothing that is known uses them"
                let known = found.known.map { FoundPins.Part(host: $0.host, pins: $0.pins, line: rest.line) }
                unread.append(.init(place: place, hosts: found.hosts, pins: found.pins, known: known, reason: reason))
            }
            rest.pins.removeAll { pin in
                unread.contains { $0.place.path == folder.path(of: file.path) && $0.pins.contains(pin) }
            }
            if rest.pins.isEmpty { continue }
            if rest.areBypassed {
                let others = rest.pins.count > 1 ? " and \(rest.pins.count - 1) more" : ""
                let what = "a pin stands here\(others) that nothing known uses, and every certificate is let through"
                let place = place(file.path, rest.line, "text")
                described.append(.init(place: place, hosts: rest.hosts, pins: rest.pins, known: rest.known, what: what))
                continue
            }
            if let index = unread.firstIndex(where: { $0.place.path == folder.path(of: file.path) }) {
                // What keeps them from being read is told; they stand with it.
                unread[index].pins = (unread[index].pins + rest.pins).uniqued
                unread[index].hosts = (unread[index].hosts + rest.hosts).uniqued
                unread[index].known = (unread[index].known + rest.known).uniqued
                continue
            }
            let reason = FoundPins.unused(rest.pins)
            let place = place(file.path, rest.line, "text")
            unread.append(.init(place: place, hosts: rest.hosts, pins: rest.pins, known: rest.known, reason: reason))
        }
    }

    /// Pins in settings of the app's own, which nothing that was read uses.
    private mutating func nameTexts(_ files: [ProjectFolder.File], _ found: [FoundPins]) {
        var known = found.reduce(into: Set<String>()) { $0.formUnion($1.digests) }
        known.formUnion((described.flatMap(\.pins) + unread.flatMap(\.pins)).map(FoundPins.digest))
        known.formUnion(digestsOfLines)
        let read = Set(configurations.map(\.place).filter { $0.form == "file" }.map(\.path))
        for file in files where file.mayHoldTextPins && !read.contains(folder.path(of: file.path)) {
            let text = String(decoding: file.bytes, as: UTF8.self)
            // That another source holds the same says nothing of a program.
            let own = TextPins.isProgram(file.path) ? ownDigests(of: file) : known
            guard let rest = TextPins.read(text, path: file.path, isKnown: { own.contains(FoundPins.digest(of: $0)) })
            else {
                continue
            }
            unread.append(
                .init(
                    place: place(file.path, rest.line, "text", file.sourceSet),
                    hosts: rest.hosts,
                    pins: rest.pins,
                    known: rest.known,
                    reason: FoundPins.unused(rest.pins)
                )
            )
        }
    }

    /// The digests of a file of which something was made.
    private func ownDigests(of file: ProjectFolder.File) -> Set<String> {
        let path = folder.path(of: file.path)
        let pins =
            described.filter { $0.place.path == path }.flatMap(\.pins)
            + unread.filter { $0.place.path == path }.flatMap(\.pins)
        return digestsOfLines.union(pins.map(FoundPins.digest))
    }

    // MARK: Other files

    private mutating func read(_ file: ProjectFolder.File) {
        let name = file.path.split(separator: "/").last.map { $0.lowercased() } ?? ""
        if name.hasSuffix(".plist") || name.hasSuffix(".xml") {
            // In UTF-16 a zero stands beside every letter.
            let narrow = ProjectFolder.File(
                path: file.path,
                bytes: file.bytes.first ?? 0 > 0xFD || file.bytes.prefix(2).contains(0)
                    ? file.bytes.filter { $0 != 0 } : file.bytes
            )
            let isPolicy = ["PinnedDomains", "network-security-config", "trustkit-config"].contains(where: narrow.holds)
            if isPolicy { readPolicy(file) }
        } else if name.hasSuffix(".json") {
            if file.holds("PinnedDomains") { readData(file) }
        } else if file.isOfLines {
            if [".yml", ".yaml"].contains(where: name.hasSuffix), file.holds("PinnedDomains") { readData(file) }
            readLines(file)
            if file.holds("<network-security-config"), TextPins.mayHold(file.path) { readWritten(file) }
        }
    }

    private mutating func readPolicy(_ file: ProjectFolder.File) {
        let path = folder.path(of: file.path)
        do {
            for (data, conditions) in filled(file) {
                add(
                    place(file.path, nil, "file", file.sourceSet + uses(of: file) + conditions),
                    try PolicyFile.dialect(of: data, file: path),
                    data
                )
            }
        } catch {
            let reason = error.problems.first?.message ?? "it is in no format that is known"
            let parts = ProjectReading.Unread.parts(of: Data(file.bytes), file: file.path)
            unread.append(.init(place(file.path, nil, "file"), parts, reason: reason))
        }
    }

    /// A configuration with the variables of its build filled in, as far as they are known.
    private mutating func filled(_ file: ProjectFolder.File) -> [(data: Data, conditions: [String])] {
        guard file.isFilledByBuild else { return [(Data(file.bytes), [])] }
        let ways = settings.fill(String(decoding: file.bytes, as: UTF8.self), usesFiles: file.path.hasSuffix(".plist"))
        digestsOfLines.formUnion(ways.flatMap(\.values).map { FoundPins.digest(of: $0) })
        return ways.map { (Data($0.text.utf8), $0.conditions) }
    }

    /// Under which conditions Android's manifests name a configuration, where there are any.
    private func uses(of file: ProjectFolder.File) -> [String] {
        let parts = file.path.split(separator: "/")
        guard let place = parts.lastIndex(of: "res"), let name = parts.last?.dropLast(4) else { return [] }
        let manifests = folder.files.filter { $0.path.hasSuffix("AndroidManifest.xml") && !$0.path.isOfTests }
        guard !manifests.isEmpty, file.path.hasSuffix(".xml") else { return [] }
        let named = manifests.compactMap { manifest in manifest.namedConfiguration.map { (manifest.path, $0) } }
        guard named.contains(where: { $0.1 == name }) else {
            let others = Set(named.map { "@xml/\($0.1)" }).sorted().joined(separator: " or ")
            return ["a manifest names it" + (others.isEmpty ? "" : ", and not \(others)")]
        }
        var words: [String] = []
        // A flavour's own, and resources for some devices, stand in its place.
        for (path, other) in named
        where other != name && !file.path.hasPrefix(path.dropLast("AndroidManifest.xml".count)) {
            let folders = path.split(separator: "/")
            if folders.count > 2, folders[folders.count - 3] == "src", folders[folders.count - 2] != "main" {
                words.append("the source set is not \(folders[folders.count - 2])")
            }
        }
        guard place + 2 < parts.count, parts[place + 1] == "xml" else { return words }
        let root = parts[...place].joined(separator: "/") + "/xml-"
        for other in folder.files where other.path.hasPrefix(root) && other.path.hasSuffix("/\(name).xml") {
            let kind = other.path.dropFirst(root.count - 4).prefix { $0 != "/" }
            words.append("the resources are not \(kind)")
        }
        return words
    }
}
