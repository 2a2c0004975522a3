import ArgumentParser
import TLSCore

struct Pins: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prints the pins of the certificates in a file.",
        discussion: """
            The public-key pin (SHA-256 over the SubjectPublicKeyInfo) survives a renewal that keeps the key; the \
            certificate's own hash does not.
            """
    )

    @Argument(help: "Certificates in PEM, or one in DER.", completion: .file(extensions: ["pem", "crt", "cer", "der"]))
    var file: String

    func run() throws {
        do {
            let certificates = try Pins.certificates(in: try InputFile.read(file))
            Terminal.write(certificates.map(Pins.describe).joined())
            try Terminal.finish()
        } catch let code as ExitCode {
            throw code
        } catch let error as PEM.ParseError {
            Terminal.complain("\(file):\(error.line): \(error)")
            throw ExitCode(65)
        } catch {
            Terminal.complain("\(file): \(error)")
            throw ExitCode(65)
        }
    }

    private static func describe(_ certificate: Certificate) -> String {
        """
        \(certificate.subject.isEmpty ? "(no subject)" : certificate.subject)
          key          \(certificate.keyDescription)
          pin          \(certificate.pin)
          pin, hex     \(certificate.pin.hex)
          certificate  \(certificate.fingerprint.hex)

        """
    }

    private static func certificates(in bytes: [UInt8]) throws -> [Certificate] {
        guard !bytes.isEmpty else { throw Trouble("this file is empty") }
        // A DER certificate is an ASN.1 SEQUENCE of a length that needs further bytes.
        if bytes.first == 0x30, bytes.count > 1, bytes[1] & 0x80 != 0 { return [try Certificate(der: bytes)] }
        let text = String(decoding: bytes, as: UTF8.self)
        // A key is the likeliest mistake: it lies beside the certificate, and has the same pin.
        if !text.contains("-----BEGIN CERTIFICATE-----"), text.contains("KEY-----") {
            throw Trouble("this is a key, not a certificate; name the file of its certificate")
        }
        return try PEM.certificates(in: text)
    }
}
