/// The sources among which names are looked for, and what is known beside them.
package final class SourceModule {
    package struct File: Sendable {
        package var path: String
        package var language: SourceLanguage
        package var text: String

        package init(path: String, language: SourceLanguage, text: String) {
            self.path = path
            self.language = language
            self.text = text
        }
    }

    /// Owns, as in `__build.env.NAME`, what a build puts in the place of `$(NAME)` in data that is read as a script.
    package static let buildVariables = "__build"

    let files: [File]
    /// What a person said that a name stands for.
    let definitions: [String: String]
    /// `res/values`, by name: each value once.
    let strings: [String: [String]]
    /// Fields that Gradle writes into `BuildConfig`, by name: each value once.
    let buildFields: [String: [String]]
    /// Those of them that have another value for each build type, or each flavour.
    let variants: BuildVariants
    private var last: (path: String, tokens: [Token])?
    private var trees: [String: SyntaxTree] = [:]
    private var mentions: [String: [Int]] = [:]
    /// What one source is told of a word.
    private var othersByWord: [String: [File]] = [:]
    private lazy var areOfTests: [Bool] = files.map(\.path.isOfTests)
    /// The bodies of types by their names, in the other sources that each source sees.
    private var bodiesByName: [String: [(tree: SyntaxTree, body: Int)]] = [:]
    /// Of a source, what has a name: in the file itself, and in its types.
    typealias Declaring = (tree: SyntaxTree, inFile: [Declaration], inTypes: [Declaration])
    private var declaringByName: [String: [Declaring]] = [:]
    /// Whether there is a function by a name.
    private var functions: [String: Bool] = [:]
    /// Of one source and one name; `.some(nil)` where it is known that they cannot be told.
    var callsByName: [String: [Call]?] = [:]
    /// Types by one that they are made from, for each source.
    var typesBySuper: [String: [(tree: SyntaxTree, declaration: Declaration)]] = [:]
    /// What `let` and `also` are called of, by the blocks of their closures, for each source.
    var receiversByPath: [String: [Int: Expression]] = [:]
    /// Which files hold a word, by its hash: each file is gone through once, however many words are looked for.
    private lazy var filesByWord: [UInt64: [Int32]] = {
        var found: [UInt64: [Int32]] = [:]
        for (index, file) in files.enumerated() where file.text.utf8.count <= Self.largest {
            var words: Set<UInt64> = []
            var text = file.text
            text.withUTF8 { bytes in
                var place = 0
                while place < bytes.count {
                    guard Lexer.isOfName(bytes[place]) else {
                        place += 1
                        continue
                    }
                    let begin = place
                    while place < bytes.count, Lexer.isOfName(bytes[place]) { place += 1 }
                    words.insert(Self.hash(bytes[begin..<place]))
                }
            }
            for word in words { found[word, default: []].append(Int32(index)) }
        }
        return found
    }()

    /// Scripts by the last part of their paths, without its end.
    private lazy var scriptsByName: [Substring: [Int]] = Dictionary(
        grouping: files.indices.filter { files[$0].language == .script }
    ) {
        files[$0].path.scriptName
    }

    /// The script that another one names by its path, with or without its end.
    ///
    /// - Parameter isWhole: whether that is the whole path, and not the end of one.
    func script(at path: String, isWhole: Bool, than other: String) -> File? {
        let names = [path, path + "/index"]
        for name in names {
            let found = (scriptsByName[name.scriptName] ?? []).map { files[$0] }.filter { file in
                let bare = file.path.withoutScriptEnd
                let wanted = name.withoutScriptEnd
                return file.path != other && (bare == wanted || !isWhole && bare.hasSuffix("/\(wanted)"))
            }
            if found.count == 1 { return found[0] }
        }
        return nil
    }

    /// FNV-1a.
    private static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// Larger ones are not looked at for names.
    private static let largest = 1 << 20

    package init(
        _ files: [File],
        definitions: [String: String] = [:],
        strings: [String: [String]] = [:],
        buildFields: [String: [String]] = [:],
        variants: BuildVariants = BuildVariants()
    ) {
        self.files = files
        self.definitions = definitions
        self.strings = strings
        self.buildFields = buildFields
        self.variants = variants
    }

    /// The words of a source. Those of the last one are kept, for it is looked at for several things.
    func tokens(of file: File) -> [Token] {
        if let last, last.path == file.path { return last.tokens }
        let tokens = file.tokens
        last = (file.path, tokens)
        return tokens
    }

    func tree(of file: File) -> SyntaxTree {
        if let known = trees[file.path] { return known }
        let tokens = BuildConditions.tokens(tokens(of: file), holding: [])
        let tree = Parser.parse(tokens, path: file.path, language: file.language)
        trees[file.path] = tree
        return tree
    }

    /// Whether one of the sources has a function by a name.
    func hasFunction(_ name: String, in language: SourceLanguage) -> Bool {
        if let known = functions[name] { return known }
        let word = language == .swift ? "func" : "fun"
        let found = files.contains { file in
            guard file.language == language, file.text.contains(name) else { return false }
            let tokens = tokens(of: file)
            return zip(tokens, tokens.dropFirst()).contains { $0.isName(word) && $1.isName(name) }
        }
        functions[name] = found
        return found
    }

    /// Other sources in which a word stands, the nearest first, those of tests left out unless a test asks.
    func others(mentioning word: String, than path: String, in language: SourceLanguage) -> [File] {
        let key = "\(path) \(word)"
        if let known = othersByWord[key] { return known }
        let isTest = path.isOfTests
        let found = indices(mentioning: word).filter { index in
            files[index].path != path && language.shares(with: files[index].language) && (isTest || !areOfTests[index])
        }
        .map { files[$0] }
        othersByWord[key] = found
        return found
    }

    private func indices(mentioning word: String) -> [Int] {
        if let known = mentions[word] { return known }
        let bytes = Array(word.utf8)
        // Two words may have one hash.
        let found = (filesByWord[Self.hash(bytes[...])] ?? []).map(Int.init).filter { files[$0].mentions(bytes) }
        mentions[word] = found
        return found
    }

    /// The other sources that declare a name, among the first that mention it.
    ///
    /// - Parameter isSeen: the paths that are looked at; `nil` for all. It is the same for a source each time. Others are not parsed.
    func declaring(
        _ name: String,
        for tree: SyntaxTree,
        among most: Int,
        where isSeen: ((String) -> Bool)? = nil
    ) -> [Declaring] {
        let key = "\(most) \(isSeen == nil) \(tree.path) \(name)"
        if let known = declaringByName[key] { return known }
        let mentioning = others(mentioning: name, than: tree.path, in: tree.language).prefix(most)
        let found = mentioning.filter { isSeen?($0.path) ?? true }.compactMap { file in
            let other = self.tree(of: file)
            let inFile = other.blocks.first?.declarations[name] ?? []
            let inTypes = other.blocks.flatMap { block -> [Declaration] in
                if case .type = block.owner { block.declarations[name] ?? [] } else { [] }
            }
            return inFile.isEmpty && inTypes.isEmpty ? nil : Declaring(other, inFile, inTypes)
        }
        declaringByName[key] = found
        return found
    }

    /// The types of a name in other sources.
    func typeBodies(_ name: String, for tree: SyntaxTree) -> [(tree: SyntaxTree, body: Int)] {
        let key = "\(tree.path) \(name)"
        if let known = bodiesByName[key] { return known }
        let word = Array(name.utf8)
        // Most of those that mention `Data` or `String` declare no such type, and need not be parsed.
        let declaring = others(mentioning: name, than: tree.path, in: tree.language).lazy.filter { $0.maySayType(word) }
        let found = Array(declaring.prefix(200)).flatMap { file in
            let other = self.tree(of: file)
            return (other.typeBodies[name] ?? []).map { (tree: other, body: $0) }
        }
        bodiesByName[key] = found
        return found
    }
}

