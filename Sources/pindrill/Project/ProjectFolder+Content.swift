import AppSources

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// What a file holds, before it is read.
extension ProjectFolder.File {
    private static let largestTable = 256 << 10

    /// JSON, as a source that exports the same words as a value; `nil` for any other file.
    var asData: SourceModule.File? {
        guard path.hasSuffix(".json"), bytes.count <= Self.largestTable, !path.hasSuffix("-lock.json") else {
            return nil
        }
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        return .init(path: path, language: .script, text: "module.exports=" + String(decoding: bytes, as: UTF8.self))
    }

    /// Whether it is JSON that speaks of pins. An app's links have fingerprints, too: of who signed another app.
    var isTableOfPins: Bool {
        guard path.hasSuffix(".json"), !path.hasSuffix("assetlinks.json") else { return false }
        let words = ["pins", "Pins", "pinn", "Pinn", "ingerprint", "spki", "SPKI", "ublicKeyHash", "\"pin\""]
        return holds("\"sha256/") || words.contains(where: holds) && (holdsBareBase64 || holds("ingerprint"))
    }

    /// Whether it is a property list or XML, as text, with variables that a build fills in: `$(NAME)`, `${NAME}`.
    var isFilledByBuild: Bool {
        [".plist", ".xml"].contains(where: path.hasSuffix) && ["$(", "${"].contains(where: holds)
            && !bytes.prefix(4096).contains(0)
    }

    /// The build type or flavour of Android that a resource is for: `src/debug/res/xml/…`.
    var sourceSet: [String] {
        let parts = path.split(separator: "/")
        guard let place = parts.lastIndex(of: "res"), place > 1, parts[place - 2] == "src" else { return [] }
        var words: [String] = []
        if parts[place - 1] != "main" { words.append("the source set is \(parts[place - 1])") }
        // `xml-v28`: for some devices alone.
        if place + 2 < parts.count, parts[place + 1].hasPrefix("xml-") {
            words.append("the resources are \(parts[place + 1])")
        }
        return words
    }

    /// Whether it is a script, or what servers or languages that are not read are written in.
    var isOfLines: Bool {
        let kind = path.split(separator: "/").last?.split(separator: ".").last?.lowercased() ?? ""
        return SourceLanguage(fileName: path) == nil
            && !["plist", "xml", "json", "cer", "crt", "der", "pem"].contains(kind)
    }

    /// Whether it has options by which the clients of tunnels are given pins.
    var startsTunnels: Bool { ["--servercert", "--trusted-cert"].contains(where: holds) }

    /// Whether it is a header of C or C++, and not of Objective-C.
    var isHeaderOfC: Bool {
        path.lowercased().hasSuffix(".h")
            && !["@interface", "@protocol", "@import", "@\"", "#import", "NSString"].contains(where: holds)
    }

    /// Whether it is a file of settings, or of another language, that may hold an app's pins.
    var mayHoldTextPins: Bool {
        // `http.begin(url, "AB CD …")` of an ESP8266 has no word for it.
        let words = [
            "sha256/", "pin-sha256:", "pin", "Pin", "PIN", "pki", "PKI", "ingerprint", "INGERPRINT", "humbprint",
            "HUMBPRINT", "hpkp", "HPKP", "HTTPClient", "servercert", "trusted-cert", "trusted_cert",
        ]
        guard TextPins.mayHold(path) || isHeaderOfC, (words + TextPins.asking).contains(where: holds) else {
            return false
        }
        // A list of bytes is no row of digits.
        return TextPins.isProgram(path) && holds("ngerprint") || holdsDigest
            || ["sha256/", "sha1/", "pin-sha256:"].contains(where: holds)
    }

    /// Whether it is a program of a language that is not read, and has a certificate in PEM.
    var isProgramWithCertificate: Bool { TextPins.isProgram(path) && holds("-----BEGIN CERTIFICATE-----") }

    /// Whether so many digits stand in a row as a digest has: 43 of Base64, or 20 pairs of hexadecimal ones with marks
    /// between them. Most files have the letters `pin` somewhere, as in `mapping`.
    private var holdsDigest: Bool {
        bytes.withUnsafeBufferPointer { bytes in
            var (base64, pairs) = (0, 0)
            var wasMark = true
            for byte in bytes {
                let isMark = byte == UInt8(ascii: ":") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: " ")
                base64 = isBase64(byte) ? base64 + 1 : 0
                pairs = isHexadecimal(byte) || isMark && !wasMark ? pairs + 1 : 0
                wasMark = isMark
                if base64 >= 43 || pairs >= 59 { return true }
            }
            return false
        }
    }

    /// The configuration that a manifest of Android names, by the name of its file.
    var namedConfiguration: String? {
        guard path.hasSuffix("AndroidManifest.xml"), holds("networkSecurityConfig") else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        guard let start = text.firstRange(of: "networkSecurityConfig") else { return nil }
        let value = text[start.upperBound...].prefix { $0 != ">" }
        guard let name = value.firstRange(of: "@xml/") else { return nil }
        return String(value[name.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }

    func holds(_ word: String) -> Bool {
        var word = word
        return word.withUTF8 { word in
            bytes.withUnsafeBytes { bytes in
                guard var place = bytes.baseAddress, let sign = word.baseAddress else { return false }
                let end = place + bytes.count
                while end - place >= word.count,
                    let next = memchr(place, Int32(sign.pointee), end - place - word.count + 1)
                {
                    if memcmp(next, sign, word.count) == 0 { return true }
                    place = UnsafeRawPointer(next) + 1
                }
                return false
            }
        }
    }

    /// Whether a digest stands in quotes in it, and nothing else: the Base64 of 32 or 64 bytes, or the hexadecimal digits of 20 or 32.
    var holdsBareDigest: Bool {
        holdsInQuotes { bytes in
            switch bytes.count {
            case 40, 64: bytes.allSatisfy { isHexadecimal($0) }
            case 44: isBase64(bytes, filled: 1)
            case 88: isBase64(bytes, filled: 2)
            default: false
            }
        }
    }

    /// Whether the Base64 of 32 bytes does. In tables most hexadecimal digits are those of a commit or a download.
    private var holdsBareBase64: Bool { holdsInQuotes { $0.count == 44 && isBase64($0, filled: 1) } }

    private func holdsInQuotes(_ isMeant: (ArraySlice<UInt8>) -> Bool) -> Bool {
        var start = 0
        for (place, byte) in bytes.enumerated() where byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
            if start > 0, bytes[start - 1] == byte, isMeant(bytes[start..<place]) { return true }
            start = place + 1
        }
        return false
    }

    /// - Parameter filled: the number of signs at its end that fill it.
    private func isBase64(_ bytes: ArraySlice<UInt8>, filled: Int) -> Bool {
        bytes.suffix(filled).allSatisfy { $0 == UInt8(ascii: "=") }
            && bytes.dropLast(filled).allSatisfy { isBase64($0) }
    }

    private func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }

    private func isBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "/"): true
        default: false
        }
    }
}
