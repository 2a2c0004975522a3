import Foundation

/// One reader of bytes that strangers wrote, as libFuzzer drives it: whatever the bytes are, it ends without a trap, and what it
/// says of them is sound. <https://llvm.org/docs/LibFuzzer.html>
struct FuzzTarget: Sendable {
    /// As `PINDRILL_FUZZ` and the folder of its corpus have it.
    var name: String
    var run: @Sendable ([UInt8]) -> Void

    static let all = files + sources + wires

    /// The one that the environment names.
    static let chosen: FuzzTarget = {
        let name = ProcessInfo.processInfo.environment["PINDRILL_FUZZ"] ?? ""
        if let target = all.first(where: { $0.name == name }) { return target }
        let complaint = "PINDRILL_FUZZ is '\(name)'; the targets are:\n" + all.map { $0.name + "\n" }.joined()
        FileHandle.standardError.write(Data(complaint.utf8))
        // An exit with its handlers is a crash for libFuzzer.
        _exit(64)
    }()
}

/// Ends the process, which libFuzzer takes for a crash, unless something holds that must.
func require(_ condition: Bool, _ complaint: @autoclosure () -> String) {
    if !condition { fatalError(complaint()) }
}

/// How many lines a text has, whichever way they end.
func lineCount(_ bytes: [UInt8]) -> Int { bytes.count { $0 == 0x0A || $0 == 0x0D } + 1 }

@_cdecl("LLVMFuzzerTestOneInput")
public func runOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FuzzTarget.chosen.run(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
