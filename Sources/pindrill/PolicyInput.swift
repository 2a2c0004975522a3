import ArgumentParser
import Foundation
public import Pinning
import Scenarios
import TLSCore

extension Dialect: ExpressibleByArgument {}

/// Files that commands about pin configurations read.
enum PolicyInput {
    /// An app's pin configuration. Certificates that it names lie beside it.
    ///
    /// - Parameter isConfined: whether they must, or may be anywhere.
    /// - Throws: an error that names the file.
    static func configuration(
        _ path: String,
        dialect: Dialect?,
        device: AppDevice = AppDevice(),
        isConfined: Bool = false
    ) throws -> any PinConfiguration {
        if dialect == nil, let source = try ProjectReading.single(path, device) { return source.configuration }
        let folder = URL(filePath: path).deletingLastPathComponent()
        return try PolicyFile.load(Data(try read(path)), file: path, dialect: dialect, device: device) { name in
            guard !isConfined else { return try certificates(try InputFile.path(of: name, below: path)) }
            return try certificates(name.hasPrefix("/") ? name : folder.appending(path: name).path)
        }
    }

    /// Whose format a file has, by its content; `nil` where that cannot be told.
    static func dialect(of path: String) -> Dialect? {
        if let source = try? ProjectReading(auditing: path, defining: []), source.configurations.count == 1 {
            return source.configurations[0].dialect
        }
        return (try? read(path)).flatMap { try? PolicyFile.dialect(of: Data($0), file: path) }
    }

    /// Certificates in any form that `pins` reads, in the order they stand.
    static func certificates(_ path: String) throws -> [Certificate] {
        try parse(path) { try KeyMaterial.certificates(in: $0) }
    }

    /// Whatever holds a key, in any form that `pins` reads, in the order it stands.
    static func materials(_ path: String) throws -> [KeyMaterial] {
        try parse(path) { try KeyMaterial.parse($0, password: nil) }
    }

    private static func parse<Value>(_ path: String, _ parse: ([UInt8]) throws -> Value) throws -> Value {
        do {
            return try parse(try read(path))
        } catch let error as KeyMaterial.ParseError {
            let advice = "; take its certificates out of it with 'openssl pkcs12 -nokeys -in FILE'"
            throw InputError(
                "\(error.line.map { "\(path):\($0)" } ?? path): \(error)\(error.isAboutPassword ? advice : "")"
            )
        }
    }

    /// What devices trust: files by the option that names them, or the machine's own bundle for `system`.
    static func store(_ files: [(option: String, path: String?, origin: TrustAnchor.Origin)]) throws -> TrustStore {
        try TrustStore(
            try files.flatMap { option, path, origin in
                let certificates = try path.map(anchors) ?? []
                if let path, !certificates.contains(where: \.isSelfSigned) {
                    let names = certificates.prefix(3).map { KeyMaterial($0).remark }
                    let others = certificates.count > 3 ? ["…"] : []
                    Terminal.remark(
                        "note: \(option) \(path): nothing in it is a root, which vouches for itself; what is in it is "
                            + "trusted all the same: \((names + others).joined(separator: "; "))"
                    )
                }
                return certificates.map { TrustAnchor($0, origin: origin) }
            }
        )
    }

    // MARK: Texts, as the control plane is sent them

    /// A configuration that names no files, for there are none.
    static func configuration(
        _ text: String,
        _ dialect: String?,
        _ device: [String]?
    ) throws -> any PinConfiguration {
        try PolicyFile.load(
            Data(text.utf8),
            file: "policy",
            dialect: try dialect.map { name in
                guard let known = Dialect(rawValue: name) else {
                    throw InputError("dialect: '\(name.prefix(40))' is none of \(Dialect.allCases.map(\.rawValue))")
                }
                return known
            },
            device: AppDevice(parsing: device ?? [])
        )
    }

    static func certificates(inText text: String, _ name: String) throws -> [Certificate] {
        do {
            return try KeyMaterial.certificates(in: Array(text.utf8))
        } catch {
            throw InputError("\(name): \(error)")
        }
    }

    /// - Parameter text: `nil` for the machine's own roots; nothing has none.
    static func anchors(_ text: String?, _ name: String) throws -> [Certificate] {
        guard let text else { return try anchors("system") }
        return text.isEmpty ? [] : try certificates(inText: text, name)
    }

    private static func anchors(_ path: String) throws -> [Certificate] {
        guard path == "system" else { return try certificates(path) }
        let bundles = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"]
        guard let bundle = bundles.first(where: FileManager.default.isReadableFile) else {
            throw InputError("this machine has no bundle of system roots; name a file with --trust")
        }
        return try certificates(bundle)
    }

    private static func read(_ path: String) throws -> [UInt8] {
        do {
            return try InputFile.read(path)
        } catch {
            throw InputError("\(path): \(error)")
        }
    }
}

/// How to read an app's own pin configuration.
struct PolicyOptions: ParsableArguments {
    static let dialectHelp = ArgumentHelp(
        "Whose format the configuration has, where that cannot be told.",
        valueName: "name"
    )
    static let deviceHelp = ArgumentHelp(
        "Where the app runs: debuggable, target-sdk=N, api-level=N, time-zone=NAME or mac. May be given repeatedly.",
        valueName: "setting"
    )

    @Option(help: dialectHelp)
    var dialect: Dialect?

    @Option(help: deviceHelp)
    var device: [String] = []

    func validate() throws {
        do {
            _ = try AppDevice(parsing: device)
        } catch {
            throw ValidationError("--device: \(error)")
        }
    }

    func configuration(_ path: String) throws -> any PinConfiguration {
        try PolicyInput.configuration(path, dialect: dialect, device: AppDevice(parsing: device))
    }
}
