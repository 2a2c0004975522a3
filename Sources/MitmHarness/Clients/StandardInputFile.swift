#if canImport(Darwin)
import Darwin
import System
#elseif canImport(Musl)
import Musl
import SystemPackage
#else
import Glibc
import SystemPackage
#endif

/// What a child reads from its standard input, as a file that has no name.
///
/// A pipe would need a writer that outlives neither the child's patience nor ours, and writing to a child that has gone
/// raises `SIGPIPE`, which ends *us*. A file has an end, waits for nobody and is gone with its last descriptor.
enum StandardInputFile {
    /// Opens a descriptor that yields `bytes`; the caller closes it.
    static func open(_ bytes: [UInt8], in folder: String) throws(Errno) -> FileDescriptor {
        do {
            if bytes.isEmpty { return try FileDescriptor.open("/dev/null", .readOnly) }
            let path = FilePath(folder).appending(".stdin-\(UInt64.random(in: .min ... .max))")
            let file = try FileDescriptor.open(
                path,
                .readWrite,
                options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: [.ownerReadWrite]
            )
            do {
                try path.withPlatformString { name in
                    guard unlink(name) == 0 else { throw Errno(rawValue: errno) }
                }
                try file.writeAll(bytes)
                try file.seek(offset: 0, from: .start)
                return file
            } catch {
                try? file.close()
                throw error
            }
        } catch let error as Errno {
            throw error
        } catch {
            throw .ioError
        }
    }
}
