import Foundation
import Scenarios
import TLSCore

/// Roots in the form in which a system takes them. Nothing private is in any of it.
enum RootExport {
    /// One file of an export, by its path in the folder of the export.
    struct File {
        var path: String
        var bytes: [UInt8]

        init(_ path: String, _ text: String) { self.init(path, Array(text.utf8)) }

        init(_ path: String, _ bytes: [UInt8]) {
            self.path = path
            self.bytes = bytes
        }
    }

    typealias Root = (name: String, certificate: Certificate)

    /// An Apple configuration profile (Apple's *Configuration Profile Reference*, payload `com.apple.security.root`). It is
    /// not signed, and the system says so when it is installed.
    static func mobileconfig(_ roots: [Root]) -> String {
        let payloads = roots.map { root in
            """
                    <dict>
                        <key>PayloadType</key>
                        <string>com.apple.security.root</string>
                        <key>PayloadVersion</key>
                        <integer>1</integer>
                        <key>PayloadIdentifier</key>
                        <string>pindrill.root.\(root.name)</string>
                        <key>PayloadUUID</key>
                        <string>\(uuid(root.certificate.der))</string>
                        <key>PayloadDisplayName</key>
                        <string>\(root.name)</string>
                        <key>PayloadContent</key>
                        <data>\(Data(root.certificate.der).base64EncodedString())</data>
                    </dict>

            """
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
                <key>PayloadType</key>
                <string>Configuration</string>
                <key>PayloadVersion</key>
                <integer>1</integer>
                <key>PayloadIdentifier</key>
                <string>pindrill.roots</string>
                <key>PayloadUUID</key>
                <string>\(uuid(roots.flatMap(\.certificate.der)))</string>
                <key>PayloadDisplayName</key>
                <string>PinDrill test roots</string>
                <key>PayloadDescription</key>
                <string>For test devices only: who has the keys of these roots can intercept this device.</string>
                <key>PayloadContent</key>
                <array>
            \(payloads.joined())    </array>
            </dict>
            </plist>

            """
    }

    /// The same for the same certificates, so that a profile that is installed again replaces itself.
    private static func uuid(_ bytes: [UInt8]) -> String {
        let digits = sha256(bytes).prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
        let groups = [digits[0..<4], digits[4..<6], digits[6..<8], digits[8..<10], digits[10..<16]]
        return groups.map { $0.joined() }.joined(separator: "-")
    }

    /// What an Android app trusts besides: raw resources, and the network security configuration that names them.
    static func android(_ roots: [Root], pins: String = "") -> [File] {
        let named = roots.map { (resource: resource($0.name), certificate: $0.certificate) }
        let anchors = named.map { "            <certificates overridePins=\"false\" src=\"@raw/\($0.resource)\" />\n" }
            .joined()
        let configuration = """
            <?xml version="1.0" encoding="utf-8"?>
            <!-- For debuggable builds: android:networkSecurityConfig="@xml/network_security_config" in the manifest. Without
                 overridePins="false" no pin would hold for a chain to these roots. -->
            <network-security-config>
            \(pins)    <debug-overrides>
                    <trust-anchors>
                        <certificates src="system" />
            \(anchors)        </trust-anchors>
                </debug-overrides>
            </network-security-config>

            """
        return named.map { File("res/raw/\($0.resource).pem", $0.certificate.pem) }
            + [File("res/xml/network_security_config.xml", configuration)]
    }

    /// Android takes lower-case letters, digits and underscores.
    private static func resource(_ name: String) -> String {
        "pindrill_" + String(name.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }

    /// A Java key store of trusted certificates, in Java's own format (`sun.security.provider.JavaKeyStore` of OpenJDK,
    /// version 2), which needs no tool of Java's.
    static func javaTrustStore(_ roots: [Root], password: String, now: Date) -> [UInt8] {
        func four(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
        func text(_ text: String) -> [UInt8] {
            let bytes = Array(text.utf8)
            return [UInt8(truncatingIfNeeded: bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)] + bytes
        }
        let milliseconds = Int(now.timeIntervalSince1970) * 1000
        var store: [UInt8] = [0xFE, 0xED, 0xFE, 0xED] + four(2) + four(roots.count)
        for root in roots {
            store += four(2) + text(root.name.lowercased()) + four(milliseconds >> 32) + four(milliseconds)
            store += text("X.509") + four(root.certificate.der.count) + root.certificate.der
        }
        let secret = password.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } + Array("Mighty Aphrodite".utf8)
        return store + sha1(secret + store)
    }
}
