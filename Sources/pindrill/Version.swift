import ArgumentParser
import TLSCore

struct Version: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Prints the versions of pindrill and of its TLS library.")

    func run() throws {
        Terminal.write("pindrill \(PinDrill.version)\n\(TLSLibrary.version)\n")
        try Terminal.finish()
    }
}
