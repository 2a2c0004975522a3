import Testing

@testable import AppSources

/// What delegates of Apple's systems do with a certificate that they take apart.
@Suite struct `A delegate that compares certificates` {
    static let pin = "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="
    static let compared = "compared with the server's certificate in code"

    static func found(_ text: String) -> [FoundPins] {
        let file = SourceModule.File(path: "a.swift", language: .swift, text: text)
        return Reading.read(file)
    }

    static func told(_ text: String) -> [String] {
        found(text).map { found in
            guard case .described(let hosts, let pins, let what, _) = found.content else { return "\(found.content)" }
            return "\(hosts.joined(separator: " ")) \(pins.joined(separator: " ")): \(what)"
        }
    }

    /// - Parameter asks: what it asks before it compares.
    static func delegate(
        _ pins: String = "[\"\(pin)\"]",
        asks: String = "host == \"api.acme.example\"",
        before comparison: String = ""
    ) -> String {
        """
        final class Pinning: NSObject, URLSessionDelegate {
            private var pins = \(pins)
            private let pinned = "acme.example"
            func urlSession(
                _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
                completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
            ) {
                let host = challenge.protectionSpace.host
                guard \(asks), let trust = challenge.protectionSpace.serverTrust, let key = SecTrustCopyKey(trust),
                    let data = SecKeyCopyExternalRepresentation(key, nil) as Data?
                else { return completionHandler(.performDefaultHandling, nil) }
                let hash = Data(SHA256.hash(data: header + data)).base64EncodedString()
                \(comparison)
                if pins.contains(hash) {
                    completionHandler(.useCredential, URLCredential(trust: trust))
                } else {
                    completionHandler(.cancelAuthenticationChallenge, nil)
                }
            }
        }
        let session = URLSession(configuration: .default, delegate: Pinning(), delegateQueue: nil)
        """
    }

    @Test(arguments: [
        ("host == pinned", ""), ("host == pinned || host.hasSuffix(\".\" + pinned)", "; hosts below those count, too"),
        ("host == pinned || host.hasSuffix(\".\\(pinned)\")", "; hosts below those count, too"),
    ])
    func `is told with the hosts below its own`(asks: String, more: String) {
        #expect(Self.told(Self.delegate(asks: asks)) == ["acme.example \(Self.pin): \(Self.compared)\(more)"])
    }

    @Test func `that has a pin with a digit too many is told with it`() {
        let pins = "[\"\(Self.pin)\", \"+vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=\"]"

        let what = "\(Self.compared); 1 more, without a digest's length"
        #expect(Self.told(Self.delegate(pins)) == ["api.acme.example \(Self.pin): \(what)"])
    }

    @Test(arguments: ["", "own = hash"])
    func `refuses nothing where it compares what it made equal`(before: String) {
        let text = Self.delegate("\"\(Self.pin)\"", before: before)
            .replacing("pins.contains(hash)", with: "own == hash").replacing(
                "private var pins",
                with: "private var own"
            )

        let isSame = before == "own = hash"
        let what = isSame ? ComparisonForm.lenient : Self.compared
        #expect(Self.told(text) == ["\(isSame ? "" : "api.acme.example") \(Self.pin): \(what)"])
    }

    @Test(arguments: [
        ("", ""), ("let made: Pinning? = nil", ""), ("let made = Pinning.init()", " "), ("class Own: Pinning {}", " "),
    ])
    func `that nothing makes is told so`(other: String, isMade: String) {
        let text = Self.delegate().split(separator: "\n").dropLast().joined(separator: "\n") + "\n" + other

        let what = Self.compared + (isMade.isEmpty ? "; nothing in what was read makes an object of 'Pinning'" : "")
        #expect(Self.told(text) == ["api.acme.example \(Self.pin): \(what)"])
    }

    @Test(arguments: [("pins", "FIRST_PIN_HERE"), ("pins", "first pin"), ("names", "FIRST_PIN_HERE")])
    func `with words in the place of digests is told with them`(name: String, text: String) {
        let source = Self.delegate("[\"\(text)\"]").replacing("pins", with: name)

        let isTold = name == "pins" && text == "FIRST_PIN_HERE"
        let what = "api.acme.example \(text): \(Self.compared); what stands there is no digest"
        #expect(Self.told(source).contains(what) == isTold)
    }

    @Test(arguments: [
        ("guard LIST else { return completionHandler(.cancelAuthenticationChallenge, nil) }", true),
        ("guard LIST else { return completionHandler(.performDefaultHandling, nil) }", true),
        ("if LIST { log(host) }", false),
    ])
    func `that compares for some hosts alone is told with these`(allowed: String, isTold: Bool) {
        let asked = allowed.replacing("LIST", with: "Allowed.allowedHosts.contains(host)")
        let text =
            Self.delegate(asks: "true", before: asked)
            + "\nenum Allowed { static let allowedHosts = [\"www.acme.example\"] }"

        #expect(Self.told(text) == ["\(isTold ? "www.acme.example" : "") \(Self.pin): \(Self.compared)"])
    }