extension SourceModule.File {
    /// Its words, read anew: `SourceModule.tokens(of:)` keeps them.
    var tokens: [Token] { ImportedNames.resolved(Lexer.tokens(of: text, in: language), in: language) }

    fileprivate func mentions(_ word: [UInt8]) -> Bool {
        var text = text
        return text.withUTF8 { $0.firstIndex(of: word) != nil }
    }

    /// Whether a word stands behind one that declares types, or is the last part of a name: `extension Outer.Inner`.
    fileprivate func maySayType(_ word: [UInt8]) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            bytes.firstIndex(of: word) { place in
                let end = bytes[..<place].lastIndex {
                    $0 != UInt8(ascii: " ") && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D
                }
                guard let end else { return false }
                if bytes[end] == UInt8(ascii: ".") { return true }
                let start = bytes[...end].lastIndex { !Lexer.isOfName($0) }.map { $0 + 1 } ?? 0
                let before = String(decoding: bytes[start..<(end + 1)], as: UTF8.self)
                return Parser.types.contains(before) || before == "namespace" || before == "implementation"
            } != nil
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Where a word begins that is no part of a longer one.
    fileprivate func firstIndex(of word: [UInt8], where isWanted: (Int) -> Bool = { _ in true }) -> Int? {
        guard let first = word.first, count >= word.count else { return nil }
        var place = 0
        let last = count - word.count
        while place <= last {
            guard let next = self[place...last].firstIndex(of: first) else { return nil }
            if self[next..<(next + word.count)].elementsEqual(word),
                next == 0 || !Lexer.isOfName(self[next - 1]),
                next + word.count == count || !Lexer.isOfName(self[next + word.count]), isWanted(next)
            {
                return next
            }
            place = next + 1
        }
        return nil
    }
}

extension String {
    fileprivate var withoutScriptEnd: Substring {
        for end in [".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte"] where hasSuffix(end) {
            return dropLast(end.count)
        }
        return self[...]
    }

    /// `b` of `a/b.ts`; of an index, too.
    fileprivate var scriptName: Substring {
        let bare = withoutScriptEnd
        return bare.lastIndex(of: "/").map { bare[bare.index(after: $0)...] } ?? bare
    }

    /// Whether a path is of a test, and not of what is shipped.
    package var isOfTests: Bool {
        split(separator: "/").contains { part in
            let name = part.lowercased()
            return ["test", "tests", "androidtest", "unittest", "unittests", "uitests", "__tests__", "spec", "specs"]
                .contains(name) || name.hasSuffix("tests") || name.hasSuffix("test")
        }
    }
}
