/// Writes a property list in XML, indented with tabs as Apple's tools do.
struct PropertyListText {
    private(set) var output = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """
    private var depth = 0

    mutating func dictionary(_ key: String? = nil, _ body: (inout PropertyListText) -> Void) {
        element("dict", key, body)
    }

    mutating func array(_ key: String, _ body: (inout PropertyListText) -> Void) { element("array", key, body) }

    mutating func string(_ key: String? = nil, _ value: String) {
        self.key(key)
        line("<string>\(PropertyListText.escape(value))</string>")
    }

    mutating func boolean(_ key: String, _ value: Bool) {
        self.key(key)
        line(value ? "<true/>" : "<false/>")
    }

    func finished() -> String { output + "</plist>\n" }

    static func escape(_ text: String) -> String {
        guard text.utf8.contains(where: { "&<>".utf8.contains($0) }) else { return text }
        return String(
            text.flatMap { character -> String in
                switch character {
                case "&": "&amp;"
                case "<": "&lt;"
                case ">": "&gt;"
                default: String(character)
                }
            }
        )
    }

    private mutating func element(_ name: String, _ key: String?, _ body: (inout PropertyListText) -> Void) {
        self.key(key)
        line("<\(name)>")
        depth += 1
        body(&self)
        depth -= 1
        line("</\(name)>")
    }

    private mutating func key(_ key: String?) { if let key { line("<key>\(PropertyListText.escape(key))</key>") } }

    private mutating func line(_ text: String) {
        output += String(repeating: "\t", count: depth) + text + "\n"
    }
}
