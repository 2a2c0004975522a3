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

/// What the limit on address space (RLIMIT_AS) must leave. Where a thread cannot be started, what waits for it waits for ever.
package enum AddressSpace {
    /// In MiB. Measured on Linux with two cores: a run reserves 880 at most, hangs with 400, and works with 800. Each core
    /// has an event loop and a thread of Swift's, each with a stack and an arena of malloc's.
    package static func need(cores: Int) -> Int { 480 + 160 * cores }

    /// In MiB; `nil`: unlimited.
    package static var limit: Int? {
        var limit = rlimit()
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_AS.rawValue)
        #else
        let resource = RLIMIT_AS
        #endif
        guard getrlimit(resource, &limit) == 0 else { return nil }
        return Int(exactly: limit.rlim_cur).map { $0 >> 20 }
    }
}
