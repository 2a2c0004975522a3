import Foundation
import Pinning
import TLSCore

/// `upstream`.
extension ScenarioReader {
    func upstream(_ node: YAMLNode, host own: String) -> UpstreamDeclaration? {
        let known = ["url", "name", "trust"]
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
        for key in ["name", "trust"] where !isTLS {
            if let node = fields[key] { report("'\(key)' means nothing for a server in the clear", at: node) }
        }
        if isTLS, fields["trust"] == nil {
            report("say who vouches for it: 'trust' names a PEM file of its roots", at: node)
        }
        let name = fields["name"].flatMap { text($0, "a host name") } ?? own
        return UpstreamDeclaration(
            host: host.trimmingCharacters(in: ["[", "]"]),
            port: parts.port ?? (isTLS ? 443 : 80),
            tls: isTLS ? fields["trust"].flatMap(roots).map { .init(roots: $0, name: name) } : nil,
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

    private func roots(_ node: YAMLNode) -> [Certificate]? {
        guard let name = text(node, "the name of a file") else { return nil }
        guard !Self.leadsOut(name) else {
            report("\(name): \(Self.outside)", at: node)
            return nil
        }
        do {
            let found = try PEM.certificates(in: String(decoding: files.body(name, node.file), as: UTF8.self))
            if found.isEmpty { report("\(name): there is no certificate in it", at: node) }
            return found
        } catch {
            report("\(name): \(error)", at: node)
            return nil
        }
    }
}
