/// Libraries of .NET that are given pins: the validators of Owin, SecureHttpClient and ModernHttpClient.
enum DotNetForm {
    static func sites(of tree: SyntaxTree) -> [SourceReader.Site] {
        guard tree.language == .cSharp else { return [] }
        var sites: [SourceReader.Site] = []
        tree.visit { expression, _ in
            switch expression.kind {
            case .call(let callee, let arguments):
                guard let name = callee.finalName else { break }
                if let what = validators[name], let pins = arguments.first?.value {
                    let what = "\(what), of which the server's chain must hold one"
                    sites.append(DescribedForms.site(.backchannel, expression, hosts: [], pins: [pins], what: what))
                } else if name == "AddCertificatePinner", arguments.count == 2 {
                    let (host, pins) = (arguments[0].value, arguments[1].value)
                    let site = DescribedForms.site(
                        .secureHttpClient,
                        expression,
                        hosts: [host],
                        pins: [pins],
                        what: own
                    )
                    sites.append(site)
                }
            case .table(let fields):
                func field(_ name: String) -> Expression? { fields.first { $0.key.finalName == name }?.value }
                guard let host = field("Hostname"), let pins = field("PublicKeys") else { break }
                sites.append(
                    DescribedForms.site(.modernHttpClient, expression, hosts: [host], pins: [pins], what: own)
                )
            default: break
            }
            return true
        }
        return sites
    }

    private static let own = "digests of keys; on Android as OkHttp's, on other systems by the library's own code"

    private static let validators = [
        "CertificateSubjectKeyIdentifierValidator": "identifiers of keys",
        "CertificateThumbprintValidator": "SHA-1 digests of certificates",
        "CertificateSubjectPublicKeyInfoValidator": "digests of keys",
    ]
}
