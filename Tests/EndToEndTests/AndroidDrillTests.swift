import Foundation
import TestSupport
import Testing

#if os(Linux)
/// `drill --android`, with a stand-in for `adb` that writes down what it is asked. No phone confirms what these tests say.
@Suite(.enabled(if: Tool("python3") != nil, "python3 is not installed"))
struct AndroidDrillTests {
    private static let file = """
        version: 1
        host: api.acme.example
        keys: { leaf: {}, evil: { by: attacker } }
        authorities: { acme-root: {}, mallory: { by: attacker } }
        stores: { phone: { system: [acme-root], user: [mallory] } }
        chains: { today: { key: leaf, issuer: acme-root }, forged: { key: evil, issuer: mallory } }
        policies: { pinned: { pins: [leaf], allow: [no-redundancy] } }
        clients: { app: { kind: attended } }
        scenarios: [ { name: attack, steps: [ { present: today }, { present: forged } ] } ]

        """

    private static let adb = """
        #!/bin/sh
        here=$(dirname "$0")
        echo "$*" >>"$here/log"
        env >>"$here/environment"
        case $* in
        devices) cat "$here/devices" ;;
        *" root") cat "$here/root" ;;
        *"settings get"*) cat "$here/proxy" ;;
        *"$(cat "$here/broken")"*) echo 'error: closed' >&2; exit 1 ;;
        esac

        """

    private static let one = "List of devices attached\nSERIAL1\tdevice\n\n"
    private static let production = "adbd cannot run as root in production builds\n"

    /// What the stand-in was asked, without `-s SERIAL1`, and how the drill ended.
    private static func play(
        devices: String = one,
        root: String = production,
        proxy: String = "null\n",
        broken: String = "nothing",
        _ options: [String] = ["--android"],
        interrupting: Bool = false
    ) async throws -> (ending: Program.Ending, asked: [String], environment: String) {
        let port = try ListenTests.freePort()
        return try await withTemporaryFolder { folder in
            for (name, text) in [
                ("adb", adb), ("devices", devices), ("root", root), ("proxy", proxy), ("broken", broken),
                ("story.yaml", file),
            ] {
                try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
            }
            let program = folder.appending(path: "adb").path
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
            func read(_ name: String) -> String {
                (try? String(contentsOf: folder.appending(path: name), encoding: .utf8)) ?? ""
            }
            let path = "\(folder.path):\(Program.bareEnvironment["PATH", default: ""])"
            let words = ["drill", "story.yaml", "--port", "\(port)", "--skip-check"] + options
            let input = interrupting ? "mkfifo in; exec 3<>in" : "exec 3</dev/null"
            let ending = try await Started.with(
                URL(filePath: "/bin/sh"),
                ["-c", "\(input); exec \"$0\" \"$@\" <&3", Program.url.path] + words,
                environment: ["PATH": path, "HOME": folder.path, "PINDRILL_PASSPHRASE": "secret"],
                in: folder
            ) { drill in
                if interrupting {
                    #expect(await eventually { read("log").contains("push") })
                    drill.signal(SIGINT)
                }
                return try await drill.ending()
            }
            let asked = read("log").split(separator: "\n").map { line -> String in
                let words = String(line).replacing("-s SERIAL1 ", with: "").replacing("\(port)", with: "PORT")
                guard words.hasPrefix("push ") else { return words }
                return "push " + words.split(separator: "/").suffix(1).joined()
            }
            return (ending, asked, read("environment"))
        }
    }

    private static let setUp = [
        "devices", "root", "reverse tcp:PORT tcp:PORT", "shell settings get global http_proxy",
        "shell settings put global http_proxy 127.0.0.1:PORT",
    ]
    private static let putBack = [
        "shell settings put global http_proxy :0", "reverse --remove tcp:PORT",
    ]

    @Test func `a phone is led here and given the roots to install, and all is undone`()
        async throws
    {
        let (ending, asked, environment) = try await Self.play()

        #expect(ending.status == 130, "\(ending)")
        #expect(Array(asked.prefix(5)) == Self.setUp, "\(asked)")
        #expect(asked[5...].prefix(2) == ["push pindrill-1.crt", "push pindrill-2.crt"], "\(asked)")
        let removed = [
            "shell rm /sdcard/Download/pindrill-2.crt", "shell rm /sdcard/Download/pindrill-1.crt",
        ]
        #expect(Array(asked.dropFirst(7)) == removed + Self.putBack, "\(asked)")
        #expect(ending.output.contains("The roots are in Download"), "\(ending)")
        #expect(!environment.contains("secret"))
    }

    @Test func `an emulator's system trusts the roots until the drill ends`() async throws {
        let (ending, asked, _) = try await Self.play(root: "restarting adbd as root\n")

        #expect(ending.output.contains("in the system's store of SERIAL1"), "\(ending)")
        #expect(asked.contains("wait-for-device"))
        #expect(
            asked.contains {
                $0.contains("mount --bind") && $0.contains("/apex/com.android.conscrypt/cacerts")
            }
        )
        #expect(asked.count { $0.contains("umount") } == 2, "\(asked)")
        #expect(
            asked.suffix(4) == ["shell rm -r /data/local/tmp/pindrill"] + Self.putBack + ["unroot"],
            "\(asked)"
        )
    }

    @Test func `a proxy that was there is put back`() async throws {
        let (_, asked, _) = try await Self.play(proxy: "10.0.0.1:3128\n")

        #expect(asked.contains("shell settings put global http_proxy 10.0.0.1:3128"), "\(asked)")
    }

    @Test func `an interrupted drill leaves nothing behind`() async throws {
        let (ending, asked, _) = try await Self.play(interrupting: true)

        #expect(ending.status == 130, "\(ending)")
        #expect(asked.suffix(2) == Self.putBack[...], "\(asked)")
    }

    @Test(arguments: ["reverse tcp", "settings put global http_proxy 127", "push"])
    func `what failed halfway is undone, too`(broken: String) async throws {
        let (ending, asked, _) = try await Self.play(broken: broken)

        #expect(ending.errors.contains("failed: error: closed"), "\(ending)")
        #expect(
            asked.last == (broken == "reverse tcp" ? "reverse --remove tcp:PORT" : Self.putBack[1]),
            "\(asked)"
        )
        #expect(asked.contains(Self.putBack[0]) == (broken != "reverse tcp"), "\(asked)")
    }

    @Test(arguments: [
        ("List of devices attached\n\n", ["--android"], "adb sees no device"),
        ("List of devices attached\nA\tunauthorized\n", ["--android"], "allow USB debugging there"),
        ("List of devices attached\nA\toffline\n", ["--android"], "'A' is offline"),
        (
            "List of devices attached\nA\tdevice\nB\tdevice\n", ["--android"],
            "A, B; name one, as in --android-serial A"
        ),
        (
            "List of devices attached\nA\tdevice\nB\tdevice\n", ["--android-serial", "C"],
            "no device 'C', but A, B"
        ),
    ])
    func `a device that cannot be had is named before anything is changed`(
        devices: String,
        options: [String],
        complaint: String
    ) async throws {
        let (ending, asked, _) = try await Self.play(devices: devices, options)

        #expect(ending.status == 2)
        #expect(ending.errors.contains(complaint), "\(ending)")
        #expect(asked == ["devices"])
    }
}
#endif
