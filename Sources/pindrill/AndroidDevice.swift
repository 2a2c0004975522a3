import Foundation
import MitmHarness
import Synchronization
import TLSCore

/// A device on a cable, or an emulator, as Android's `adb` reaches it: set up for a drill, and left as it was found.
final class AndroidDevice: Sendable {
    let serial: String
    private let adb: URL
    /// What puts things back, the last first.
    private let undoing = Mutex<[[String]]>([])
    private let installed = Mutex<[[String]]>([])
    private let isRoot = Mutex(false)

    /// Finds the device, and changes nothing.
    ///
    /// - Parameter serial: `nil` where there is only one.
    init(_ serial: String?) throws(InputError) {
        guard let adb = Self.program else {
            throw InputError("--android: there is no 'adb' in the PATH; install Android's platform tools (Debian: adb)")
        }
        self.adb = adb
        self.serial = try Self.choose(serial, from: try Self.run(adb, ["devices"]))
    }

    /// Leads the device to a port of this machine.
    func lead(to port: Int) throws(InputError) {
        // It cuts off what was set up before. Builds for users answer "cannot run as root in production builds".
        let answer = (try? Self.run(adb, ["-s", serial, "root"])) ?? "cannot"
        if answer.contains("as root"), !answer.contains("cannot") {
            if !answer.contains("already") { undoing.withLock { $0.append(["unroot"]) } }
            _ = try Self.run(adb, ["-s", serial, "wait-for-device"])
            isRoot.withLock { $0 = true }
        }
        try ask(["reverse", "tcp:\(port)", "tcp:\(port)"], toUndo: [["reverse", "--remove", "tcp:\(port)"]])
        let setting = ["shell", "settings", "get", "global", "http_proxy"]
        let before = try Self.run(adb, ["-s", serial] + setting).trimmingCharacters(in: .whitespacesAndNewlines)
        let hadNone = ["", "null", ":0"].contains(before)
        let put = ["shell", "settings", "put", "global", "http_proxy"]
        // Without a restart only this one takes the setting back.
        let back = [put + [hadNone ? ":0" : before]]
        try ask(put + ["127.0.0.1:\(port)"], toUndo: back)
    }

    /// Has the device trust these roots, in place of those of an earlier call.
    ///
    /// - Returns: what is left to do by hand.
    func install(_ roots: [RootExport.Root]) throws(InputError) -> [String] {
        undo(installed)
        let canBeRoot = isRoot.withLock(\.self)
        let folder = canBeRoot ? "/data/local/tmp/pindrill" : "/sdcard/Download"
        var names: [String] = []
        // Of several with one hash the system looks for .0, .1 and so on, until one is missing.
        var hashes: [String: Int] = [:]
        let files = FileManager.default
        let local = files.temporaryDirectory.appending(path: "pd-android-\(UInt64.random(in: .min ... .max))")
        do {
            try files.createDirectory(at: local, withIntermediateDirectories: true)
        } catch {
            throw InputError("--android: \(error.localizedDescription)")
        }
        defer { try? files.removeItem(at: local) }
        if canBeRoot {
            try ask(["shell", "mkdir", "-p", folder], toUndo: [["shell", "rm", "-r", folder]], in: installed)
        }
        for (index, root) in roots.enumerated() {
            let hash = root.certificate.oldSubjectHash
            let name = canBeRoot ? "\(hash).\(hashes[hash, default: 0])" : "pindrill-\(index + 1).crt"
            hashes[hash, default: 0] += 1
            let file = local.appending(path: name)
            try? root.certificate.pem.write(to: file, atomically: true, encoding: .utf8)
            let remove = canBeRoot ? [] : [["shell", "rm", "\(folder)/\(name)"]]
            try ask(["push", file.path, "\(folder)/\(name)"], toUndo: remove, in: installed)
            names.append(name)
        }
        guard canBeRoot else {
            return [
                "The roots are in Download, as \(names.joined(separator: ", ")): Settings, Security, Encryption and "
                    + "credentials, Install a certificate, CA certificate. Remove them there after the test.",
                "Apps of Android 7 and newer ignore them, unless they are debug builds whose network security configuration "
                    + "names user certificates.",
            ]
        }
        for store in Self.stores {
            let back = ["shell", "[ ! -d \(store) ] || { \(Self.everywhere("umount \(store)")); }"]
            try ask(["shell", Self.mount(over: store, adding: folder)], toUndo: [back], in: installed)
        }
        return ["The roots are in the system's store of \(serial) until the drill ends. Start the app anew."]
    }

    /// Where the system keeps its roots; from Android 14 on the second counts.
    private static let stores = ["/system/etc/security/cacerts", "/apex/com.android.conscrypt/cacerts"]

