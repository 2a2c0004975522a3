import Foundation
import TestSupport
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// `pindrill certs`, and runs that show what it keeps.
struct CertsCommandTests {
    private static let scenarios = """
        version: 1
        host: api.acme.example
        keys:
          leaf: {}
          evil: { by: attacker }
        authorities:
          root: {}
          mallory: { by: attacker }
        stores:
          phone: { system: [root], user: [mallory] }
        chains:
          today: { key: leaf, issuer: root }
          forged: { key: evil, issuer: mallory }
        policies:
          pinned: { pins: [leaf] }
        clients:
          teller:
            run: "{here}/teller {pins} {trust}"
            refused: { exit: 1 }
        scenarios:
          - { name: attack, store: phone, steps: [{ present: today }, { present: forged }] }

        """

    /// A client that only tells what it was given.
    private static let teller =
        "#!/bin/sh\necho \"$1\" >>\"$(dirname \"$0\")/told\"; cat \"$2\" >>\"$(dirname \"$0\")/told\"\n"

    static func inProject<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
        try await withTemporaryFolder { folder in
            try scenarios.write(to: folder.appending(path: "scenarios.yaml"), atomically: false, encoding: .utf8)
            let teller = folder.appending(path: "teller")
            try Self.teller.write(to: teller, atomically: false, encoding: .utf8)
            chmod(teller.path, 0o755)
            return try await body(folder)
        }
    }

    @Test(.enabled(if: Tool.openssl != nil, "openssl is not installed"))
    func `import: keys of others are kept as they are, an encrypted one by its passphrase`() async throws {
        try await Self.inProject { folder in
            let script = """
                set -e; cd '\(folder.path)'; echo s3cret >word; echo wrong >other
                openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -aes256 -pass file:word -out leaf.key
                openssl pkey -in leaf.key -passin file:word -pubout -outform der | openssl dgst -sha256 -binary | base64 >pin
                openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out rsa.key
                openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout ca.key -out ca.pem -days 30 \\
                    -subj /CN=Internal 2>ca.log
                """
            let made = try #require(Tool("sh")).run(["-c", script], environment: Program.bareEnvironment)
            #expect(made.status == 0, "\(made.output)")

            let pin = try String(contentsOf: folder.appending(path: "pin"), encoding: .utf8)
                .trimmingCharacters(in: .whitespacesAndNewlines)
            let word = ["--passphrase-file", "word"]
            let mute = try await Program.run("certs", "import", "leaf", "leaf.key", in: folder)
            let wrong = try await Program.run(
                ["certs", "import", "leaf", "leaf.key", "--passphrase-file", "other"],
                in: folder
            )
            let leaf = try await Program.run(["certs", "import", "leaf", "leaf.key"] + word, in: folder)
            let again = try await Program.run(["certs", "import", "leaf", "leaf.key"] + word, in: folder)
            let rsa = try await Program.run("certs", "import", "leaf", "rsa.key", "--force", in: folder)
            let bare = try await Program.run("certs", "import", "root", "ca.key", "--force", in: folder)
            let root = try await Program.run("certs", "import", "root", "ca.key", "ca.pem", "--force", in: folder)
            let shown = try await Program.run("certs", "show", in: folder)
            let run = try await Program.run("run", "--certs", "certs/local", in: folder)

            #expect(mute.errors.contains("needs its password; give --passphrase-file"), "\(mute.errors)")
            #expect(wrong.errors.contains("this is not the password"), "\(wrong.errors)")
            #expect(leaf.status == 0 && leaf.output.contains(pin), "\(leaf.output)\(leaf.errors)")
            #expect(again.errors.contains("a key is kept under 'leaf' already; --force replaces it"), "\(again.errors)")
            #expect(rsa.errors.contains("the key is rsa2048, and 'leaf' is declared as p256"), "\(rsa.errors)")
            #expect(bare.errors.contains("the certificate of 'root' is missing"), "\(bare.errors)")
            #expect([mute, wrong, again, rsa, bare].allSatisfy { $0.status == 65 })
            #expect(root.status == 0 && root.errors.contains("'root' may vouch for every name"), "\(root.errors)")
            #expect(shown.output.contains(pin) && shown.output.contains("CN=Internal"), "\(shown.output)")
            #expect(run.status != 65, "\(run.errors)")
            let told = try String(contentsOf: folder.appending(path: "told"), encoding: .utf8)
            let own = try String(contentsOf: folder.appending(path: "ca.pem"), encoding: .utf8)
            #expect(told.contains(pin))
            #expect(told.contains(own.split(separator: "\n")[1]))
        }
    }

    @Test(.enabled(if: Tool.openssl != nil, "openssl is not installed"))
    func `export: a profile is signed by a key of the user's, and openssl finds it whole`() async throws {
        try await Self.inProject { folder in
            let script = """
                set -e; cd '\(folder.path)'
                openssl req -x509 -newkey rsa:2048 -nodes -keyout sign.key -out sign.pem -days 30 -subj /CN=Signer 2>sign.log
                """
            let made = try #require(Tool("sh")).run(["-c", script], environment: Program.bareEnvironment)
            #expect(made.status == 0, "\(made.output)")
            _ = try await Program.run("certs", "init", in: folder)
            let export = ["certs", "export", "--format", "mobileconfig"]
            let plain = try await Program.run(export, in: folder)
            let signed = try await Program.run(
                export + ["--sign-with", "sign.key,sign.pem", "--output", "signed.mobileconfig"],
                in: folder
            )
            let misplaced = try await Program.run("certs", "export", "--sign-with", "sign.key,sign.pem", in: folder)

            #expect(signed.status == 0, "\(signed.errors)")
            #expect(misplaced.status == 64)
            let verified = try #require(Tool.openssl).run(
                [
                    "cms", "-verify", "-inform", "DER", "-in", folder.appending(path: "signed.mobileconfig").path,
                    "-CAfile", folder.appending(path: "sign.pem").path, "-purpose", "any", "-out",
                    folder.appending(path: "content").path,
                ],
                environment: Tool.bareOpenSSL
            )
            #expect(verified.status == 0, "\(verified.output)")
            let content = try String(contentsOf: folder.appending(path: "content"), encoding: .utf8)
            #expect(content.contains("com.apple.security.root"))
            #expect(content == plain.output)
        }
    }

    @Test func `kept: a client is told the same pins and roots in every run, and other ones without a keyring`()
        async throws
    {
        try await Self.inProject { folder in
            func told(_ options: String...) async throws -> String {
                let place = folder.appending(path: "told")
                try? FileManager.default.removeItem(at: place)
                _ = try await Program.run(["run"] + options, in: folder)
                return try String(contentsOf: place, encoding: .utf8)
            }

            let made = try await Program.run("certs", "init", in: folder)
            let runs = [try await told("--certs", "certs/local"), try await told("--certs", "certs/local")]
            let other = try await told()
            let pin = try await Program.run("certs", "show", "leaf", in: folder)

            #expect(made.status == 0, "\(made.errors)")
            #expect(runs[0] == runs[1])
            #expect(runs[0].contains("-----BEGIN CERTIFICATE-----"))
            #expect(runs[0] != other)
            let told = try #require(runs[0].firstMatch(of: /sha256\/\/([^;\n]+)/)).output.1
            #expect(pin.output.contains("pin          sha256/\(told)\n"))
        }
    }

    @Test func `kept: nobody else can open the keyring, git does not see it, and no private key is shown`() async throws
    {
        try await Self.inProject { folder in
            let made = try await Program.run("certs", "init", in: folder)
            let shown = try await Program.run("certs", "show", in: folder)
            let listed = try await Program.run("certs", "list", "--json", in: folder)

            let keyring = folder.appending(path: "certs/local")
            var status = stat()
            #expect(stat(keyring.path, &status) == 0 && status.st_mode & 0o777 == 0o700)
            for name in ["keyring.json", ".gitignore", "lock"] {
                #expect(stat(keyring.appending(path: name).path, &status) == 0 && status.st_mode & 0o777 == 0o600)
            }
            #expect(try String(contentsOf: keyring.appending(path: ".gitignore"), encoding: .utf8) == "*\n")
            #expect(!(made.output + shown.output + listed.output).contains("PRIVATE"))
            #expect(made.output.contains("may vouch for api.acme.example.\n"))
            #expect(made.output.contains("Of an attacker, for test devices only: mallory.\n"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: keyring.path).count == 3)
        }
    }

    @Test func `kept: wide and long roots are asked for, and warned of`() async throws {
        try await Self.inProject { folder in
            let wide = try await Program.run("certs", "init", "--unconstrained", "--days", "400", in: folder)
            let shown = try await Program.run("certs", "show", "root", in: folder)
            let run = try await Program.run("run", "--certs", "certs/local", in: folder)

            #expect(wide.errors.hasPrefix("warning: these roots may vouch for every name"))
            #expect(shown.output.contains("vouches for  every name"))
            #expect(!run.errors.contains("certs"))
        }
    }

    @Test func `kept: what is wrong is told in one sentence, and the keyring stays`() async throws {
        try await Self.inProject { folder in
            let keyring = folder.appending(path: "certs/local/keyring.json")
            func complaint(_ words: String...) async throws -> String {
                let before = try? Data(contentsOf: keyring)
                let ending = try await Program.run(words, in: folder)
                #expect(ending.status == 65, "\(words)")
                #expect(ending.errors.count { $0 == "\n" } == 1, "\(ending.errors)")
                #expect(ending.output == "")
                #expect((try? Data(contentsOf: keyring)) == before)
                return ending.errors
            }

            let missing = try await complaint("run", "--certs", "certs/local")
            _ = try await Program.run("certs", "init", in: folder)
            let lock = open(folder.appending(path: "certs/local/lock").path, O_RDWR)
            #expect(flock(lock, LOCK_EX) == 0)
            let busy = try await complaint("certs", "rotate", "leaf")
            close(lock)
            let typo = try await complaint("certs", "show", "laef")
            let noRoot = try await complaint("certs", "rotate", "--keep-key", "leaf")
            chmod(keyring.path, 0o644)
            let open = try await complaint("run", "--certs", "certs/local")
            chmod(keyring.path, 0o600)
            try Data("{".utf8).write(to: keyring)
            chmod(keyring.path, 0o600)
            let damaged = try await complaint("certs", "init")
            chmod(folder.appending(path: "certs/local").path, 0o755)
            let openFolder = try await complaint("certs", "list")
            chmod(folder.appending(path: "certs/local").path, 0o700)

            #expect(
                missing == "certs/local: there is no keyring; 'pindrill certs init --certs certs/local' makes one\n"
            )
            #expect(
                busy == "certs/local: another pindrill is changing this keyring; try again once it has ended\n"
            )
            #expect(typo == "no 'laef' is kept; did you mean 'leaf'?\n")
            #expect(noRoot == "'leaf' is a key and no root: --keep-key would change nothing\n")
            #expect(
                open == "certs/local/keyring.json: others on this machine may open it; run 'chmod 600 "
                    + "certs/local/keyring.json'\n"
            )
            #expect(damaged.hasPrefix("certs/local/keyring.json: this file is damaged, or no keyring; put back a copy"))
            #expect(openFolder == "certs/local: others on this machine may open it; run 'chmod 700 certs/local'\n")
        }
    }

    @Test func `kept: the JSON is what its schema describes`() async throws {
        try await Self.inProject { folder in
            _ = try await Program.run("certs", "init", in: folder)

            let ending = try await Program.run("certs", "show", "--json", in: folder)

            let document = try JSONDecoder().decode(JSONValue.self, from: Data(ending.output.utf8))
            let schema = try Schema(at: Places.package.appending(path: "docs/output.schema.json"))
            #expect(schema.complaints(about: document, as: "certs") == [])
        }
    }

    @Test func `kept: every command of the page does what it says`() async throws {
        try await Self.inProject { folder in
            for ending in try await Page.run("docs/certs.md", in: folder) {
                #expect(ending.status == 0 || ending.command.contains("pindrill run"), "\(ending)")
            }
        }
    }

    @Test func `kept: keys are rotated and removed by name`() async throws {
        try await Self.inProject { folder in
            func pin(_ name: String) async throws -> String {
                try await Program.run("certs", "show", name, in: folder).output
            }
            _ = try await Program.run("certs", "init", in: folder)
            let (leaf, root) = (try await pin("leaf"), try await pin("root"))

            let rotated = try await Program.run("certs", "rotate", "leaf", in: folder)
            let (newLeaf, sameRoot) = (try await pin("leaf"), try await pin("root"))
            let removed = try await Program.run("certs", "remove", "evil", in: folder)
            let lacking = try await Program.run("run", "--certs", "certs/local", in: folder)
            let all = try await Program.run("certs", "remove", "--all", in: folder)
            let empty = try await Program.run("certs", "list", in: folder)

            #expect((rotated.status, removed.status, all.status) == (0, 0, 0))
            #expect(newLeaf != leaf)
            #expect(sameRoot == root)
            #expect(lacking.errors == "certs/local: 'evil' of this file is not kept; 'pindrill certs init' adds it\n")
            #expect(empty.output == "NAME  KEY  HOLDER  ROOT UNTIL\n")
        }
    }
}
