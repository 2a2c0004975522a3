import Foundation
import Pinning
import TLSCore
import TestSupport
import Testing

/// Reading is in proportion to a file's size: each of these took minutes when it was not. The limit is longer, for on a
/// loaded machine what takes seconds takes minutes, too.
@Suite(.timeLimit(.minutes(10)))
struct LargePolicyTests {
    private let pins = "\"sha256/\(Pin(hashing: [1]).base64)\", \"sha256/\(Pin(hashing: [2]).base64)\""

    private func refusal(_ text: String) -> String? {
        do {
            _ = try PolicyFile.load(Data(text.utf8), file: "p")
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func `R2: calls of add on one builder, and calls that cannot be read`() throws {
        let good = (0..<10_000).map { ".add(\"h\($0).example\", \(pins))" }.joined(separator: "\n")
        let bad = String(repeating: ".add(x", count: 20_000)

        let read = try OkHttp(parsing: Data("CertificatePinner.Builder()\n\(good)".utf8), file: "Pins.kt")
        let error = #expect(throws: PolicyFileError.self) {
            try OkHttp(parsing: Data("CertificatePinner.Builder()\(bad)".utf8), file: "Pins.kt")
        }

        #expect(read.entries.count == 10_000)
        #expect(error?.problems.count == 20_000)
    }

    @Test(arguments: [
        "\\\"", "\"\\\"", "\"$", "add(\"", "/*", "a", "a ", "okhttp3.", "CertificatePinner.Builder b = ",
        "add (\"a\", ",
    ])
    func `R2: text that a reader may stumble over again and again`(repeated: String) {
        let tail = String(repeating: repeated, count: (1 << 20) / repeated.utf8.count)

        // Whether it is taken does not matter; that it is read does.
        for end in ["", "$", "\n"] { _ = refusal("CertificatePinner.Builder()\n\(tail)\(end)") }
    }

    @Test func `R2: a source that is too large is refused by name`() {
        let source = "CertificatePinner.Builder().add(\"example.com\", \(pins))"

        #expect(refusal(source) == nil)
        #expect(
            refusal(source + String(repeating: " ", count: 4 << 20))
                == "p: found \(source.utf8.count + 4 << 20) bytes, expected source of at most 4194304"
        )
    }

    @Test func `R7: more entries or pins than an app can hold are refused by name`() {
        func entries(_ count: Int) -> String {
            "CertificatePinner.Builder()" + (0..<count).map { ".add(\"h\($0).example\", \(pins))" }.joined()
        }
        func keys(_ count: Int) -> String {
            "<network-security-config><domain-config><domain>example.com</domain><pin-set>"
                + (0..<count).map { "<pin digest=\"SHA-256\">\(Pin(hashing: Array("\($0)".utf8)).base64)</pin>" }
                .joined()
                + "</pin-set></domain-config></network-security-config>"
        }

        #expect(refusal(entries(1000)) == nil)
        #expect(refusal(entries(1001)) == "p: found 1001 entries, expected at most 1000")
        #expect(refusal(keys(10_000)) == nil)
        #expect(refusal(keys(10_001)) == "p: found 10001 pins, expected at most 10000")
    }

    @Test func `R2: domains of an Android configuration`() {
        let domains = (0..<30_000).map { "<domain>h\($0).example.com</domain>" }.joined()
        let configs = (0..<10_000).map { index in
            "<domain-config><domain>x\(index).example.com</domain><pin-set/><trustkit-config/></domain-config>"
        }
        .joined()
        let file = "<network-security-config><domain-config>\(domains)</domain-config>"

        #expect(refusal("\(file)</network-security-config>") == "p: found 30000 entries, expected at most 1000")
        #expect(refusal("\(file)\(configs)</network-security-config>")?.contains("found 40000 entries") == true)
    }

    @Test func `R2: a property list in which much is wrong, each with its line`() throws {
        let count = 20_000
        let pins = (0..<count).map { "<dict><key>SPKI-SHA256-BASE64</key>\n<string>\($0)</string></dict>" }.joined()
        let text = AppleSamples.pinning(
            "<dict><key>a.example</key><dict><key>NSPinnedLeafIdentities</key><array>\(pins)</array></dict></dict>"
        )

        let configuration = try ATSConfiguration(parsing: Data(text.utf8), file: "Info.plist")

        #expect(configuration.warnings.count == count + 1)
        #expect(configuration.warnings.allSatisfy { $0.line != nil })
    }

    @Test func `R2: a declaration with many values under a key that has no end`() {
        let key = String(repeating: "k", count: 100_000)
        let values = String(repeating: "x,", count: 10_000)
        let text = "alamofire:\n  hosts:\n    ? \(key)\n    : {evaluator: public-keys, keys: [\(values)]}\n"

        let error = #expect(throws: PolicyFileError.self) { try PolicyFile.load(Data(text.utf8), file: "p") }

        #expect(error?.problems.count == 10_000)
    }

    @Test func `R7: pins that all look alike`() throws {
        let digits = (0..<12).map { index in (0..<4096).map { ($0 >> index) & 1 == 0 ? "I" : "l" } }
        let alike = (0..<4096).map { row in
            "sha256/" + digits.map { $0[row] }.joined() + String(repeating: "A", count: 31) + "="
        }
        let source =
            "CertificatePinner.Builder().add(\"example.com\", \(alike.map { "\"\($0)\"" }.joined(separator: ", ")))"

        let findings = try PolicyFile.load(Data(source.utf8), file: "p").findings(at: Sample.now)

        #expect(findings.count { $0.rule == .confusablePin } == 4095)
    }
}