    /// A copy of a store in memory, with our roots in it, takes its place until it is taken away, or the device restarts.
    private static func mount(over store: String, adding folder: String) -> String {
        let copy = "\(folder)/\(store.split(separator: "/")[0])"
        let make =
            "mkdir -p \(copy) && cp \(store)/* \(folder)/*.[0-9] \(copy)/ && chmod 644 \(copy)/* && "
            + "chcon u:object_r:system_security_cacerts_file:s0 \(copy) \(copy)/*"
        return "[ ! -d \(store) ] || { \(make) && \(everywhere("mount --bind \(copy) \(store)")); }"
    }

    /// Each app has mounts of its own, which it gets from the zygotes.
    private static func everywhere(_ command: String) -> String {
        "for pid in 1 $(pidof zygote zygote64); do nsenter --mount=/proc/$pid/ns/mnt -- \(command); done"
    }

    func undo() {
        undo(installed)
        undo(undoing)
    }

    private func undo(_ list: borrowing Mutex<[[String]]>) {
        let commands = list.withLock { list in
            defer { list = [] }
            return list
        }
        for command in commands.reversed() {
            do {
                _ = try Self.run(adb, ["-s", serial] + command)
            } catch {
                Terminal.complain("this was not undone: adb -s \(serial) \(command.joined(separator: " ")): \(error)")
            }
        }
    }

    private func ask(_ command: [String], toUndo: [[String]]) throws(InputError) {
        try ask(command, toUndo: toUndo, in: undoing)
    }

    private func ask(_ command: [String], toUndo: [[String]], in list: borrowing Mutex<[[String]]>) throws(InputError) {
        // Half done is to be undone as well.
        list.withLock { $0 += toUndo }
        _ = try Self.run(adb, ["-s", serial] + command)
    }

    /// The device that is meant, of what `adb devices` lists.
    static func choose(_ serial: String?, from list: String) throws(InputError) -> String {
        let devices = list.split(whereSeparator: \.isNewline).map {
            $0.split(whereSeparator: \.isWhitespace).map(String.init)
        }
        .filter { $0.count == 2 && $0[0] != "*" }
        let names = devices.map { $0[0] }
        guard !devices.isEmpty else {
            throw InputError(
                "--android: adb sees no device; connect one, and switch USB debugging on in its developer options"
            )
        }
        guard
            let chosen = serial.map({ serial in devices.first { $0[0] == serial } })
                ?? (devices.count == 1 ? devices[0] : nil)
        else {
            let list = names.joined(separator: ", ")
            throw InputError(
                serial.map { "--android: adb sees no device '\($0)', but \(list)" }
                    ?? "--android: adb sees several devices: \(list); name one, as in --android-serial \(names[0])"
            )
        }
        switch chosen[1] {
        case "device": return chosen[0]
        case "unauthorized":
            throw InputError(
                "--android: '\(chosen[0])' does not trust this machine; unlock it, and allow USB debugging there"
            )
        default: throw InputError("--android: '\(chosen[0])' is \(chosen[1]); connect it again")
        }
    }

    // MARK: Running adb

    private static var program: URL? {
        let folders = ProcessInfo.processInfo.environment["PATH", default: ""].split(separator: ":")
        return folders.map { URL(filePath: String($0)).appending(path: "adb") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    /// What finds its server and its keys, and no word of ours.
    private static var environment: [String: String] {
        ProcessInfo.processInfo.environment.filter { name, _ in
            ["PATH", "HOME", "USER", "TMPDIR"].contains(name) || name.hasPrefix("ADB_") || name.hasPrefix("ANDROID_")
        }
    }

    private static func run(_ adb: URL, _ arguments: [String]) throws(InputError) -> String {
        let process = Process()
        // A server that it starts would keep a pipe open.
        let file = FileManager.default.temporaryDirectory.appending(path: "pd-adb-\(UInt64.random(in: .min ... .max))")
        _ = FileManager.default.createFile(atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
        defer { try? FileManager.default.removeItem(at: file) }
        let words = "adb \(arguments.joined(separator: " "))"
        let ended = DispatchSemaphore(value: 0)
        do {
            let handle = try FileHandle(forWritingTo: file)
            defer { try? handle.close() }
            (process.executableURL, process.arguments, process.environment) = (adb, arguments, environment)
            process.standardInput = FileHandle.nullDevice
            (process.standardOutput, process.standardError) = (handle, handle)
            process.terminationHandler = { _ in ended.signal() }
            try process.run()
        } catch {
            throw InputError("--android: '\(words)' could not be started: \(error.localizedDescription)")
        }
        guard ended.wait(timeout: .now() + 30) == .success else {
            process.terminate()
            throw InputError("--android: '\(words)' did not end within 30 s; connect the device again")
        }
        let output = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        guard process.terminationStatus == 0 else {
            let last = output.split(whereSeparator: \.isNewline).last.map(String.init) ?? "no word"
            throw InputError("--android: '\(words)' failed: \(last)")
        }
        return output
    }
}
