/// A program to start, and everything it is given: nothing is inherited from us.
package struct ChildCommand: Sendable {
    /// The words of the command line, the program first: a name is looked up in the `PATH` of `environment`; with a
    /// slash it is a path, and a relative one counts from `workingDirectory`.
    package var arguments: [String]

    /// All variables the program sees.
    package var environment: [String: String]

    /// The folder the program starts in.
    package var workingDirectory: String

    /// What the program reads from its standard input before it sees its end.
    package var standardInput: [UInt8] = []

    /// How long the program may take before it and everything it started are ended.
    package var timeout: Duration

    /// How long programs have between being asked to end (`SIGTERM`) and being made to (`SIGKILL`).
    package var grace: Duration = .milliseconds(500)

    /// How many bytes are kept of each output stream; see `CapturedOutput`.
    package var outputLimit: Int = 64 * 1024
}
