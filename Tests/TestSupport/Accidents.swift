import Foundation

/// How many accidents a test of damaged input tries: a tenth, so that a test run stays short, and all of them where
/// `PINDRILL_ACCIDENTS` is `all`, as in CI.
public enum Accidents {
    public static let areAll = ProcessInfo.processInfo.environment["PINDRILL_ACCIDENTS"] == "all"

    public static func count(of all: Int) -> Int { areAll ? all : all / 10 }
}
