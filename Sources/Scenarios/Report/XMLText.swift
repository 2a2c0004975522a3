extension String {
    /// As the content of an XML element.
    package var xmlText: String { xml { _ in nil } }

    /// As the value of an XML attribute, between double quotes: a parser would turn line breaks into spaces.
    package var xmlAttribute: String {
        xml { scalar in
            switch scalar {
            case "\"": "&quot;"
            case "\t", "\n": "&#\(scalar.value);"
            default: nil
            }
        }
    }

    private func xml(_ special: (Unicode.Scalar) -> String?) -> String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            // A parser would turn it into a line feed.
            case "\r": text += "&#13;"
            default: text += special(scalar) ?? String(scalar.isPlainXML ? scalar : "\u{FFFD}")
            }
        }
        return text
    }
}

extension Unicode.Scalar {
    /// XML 1.0 knows no other control characters, however they are written (section 2.2), and advises against those from
    /// U+007F on.
    fileprivate var isPlainXML: Bool {
        switch value {
        case 0x09, 0x0A: true
        case ..<0x20, 0x7F..<0xA0, 0xFFFE, 0xFFFF: false
        default: true
        }
    }
}
