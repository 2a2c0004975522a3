import ArgumentParser
import Foundation
import MitmHarness
import Scenarios
import TLSCore

struct Pins: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prints the pins of certificates and keys, from a file or a server.",
        discussion: """
            The public-key pin (SHA-256 over the SubjectPublicKeyInfo) survives a renewal that keeps the key; the \
            certificate's own hash does not. It is the same whether it is taken of a certificate, of its key, or of \
            the request for it. Of a private key only the public half is read. What a server shows is not verified.

            Recipes with `openssl rsa -pubin` print the same pin for RSA keys, and fail for any other, such as EC: \
            use `openssl pkey -pubin`.

            Exit status: 0 the pins are printed; 64 usage; 65 nothing to pin was found.
            """
    )

    @Argument(
        help: """
            Certificates, keys, certificate requests or a PKCS#12, in PEM or DER: a file, - for standard input, or \
            host:port.
            """,
        completion: .file(extensions: ["pem", "crt", "cer", "der", "key", "csr", "p12", "pfx"])
    )
    var source: String

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("Print them in the form of this system, ready to paste.", valueName: "system")
    )
    var form: PinsForm?

    @OptionGroup
    var output: OutputOptions

    @Option(
        help: ArgumentHelp(
            "The password of a PKCS#12 or of an encrypted key; others on this machine may see it.",
            valueName: "text"
        )
    )
    var password: String?

    @Option(
        help: ArgumentHelp("A file whose first line is the password.", valueName: "file"),
        completion: .file()
    )
    var passwordFile: String?

    @Option(
        name: .customLong("servername"),
        help: ArgumentHelp("The name to ask a server for (default: its host).", valueName: "name")
    )
    var serverName: String?

    @Option(
        name: .customLong("starttls"),
        help: ArgumentHelp("Start TLS as this protocol does.", valueName: "protocol")
    )
    var startTLS: StartTLS.Dialect?

    @Option(
        help: ArgumentHelp("How long a server may take, as in 500ms, 10s or 2m (default: 10s).", valueName: "time"),
        transform: Duration.init(limit:)
    )
    var timeout: Duration?

    func validate() throws {
        guard form == nil || !output.json else { throw ValidationError("--as and --json exclude each other.") }
        guard password == nil || passwordFile == nil else {
            throw ValidationError("--password and --password-file exclude each other.")
        }
    }

    func run() async throws {
        output.begin()
        do {
            let place = try PinsSource(source)
            let materials = try await materials(place)
            if let form {
                let pins = PinList(materials, host: host(place))
                let text = try form.text(pins)
                for note in form.notes(pins) { Terminal.remark("note: \(note)") }
                Terminal.write(text)
            } else if output.json {
                Terminal.write(json: try JSONPins.text(materials))
            } else {
                Terminal.write(materials.map(describe).joined())
            }
            try Terminal.finish()
        } catch let code as ExitCode {
            throw code
        } catch let error as KeyMaterial.ParseError {
            let place = error.line.map { "\(source):\($0)" } ?? source
            let advice = error.isAboutPassword && !isPasswordGiven ? ": use --password-file" : ""
            Terminal.complain("\(place): \(error)\(advice)")
            throw ExitCode(65)
        } catch {
            Terminal.complain("\(source): \(error)")
            throw ExitCode(65)
        }
    }

    private var isPasswordGiven: Bool { password != nil || passwordFile != nil }

    private func materials(_ place: PinsSource) async throws -> [KeyMaterial] {
        if case .server = place {
        } else if serverName != nil || startTLS != nil || timeout != nil {
            throw InputError("--servername, --starttls and --timeout are for a server, and this is a file's name")
        }
        switch place {
        case .file(let path): return try KeyMaterial.parse(try InputFile.read(path), password: givenPassword())
        case .standardInput:
            return try KeyMaterial.parse(try InputFile.readStandardInput(), password: givenPassword())
        case .server(let host, let port):
            let inquiry = ChainInquiry(
                host: host,
                port: port,
                serverName: serverName,
                startTLS: startTLS,
                timeout: timeout ?? .seconds(10)
            )
            let chain = try await inquiry.run()
            Terminal.remark("note: \(source) was not verified: these are the pins of whoever answered there")
            return chain.map { KeyMaterial($0) }
        }
    }

    /// The name that a server was asked for, which is the one that an app will pin.
    private func host(_ place: PinsSource) -> String? {
        guard case .server(let host, _) = place else { return nil }
        let name = serverName ?? host
        return SubjectName(name) == .dns(name) ? name : nil
    }

    private func givenPassword() throws -> String? {
        guard let passwordFile else { return password }
        do {
            let text = String(decoding: try InputFile.read(passwordFile), as: UTF8.self)
            return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).first.map(String.init)
        } catch {
            Terminal.complain("\(passwordFile): \(error)")
            throw ExitCode(65)
        }
    }

    private func describe(_ material: KeyMaterial) -> String {
        """
        \(output.style.heading(material.remark))
          key          \(material.keyDescription)
          pin          \(material.pin)
          pin, hex     \(material.pin.hex)
        \(material.certificate.map { "  certificate  \($0.fingerprint.hex)\n" } ?? "")
        """
    }
}

extension StartTLS.Dialect: ExpressibleByArgument {}

/// The pins as programs read them.
private struct JSONPins: Encodable {
    var version = 1
    var pins: [Entry]

    struct Entry: Encodable {
        var kind: String
        var subject: String?
        var key: String
        var pin: String
        var pinHex: String
        var certificateHash: String?
        var names: [String]?
        var authority: Bool?
    }

    static func text(_ materials: [KeyMaterial]) throws -> String {
        let entries = materials.map { material in
            Entry(
                kind: material.kind.name,
                subject: material.subject,
                key: material.keyDescription,
                pin: material.pin.description,
                pinHex: material.pin.hex,
                certificateHash: material.certificate?.fingerprint.hex,
                names: material.certificate?.names.map(\.description),
                authority: material.certificate?.isAuthority
            )
        }
        return try JSONPins(pins: entries).asJSON()
    }
}

extension KeyMaterial.Kind {
    fileprivate var name: String {
        switch self {
        case .certificate: "certificate"
        case .publicKey: "public-key"
        case .privateKey: "private-key"
        case .certificateRequest: "certificate-request"
        }
    }
}
