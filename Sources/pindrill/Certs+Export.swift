import ArgumentParser
import Foundation
import Scenarios
import TLSCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

extension Certs {
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Writes roots, pins or a kit for a test build, and a private key only if asked to.",
            discussion: """
                Roots are those that a store of the file trusts, unless they are named; --as and --kit take the names of the \
                keys to pin. Nothing private is written without --private, which wants a passphrase: from \
                --passphrase-file, from PINDRILL_PASSPHRASE, or typed.

                The system's own trust store is never touched.
                """
        )

        enum Format: String, CaseIterable, ExpressibleByArgument {
            case pem, der, p12, jks, mobileconfig, android
        }

        @Argument(help: "Roots; with --as, --kit and --private, keys.")
        var names: [String] = []

        @Option(help: ArgumentHelp("In which form: pem, der, p12, jks, mobileconfig or android.", valueName: "format"))
        var format: Format?

        @Option(
            name: .customLong("as"),
            help: ArgumentHelp("The pins of keys in the form of this system, ready to paste.", valueName: "system")
        )
        var form: PinsForm?

        @Option(
            help: ArgumentHelp("A folder for a test build: ios, android, flutter or react-native.", valueName: "kit")
        )
        var kit: TestBuildKit?

        @Option(
            help: ArgumentHelp("Where to (default: standard output, for one file of text).", valueName: "path"),
            completion: .file()
        )
        var output: String?

        @Option(help: ArgumentHelp("The host of the pins (default: that of the scenario file).", valueName: "name"))
        var host: String?

        @Flag(name: .customLong("private"), help: "The private key of one name, as pem or p12.")
        var isPrivate = false

        @Option(
            help: ArgumentHelp(
                "Signs a mobileconfig, with the key and the certificates in these files, divided by a comma.",
                valueName: "key,cert"
            ),
            completion: .file()
        )
        var signWith: String?

        @OptionGroup
        var passphrase: PassphraseOption

        @Flag(help: "Lets it replace files.")
        var force = false

        @OptionGroup
        var place: Place

        func validate() throws {
            guard [format != nil, form != nil, kit != nil].count(where: \.self) < 2 else {
                throw ValidationError("--format, --as and --kit exclude each other")
            }
            if signWith != nil, format != .mobileconfig {
                throw ValidationError("--sign-with means something for --format mobileconfig only")
            }
            if form != nil || kit != nil, names.isEmpty { throw ValidationError("name the keys to pin") }
            if kit != nil || format == .android, output == nil { throw ValidationError("name a folder by --output") }
            guard isPrivate else { return }
            guard names.count == 1, form == nil, kit == nil, [nil, .pem, .p12].contains(format) else {
                throw ValidationError("--private takes one name, and --format pem or p12")
            }
        }

        func run() throws {
            try complaining {
                let keyring = try place.folder.read()
                let named = try keyring.known(names)
                if isPrivate {
                    try writePrivate(named[0], of: keyring)
                } else if let form {
                    let pins = try pins(named, of: keyring)
                    for note in form.notes(pins) { Terminal.remark("note: \(note)") }
                    try write([.init("", try form.text(pins))])
                } else if let kit {
                    let host = host ?? keyring.host
                    let files = try kit.files(
                        roots: try roots([], of: keyring),
                        pins: try pins(named, of: keyring),
                        host: host
                    )
                    try write(files, isFolder: true)
                } else {
                    try write(try roots(named, of: keyring), as: format ?? .pem)
                }
            }
        }

        private func roots(_ names: [String], of keyring: Keyring) throws -> [RootExport.Root] {
            let trusted = keyring.roots.filter { $0.value.anchor != nil }.keys.sorted()
            let chosen = try (names.isEmpty ? trusted : names).map { name -> RootExport.Root in
                guard let root = keyring.roots[name] else {
                    throw InputError("'\(name)' is a key and no root; --as and --kit take keys")
                }
                return (name, root.certificate)
            }
            let hostile = chosen.map(\.name).filter { keyring.roots[$0]?.holder == .attacker }
            if !hostile.isEmpty {
                Terminal.remark("note: of an attacker, for test devices only: \(hostile.joined(separator: ", "))")
            }
            let unknown = names.filter { keyring.roots[$0]?.anchor == nil }
            if !unknown.isEmpty {
                Terminal.remark(
                    "note: no store of the file trusts \(unknown.joined(separator: ", ")): on a device that does, scenarios "
                        + "about unknown roots go wrong"
                )
            }
            return chosen
        }

        private func pins(_ names: [String], of keyring: Keyring) throws -> PinList {
            let materials = try names.flatMap { name -> [KeyMaterial] in
                if let root = keyring.roots[name] { return [KeyMaterial(root.certificate)] }
                return try keyring.keys[name].map { try KeyMaterial.parse($0.key.publicKey) } ?? []
            }
            return PinList(materials, host: host ?? keyring.host)
        }

        private func write(_ roots: [RootExport.Root], as format: Format) throws {
            switch format {
            case .pem: try write([.init("", roots.map(\.certificate.pem).joined())])
            case .der:
                let files = roots.map { RootExport.File("\($0.name).der", $0.certificate.der) }
                try write(files.count == 1 ? [.init("", files[0].bytes)] : files, isFolder: files.count > 1)
            case .p12:
                let word = try passphrase.orUsual()
                let bundle = try PKCS12.bundle(roots.map(\.certificate), name: "pindrill", passphrase: word)
                try write([.init("", bundle)])
            case .jks:
                let word = try passphrase.orUsual()
                try write([.init("", RootExport.javaTrustStore(roots, password: word, now: Date()))])
            case .mobileconfig:
                let profile = RootExport.mobileconfig(roots)
                try write([signWith.map { .init("", try signed(profile, with: $0)) } ?? .init("", profile)])
            case .android: try write(RootExport.android(roots), isFolder: true)
            }
        }

        /// Apple's profiles are signed as CMS with the profile in it (Apple's *Configuration Profile Reference*).
        private func signed(_ profile: String, with files: String) throws -> [UInt8] {
            let materials = try passphrase.materials(in: files.split(separator: ",").map(String.init))
            let certificates = materials.compactMap(\.certificate)
            guard let key = materials.compactMap(\.privateKey).first,
                let leaf = certificates.first(where: { $0.publicKey == key.publicKey })
            else { throw InputError("\(files): there is no private key with its certificate in it") }
            let chain = [leaf] + certificates.filter { $0 != leaf }
            return try SignedMessage.sign(Array(profile.utf8), key: key, chain: chain)
        }

        private func writePrivate(_ name: String, of keyring: Keyring) throws {
            guard let kept = keyring.keys[name] else {
                throw InputError("'\(name)' has the key of '\(keyring.roots[name]?.key ?? "")'")
            }
            guard let output else { throw InputError("name a file by --output: a private key is not printed") }
            guard let word = try passphrase.given(), !word.isEmpty else {
                throw InputError("a private key is only written with a passphrase; give --passphrase-file")
            }
            let root = keyring.roots[name].map { [$0.certificate] } ?? []
            let bytes =
                format == .p12
                ? try PKCS12.bundle(root, key: kept.key, name: name, passphrase: word)
                : Array(try kept.key.pem(passphrase: word).utf8)
            try checkFree(output)
            try PrivateFile.write(bytes, to: output)
            Terminal.remark("warning: \(output) has a private key; keep it from git, and remove it once it is used")
        }

        private func checkFree(_ path: String) throws(InputError) {
            guard !force, FileManager.default.fileExists(atPath: path) else { return }
            throw InputError("\(path): there is such a file already; --force replaces it")
        }

        private func write(_ files: [RootExport.File], isFolder: Bool = false) throws {
            guard let output else {
                guard !isFolder, let text = String(validating: files[0].bytes, as: UTF8.self),
                    text.allSatisfy(\.isASCII)
                else { throw InputError("this is no text; name a file or a folder by --output") }
                return Terminal.write(text)
            }
            let paths = files.map { isFolder ? "\(output)/\($0.path)" : output }
            try paths.forEach(checkFree)
            do {
                for (path, file) in zip(paths, files) {
                    let url = URL(filePath: path)
                    let parent = url.deletingLastPathComponent()
                    if isFolder {
                        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
                    }
                    try Data(file.bytes).write(to: url, options: .atomic)
                }
            } catch {
                throw InputError("\(output): it could not be written: \(error.localizedDescription)")
            }
        }
    }
}

