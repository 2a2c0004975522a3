import ArgumentParser
import Foundation
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
            guard let data = FileManager.default.contents(atPath: file) else {
                throw Trouble("no such file, or it cannot be read")
            }
            for certificate in try Pins.certificates(in: data) {
                print(certificate.subject.isEmpty ? "(no subject)" : certificate.subject)
                print("  key          \(certificate.keyDescription)")
                print("  pin          \(certificate.pin)")
                print("  pin, hex     \(certificate.pin.hex)")
                print("  certificate  \(certificate.fingerprint.hex)")
            }
        } catch let error as PEM.ParseError {
            Terminal.complain("\(file):\(error.line): \(error)")
            throw ExitCode(65)
        } catch {
            Terminal.complain("\(file): \(error)")
            throw ExitCode(65)
        }
    }

    private static func certificates(in data: Data) throws -> [Certificate] {
        let bytes = Array(data)
        // A DER certificate is an ASN.1 SEQUENCE of a length that needs further bytes.
        if bytes.first == 0x30, bytes.count > 1, bytes[1] & 0x80 != 0 { return [try Certificate(der: bytes)] }
        return try PEM.certificates(in: String(decoding: bytes, as: UTF8.self))
    }
}
