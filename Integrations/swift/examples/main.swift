import Foundation
import PinDrillControl

// main FILE [naive]: with "naive" the app pins nothing, and the last of the four lines to a verdict throws.
do {
    let pindrill = try await PinDrill.serving(CommandLine.arguments[1])
    let isNaive = CommandLine.arguments.contains("naive")
    let pins = isNaive ? [] : try await pindrill.pins(of: "leaf-and-backup")

    let drill = try await pindrill.drill("attacker-installed-root", policy: "leaf-and-backup")
    try await drill.play { attempt in try ask(attempt, pins: pins) }
    try drill.expect(.pass)
    try await pindrill.close()
} catch {
    print(error)
    exit(1)
}
