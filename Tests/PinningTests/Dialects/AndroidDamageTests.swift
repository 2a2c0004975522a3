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
