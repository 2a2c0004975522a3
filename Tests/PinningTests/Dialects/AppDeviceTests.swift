import Foundation
import TLSCore
import TestSupport
import Testing

@testable import Pinning

@Suite struct `The device that an app runs on` {
    private let pins = [Pin(hashing: [1]), Pin(hashing: [2])]

    private var android: Data {
        Data(
            """
            <network-security-config>
              <domain-config>
                <domain>app.example.com</domain>
                <pin-set expiration="2026-11-21">\(pins.map { "<pin digest=\"SHA-256\">\($0.base64)</pin>" }.joined())</pin-set>
              </domain-config>
            </network-security-config>
            """.utf8
        )
    }

    private var trustKit: Data {
        let hashes = pins.map { "\"\($0.base64)\"" }.joined(separator: ", ")
        return Data("{\"TSKPinnedDomains\": {\"www.example.com\": {\"TSKPublicKeyHashes\": [\(hashes)]}}}".utf8)
    }

    @Test func `reaches the system that looks at it`() throws {
        let device = try AppDevice(parsing: ["debuggable", "target-sdk=23", "time-zone=Asia/Tokyo"])

        let loaded = try PolicyFile.load(android, file: "n.xml", device: device) as? AndroidNetworkSecurity
        let plain = try PolicyFile.load(android, file: "n.xml") as? AndroidNetworkSecurity

        #expect(loaded?.device.isDebuggable == true)
        #expect(loaded?.device.targetSDK == 23)
        #expect(loaded?.device.timeZone.identifier == "Asia/Tokyo")
        #expect(plain?.device == AndroidNetworkSecurity.Device())
    }

    @Test func `is a Mac or a telephone for TrustKit`() throws {
        func platform(_ settings: [String]) throws -> TrustKitConfiguration.Platform? {
            let device = try AppDevice(parsing: settings)
            return (try PolicyFile.load(trustKit, file: "t.json", device: device) as? TrustKitConfiguration)?.platform
        }

        #expect(try platform(["mac"]) == .macOS)
        #expect(try platform([]) == .iOS)
    }

    @Test func `says whether an OkHttp app trusts the user's authorities`() throws {
        let source = Data(
            "CertificatePinner.Builder().add(\"a.example.com\", \"sha256/\(pins[0].base64)\").build()".utf8
        )

        func targetSDK(_ settings: [String]) throws -> Int? {
            let device = try AppDevice(parsing: settings)
            return (try PolicyFile.load(source, file: "Pins.kt", device: device) as? OkHttp)?.targetSDK
        }

        #expect(try targetSDK(["target-sdk=23"]) == 23)
        #expect(try targetSDK([]) == nil)
    }

    @Test(arguments: [
        ("target-skd=23", "no device setting 'target-skd'; did you mean 'target-sdk'?"),
        ("target-sdk", "'target-sdk' needs a level of the API, as in target-sdk=23"),
        ("api-level=new", "'api-level' needs a level of the API, as in api-level=23"),
        ("mac=yes", "'mac' takes no value"),
        ("time-zone=Berlin", "'Berlin' is no time zone; write one as in time-zone=Europe/Berlin"),
    ])
    func `is refused where it cannot be read`(setting: String, message: String) {
        let error = #expect(throws: AppDevice.ParseError.self) { try AppDevice(parsing: [setting]) }

        #expect(error?.description == message)
    }

    @Test func `is refused twice, and by systems that do not look at it`() throws {
        let twice = #expect(throws: AppDevice.ParseError.self) { try AppDevice(parsing: ["mac", "mac"]) }
        let device = try AppDevice(parsing: ["mac"])
        let idle = #expect(throws: PolicyFileError.self) {
            try PolicyFile.load(android, file: "n.xml", device: device)
        }

        #expect(twice?.description == "the device setting 'mac' is given twice")
        #expect(idle?.description == "n.xml: the device setting 'mac' means nothing for 'android', but for trustkit")
    }
}
