import Foundation

/// Runs `work` on a thread with room for a thousand nested values, and waits for it.
///
/// Yams recurses, libyaml allows 1000 levels, and the threads of Swift's tasks have a stack of 512 KiB on macOS: a file
/// of brackets would end the process.
package func withLargeStack<Value: Sendable>(_ work: @escaping @Sendable () -> Value) -> Value {
    // The semaphore orders the only write before the only read.
    nonisolated(unsafe) var value: Value?
    let isDone = DispatchSemaphore(value: 0)
    let thread = Thread {
        value = work()
        isDone.signal()
    }
    thread.stackSize = 16 << 20
    thread.start()
    isDone.wait()
    // The thread signals only after it has stored a value.
    return value!
}
