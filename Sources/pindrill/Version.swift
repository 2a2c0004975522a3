import ArgumentParser
import TLSCore

struct Version: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Prints the versions of pindrill and of its TLS library.")

    func run() {
        print("pindrill \(PinDrill.version)")
        print(TLSLibrary.version)
    }
}
