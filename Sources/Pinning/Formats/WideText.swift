import Foundation

extension Data {
    /// Android's configuration in UTF-16, which Android's tools read as well, in UTF-8; the same bytes where they are something
    /// else.
    var narrowed: Data {
        let start = prefix(4).map { $0 }
        let encoding: String.Encoding
        // Without a mark of the order of bytes, the first tag tells it (XML 1.0, appendix F).
        switch start {
        case [0xFE, 0xFF, 0x00, 0x3C], [0xFF, 0xFE, 0x3C, 0x00]: encoding = .utf16
        case [0x00, 0x3C, 0x00, start.last]: encoding = .utf16BigEndian
        case [0x3C, 0x00, start.dropFirst(2).first, 0x00]: encoding = .utf16LittleEndian
        default: return self
        }
        guard let text = String(data: self, encoding: encoding), text.contains("<network-security-config") else {
            return self
        }
        return Data(text.declaredNarrow.utf8)
    }
}

extension String {
    /// With the declaration that its own bytes have now. One of another encoding is refused by expat, and by name here.
    fileprivate var declaredNarrow: String {
        guard hasPrefix("<?xml"), let end = range(of: "?>"),
            let name = self[..<end.lowerBound].range(of: "encoding"),
            let open = self[name.upperBound..<end.lowerBound].firstIndex(where: { "\"'".contains($0) }),
            let close = self[index(after: open)..<end.lowerBound].firstIndex(of: self[open])
        else { return self }
        let value = self[index(after: open)..<close]
        let narrow = value.lowercased().hasPrefix("utf-16") ? "UTF-8" : "\(value) in UTF-16"
        return self[...open] + narrow + self[close...]
    }
}
