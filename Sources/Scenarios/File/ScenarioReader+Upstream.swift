import Foundation
import Pinning
import TLSCore

/// `upstream`.
extension ScenarioReader {
    func upstream(_ node: YAMLNode, host own: String) -> UpstreamDeclaration? {
        let known = ["url", "name", "trust", "certificate", "key"]
        guard let fields = fields(of: node, called: "the upstream", known: known, required: ["url"]),
            let place = fields["url"], let url = text(place, "a URL")
        else { return nil }
        guard let parts = URLComponents(string: url), let scheme = parts.scheme, ["http", "https"].contains(scheme),
            let host = parts.host, !host.isEmpty, ["", "/"].contains(parts.path), parts.query == nil, parts.user == nil
        else {
            report("'\(url.prefix(80))' names no server; write https://host:port or http://host:port", at: place)
            return nil
        }
        let isTLS = scheme == "https"
        for key in known.dropFirst() where !isTLS {
            if let node = fields[key] { report("'\(key)' means nothing for a server in the clear", at: node) }
        }
        if isTLS, fields["trust"] == nil {
            report("say who vouches for it: 'trust' names a PEM file of its roots", at: node)
        }
        let name = fields["name"].flatMap { text($0, "a host name") } ?? own
        var tls = isTLS ? fields["trust"].flatMap(roots).map { UpstreamDeclaration.TLS(roots: $0, name: name) } : nil
        let certificate = ownCertificate(fields["certificate"], fields["key"])
        tls?.certificate = certificate
        return UpstreamDeclaration(
            host: host.trimmingCharacters(in: ["[", "]"]),
            port: parts.port ?? (isTLS ? 443 : 80),
            tls: tls,
            location: node.location
        )
    }

    func addGenuineChain(of upstream: UpstreamDeclaration, to blueprint: inout Blueprint) {
        let name = UpstreamDeclaration.chain
        guard names.kind(of: name, among: [.chain, .key, .authority]) == nil else {
            return report(
                "'\(name)' is the genuine server's here; give what you declare another name",
                at: upstream.location
            )
        }
        names.add(name, as: .chain, at: upstream.location)
        blueprint.keys.append(KeyDeclaration(name: name, location: upstream.location))
        blueprint.chains.append(
            ChainDeclaration(name: name, key: name, issuer: .selfSigned, location: upstream.location, isGenuine: true)
        )
    }

    /// What stands for it, where a pack copies it and the file names none; no step can show that.
    func addMissingChain(at location: SourceLocation, to blueprint: inout Blueprint) {
        guard let key = blueprint.keys.first?.name else { return }
        blueprint.chains.append(
            ChainDeclaration(
                name: UpstreamDeclaration.chain,
                key: key,
                issuer: .selfSigned,
                location: location,
                isMissing: true
            )
        )
    }

    /// What a relay proves itself by: `certificate` with its chain, and the `key`.
    private func ownCertificate(_ certificate: YAMLNode?, _ key: YAMLNode?) -> UpstreamDeclaration.OwnCertificate? {
        guard let certificate, let key else {
            if let one = certificate ?? key { report("'certificate' and 'key' go together", at: one) }
            return nil
        }
        guard let chain = roots(certificate),
            let text = read(
                key,
                { text in
                    if try PrivateKey(pem: text).pin != chain[0].pin {
                        throw UnreadableFile("it is of another certificate")
                    }
                    return text
                }
            )
        else { return nil }
        return UpstreamDeclaration.OwnCertificate(chain: chain, key: text)
    }

    func roots(_ node: YAMLNode) -> [Certificate]? { read(node, PEM.certificates) }

    private func read<Value>(_ node: YAMLNode, _ parse: (String) throws -> Value) -> Value? {
        guard let name = text(node, "the name of a file") else { return nil }
        guard !Self.leadsOut(name) else {
            report("\(name): \(Self.outside)", at: node)
            return nil
        }
        do {
            return try parse(String(decoding: files.body(name, node.file), as: UTF8.self))
        } catch {
            report("\(name): \(error)", at: node)
            return nil
        }
    }
}
