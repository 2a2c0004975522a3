import Foundation
import TestSupport
import Testing

@testable import AppSources

/// Sources that somebody broke. Whatever they hold, reading them ends; a trap would end the test process.
@Suite struct `A damaged source` {
    /// Some forms are halves, whose pins stand in another file.
    @Test func `has pins before it is damaged`() {
        let alone = Sample.all.filter { !$0.lines(of: $0.bytes[...]).isEmpty }

        #expect(Sample.all.count > 100)
        #expect(alone.count * 10 >= Sample.all.count * 9, "\(alone.count) of \(Sample.all.count)")
        // Gradle's fields are pins of another file's builder.
        #expect(Set(alone.map(\.language)).union([.groovy]) == Set(SourceLanguage.allCases))
    }

    @Test(arguments: Sample.all)
    func `is read wherever it is cut off`(sample: Sample) async {
        for count in stride(from: 0, to: sample.bytes.count, by: DamagedInputs.step) {
            if count % 64 == 0 { await Task.yield() }
            expectSensible(sample.bytes.prefix(count), sample)
        }
    }

    /// Some 50 times for each language; `make damage` does 100,000, and cuts at each byte.
    @Test(arguments: Sample.all)
    func `is read whatever is changed`(sample: Sample) async {
        var random = SplitMix64(seed: UInt64(sample.bytes.count))

        for round in 0..<(DamagedInputs.sources / Sample.all.count(where: { $0.language == sample.language }) + 1) {
            if round % 32 == 0 { await Task.yield() }
            var bytes = sample.bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) { damage(&bytes, &random) }
            expectSensible(bytes[...], sample)
        }
    }

    @Test(arguments: [
        "(", "[", "{", "\"${", "f(", "a?b:", "-", "if(x)", "if(a){}else ", "{x->", ".add(", "/*", "'", "a<", "x=>",
    ])
    func `is read in proportion to its size`(part: String) {
        let pin = "\"utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=\";"
        let text = "val a = \(pin)val b = CertificatePinner.Builder()" + String(repeating: part, count: 4000) + pin

        for language in SourceLanguage.allCases {
            let file = SourceModule.File(path: "deep", language: language, text: text)
            let start = ContinuousClock.now
            let reader = SourceReader(SourceModule([file]))
            _ = reader.read(file)
            _ = reader.leftovers(of: file, used: [])
            #expect(ContinuousClock.now - start < .seconds(120), "\(language)")
        }
    }

    /// A bracket that nothing opened begins no statement, and a case of a switch went on to look for one.
    @Test(arguments: [
        "switch a { case 1: x ) }", "switch a { case 1: x ] default: y }", "when (a) { 1 -> ) else -> ] }",
    ])
    func `ends where a switch has a bracket too many`(text: String) {
        for language in SourceLanguage.allCases {
            let text = "\(text)\nval b = CertificatePinner.Builder().add(\"a.example\", \"sha256/x\").build()\n"
            let file = SourceModule.File(path: "A", language: language, text: text)
            let found = SourceReader(SourceModule([file])).read(file)
            if language == .kotlin { #expect(found.map(\.line) == [2]) }
        }
    }

    /// What begins as a constructor of Dart and is none has no block, whatever it assigned to.
    @Test func `ends where initialisers belong to no constructor`() {
        let text = """
            class Api {
              bool check(X509Certificate cert) => pins.contains(sha256.convert(cert.der).toString());
              final List<String> pins = ['utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM='];
              Api(this.other) : pins = ['vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=']
            """
        let file = SourceModule.File(path: "a.dart", language: .dart, text: text)

        let found = SourceReader(SourceModule([file])).read(file)

        #expect(found.allSatisfy { (1...5).contains($0.line) })
    }

    @Test func `lines of scripts, servers and resources are read whatever is changed and wherever they are cut off`()
        async
    {
        let digits = repeatElement("AB", count: 32).joined(separator: ":")
        let text = """
            PIN="sha256//utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="
            curl -sk --pinnedpubkey "$PIN;${OTHER}" https://api.acme.example/
            server { server_name www.acme.example;
              add_header Public-Key-Pins 'pin-sha256="a"; max-age=5' always; }
            <resources><string name="a">&quot;b&quot;</string><string-array name="c"><item>d</item></string-array></resources>
            buildConfigField "String", "PIN", "\\"sha256/a\\""
            <peer-fingerprint>
            \(digits)
            </peer-fingerprint>
            [acme] tls_fingerprint = \(digits) # irc
            [mail.acme.example]:587 fingerprint match=\(digits)|\(digits)
            """
        let whole = Array(text.utf8)
        var random = SplitMix64(seed: 7)
        func read(_ bytes: ArraySlice<UInt8>) {
            let text = String(decoding: bytes, as: UTF8.self)
            let lines = bytes.count { $0 == 0x0A } + 1
            let found =
                CommandLines.read(text, fileName: "a.sh").map(\.line) + ServerHeaders.read(text).map(\.line)
                + ProgramSettings.read(text, path: "openvpn/a.conf").map(\.line)
            #expect(found.allSatisfy { (1...lines).contains($0) })
            _ = AndroidResources.strings(in: text)
            _ = AndroidResources.buildFields(in: text, .groovy)
        }

        for count in whole.indices { read(whole.prefix(count)) }
        for round in 0..<DamagedInputs.count(of: 20_000) {
            if round % 64 == 0 { await Task.yield() }
            var bytes = whole
            for _ in 0..<Int.random(in: 1...3, using: &random) { damage(&bytes, &random) }
            read(bytes[...])
        }
    }

    /// Constants that double, texts that are put into texts, functions that hand lists to themselves, loops over long lists.
    @Test(arguments: Growth.allCases)
    func `that grows without bound is given up`(growth: Growth) {
        let file = SourceModule.File(path: "Grow.kt", language: .kotlin, text: growth.text)
        let start = ContinuousClock.now

        let reader = SourceReader(SourceModule([file]))
        let found = reader.read(file)
        _ = reader.leftovers(of: file, used: [])

        #expect(ContinuousClock.now - start < .seconds(120))
        #expect(found.count == 1)
        if case .gaps = found.first?.content {} else { Issue.record("\(found.map(\.line))") }
    }

    private func damage(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        guard !bytes.isEmpty else { return }
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch random.next() % 5 {
        case 0: bytes[index] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: index)
        case 2: bytes.insert(Array("\"':;{}[]()-&*!|\t\n\\<>/=%#?.,0@$".utf8).randomElement(using: &random)!, at: index)
        case 3: bytes.swapAt(index, Int.random(in: 0..<bytes.count, using: &random))
        default:
            let end = min(bytes.count, index + Int.random(in: 1...24, using: &random))
            bytes.insert(contentsOf: bytes[index..<end], at: Int.random(in: 0...bytes.count, using: &random))
        }
    }

    private func expectSensible(_ bytes: ArraySlice<UInt8>, _ sample: Sample) {
        let lines = bytes.count { $0 == 0x0A } + 1
        for line in sample.lines(of: bytes) where !(1...lines).contains(line) {
            Issue.record("names line \(line) of \(lines)")
        }
    }
}

