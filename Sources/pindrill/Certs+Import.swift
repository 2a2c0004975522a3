import ArgumentParser
import Foundation
import Scenarios
import TLSCore

extension Certs {
    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Takes a key that exists already, as of a staging server or an internal authority.",
            discussion: """
                The name is that of a key of the scenario file, or of a root, whose certificate is then needed as well. The \
                files hold the private key, in PEM, DER or PKCS#12, and the certificate. A passphrase comes from \
                --passphrase-file, from PINDRILL_PASSPHRASE, or is typed.

                What else the file declares and is not kept yet is made, as `certs init` does. The system's own trust store is \
                never touched.
                """
        )

        @Argument(help: "The name of a key or of a root in the scenario file.")
        var name: String

        @Argument(help: "Files with its private key, and with the certificate of a root.", completion: .file())
        var files: [String]

        @Option(
            help: ArgumentHelp(
                "The scenario file (default: the scenarios.yaml that is here, or else the shipped one).",
                valueName: "file"
            ),
            completion: .file(extensions: ["yaml", "yml"])
        )
        var file: String?

        @OptionGroup
        var passphrase: PassphraseOption

        @Flag(help: "Lets it replace a key.")
        var force = false

        @OptionGroup
        var place: Place

        @OptionGroup
        var terms: Terms

        func run() throws {
            try complaining {
                let now = Date()
                let loaded = try LoadedFile(LoadedFile.path(file), now: now)
                let materials = try passphrase.materials(in: files)
                let found = materials.compactMap(\.privateKey).uniqued
                guard found.count == 1 else {
                    throw InputError(
                        "\(files.joined(separator: ", ")): there \(found.isEmpty ? "is no private key" : "are several private keys") in it"
                    )
                }
                let (keyring, new) = try place.folder.change { keyring in
                    guard force || keyring.keys[name] == nil else {
                        throw InputError("a key is kept under '\(name)' already; --force replaces it")
                    }
                    let new = try keyring.adopt(
                        name,
                        found[0],
                        materials.compactMap(\.certificate),
                        for: loaded.file,
                        terms: terms.terms(for: loaded.file),
                        now: now
                    )
                    return (keyring, new)
                }
                if !new.isEmpty { terms.warn() }
                if let root = keyring.roots[name], root.certificate.nameConstraints == nil {
                    Terminal.remark(
                        "warning: '\(name)' may vouch for every name: whoever gets this keyring can intercept all that trusts it"
                    )
                }
                Terminal.write("\(place.certs): '\(name)' is kept, with the pin \(found[0].pin)\n")
                Terminal.write(keyring.account(of: new, in: place.certs))
            }
        }
    }
}

extension PassphraseOption {
    /// All keys and certificates of some files, each of which may need the passphrase.
    func materials(in files: [String]) throws -> [KeyMaterial] {
        var word: String?
        return try files.flatMap { file in
            do {
                let bytes = try InputFile.read(file)
                do {
                    return try KeyMaterial.parse(bytes, password: word)
                } catch let error as KeyMaterial.ParseError where error.isAboutPassword {
                    word = try word ?? given("Passphrase of \(file): ")
                    guard word != nil else { throw InputError("\(error); give --passphrase-file") }
                    return try KeyMaterial.parse(bytes, password: word)
                }
            } catch {
                throw InputError("\(file): \(error)")
            }
        }
    }
}
