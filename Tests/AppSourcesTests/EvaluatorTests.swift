import Testing

@testable import AppSources

/// What Alamofire's managers are told to hold their hosts to, where the files are not at hand.
@Suite struct `Evaluators of files that are elsewhere` {
    private func told(_ table: String, manager: String = "ServerTrustManager") -> FoundPins.Reading? {
        let text = """
            func file(_ name: String) -> SecCertificate {
              let data = try! Data(contentsOf: Bundle.main.url(forResource: name, withExtension: "cer")!)
              return SecCertificateCreateWithData(nil, data as CFData)!
            }
            let session = Session(serverTrustManager: \(manager)(evaluators: [\(table)]))
            """
        let file = SourceModule.File(path: "a", language: .swift, text: text)
        return Reading.read(file).first?.reading(assets: [:])
    }

    private func entry(_ host: String, _ file: String) -> String {
        "\"\(host)\": PinnedCertificatesTrustEvaluator(certificates: [file(\"\(file)\")])"
    }

    @Test func `are told with the host that each is for`() {
        guard
            case .described(let hosts, let pins, _, let known)? = told(
                entry("a.acme.example", "one") + ", " + entry("b.acme.example", "two")
            )
        else {
            Issue.record("nothing is described")
            return
        }

        #expect(hosts == ["a.acme.example", "b.acme.example"])
        #expect(pins == ["one.cer", "two.cer"])
        #expect(known.map(\.host) == hosts)
        #expect(known.map(\.pins) == [["one.cer"], ["two.cer"]])
    }

    @Test(arguments: ["https://a.acme.example", "*.acme.example", "a.acme.example"])
    func `are never asked by a URL or a pattern`(name: String) {
        guard case .described(_, _, let what, _)? = told(entry(name, "one")) else {
            Issue.record("nothing is described")
            return
        }

        #expect(what.contains("no host has the name \(name)") == (name != "a.acme.example"))
    }

    @Test(arguments: [
        ("[DefaultTrustEvaluator(), ONE]", "the certificate 'one.cer', which is not in what was read"),
        ("[RevocationTrustEvaluator(), ONE]", "the certificate 'one.cer', which is not in what was read"),
        (
            "[ONE, PublicKeysTrustEvaluator()]",
            "evaluators of which all must agree: PinnedCertificatesTrustEvaluator, PublicKeysTrustEvaluator"
        ),
        (
            "[DefaultTrustEvaluator(), LOOSE]",
            "evaluators of which all must agree: DefaultTrustEvaluator, PinnedCertificatesTrustEvaluator"
        ),
        ("own", "evaluators of which all must agree, and which are not known"),
    ])
    func `are that one of several which compares`(list: String, what: String) {
        let one = "PinnedCertificatesTrustEvaluator(certificates: [file(\"one\")])"
        let loose = one.replacing(")])", with: ")], validateHost: false)")
        let parts = list.replacing("ONE", with: one).replacing("LOOSE", with: loose)
        guard
            case .described(let hosts, _, let told, _)? = told(
                "\"a.acme.example\": CompositeTrustEvaluator(evaluators: \(parts))"
            )
        else {
            Issue.record("nothing is described")
            return
        }

        #expect(hosts == ["a.acme.example"])
        #expect(told == what)
    }

    @Test(arguments: ["*.acme.example", "a.acme.example"])
    func `are asked as a manager of the app's own says`(name: String) {
        let what = "which hosts these names are for is decided by code of WildcardTrustManager"
        guard case .described(let hosts, _, let told, _)? = told(entry(name, "one"), manager: "WildcardTrustManager")
        else {
            Issue.record("nothing is described")
            return
        }

        #expect(hosts == [name])
        #expect((told == what) == name.contains("*"))
    }

    @Test func `are one list where all hosts have the same`() {
        guard
            case .described(_, let pins, _, let known)? = told(
                entry("a.acme.example", "one") + ", " + entry("b.acme.example", "one")
            )
        else {
            Issue.record("nothing is described")
            return
        }

        #expect(pins == ["one.cer"])
        #expect(known == [])
    }

    @Test(arguments: [("DisabledTrustEvaluator", true), ("DefaultTrustEvaluator", false)])
    func `say of hosts that are exempt whether all is let through`(evaluator: String, isOpen: Bool) {
        guard
            case .described(let hosts, _, let what, _)? = told(
                entry("a.acme.example", "one") + ", \"open.acme.example\": \(evaluator)()"
            )
        else {
            Issue.record("nothing is described")
            return
        }

        #expect(hosts == ["a.acme.example"])
        #expect(what.hasSuffix("; whatever open.acme.example shows is let through") == isOpen)
        #expect(!FoundPins.acceptsAll(what))
    }

    @Test(arguments: [("", 1), ("func pinCertificates(_ trust: SecTrust) { log(trust) }", 0)])
    func `are none of a function that the source has itself`(own: String, count: Int) {
        let text = "\(own)\nfunc check(_ trust: SecTrust) { pinCertificates(trust) }"
        let file = SourceModule.File(path: "a", language: .swift, text: text)

        #expect(Reading.read(file).count == count)
    }

    @Test(arguments: [("Data(base64Encoded: own)!", true), ("Data(base64Encoded: Settings.key)!", false)])
    func `are told as the source's own keys where it holds them`(data: String, isOwn: Bool) {
        let digits = String(repeating: "Ab3dE6gH", count: 42) + "wXyz9wIDAQAB"
        let own = "let own = \"MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA\(digits)\""
        let key = "SecKeyCreateWithData(\(data) as CFData, attributes as CFDictionary, nil)!"
        let text = """
            \(own)
            let key = \(key)
            let manager = ServerTrustManager(evaluators: ["a.acme.example": PublicKeysTrustEvaluator(keys: [key])])
            let session = Session(serverTrustManager: manager)
            """
        let file = SourceModule.File(path: "a", language: .swift, text: text)
        guard
            case .described(let hosts, let pins, let what, _)? = Reading.read(file).first?
                .reading(assets: [:])
        else {
            Issue.record("nothing is described")
            return
        }

        #expect(hosts == ["a.acme.example"])
        #expect((what == "certificates or keys that the source holds") == isOwn, "\(what)")
        #expect(pins.isEmpty != isOwn)
    }
}
