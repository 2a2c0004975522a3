import Foundation
import Pinning
import TLSCore
import TestSupport

/// Configurations word for word as the articles print them that made these systems known.
enum AppleSamples {
    /// Apple's own example: the leaf pin of `example.net` stands there twice.
    static let transportSecurity = """
        <key>NSAppTransportSecurity</key>
        <dict>
            <key>NSPinnedDomains</key>
            <dict>
                <key>example.org</key>
                <dict>
                    <key>NSIncludesSubdomains</key>
                    <true/>
                    <key>NSPinnedCAIdentities</key>
                    <array>
                        <dict>
                            <key>SPKI-SHA256-BASE64</key>
                            <string>r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E=</string>
                        </dict>
                    </array>
                </dict>
                <key>example.net</key>
                <dict>
                    <key>NSPinnedLeafIdentities</key>
                    <array>
                        <dict>
                            <key>SPKI-SHA256-BASE64</key>
                            <string>i9HaIScvf6T/skE3/A7QOq5n5cTYs8UHNOEFCnkguSI=</string>
                        </dict>
                        <dict>
                            <key>SPKI-SHA256-BASE64</key>
                            <string>i9HaIScvf6T/skE3/A7QOq5n5cTYs8UHNOEFCnkguSI=</string>
                        </dict>
                    </array>
                </dict>
            </dict>
        </dict>
        """

    /// A much copied article's TrustKit configuration, with the keys of code.
    static let trustKit = """
        {
            "kTSKSwizzleNetworkDelegates": false,
            "kTSKPinnedDomains": {
                "www.github.com": {
                    "kTSKEnforcePinning": true,
                    "kTSKIncludeSubdomains": true,
                    "kTSKDisableDefaultReportUri": true,
                    "kTSKPublicKeyHashes": [
                        "jSd+RbSAB3215SSioJKeyfdEFELVT/xz+Fwod2ypqtE="
                    ]
                }
            }
        }
        """

    static let pins = ["first", "second", "third"].map { Pin(hashing: Array($0.utf8)) }

    /// A property list around some keys.
    static func plist(_ keys: String) -> String { "<plist version=\"1.0\">\n<dict>\n\(keys)\n</dict>\n</plist>\n" }

    /// `NSPinnedDomains` with these domains.
    static func pinning(_ domains: String) -> String {
        plist("<key>NSAppTransportSecurity</key>\n<dict>\n<key>NSPinnedDomains</key>\n\(domains)\n</dict>")
    }

    static func ats(_ text: String) throws -> ATSConfiguration {
        try ATSConfiguration(parsing: Data(text.utf8), file: "Info.plist")
    }

    static func trustKit(
        _ text: String,
        platform: TrustKitConfiguration.Platform = .iOS
    ) throws -> TrustKitConfiguration {
        try TrustKitConfiguration(parsing: Data(text.utf8), file: "config.json", platform: platform)
    }

    /// The problems of a text that is refused, as a user reads them.
    static func refusal(_ body: () throws -> Void) -> [String] {
        do {
            try body()
            return []
        } catch let error as PolicyFileError {
            return "\(error)".split(whereSeparator: \.isNewline).map(String.init)
        } catch {
            return ["another error: \(error)"]
        }
    }
}
