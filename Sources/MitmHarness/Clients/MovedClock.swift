import Foundation
import Scenarios

/// libfaketime (faketime(1)): tells a program that asks the C library for the time another one. A program that asks the
/// kernel itself keeps its clock.
enum MovedClock {
    /// Where it is installed; `nil`: nowhere.
    static let library: String? = {
        let folders = ["/usr/lib", "/usr/lib64", "/usr/local/lib"]
        let below = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib"))?.sorted() ?? []
        return (folders + below.map { "/usr/lib/\($0)" }).map { "\($0)/faketime/libfaketimeMT.so.1" }
            .first { FileManager.default.isReadableFile(atPath: $0) }
    }()

    /// Moves the wall clock alone: what a program waits for must still take its time, and files keep their dates.
    static func set(_ time: StoryTime, in environment: inout [String: String]) {
        guard let library else { return }
        environment["LD_PRELOAD"] = [environment["LD_PRELOAD"], library].compactMap { $0 }.joined(separator: ":")
        environment["FAKETIME"] = "\(time.seconds < 0 ? "" : "+")\(time.seconds)"
        for name in ["FAKETIME_DONT_FAKE_MONOTONIC", "DONT_FAKE_MONOTONIC", "NO_FAKE_STAT"] { environment[name] = "1" }
        // Of the glibc of today it believes by itself that conditions need its help, and then waits that have an end take
        // seconds, or for ever, in a JVM and in Chromium.
        environment["FAKETIME_FORCE_MONOTONIC_FIX"] = "0"
    }
}