enum Growth: String, CaseIterable, Sendable {
    case doubling
    case templates
    case lists
    case handedOn
    case itself
    case loops

    var text: String {
        let use = "val p = CertificatePinner.Builder().add(\"a.acme.example\", LAST).build()\n"
        func chain(_ first: String, _ next: (String) -> String) -> String {
            var text = "const val A0 = \(first)\n"
            for number in 1...9 { text += "const val A\(number) = \(next("A\(number - 1)"))\n" }
            return text + use.replacing("LAST", with: "A9")
        }
        switch self {
        case .doubling: return chain("\"sha256/\"") { "\($0) + \($0) + \($0) + \($0)" }
        case .templates: return chain("\"sha256/\"") { "\"" + String(repeating: "$\($0)", count: 200) + "\"" }
        case .lists:
            return chain("listOf(\"sha256/\")") { name in
                "listOf(" + Array(repeating: name, count: 60).joined(separator: ", ") + ")"
            }
        case .handedOn:
            let all = Array(repeating: "x", count: 60).joined(separator: ", ")
            return "fun f(x: Any) = listOf(\(all))\n" + use.replacing("LAST", with: "f(f(f(f(f(f(\"a\"))))))")
        case .itself: return "val a = b\nval b = a\n" + use.replacing("LAST", with: "a")
        case .loops:
            let list = Array(repeating: "\"sha256/a\"", count: 1999).joined(separator: ", ")
            return """
                val all = listOf(\(list))
                val p = CertificatePinner.Builder().apply {
                    for (a in all) { for (b in all) { for (c in all) { add(a, b, c) } } }
                }.build()

                """
        }
    }
}

struct Sample: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let language: SourceLanguage

    var testDescription: String { name }

    static let all: [Sample] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Forms")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
        return names.sorted().compactMap { name in
            guard let data = try? Data(contentsOf: folder.appending(path: name)),
                let language = SourceLanguage(fileName: name)
            else { return nil }
            return Sample(name: name, bytes: Array(data), language: language)
        }
    }()

    /// The lines on which something was found, pins that nothing uses among them.
    func lines(of bytes: ArraySlice<UInt8>) -> [Int] {
        let file = SourceModule.File(path: name, language: language, text: String(decoding: bytes, as: UTF8.self))
        let reader = SourceReader(SourceModule([file]))
        return reader.read(file).map(\.line) + (reader.leftovers(of: file, used: []).map { [$0.line] } ?? [])
    }
}

extension DamagedInputs {
    /// How often the samples of one language are damaged.
    fileprivate static let sources = areAll ? 100_000 : 50
    /// How many bytes further a sample is cut off the next time.
    fileprivate static let step = areAll ? 1 : 499
}
