import ArgumentParser
import Foundation
import Pinning
import Scenarios
import TLSCore

struct Certs: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Keeps keys and roots from one run to the next.",
        discussion: """
            A run makes new keys each time. Whoever builds an app with their pins in it, or installs a root on a device, keeps \
            them: `certs init` makes the keys of a scenario file once, and `run --certs certs/local` shows them. \
            Certificates below the roots are still made when they are shown.

            A root that is kept may vouch only for the hosts of the file, and for 90 days, unless you ask for more.

            Exit status: 0 it is done; 64 usage; 65 a bad file, or a keyring that does not fit it.
            """,
        subcommands: [Init.self, Import.self, List.self, Show.self, Export.self, Rotate.self, Remove.self]
    )

    /// Where the keyring is.
    struct Place: ParsableArguments {
        @Option(help: ArgumentHelp("The keyring.", valueName: "folder"), completion: .directory)
        var certs = KeyringFolder.usual

        var folder: KeyringFolder { KeyringFolder(path: certs) }
    }

    /// Whose keys they are, and what new roots may do.
    struct Terms: ParsableArguments {
        @Option(help: ArgumentHelp("How many days new roots live.", valueName: "n"))
        var days = RootTerms.usualDays

        @Flag(help: "New roots may vouch for every name, not only for those of the file.")
        var unconstrained = false

        func validate() throws {
            guard 1...3650 ~= days else { throw ValidationError("--days must be from 1 to 3650") }
        }

        func terms(for file: ScenarioFile) -> RootTerms {
            RootTerms(days: days, constraints: unconstrained ? nil : NameConstraints(covering: file))
        }

        func warn() {
            guard unconstrained else { return }
            Terminal.remark(
                "warning: these roots may vouch for every name: whoever gets this keyring can intercept all that a device "
                    + "says which trusts them"
            )
        }
    }

    struct Init: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes the keys and roots of a scenario file that are not kept yet."
        )

        @Argument(
            help: "The scenario file (default: the scenarios.yaml that is here, or else the shipped one).",
            completion: .file(extensions: ["yaml", "yml"])
        )
        var file: String?

        @OptionGroup
        var place: Place

        @OptionGroup
        var terms: Terms

        func run() throws {
            try complaining {
                let now = Date()
                let loaded = try LoadedFile(LoadedFile.path(file), now: now)
                let (keyring, new) = try place.folder.change { keyring in
                    let new = try keyring.complete(for: loaded.file, terms: terms.terms(for: loaded.file), now: now)
                    return (keyring, new)
                }
                if !new.isEmpty { terms.warn() }
                Terminal.write(keyring.account(of: new, in: place.certs))
            }
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists what is kept.")

        @OptionGroup
        var place: Place

        @OptionGroup
        var output: OutputOptions

        func run() throws {
            output.begin()
            try complaining {
                let keyring = try place.folder.read()
                if output.json {
                    Terminal.write(json: try KeyringReport(keyring, keyring.names).asJSON())
                } else {
                    Terminal.write(keyring.table)
                }
            }
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows the pins of keys, and what roots may vouch for, but no private key."
        )

        @Argument(help: "Keys and roots of the keyring (default: all).")
        var names: [String] = []

        @OptionGroup
        var place: Place

        @OptionGroup
        var output: OutputOptions

        func run() throws {
            output.begin()
            try complaining {
                let keyring = try place.folder.read()
                let chosen = names.isEmpty ? keyring.names : try keyring.known(names)
                if output.json {
                    Terminal.write(json: try KeyringReport(keyring, chosen).asJSON())
                } else {
                    Terminal.write(chosen.map { keyring.description(of: $0, output.style) }.joined())
                }
            }
        }
    }

    struct Rotate: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes new keys under old names, or with --keep-key new roots that hold the old keys.",
            discussion: """
                What was built or installed with the old key is refused from then on. A root that ended, or that may not \
                vouch for a new host, is renewed by --keep-key: pins of its key stay true, and devices must be given it again.
                """
        )

        @Argument(help: "Keys and roots of the keyring.")
        var names: [String]

        @Option(
            help: ArgumentHelp(
                "The scenario file (default: the scenarios.yaml that is here, or else the shipped one).",
                valueName: "file"
            ),
            completion: .file(extensions: ["yaml", "yml"])
        )
        var file: String?

        @Flag(help: "Only the certificates of roots are new.")
        var keepKey = false

        @OptionGroup
        var place: Place

        @OptionGroup
        var terms: Terms

        func run() throws {
            try complaining {
                let now = Date()
                let loaded = try LoadedFile(LoadedFile.path(file), now: now)
                let (keyring, new) = try place.folder.change { keyring in
                    let names = try keyring.known(names)
                    if keepKey, let key = names.first(where: { keyring.roots[$0] == nil }) {
                        throw InputError("'\(key)' is a key and no root: --keep-key would change nothing")
                    }
                    let file = loaded.file
                    let stranger = names.first { name in
                        file.blueprint.key(named: name) == nil && file.blueprint.authority(named: name) == nil
                    }
                    if let stranger {
                        throw InputError("\(loaded.name) declares no '\(stranger)'; name the file that does by --file")
                    }
                    let terms = terms.terms(for: file)
                    let new = try keyring.rotate(names, keepsKeys: keepKey, for: file, terms: terms, now: now)
                    return (keyring, new)
                }
                terms.warn()
                Terminal.write(keyring.account(of: new, in: place.certs))
            }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Forgets keys and roots for good.",
            discussion: "A device that was given a root trusts it until somebody removes it there as well."
        )

        @Argument(help: "Keys and roots of the keyring.")
        var names: [String] = []

        @Flag(help: "Everything.")
        var all = false

        @OptionGroup
        var place: Place

        func validate() throws {
            guard all == names.isEmpty else { throw ValidationError("name what is to be removed, or give --all") }
        }

        func run() throws {
            try complaining {
                _ = try place.folder.read()
                let gone = try place.folder.change { keyring in
                    let gone = all ? keyring.names : try keyring.known(names)
                    keyring.remove(gone)
                    return gone
                }
                Terminal.write("\(place.certs): removed \(gone.joined(separator: ", "))\n")
            }
        }
    }
}

