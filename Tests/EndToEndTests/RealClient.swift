import Foundation
import TestSupport
import Testing

@testable import Scenarios

/// A program of this machine that pins, in one form or several.
struct RealClient: CustomTestStringConvertible {
    /// One way in which it can pin.
    struct Form {
        /// The table's column; where it has none, a name of the same kind.
        var name: String
        /// What it pins, and so what its model goes by.
        var configure: MatrixWorld.Configure
        /// What its command line needs for that.
        var change: @Sendable (inout CommandDeclaration) -> Void = { _ in }

        /// A column of the table.
        static func column(
            _ name: String,
            _ change: @escaping @Sendable (inout CommandDeclaration) -> Void = { _ in }
        ) -> Form {
            // A name that no tool has ends the test at once.
            Form(name: name, configure: MatrixWorld.tools[name]!, change: change)
        }
    }

    var name: String
    /// How it is run; `nil` where it is not installed.
    ///
    /// - Parameter folder: where to build it, if that is needed.
    var prepare: @Sendable (_ folder: URL) throws -> CommandDeclaration?
    var forms: [Form]

    var testDescription: String { name }

    /// Where the programs are that are not installed but ours.
    static let sources = Places.package.appending(path: "Tests/EndToEndTests/Clients")

    /// Those that live through many attempts: `program` is told of each in a line.
    static func told(_ program: String) -> CommandDeclaration {
        CommandDeclaration(
            run: program,
            stdin: "{host}\t{port}\t{trust}\t{policy}",
            lifetime: .trial,
            refusedPin: OutcomeRule(text: ["^refused-pin"])
        )
    }
}
