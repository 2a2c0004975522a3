import Foundation

/// The words that a client has from us, and not from what happened to it: in what it prints, no rule may find them.
struct OwnWords {
    private let expression: NSRegularExpression?

    /// - Parameter here: the scenario file's folder.
    init(_ endpoint: Endpoint, here: String) {
        let folder = endpoint.folder
        let places = [folder.path, folder.resolvingSymlinksInPath().path, here].uniqued
            .filter { $0.split(separator: "/").count > 1 }
            .map(NSRegularExpression.escapedPattern)
        // A path goes on to what ends a path in a message.
        let paths = "(?:\(places.joined(separator: "|")))(?![\\w-])[^\\s\"':,;()<>\\[\\]]*"
        let step = "\\b\(NSRegularExpression.escapedPattern(for: endpoint.step))\\b"
        expression = try? NSRegularExpression(pattern: "\(paths)|\(step)|(?i:pindrill)\\w*")
    }

    func blanked(in output: String) -> String {
        let all = NSRange(location: 0, length: output.utf16.count)
        return expression?.stringByReplacingMatches(in: output, range: all, withTemplate: "…") ?? output
    }
}
