/// What a program's end means: `{ exit: [60, 90] }`, `{ exit: 1, text: "pin mismatch" }`.
///
/// It holds when the exit status is one of `exit` *and* one of `text` is found; an empty list demands nothing. Many
/// programs have one exit status for every trouble, and only their words tell a pin from a dead server.
package struct OutcomeRule: Hashable, Sendable {
    /// Exit statuses, 1 to 255; of a success also 0.
    package var exit: [Int] = []
    /// Regular expressions of ICU, searched for in standard output and in standard error.
    package var text: [String] = []

    package init(exit: [Int] = [], text: [String] = []) {
        self.exit = exit
        self.text = text
    }
}
