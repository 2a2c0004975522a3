import Testing

@testable import AppSources

/// Whether what delegates of Apple's systems compare decides anything, and when.
@Suite struct `What a delegate compares` {
    private typealias Example = `A delegate that compares certificates`

    @Test(arguments: [
        ("let made = Pinning.digest", ""), ("class Own: Pinning {}", ""), ("", "makes an object of 'Pinning'"),
        ("// shared", "uses 'Pinning' but itself"), ("// delegate", ""),
    ])
    func `that only its own type names is told so`(other: String, more: String) {
        let own = [
            "// shared": "static let shared = Pinning()",
            "// delegate":
                "static func session() -> URLSession { URLSession(configuration: .default, delegate: Pinning()) }",
        ][other, default: "static let sum = Pinning.digest"]
        let text =
            Example.delegate().split(separator: "\n").dropLast().joined(separator: "\n")
            .replacing("private var pins", with: "\(own)\n    private var pins") + "\n" + other

        let what = more.isEmpty ? Example.compared : "\(Example.compared); nothing in what was read \(more)"
        #expect(Example.told(text) == ["api.acme.example \(Example.pin): \(what)"])
    }

    @Test(arguments: [
        ("final class Checker", "", "; nothing in what was read makes an object of 'Checker'"),
        ("final class Checker", "let checker = Checker()", ""), ("final class Checker: CAPPlugin", "", ""),
        ("@objc(Checker) final class Checker", "", ""),
        ("enum Checker", "", "; nothing in what was read calls 'isPinned'"),
    ])
    func `an object that nothing makes is told so`(head: String, other: String, more: String) {
        let text = """
            \(head) {
                func isPinned(_ serverTrust: SecTrust) -> Bool {
                    guard let key = SecTrustCopyKey(serverTrust) else { return false }
                    return "\(Example.pin)" == digest(of: key)
                }
            }
            \(other)
            """

        let told = Example.told(text).first ?? ""
        #expect(
            told.replacing("; nothing in what was read calls 'isPinned'", with: head.contains("enum") ? more : "")
                == " \(Example.pin): \(Example.compared)\(more)"
        )
    }

    @Test(arguments: [
        ("", "", true), ("let isPinned = Trust.isPinned(trust)", "", false), ("", ": Judge", false),
        ("", ": NSObject", true), ("isPinned", "", false),
    ])
    func `a function that nothing calls is told so`(other: String, base: String, isUncalled: Bool) {
        let text = """
            enum Trust\(base) {
                static func isPinned(_ serverTrust: SecTrust) -> Bool {
                    guard let key = SecTrustCopyKey(serverTrust) else { return false }
                    return "\(Example.pin)" == digest(of: key)
                }
            }
            \(other)
            """

        let more = isUncalled ? "; nothing in what was read calls 'isPinned'" : ""
        #expect(Example.told(text) == [" \(Example.pin): \(Example.compared)\(more)"])
    }
}