/// Runs a command of the keyring, and ends with status 65 where something is wrong with what it was given.
func complaining(_ body: () throws -> Void) throws {
    do {
        try body()
    } catch let code as ExitCode {
        throw code
    } catch {
        Terminal.complain("\(error)")
        throw ExitCode(65)
    }
    try Terminal.finish()
}

extension Keyring {
    /// - Throws: `InputError` where one of the names is not kept.
    func known(_ names: [String]) throws(InputError) -> [String] {
        for name in names where keys[name] == nil && roots[name] == nil {
            let advice = nearest(to: name, among: self.names).map { "did you mean '\($0)'?" }
            throw InputError("no '\(name)' is kept; \(advice ?? "'pindrill certs list' shows what is")")
        }
        return names.uniqued
    }

    func account(of new: [String], in folder: String) -> String {
        let count = "\(folder): \(keys.count) keys and \(roots.count) roots are kept"
        guard !new.isEmpty else { return "\(count); nothing was missing\n" }
        var lines = ["\(count); new: \(new.joined(separator: ", "))"]
        if let root = new.lazy.compactMap({ roots[$0] }).first {
            lines.append("New roots end on \(root.certificate.lastDay) and may vouch for \(root.certificate.scope).")
        }
        let bad = new.filter { roots[$0]?.holder == .attacker }
        if !bad.isEmpty { lines.append("Of an attacker, for test devices only: \(bad.joined(separator: ", ")).") }
        return lines.joined(separator: "\n") + "\n"
    }

    fileprivate var table: String {
        let rows =
            [["NAME", "KEY", "HOLDER", "ROOT UNTIL"]]
            + names.map { name in
                let holder = keys[name]?.holder ?? roots[name]?.holder
                let root = roots[name]?.certificate.lastDay ?? ""
                let type = keys[name]?.type.rawValue ?? roots[name].map { "of \($0.key)" }
                return [name, type ?? "", holder?.rawValue ?? "", root]
            }
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let line = zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
            return String(line.joined(separator: "  ").reversed().drop { $0 == " " }.reversed()) + "\n"
        }.joined()
    }

    fileprivate func description(of name: String, _ style: TextStyle) -> String {
        var lines = [style.heading(name)]
        if let kept = keys[name] {
            lines += [
                "  key          \(kept.type.rawValue), the \(kept.holder.rawValue)'s", "  pin          \(kept.key.pin)",
            ]
        }
        if let root = roots[name] {
            if keys[name] == nil { lines.append("  key          that of \(root.key)") }
            lines += [
                "  root         \(root.certificate.subject), until \(root.certificate.lastDay)",
                "  vouches for  \(root.certificate.scope)",
                "  certificate  \(root.certificate.fingerprint.hex)",
            ]
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension Certificate {
    fileprivate var lastDay: String { validity.notAfter.formatted(.iso8601.year().month().day()) }

    /// The names that it may vouch for, in words.
    fileprivate var scope: String {
        nameConstraints.map { $0.permitted.map(\.constraint).joined(separator: ", ") } ?? "every name"
    }
}

/// A keyring as programs read it, without private keys.
private struct KeyringReport: Encodable {
    struct Entry: Encodable {
        struct Root: Encodable {
            var subject: String
            var key: String
            var until: Date
            var permitted: [String]?
            var certificateHash: String
            var anchor: String?
        }

        var name: String
        var type: String?
        var holder: String
        var pin: String?
        var root: Root?
    }

    var version = 1
    var certs: [Entry]

    init(_ keyring: Keyring, _ names: [String]) {
        certs = names.map { name in
            let key = keyring.keys[name]
            let root = keyring.roots[name]
            return Entry(
                name: name,
                type: key?.type.rawValue,
                holder: (key?.holder ?? root?.holder ?? .owner).rawValue,
                pin: key?.key.pin.description,
                root: root.map {
                    Entry.Root(
                        subject: $0.certificate.subject,
                        key: $0.key,
                        until: $0.certificate.validity.notAfter,
                        permitted: $0.certificate.nameConstraints?.permitted.map(\.constraint),
                        certificateHash: $0.certificate.fingerprint.hex,
                        anchor: $0.anchor?.rawValue
                    )
                }
            )
        }
    }
}
