import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

extension XMLParser {
    /// A parser of these bytes, with a blank in each processing instruction that has no words, as `<?a?>`.
    ///
    /// Foundation on Linux asks for the length of those words though libxml2 has none (`processingInstruction` of its
    /// libxml2/SAX2.c), which ends the process. Lines stay what they are.
    convenience init(blanking data: Data) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(data.count + 16)
        // Whether only a name stands between the last `<?` and here.
        var isInName = false
        for byte in data {
            switch byte {
            case UInt8(ascii: "?"):
                if bytes.last == UInt8(ascii: "<") {
                    isInName = true
                } else if isInName {
                    bytes.append(0x20)
                    isInName = false
                }
            case UInt8(ascii: "<"), 0x09, 0x0A, 0x0D, 0x20: isInName = false
            default: break
            }
            bytes.append(byte)
        }
        self.init(data: Data(bytes))
    }
}
