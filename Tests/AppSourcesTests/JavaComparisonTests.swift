import Testing

@testable import AppSources

/// What trust managers and their like in Kotlin and Java ask beside the certificate.
@Suite struct `Trust managers` {
    private static let digest = "9A7B2C3D4E5F60718293A4B5C6D7E8F901234567"
    private static let compared = "compared with the server's certificate in code"

    private func found(in text: String, _ language: SourceLanguage) -> [FoundPins] {
        let file = SourceModule.File(path: "a", language: language, text: text)
        return SourceReader(SourceModule([file])).read(file)
    }

    private func told(_ text: String, _ language: SourceLanguage) -> [String] {
        found(in: text, language).map { found in
            switch found.content {
            case .described(_, _, let what, _): return what
            case .gaps(let gaps, _, _): return gaps.map(\.reason).joined(separator: " and ")
            default: return "modelled"
            }
        }
    }

    private func hosts(_ text: String, _ language: SourceLanguage) -> [[String]] {
        found(in: text, language).map { found in
            if case .described(let hosts, _, _, _) = found.content { return hosts }
            return []
        }
    }

    @Test(arguments: [
        ("class Trust : X509TrustManager", "", "; nothing in what was read makes an object of 'Trust'"),
        ("class Trust : X509TrustManager", "val trust = Trust()", ""), ("object Trust : X509TrustManager", "", ""),
        ("class Trust @Inject constructor() : X509TrustManager", "", ""),
        ("@Singleton class Trust : X509TrustManager", "", ""),
        ("class Trust : Checks", "", ""),
    ])
    func `count where something makes them`(head: String, use: String, what: String) {
        let text = """
            \(head) {
                override fun checkServerTrusted(chain: Array<X509Certificate>, authType: String) {
                    val d = hex(MessageDigest.getInstance("SHA-1").digest(chain[0].encoded))
                    if (d != "\(Self.digest)") throw CertificateException()
                }
            }
            \(use)
            """

        #expect(told(text, .kotlin) == [Self.compared + what])
    }

    @Test(arguments: [
        ("3082010a0282", true, "encoded"), ("30820122300d06", false, "encoded"),
        ("3082010a0282", false, "encoded.drop(24)"),
    ])
    func `match no key that is written without its kind`(start: String, isOther: Bool, taken: String) {
        let key = start + String(repeating: "0f", count: 80)
        let text = """
            class Trust : X509TrustManager {
                override fun checkServerTrusted(chain: Array<X509Certificate>, authType: String) {
                    if (hex(chain[0].publicKey.\(taken)) != "\(key)") throw CertificateException()
                }
            }
            val trust = Trust()
            """

        let other =
            "; the pin is a key without what says its kind, and the server's is taken with it: nothing can match"
        #expect(told(text, .kotlin) == [Self.compared + (isOther ? other : "")])
    }

}
