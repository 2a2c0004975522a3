import Foundation
import TLSCore

/// What the numbers were measured on, in a line or two, without a host name.
struct Machine {
    static var description: String {
        let system = field("PRETTY_NAME=", in: "/etc/os-release").replacing("\"", with: "")
        let processor = field("model name", in: "/proc/cpuinfo").replacing(/^[\s:]+/, with: "")
        return "\(ProcessInfo.processInfo.processorCount) x \(processor); \(system); \(TLSLibrary.version)"
    }

    /// How many processes wanted to run in the last minute: the noise.
    static var load: String {
        (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8))?.split(separator: " ").first.map(String.init)
            ?? "?"
    }

    private static func field(_ name: String, in path: String) -> String {
        let lines = (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: "\n") ?? []
        return lines.first { $0.hasPrefix(name) }.map { String($0.dropFirst(name.count)) } ?? "?"
    }
}
