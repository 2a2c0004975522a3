import Subprocess

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// Ends our children where we cannot, because we were killed: a shell that is told of each group of processes, and ends
/// those that are left when its input, our pipe, has come to its end.
///
/// Linux has `PR_SET_PDEATHSIG` for that, which reaches a child but not its children, and which the child must set: there,
/// swift-subprocess lets nobody in.
enum Guardian {
    private static let script = """
        all=' '
        while read -r change group; do
            case $change in
                +) all="$all$group " ;;
                -) case $all in *" $group "*) all="${all%% $group *} ${all#* $group }" ;; esac ;;
            esac
        done
        for group in $all; do kill -KILL "-$group"; done
        """

    private static let line: InputLine? = {
        guard let (line, childEnd) = try? InputLine.open() else { return nil }
        Task.detached {
            // In a session of its own: what ends us from a terminal must not end it.
            _ = try? await Subprocess.run(
                .path("/bin/sh"),
                arguments: ["-c", script],
                environment: .custom([:] as [Environment.Key: String]),
                platformOptions: .leadingItsOwnSession,
                input: .fileDescriptor(childEnd, closeAfterSpawningProcess: true),
                output: .discarded,
                error: .discarded
            )
        }
        return line
    }()

    static func watch(_ group: Int32) { line?.write("+ \(group)") }

    /// Must be called before the group's leader is reaped: its number may then be given to a stranger.
    static func release(_ group: Int32) { line?.write("- \(group)") }
}