/// Where a passphrase comes from. Never from the command line, which others on the machine can read.
struct PassphraseOption: ParsableArguments {
    @Option(help: ArgumentHelp("A file whose first line is the passphrase.", valueName: "file"), completion: .file())
    var passphraseFile: String?

    /// `nil` where none is given, and nobody can be asked.
    func given(_ question: String = "Passphrase: ") throws(InputError) -> String? {
        if let passphraseFile {
            let bytes: [UInt8]
            do { bytes = try InputFile.read(passphraseFile) } catch { throw InputError("\(passphraseFile): \(error)") }
            let text = String(decoding: bytes, as: UTF8.self)
            return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).first.map(String.init)
        }
        if let word = ProcessInfo.processInfo.environment["PINDRILL_PASSPHRASE"] { return word }
        guard isatty(STDIN_FILENO) == 1, Terminal.isErrorTerminal else { return nil }
        return getpass(question).map { String(cString: $0) }
    }

    /// Java's and many others' programs want one even where nothing is secret.
    fileprivate func orUsual() throws(InputError) -> String {
        if passphraseFile != nil || ProcessInfo.processInfo.environment["PINDRILL_PASSPHRASE"] != nil {
            return try given() ?? ""
        }
        Terminal.remark("note: its passphrase is 'changeit'; nothing in it is secret")
        return "changeit"
    }
}

