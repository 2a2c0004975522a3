import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// An element of an XML file, with the line that it starts on.
struct MarkupElement {
    var name: String
    var attributes: [String: String]
    var line: Int
    var children: [MarkupElement] = []
    /// All text directly within, and what of it stands before the first child.
    var text = ""
    var leadingText = ""

    /// Reads a whole file.
    ///
    /// Document type declarations are refused unread: they are where entity bombs and external files come from, and no
    /// configuration has a use for them.
    init(parsing data: Data, file: String) throws(PolicyFileError) {
        func refuse(_ line: Int?, _ message: String) -> PolicyFileError {
            PolicyFileError(file: file, [.init(line: line, message)])
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw refuse(data.lineThatIsNotUTF8, "found bytes that are not UTF-8, expected XML in UTF-8")
        }
        if let encoding = MarkupElement.encoding(text), !["utf-8", "us-ascii"].contains(encoding.lowercased()) {
            throw refuse(1, "found the encoding '\(encoding)', expected UTF-8")
        }
        if let place = text.range(of: "<!DOCTYPE") {
            let line = text[..<place.lowerBound].utf8.count { $0 == UInt8(ascii: "\n") } + 1
            throw refuse(line, "found a document type declaration, which is not read: expected elements only")
        }
        let builder = MarkupBuilder()
        let parser = XMLParser(blanking: data)
        parser.shouldResolveExternalEntities = false
        parser.shouldProcessNamespaces = false
        parser.delegate = builder
        let isWhole = parser.parse()
        if let line = builder.lineTooDeep {
            throw refuse(line, "found elements nested more than \(MarkupBuilder.maximumDepth) deep, expected fewer")
        }
        guard isWhole, let root = builder.root else {
            let scan = DocumentScan(Array(data), isPropertyList: false)
            let flaw = scan.isXML ? scan.flaw : nil
            let other = scan.isXML ? "found something else" : "found no XML"
            let line = flaw?.line ?? max(1, builder.errorLine ?? parser.lineNumber)
            throw refuse(line, "\(flaw?.message ?? builder.flaw ?? other), expected well-formed XML")
        }
        self = root
    }

    fileprivate init(name: String, attributes: [String: String], line: Int) {
        self.name = name
        self.attributes = attributes
        self.line = line
    }

    /// What the XML declaration says, where there is one.
    private static func encoding(_ text: String) -> Substring? {
        let text = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
        guard text.hasPrefix("<?xml"), let end = text.range(of: "?>"),
            let name = text[..<end.lowerBound].range(of: "encoding"),
            let quote = text[name.upperBound..<end.lowerBound].firstIndex(where: { "\"'".contains($0) })
        else { return nil }
        let value = text[text.index(after: quote)..<end.lowerBound]
        return value.prefix { $0 != text[quote] }
    }
}

private final class MarkupBuilder: NSObject, XMLParserDelegate {
    static let maximumDepth = 100

    private(set) var root: MarkupElement?
    private(set) var errorLine: Int?
    private(set) var lineTooDeep: Int?
    /// What is wrong, where its tags are in order.
    private(set) var flaw: String?
    private var open: [MarkupElement] = []

    /// By the parser's number (xmlParserErrors of libxml2's xmlerror.h).
    private static let flaws = [
        4: "found nothing that is XML", 5: "found something behind the last end", 9: "found a control character",
        22: "found '&' without a name and ';': write &amp;", 23: "found '&' without ';': write &amp;",
        26: "found an entity that XML does not know: write &amp; for '&'", 38: "found '<' in a value: write &lt;",
        39: "found a value without quotes", 40: "found a value without its closing quote",
        41: "found an attribute without a value", 42: "found an attribute that stands twice",
        64: "found '<?xml' that is not the first in the file", 65: "found two attributes without space between them",
        68: "found '<' or '&' before no name: write &lt; or &amp;",
    ]

    func parser(
        _ parser: XMLParser,
        didStartElement name: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String] = [:]
    ) {
        open.append(MarkupElement(name: name, attributes: attributes, line: parser.lineNumber))
        if open.count > MarkupBuilder.maximumDepth {
            lineTooDeep = parser.lineNumber
            parser.abortParsing()
        }
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        guard !open.isEmpty else { return }
        let last = open.count - 1
        open[last].text += text
        if open[last].children.isEmpty { open[last].leadingText += text }
    }

    func parser(_ parser: XMLParser, foundCDATA data: Data) {
        self.parser(parser, foundCharacters: String(decoding: data, as: UTF8.self))
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        guard let element = open.popLast() else { return }
        if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
    }

    func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
        guard errorLine == nil else { return }
        errorLine = parser.lineNumber
        flaw = MarkupBuilder.flaws[(error as NSError).code]
    }
}

/// Text as it may stand in XML, between tags or within double quotes.
func escapedForXML(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "&": escaped += "&amp;"
        case "<": escaped += "&lt;"
        case ">": escaped += "&gt;"
        case "\"": escaped += "&quot;"
        default: escaped.unicodeScalars.append(scalar)
        }
    }
    return escaped
}
