import Foundation
import Pinning
import TestSupport
import Testing

/// Files that somebody broke, or means to break the reader with.
struct AndroidDamageTests {
    private static let sample = Array(
        """
        <?xml version="1.0" encoding="utf-8"?>
        <network-security-config><domain-config><domain includeSubdomains="true">example.com</domain>
        <pin-set expiration="2027-01-01"><pin digest="SHA-256">7HIpactkIAq2Y49orFOOQKurWxmmSFZhBCoQYcRhJ3Y=</pin>
        </pin-set><trust-anchors><certificates src="@raw/ca"/></trust-anchors></domain-config>
        </network-security-config>
        """.utf8
    )

    private func complaint(_ text: String) -> String? {
        do {
            _ = try AndroidNetworkSecurity(parsing: Data(text.utf8), file: "nsc.xml")
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func `every truncation is refused`() {
        let sample = AndroidDamageTests.sample

        for end in 0..<sample.count {
            #expect(throws: PolicyFileError.self) {
                try AndroidNetworkSecurity(parsing: Data(sample[..<end]), file: "nsc.xml")
            }
        }
        #expect(throws: Never.self) { try AndroidNetworkSecurity(parsing: Data(sample), file: "nsc.xml") }
    }

    @Test func `entities are neither expanded nor fetched`() throws {
        let bomb = """
            <?xml version="1.0"?>
            <!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>
            <network-security-config><domain-config><domain>&b;&c;</domain></domain-config></network-security-config>
            """
        let refusal = "nsc.xml:2: found a document type declaration, which is not read: expected elements only"

        #expect(complaint(bomb) == refusal)
        #expect(
            complaint("<network-security-config>&nbsp;</network-security-config>")?.hasPrefix("nsc.xml:1: ") == true
        )
        #expect(
            complaint("<?xml version=\"1.0\" encoding=\"UTF-7\"?><network-security-config/>")
                == "nsc.xml:1: found the encoding 'UTF-7', expected UTF-8"
        )
    }

    @Test(arguments: ["<?a?>", "<?a ?>", "<?a b?>", "<?a\n?>", "<?a b??>"])
    func `a processing instruction says nothing of pins, whatever it says`(instruction: String) {
        let text = String(decoding: AndroidDamageTests.sample, as: UTF8.self)
        let marked = text.replacing("<network-security-config>", with: "\(instruction)<network-security-config>")

        #expect(complaint(marked) == nil)
        #expect(complaint(String(marked.dropLast(3))) != nil)
    }

    @Test(arguments: [
        "<?a?>", "<!DOCTYPE a [<!NOTATION b SYSTEM \"c\">]>", "<!DOCTYPE a [<!ATTLIST a b CDATA #IMPLIED>]>",
    ])
    func `a property list with a flaw is refused, whatever stands before it`(words: String) {
        let text =
            "<?xml version=\"1.0\"?>\n\(words)\n<plist version=\"1.0\"><dict><key>NSPinnedDomains</key>&<dict/></dict></plist>"

        #expect(throws: PolicyFileError.self) { try PolicyFile.load(Data(text.utf8), file: "Info.plist") }
        #expect(throws: PolicyFileError.self) {
            try PolicyFile.load(Data(text.utf8), file: "Info.plist", dialect: .ats)
        }
    }

    @Test func `other files are refused with what they are`() {
        let deep = String(repeating: "<domain-config>", count: 300)

        #expect(
            complaint("<plist/>") == "nsc.xml:1: Unexpected start tag: found plist, expected network-security-config"
        )
        #expect(complaint("{}")?.hasPrefix("nsc.xml:1: found no XML, expected well-formed XML") == true)
        #expect(complaint("") != nil)
        #expect(complaint("<network-security-config>\(deep)")?.contains("nested more than 100 deep") == true)
    }
}