    @Test(arguments: [("host == \"sandbox.acme.example\"", false), ("isSandbox", true)])
    func `asks for a switch where that is its name, and no text`(condition: String, isSwitch: Bool) {
        #expect(ComparisonForm.isSwitch(Choices.choice(condition, holds: true)) == isSwitch)
    }

    @Test func `what one build leaves to the system is compared in the other alone`() {
        let text = """
            class Delegate: NSObject, URLSessionDelegate {
              func urlSession(_ s: URLSession, didReceive challenge: URLAuthenticationChallenge) {
                guard let trust = challenge.protectionSpace.serverTrust,
                  let certificate = SecTrustGetCertificateAtIndex(trust, 0)
                else { return }
                if digest(of: certificate) == "\(Self.pin)" {
                  completionHandler(.useCredential, URLCredential(trust: trust))
                } else {
                  #if DEBUG
                  completionHandler(.performDefaultHandling, nil)
                  #else
                  completionHandler(.cancelAuthenticationChallenge, nil)
                  #endif
                }
              }
            }
            let made = Delegate()
            """

        #expect(Self.told(text) == [" \(Self.pin): \(Self.compared)"])
        #expect(Self.found(text).map(\.conditions) == [["not DEBUG"]])
    }

    @Test func `a log of one build makes no comparison of its own`() {
        let text = """
            class Delegate: NSObject, URLSessionDelegate {
              func urlSession(_ s: URLSession, didReceive challenge: URLAuthenticationChallenge) -> Bool {
                let trust = challenge.protectionSpace.serverTrust
                #if DEBUG
                print(SecTrustGetCertificateAtIndex(trust, 0))
                #endif
                return digest(of: SecTrustGetCertificateAtIndex(trust, 0)) == "\(Self.pin)"
              }
            }
            let made = Delegate()
            """

        #expect(Self.told(text) == [" \(Self.pin): \(Self.compared)"])
    }

    @Test(arguments: [
        ("NSObject", "; nothing in what was read makes an object of 'Pinning'"), ("UIViewController", ""),
        ("UIResponder", ""),
    ])
    func `that a storyboard makes is not called unmade`(base: String, more: String) {
        let text = Self.delegate().split(separator: "\n").dropLast().joined(separator: "\n")
            .replacing("NSObject", with: base)

        #expect(Self.told(text) == ["api.acme.example \(Self.pin): \(Self.compared)\(more)"])
    }

    @Test(arguments: [
        ("base64EncodedString()", true, ""), ("base64EncodedString()", false, "Base64, and the pins in hexadecimal"),
        ("map { String(format: \"%02x\", $0) }.joined()", true, "hexadecimal, and the pins in Base64"),
        ("map { String(format: \"%02x\", $0) }.joined()", false, ""), ("own()", false, ""),
        ("base64EncodedString().logged(asHex: data)", false, ""),
    ])
    func `says if the digest is written in another way than the pins`(write: String, isBase64: Bool, more: String) {
        let pin = isBase64 ? Self.pin : String(repeating: "0a1b", count: 16)
        let text = Self.delegate("[\"\(pin)\"]").replacing("base64EncodedString()", with: write)

        let what = Self.compared + (more.isEmpty ? "" : "; the digest is written in \(more)")
        #expect(Self.told(text) == ["api.acme.example \(pin): \(what)"])
    }

    @Test(arguments: [
        ("let fallsBack = true", "never"), ("let fallsBack = false", ""), ("var fallsBack = true", "not fallsBack"),
    ])
    func `that falls back refuses nothing`(flag: String, condition: String) {
        let flag = flag.replacing("fallsBack", with: "usesFallback")
        let text = Self.delegate().replacing(
            "completionHandler(.cancelAuthenticationChallenge, nil)",
            with: """
                if usesFallback { return completionHandler(.performDefaultHandling, nil) }
                        completionHandler(.cancelAuthenticationChallenge, nil)
                """
        )
        .replacing("private let pinned", with: "\(flag)\n    private let pinned")

        let isNever = condition == "never"
        let never = ", for 'not usesFallback' alone, which never holds"
        #expect(Self.told(text) == ["api.acme.example \(Self.pin): \(Self.compared)\(isNever ? never : "")"])
        let told = condition.replacing("fallsBack", with: "usesFallback")
        #expect(Self.found(text).map(\.conditions) == [isNever || told.isEmpty ? [] : [told]])
    }

    @Test(arguments: [
        ("0", ""), ("1", "; the certificate is number 2 of its chain, an authority's"), ("index", ""),
    ])
    func `of an authority alone are called so`(index: String, more: String) {
        let text = """
            class Delegate: NSObject, URLSessionDelegate {
              func urlSession(_ s: URLSession, didReceive challenge: URLAuthenticationChallenge) -> Bool {
                digest(of: SecTrustGetCertificateAtIndex(challenge.protectionSpace.serverTrust, \(index))) == "\(Self.pin)"
              }
            }
            let made = Delegate()
            """

        #expect(Self.told(text) == [" \(Self.pin): \(Self.compared)\(more)"])
    }
}
