import Foundation
import Pinning
import TestSupport

@testable import TLSCore

extension StackClient {
    private static let sources = Places.package.appending(path: "Tests/StackTests/Clients")
    private static let jars = "/usr/share/java/okhttp.jar:/usr/share/java/okio.jar"

    /// Every client of this machine; what must be built is built in the folder. Those that are not here are named.
    ///
    /// - Parameter isLong: whether it is worth while to ask those that take seconds.
    static func all(in folder: URL, isLong: Bool) throws -> [StackClient] {
        let commands = try programs(in: folder, isLong: isLong)
        let scripts: [(name: String, stack: TrustStack, program: String, source: String, probe: [String])] = [
            ("Python", .openSSLToRoots, "python3", "python.py", ["-c", "import ssl"]),
            ("Node", .openSSLToRoots, "node", "node.js", ["-e", "require('tls')"]),
            ("Perl", .openSSL, "perl", "perl.pl", ["-MIO::Socket::SSL", "-e", "1"]),
            ("Ruby", .openSSLToRoots, "ruby", "ruby.rb", ["-ropenssl", "-e", "1"]),
            ("PHP", .openSSLToRoots, "php", "php.php", ["-r", "exit(extension_loaded('openssl') ? 0 : 1);"]),
        ]
        let interpreted = try scripts.compactMap { script in
            guard try isHere(script.name, script.program, probe: script.probe) else { return nil as StackClient? }
            return try StackClient(
                script.name,
                [script.program, path(script.source)],
                model: unpinned(on: script.stack)
            )
        }
        return try commands + interpreted + compiled(in: folder)
    }

    private static func path(_ source: String) -> String { sources.appending(path: source).path }

    private static func unpinned(on stack: TrustStack) -> @Sendable (Situation) -> Decision {
        { $0.on(stack).decide(.unpinned) }
    }

    /// - Parameter probe: what the program is given to end with 0, if it has all that it needs.
    private static func isHere(_ name: String, _ program: String, probe: [String]? = nil) throws -> Bool {
        guard let tool = Tool(program) else {
            print("\(program) is not here: \(name) is not compared")
            return false
        }
        guard let probe else { return true }
        let result = try tool.run(probe, environment: ProcessInfo.processInfo.environment)
        if result.status != 0 { print("\(program) lacks TLS: \(name) is not compared: \(result.output)") }
        return result.status == 0
    }

    /// Programs that start anew for each chain.
    private static func programs(in folder: URL, isLong: Bool) throws -> [StackClient] {
        let out = folder.appending(path: "output").path
        let conformance = Places.package.appending(path: "Conformance").path
        let all: [(name: String, program: String, interval: Int, model: @Sendable (Situation) -> Decision)] = [
            ("curl", "curl", 1, unpinned(on: .openSSL)),
            ("wget", "wget", 1, unpinned(on: .gnuTLS)),
            ("openssl s_client", "openssl", 5, unpinned(on: .openSSLToRoots)),
            ("gnutls-cli", "gnutls-cli", 5, { gnuTLSForServers($0) }),
            ("swift-nio-ssl", "nio-ssl", 1, unpinned(on: .boringSSL)),
            ("Chromium", "chromium", 5, unpinned(on: .chromium)),
        ]
        return try all.compactMap { client in
            if client.program == "nio-ssl" {
                guard FileManager.default.isExecutableFile(atPath: "\(conformance)/../.build/clients/nio-ssl") else {
                    print("'make clients ARGS=--swift' has not built it: \(client.name) is not compared")
                    return nil
                }
            } else if try !isHere(client.name, client.program) {
                return nil
            }
            if client.program == "chromium" {
                // Its roots are put into a store of NSS.
                guard isLong, try isHere(client.name, "certutil") else { return nil }
            }
            return try StackClient(
                client.name,
                ["sh", path("commands.sh"), client.program, "\(out)-\(client.program)", conformance],
                every: client.interval,
                model: client.model
            )
        }
    }

    private static func compiled(in folder: URL) throws -> [StackClient] {
        var clients: [StackClient] = []
        let environment = ProcessInfo.processInfo.environment
        func isBuilt(_ name: String, _ program: String, _ arguments: [String]) throws -> Bool {
            guard try isHere(name, program), let tool = Tool(program) else { return false }
            let result = try tool.run(arguments, environment: environment)
            if result.status != 0 { print("\(name) is not compared, for it could not be built: \(result.output)") }
            return result.status == 0
        }
        let go = folder.appending(path: "go").path
        if try isBuilt("Go", "go", ["build", "-o", go, path("go.go")]) {
            clients.append(try StackClient("Go", [go], model: unpinned(on: .go)))
        }
        if try isBuilt("Java", "javac", ["-d", folder.path, path("Jsse.java")]) {
            clients.append(try StackClient("Java", ["java", "-cp", folder.path, "Jsse"], model: unpinned(on: .java)))
        }
        guard FileManager.default.fileExists(atPath: "/usr/share/java/okhttp.jar") else {
            print("libokhttp-java is not here: OkHttp is not compared")
            return clients
        }
        if try isBuilt("OkHttp", "javac", ["-cp", jars, "-d", folder.path, path("WithOkHttp.java")]) {
            clients.append(
                try StackClient("OkHttp", ["java", "-cp", "\(folder.path):\(jars)", "WithOkHttp"]) { okHttp($0) }
            )
        }
        return clients
    }

    /// OkHttp on the JVM that pins the leaf.
    private static func okHttp(_ situation: Situation) -> Decision {
        guard let leaf = situation.chain.first, let pattern = try? OkHttpPattern(situation.host) else {
            return Decision(.either, .systemRule("OkHttp has no pattern for this host"))
        }
        return OkHttp([OkHttp.Entry(pattern, [OkHttpPin(leaf.pin)])]).decideOnStack(situation.on(.java))
    }

    /// GnuTLS where a purpose is asked for: the leaf's may be any, an authority's may not (`_gnutls_check_key_purpose`).
    private static func gnuTLSForServers(_ situation: Situation) -> Decision {
        let situation = situation.on(.gnuTLS)
        let decision = situation.decide(.unpinned)
        let result = situation.store.evaluate(situation.chain, host: nil, at: situation.instant)
        guard decision.demand != .reject, case .trusted(let path) = result else { return decision }
        // Who trusts the leaf itself looks at its purpose all the same.
        let wrong = path.prefix(max(1, path.count - 1)).indices.first { depth in
            let purposes = path[depth].extendedKeyUsage
            return !purposes.isEmpty && !purposes.contains(CertificateTemplate.serverAuthentication)
                && (depth > 0 || !purposes.contains("2.5.29.37.0"))
        }
        return wrong.map { Decision(.reject, .untrusted(TrustFailure(.wrongPurpose, depth: $0))) } ?? decision
    }
}

extension Certificate {
    /// Read from the DER, where OpenSSL would be asked only whether it may serve.
    fileprivate var extendedKeyUsage: [String] {
        guard let value = extensions.first(where: { $0.identifier == "2.5.29.37" })?.value else { return [] }
        let known = [CertificateTemplate.serverAuthentication, CertificateTemplate.clientAuthentication, "2.5.29.37.0"]
        return known.filter { DER.objectIdentifier($0).map { value.firstRange(of: $0) != nil } ?? false }
    }
}