/// A folder for a build of an app that trusts the roots of a keyring and pins its keys.
enum TestBuildKit: String, CaseIterable, ExpressibleByArgument {
    case ios, android, flutter
    case reactNative = "react-native"

    func files(roots: [RootExport.Root], pins: PinList, host: String) throws -> [RootExport.File] {
        let files: [RootExport.File]
        switch self {
        case .ios: files = try ios(roots, pins)
        case .android: files = try android(roots, pins)
        case .flutter:
            files = [
                .init("assets/pindrill_roots.pem", roots.map(\.certificate.pem).joined()),
                .init("lib/pindrill_pins.dart", dart(pins, host)),
            ]
        case .reactNative:
            files =
                try ios(roots, pins).map { .init("ios/\($0.path)", $0.bytes) }
                + android(roots, pins).map { .init("android/app/src/debug/\($0.path)", $0.bytes) }
        }
        return files + [.init("README.md", readme(host))]
    }

    private func ios(_ roots: [RootExport.Root], _ pins: PinList) throws -> [RootExport.File] {
        [
            .init("pindrill.mobileconfig", RootExport.mobileconfig(roots)),
            .init("roots.pem", roots.map(\.certificate.pem).joined()),
            .init("Info.plist-part.xml", try PinsForm.ats.text(pins)),
            .init("TrustKit-part.swift", try PinsForm.trustkit.text(pins)),
        ]
    }

    private func android(_ roots: [RootExport.Root], _ pins: PinList) throws -> [RootExport.File] {
        let pinned = try PinsForm.android.text(pins).split(separator: "\n").map { "    \($0)\n" }.joined()
        return RootExport.android(roots, pins: pinned) + [.init("CertificatePinner.kt", try PinsForm.okhttp.text(pins))]
    }

    private func dart(_ pins: PinList, _ host: String) -> String {
        """
        /// Trust assets/pindrill_roots.pem with SecurityContext.setTrustedCertificatesBytes, in test builds only.
        const pindrillHost = '\(host)';

        /// SHA-256 over the SubjectPublicKeyInfo, in Base64.
        const pindrillPins = <String>[
        \(pins.all.map { "  '\($0.pin.base64)',\n" }.joined())];

        """
    }

    private func readme(_ host: String) -> String {
        let steps =
            switch self {
            case .ios:
                """
                1. Install `pindrill.mobileconfig` on the test device, and switch its roots on in Settings, General, About,
                   Certificate Trust Settings. On the simulator: `xcrun simctl keychain booted add-root-cert roots.pem`.
                2. Take `Info.plist-part.xml` into the app's NSAppTransportSecurity, or `TrustKit-part.swift` into TrustKit's
                   settings.
                """
            case .android:
                """
                1. Copy `res` into `app/src/debug`, and name `@xml/network_security_config` in that manifest. Leave
                   overridePins="false" as it is: without it, Android passes over pins for the roots of debug-overrides.
                2. Or take `CertificatePinner.kt` into OkHttp.
                """
            case .flutter:
                """
                1. List `assets/pindrill_roots.pem` in pubspec.yaml, and trust it in the test build's SecurityContext.
                2. Compare with `lib/pindrill_pins.dart` as the app compares with its own pins.
                """
            case .reactNative:
                """
                1. Copy `android` over the app's folder, and name `@xml/network_security_config` in the debug manifest.
                2. For iOS, see the parts in `ios`: the profile for the device, and the pins for TrustKit or Info.plist.
                """
            }
        return """
            # A test build for PinDrill

            For \(host). No private key is in this folder; who has these roots can check certificates and make none.
            Never ship a build with them.

            \(steps)
            3. `pindrill run --certs …` with the keyring that this came from.

            """
    }
}
