import Foundation

/// What a process and its descendants have used so far, as the kernel accounts it in `/proc`.
struct ProcessUsage {
    /// Time on a processor, in user and in kernel mode.
    let processorTime: Duration
    /// Resident memory now.
    let residentBytes: Int

    init(of process: pid_t) {
        let members = ProcessUsage.family(of: process)
        processorTime = members.reduce(.zero) { $0 + ProcessUsage.processorTime(of: $1) }
        residentBytes = members.reduce(0) { $0 + ProcessUsage.residentBytes(of: $1) }
    }

    /// The most that was resident since this was last forgotten (proc(5), clear_refs).
    static func peakBytes(of process: pid_t) -> Int {
        let line = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8))?.split(separator: "\n")
            .first { $0.hasPrefix("VmHWM:") }
        return (line?.split(separator: " ").compactMap { Int($0) }.first ?? 0) * 1024
    }

    static func forgetPeak(of process: pid_t) {
        FileHandle(forWritingAtPath: "/proc/\(process)/clear_refs")?.write(Data("5".utf8))
    }

    private static func family(of process: pid_t) -> [pid_t] {
        let children = read("/proc/\(process)/task/\(process)/children").split(separator: " ").compactMap { pid_t($0) }
        return [process] + children.flatMap(family)
    }

    private static func processorTime(of process: pid_t) -> Duration {
        // The name in parentheses may hold spaces; utime and stime are fields 14 and 15 (proc(5)), in clock ticks.
        let fields = read("/proc/\(process)/stat").split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Int(fields[11]), let kernel = Int(fields[12]) else { return .zero }
        return .seconds(Double(user + kernel) / Double(sysconf(Int32(_SC_CLK_TCK))))
    }

    private static func residentBytes(of process: pid_t) -> Int {
        let fields = read("/proc/\(process)/statm").split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { return 0 }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    private static func read(_ path: String) -> String {
        // Read in one piece: such a file has no size.
        let file = FileHandle(forReadingAtPath: path)
        defer { try? file?.close() }
        return String(decoding: (try? file?.readToEnd()) ?? Data(), as: UTF8.self).replacing("\n", with: "")
    }
}
