import Testing

@testable import AppSources

/// Functions, classes and constants of scripts with pins that nothing else names.
@Suite struct `Scripts with pins that nothing else names` {
    private func unreferenced(_ texts: String..., path: String = "src/pinning.ts") -> [String?] {
        let paths = [path] + texts.indices.map { "src/other\($0).ts" }
        let files = zip(paths, texts).map { SourceModule.File(path: $0, language: .script, text: $1) }
        return Set(SourceReader(SourceModule(files)).read(files[0]).map(\.unreferenced)).sorted {
            ($0 ?? "") < ($1 ?? "")
        }
    }

    private let call = """
        initializeSslPinning({ 'api.acme.example': { publicKeyHashes: [
          'utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=', 'vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=',
        ] } });
        """

    @Test(arguments: [
        ("export async function startPinning() { CALL }", "startPinning"),
        ("export const startPinning = async () => { CALL };", "startPinning"),
        ("function startPinning() { CALL }\nmodule.exports = { startPinning };", "startPinning"),
        ("function startPinning() { CALL }\nexport { startPinning };", "startPinning"),
        ("export class Pinning { start() { CALL } }", "Pinning"),
        // Run, or used, by itself.
        ("CALL", nil), ("function startPinning() { CALL }\nstartPinning();", nil),
        ("export class Pinning { start() { CALL } }\nnew Pinning().start();", nil),
        // What a framework calls.
        ("@Injectable()\nexport class Pinning { start() { CALL } }", nil),
        ("export class Home extends React.Component { componentDidMount() { CALL } }", nil),
    ])
    func `are told, but not what is run`(text: String, expected: String?) {
        #expect(unreferenced(text.replacing("CALL", with: call)) == [expected])
    }

    @Test(arguments: [
        ("module.exports = { make: function () { const own = CALL; return use({ own: own }); } };", nil),
        ("module.exports = { make() { const own = () => { CALL }; return 1; } };", "own"),
    ])
    func `are no constants of an object's own methods`(text: String, expected: String?) {
        #expect(unreferenced(text.replacing("CALL", with: call.dropLast())) == [expected])
    }

    @Test func `are told of a method of a class that something names`() {
        let text = "export class Api { startPinning() { \(call) } get() {} }\nexport const api = new Api();\napi.get();"

        #expect(unreferenced(text) == ["startPinning"])
        #expect(unreferenced(text, "import { api } from './pinning';\napi.startPinning();") == [nil])
        #expect(unreferenced(text.replacing("startPinning", with: "ngOnInit")) == [nil])
    }

    @Test func `are not told where another source names them`() {
        let text = "export function startPinning() { \(call) }"

        #expect(unreferenced(text, "import { startPinning } from './pinning';\nstartPinning();") == [nil])
        #expect(unreferenced(text, "import { other } from './pinning';\nother();") == ["startPinning"])
    }

    @Test(arguments: [
        "export default function startPinning() { CALL }",
        "const startPinning = () => { CALL };\nexport default startPinning;",
    ])
    func `have any name where a source exports them as a whole`(text: String) {
        let text = text.replacing("CALL", with: call)

        #expect(unreferenced(text) == ["startPinning"])
        #expect(unreferenced(text, "import pins from './pinning';\npins();") == [nil])
        #expect(unreferenced(text, "import pins from './pinning.other';\npins();") == ["startPinning"])
        // A tool starts these by their places.
        #expect(unreferenced(text, path: "app/home.tsx") == [nil])
        #expect(unreferenced(text, path: "acme.config.js") == [nil])
    }

    @Test(arguments: [("startPinning", "startPinning"), ("componentDidMount", nil), ("render", nil)])
    func `are told of a method of a screen, but for what React calls`(name: String, expected: String?) {
        let text = "class Home extends React.Component { \(name)() { \(call) } }\nexport default Home;"

        #expect(unreferenced(text) == [expected])
        #expect(unreferenced(text + "\nhome.startPinning();") == [nil])
    }

    @Test(arguments: [("library.startPinning()", nil), ("startPinning()", "askLater")])
    func `are told by the only function that calls theirs, and not by a method of its name`(
        other: String,
        expected: String?
    ) {
        let text = "function startPinning() { \(call) }\nexport function askLater() { \(other); }"

        #expect(unreferenced(text) == [expected])
    }
}
