import Testing

@testable import AppSources

/// Texts that code of .NET holds against those of a certificate, whatever their length.
@Suite struct `Texts that .NET compares` {
    private func told(_ comparing: String, _ key: String) -> [(pins: [String], what: String)] {
        let text = """
            class Judge : CertificateHandler {
                private static string Key = "\(key)";
                protected override bool ValidateCertificate(byte[] data) {
                    var certificate = new X509Certificate2(data);
                    string own = certificate.GetPublicKeyString();
                    if (\(comparing)) return true;
                    return false;
                }
            }
            class Login { void Send() { request.certificateHandler = new Judge(); } }
            """
        let file = SourceModule.File(path: "a.cs", language: .cSharp, text: text)
        return Reading.read(file).map { found in
            if case .described(_, let pins, let what, _) = found.content { (pins, what) } else { ([], "") }
        }
    }

    private static let short = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
    private static let compared = "compared with the server's certificate in code; what stands there "
    private static let ofNone = compared + "has the length of no digest and no key: nothing is equal to it"

    @Test(arguments: [
        ("own == Key", short, ofNone), ("own.ToLower().Equals(Key.ToLower())", short, ofNone),
        ("string.Equals(Key, own, StringComparison.OrdinalIgnoreCase)", short, ofNone),
        ("certificate.Thumbprint == Key", short, ofNone),
        ("own == Key", String(short.dropLast(20)) + "0f1e2d3c4b5a69788796a5b4c3d2e1f0f", ofNone),
        ("own == Key", String(repeating: "0f", count: 27), compared + "has no digest's length"),
        ("own == Key", "YOUR-KEY", compared + "is no digest, and no certificate has it: nothing is equal to it"),
        // A part may have any length.
        ("own.StartsWith(Key)", short, compared + "is compared with a part of the certificate's text alone"),
        ("own.Substring(0, 32) == Key", short, compared + "is compared with a part of the certificate's text alone"),
    ])
    func `are listed with what their length says`(comparing: String, key: String, expected: String) {
        let told = told(comparing, key)

        #expect(told.map(\.pins) == [[key]])
        #expect(told.map(\.what) == [expected])
    }

    @Test(arguments: ["own == Other.Key", "Compares(own, Key)", "certificate.Subject == Key"])
    func `are those that stand beside the certificate's own`(comparing: String) {
        #expect(told(comparing, Self.short).map(\.pins) == [[]])
    }

    @Test(arguments: [
        ("own == Key", 40, true), ("certificate.GetRawCertDataString() == Key && own != null", 40, false),
        ("own.StartsWith(Key)", 40, false), ("Hash(own) == Key", 40, false),
        // A key of Ed25519 is as long.
        ("own == Key", 64, false),
    ])
    func `of a whole key are told where they are as long as a digest`(comparing: String, length: Int, isTold: Bool) {
        let key = String("0F1E2D3C4B5A69788796A5B4C3D2E1F00F1E2D3C4B5A69788796A5B4C3D2E1F0".prefix(length))
        let told = told(comparing, key)

        #expect(told.map(\.pins) == [[key]])
        let what = "'GetPublicKeyString' gives the whole key, and the pins have the length of SHA-1: nothing is equal"
        #expect(told.map { $0.what.contains(what) } == [isTold], "\(told)")
    }
}
