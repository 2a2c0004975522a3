import Testing

@testable import AppSources

/// Pins that a source has for others: tables, and what forks of a library are given.
@Suite struct `Pins for others` {
    private func told(_ text: String, _ path: String, _ language: SourceLanguage) -> [String] {
        let file = SourceModule.File(path: path, language: language, text: text)
        return Reading.read(file).map { found in
            if case .described(_, _, let what, _) = found.content { what } else { "\(found.form.rawValue) in full" }
        }
    }

    private static let handedOut =
        "names of certificates for each host; what gives them to the library is not told by this source"
    private static let ofLibrary =
        "certificate files of react-native-ssl-pinning; on iOS every one of the bundle counts"
    private static let digest = "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="

    @Test(arguments: [
        ("acme_api", "", [handedOut], [String]()), ("acme_api", "USED", [ofLibrary], []),
        ("sha256/\(digest)", "", [], ["sha256/\(digest)"]),
    ])
    func `of react-native-ssl-pinning are told where this source does not use them`(
        value: String,
        use: String,
        expected: [String],
        leftover: [String]
    ) {
        let text = """
            import { fetch } from 'react-native-ssl-pinning';
            export const PINNED_CERTS = { 'api.acme.example': ['\(value)'] };
            \(use.isEmpty ? "" : "export const ask = (host) => fetch(`https://${host}/`, { sslPinning: { certs: PINNED_CERTS[host] } });")
            """

        #expect(told(text, "a.ts", .script) == expected)
        let file = SourceModule.File(path: "a.ts", language: .script, text: text)
        #expect(SourceReader(SourceModule([file])).leftovers(of: file, used: [])?.pins ?? [] == leftover)
    }

    @Test(arguments: [("", true), ("let kTSKEverythingElse = \"www.acme.example\"", false)])
    func `of a fork of TrustKit are told by a constant that neither it nor the source has`(
        own: String,
        isOfFork: Bool
    ) {
        let text = """
            import TrustKit
            \(own)
            TrustKit.initSharedInstance(withConfiguration: [
                kTSKPinnedDomains: [
                    kTSKEverythingElse: [
                        kTSKPublicKeyHashes: [
                            "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=",
                            "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=",
                        ]
                    ]
                ]
            ])
            """

        let what = "given to a library that was made from TrustKit, which has no kTSKEverythingElse"
        #expect(told(text, "a.swift", .swift) == [isOfFork ? what : "trustkit in full"])
    }

    private func configuration(_ key: String, _ fields: String) -> String {
        """
        TrustKit.initSharedInstance(withConfiguration: [kTSKPinnedDomains: ["api.acme.example": [
            \(fields) kTSKPublicKeyHashes: ["\(Self.digest)", \(key)],
        ]]])
        """
    }

    @Test(arguments: [
        ("kTSKValidationCompletedNotification", true), ("kTSKValidationStarted", true), ("kTSKWatch", false),
    ])
    func `of TrustKit itself may be watched by the names of its older versions`(name: String, isOwn: Bool) {
        let text = configuration("\"vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=\"", "")
        let watched = "\nNotificationCenter.default.addObserver(forName: \(name), object: nil, queue: nil) { _ in }"

        let all = told(text + watched, "a.swift", .swift)

        #expect(
            all == [isOwn ? "trustkit in full" : "given to a library that was made from TrustKit, which has no \(name)"]
        )
    }

    @Test(arguments: [("", nil), ("kTSKExpirationDate: \"2026-01-31\",", "2026-01-31")])
    func `of which one is not known are told with the day on which they end`(field: String, end: String?) {
        let file = SourceModule.File(path: "a.swift", language: .swift, text: configuration("Keys.other", field))
        let parts = Reading.read(file).flatMap { found -> [FoundPins.Part] in
            if case .gaps(_, _, let known) = found.content { known } else { [] }
        }

        #expect(parts.map(\.host) == ["api.acme.example"])
        #expect(parts.map(\.end) == [end])
    }

    @Test(arguments: [("true", ["api.acme.example"]), ("false", ["api.acme.example", "www.acme.example"])])
    func `of TrustKit are for no host that is left out`(isLeftOut: String, hosts: [String]) {
        let other = "\"www.acme.example\": [kTSKExcludeSubdomainFromParentPolicy: \(isLeftOut)]"
        let text = configuration("Keys.other", "").replacing("]]])", with: "], \(other)]])")
        let file = SourceModule.File(path: "a.swift", language: .swift, text: text)

        let told = Reading.read(file).map { found -> [String] in
            if case .gaps(_, let hosts, _) = found.content { hosts } else { [] }
        }
        #expect(told == [hosts])
    }

    @Test(arguments: [("1", false), ("0", true), ("isLive", false)])
    func `of AFNetworking are made in vain where a constant keeps their function from being called`(
        condition: String,
        isInVain: Bool
    ) {
        let text = """
            @implementation Client
            - (instancetype)make {
              if (\(condition)) { [self setSecurityPolicy:[self pinnedPolicy]]; }
              return self;
            }
            - (AFSecurityPolicy *)pinnedPolicy {
              NSString *path = [[NSBundle mainBundle] pathForResource:@"acme" ofType:@"cer"];
              NSSet *pins = [NSSet setWithObject:[NSData dataWithContentsOfFile:path]];
              return [AFSecurityPolicy policyWithPinningMode:AFSSLPinningModeCertificate withPinnedCertificates:pins];
            }
            @end
            """

        let told = told(text, "a.m", .objectiveC)
        #expect(told.count == 1)
        #expect(told[0].contains("made in 'pinnedPolicy', which nothing in what was read calls") == isInVain, "\(told)")
    }
}
