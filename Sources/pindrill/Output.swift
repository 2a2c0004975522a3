import ArgumentParser
import Scenarios

/// How a command tells its result: the same options, with the same meaning, for every command that has one.
struct OutputOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Colours: auto, always or never.", valueName: "when"))
    var color: ColorChoice = .auto

    @Flag(help: "Writes the result to standard output as JSON, and nothing else there.")
    var json = false

    @Flag(help: "Writes nothing for people but errors: the exit status, --json and reports have the result.")
    var quiet = false

    var style: TextStyle { TextStyle(isColoured: color.isColoured) }

    /// Comes before anything is written.
    func begin() { if quiet { Terminal.beQuiet() } }
}
