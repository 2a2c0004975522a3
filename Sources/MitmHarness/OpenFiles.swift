#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// How many trials the limit on open files (RLIMIT_NOFILE) has room for. Where it has none, the libraries beneath us trap.
package enum OpenFiles {
    /// At least, as measured with curl: about nine for a trial, and fourteen for one in a network of its own; three for each
    /// event loop, of which there is one a core, and a dozen for the rest, or two where networks are made.
    private static let (perTrial, perCore, base) = (16, 4, 16)
    private static let (perIsolatedTrial, isolatedBase) = (20, 24)

    /// How many files a process may have open.
    package static var limit: Int { sysconf(Int32(_SC_OPEN_MAX)) }

    /// How many trials at a time that is enough for.
    package static func trials(cores: Int, limit: Int = limit, areIsolated: Bool = false) -> Int {
        let most = (limit - need(trials: 0, cores: cores, areIsolated: areIsolated))
        return max(0, most / (areIsolated ? perIsolatedTrial : perTrial))
    }

    /// How many files these trials at a time may need.
    package static func need(trials: Int, cores: Int, areIsolated: Bool = false) -> Int {
        (areIsolated ? isolatedBase : base) + perCore * cores + (areIsolated ? perIsolatedTrial : perTrial) * trials
    }
}
