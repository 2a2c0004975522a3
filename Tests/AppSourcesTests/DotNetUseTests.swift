import Testing

@testable import AppSources

/// Functions of .NET that nothing calls, and roots that a client's own rules name.
@Suite struct `Clients of .NET` {
    private static let digest = "9A7B2C3D4E5F60718293A4B5C6D7E8F901234567"
    private static let compared = "compared with the server's certificate in code"

    @Test(arguments: [
        ("class Client", "", true), ("partial class Client", "", false),
        ("class Client", "public Task<string> Load() => Ask();", false),
        ("class Client", "void Load() { StartCoroutine(\"Ask\"); }", false),
    ])
    func `may stand in a private function that nothing calls`(head: String, other: String, isUnused: Bool) {
        let text = """
            \(head) {
                private async Task<string> Ask() {
                    var handler = new HttpClientHandler();
                    handler.ServerCertificateCustomValidationCallback = (request, one, chain, errors) =>
                        errors == SslPolicyErrors.None && one.Thumbprint == "\(Self.digest)";
                    return await new HttpClient(handler).GetStringAsync("https://api.acme.example/v1");
                }
                \(other)
            }
            """

        let unused = "\(Self.compared.dropLast(" in code".count)) in 'Ask', which nothing in this source calls"
        #expect(Reading.told(text, .cSharp).map { $0 == unused } == [isUnused])
    }

    @Test(arguments: [("CustomRootTrust", ["acme.cer"]), ("System", nil)])
    func `may name roots of the app's own where its rules for chains are made`(mode: String, files: [String]?) {
        let text = """
            class Client {
                static readonly X509Certificate2 Root = X509CertificateLoader.LoadCertificateFromFile("acme.cer");
                HttpClient client = new(new SocketsHttpHandler { SslOptions = new() { CertificateChainPolicy =
                    new X509ChainPolicy { TrustMode = X509ChainTrustMode.\(mode), CustomTrustStore = { Root } } } });
            }
            """
        let found = Reading.found(text, .cSharp).map { found in
            if case .described(_, let pins, _, _) = found.content { pins } else { ["no description"] }
        }

        #expect(found == (files.map { [$0] } ?? []))
    }

    @Test(arguments: ["", "static ", "async ", "static async "])
    func `have their host where the callback is a lambda with words before it`(words: String) {
        let text = """
            public static class Client {
                private static readonly HttpClient Http = new(new SocketsHttpHandler {
                    SslOptions = new SslClientAuthenticationOptions {
                        RemoteCertificateValidationCallback = \(words)(_, one, _, errors) =>
                            errors == SslPolicyErrors.None && one.GetCertHashString() == "\(Self.digest)"
                    }
                }) { BaseAddress = new Uri("https://api.acme.example") };
            }
            """

        let found = Reading.found(text, .cSharp)

        #expect(found.count == 1)
        #expect("\(found)".contains("api.acme.example"), "\(found)")
    }
}
