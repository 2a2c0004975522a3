internal import CEmbedded
import Mustache
import TLSCore

/// What every page that PinDrill writes for a browser has: its style, its script, and what it may load, which is nothing.
package enum PageParts {
    /// The style of all pages.
    package static let style = text("style.css")
    static let script = text("filter.js")

    /// A Content-Security-Policy that lets a page load nothing from anywhere, and run what it carries.
    ///
    /// - Parameters:
    ///   - style: what stands in its only `style` element, all of it.
    ///   - script: the same of its only `script` element; `nil`: it has none.
    package static func security(style: String, script: String? = nil) -> String {
        let scripts = script.map { "; script-src '\(hash($0))'" } ?? ""
        return "default-src 'none'; style-src '\(hash(style))'\(scripts); base-uri 'none'; form-action 'none'"
    }

    private static func hash(_ text: String) -> String { "sha256-\(Pin(hashing: Array(text.utf8)).base64)" }

    /// One of the templates, which is known to be well formed: a test renders each.
    static func template(_ name: String) throws -> MustacheTemplate { try MustacheTemplate(string: text(name)) }

    private static func text(_ name: String) -> String {
        var count = 0
        let files = UnsafeBufferPointer(start: CEmbeddedReportFiles(&count), count: count)
        guard let entry = files.first(where: { String(cString: $0.name) == name }) else { return "" }
        return String(decoding: UnsafeBufferPointer(start: entry.file.bytes, count: entry.file.count), as: UTF8.self)
    }
}
