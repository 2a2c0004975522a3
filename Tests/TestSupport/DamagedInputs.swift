import Foundation

/// How many damaged inputs a test tries: a tenth, so that a test run stays short, and all of them where
/// `PINDRILL_DAMAGED_INPUTS` is `all`, as in `make damage`.
package enum DamagedInputs {
    package static let areAll = ProcessInfo.processInfo.environment["PINDRILL_DAMAGED_INPUTS"] == "all"

    package static func count(of all: Int) -> Int { areAll ? all : all / 10 }
}
