/// Clues for each language.
extension ComparisonForm {
    /// By which words such code is known.
    struct Clue {
        var form: FoundPins.Form
        var what = "compared with the server's certificate in code"
        /// What is said where nothing is named that is compared.
        var untold = ComparisonForm.untold
        /// Members of a certificate, or functions that take it apart.
        var words: Set<String>
        /// Of these one stands in the same code, or the words mean something else.
        var gates: Set<String>
        /// Parts of such words.
        var gateParts: [String] = []
        /// Words that count behind a dot alone.
        var needsDot = false
        /// Words that count where they are used, and not where they are declared.
        var isOfUse = false
        /// Texts of which one stands in the same code.
        var gateTexts: Set<String> = []

        func isEvidence(_ tokens: [Token], _ place: Int) -> Bool {
            if case .text(let pieces) = tokens[place].kind {
                return pieces.contains { piece in
                    guard case .code(let inner) = piece else { return false }
                    return inner.indices.contains { isEvidence(inner, $0) }
                }
            }
            guard let name = tokens[place].name else { return false }
            // OkHttp's own digest of a key.
            if form == .trustManager, name == "pin", place > 1, tokens[place - 2].isName("CertificatePinner") {
                return true
            }
            // Alamofire's, of the trust that an evaluator is given: `trust.af.publicKeys`.
            if form == .delegate, ["publicKeys", "certificates", "publicKeyData", "certificateData"].contains(name),
                place > 3, tokens[place - 2].isName("af"),
                tokens[place - 4].name?.lowercased().contains("trust") ?? false
            {
                return true
            }
            // No certificate of Dart's own has it; those of an app's extension do.
            if form == .dartFingerprint, name == "sha256", place > 1, tokens[place - 1].isMark("."),
                tokens[place - 2].name?.lowercased().contains("cert") ?? false
            {
                return true
            }
            guard words.contains(name) else { return false }
            if isOfUse, place + 1 < tokens.count, tokens[place + 1].isMark(":") || tokens[place + 1].isMark("=") {
                return false
            }
            guard needsDot else { return true }
            if form == .nodeIdentity, tokens.takesOutOfCertificate(at: place) { return true }
            guard place > 0, tokens[place - 1].isMark(".") || tokens[place - 1].isMark("?.") else { return false }
            // `crypto.sha1.convert(…)` is a digest of anything.
            return !(place + 2 < tokens.count && tokens[place + 2].isName("convert"))
        }

        func isGate(_ token: Token) -> Bool {
            if case .text(let pieces) = token.kind, pieces.count == 1, case .plain(let text) = pieces[0] {
                return gateTexts.contains(text)
            }
            guard let name = token.name else { return false }
            return gates.contains(name) || gateParts.contains { name.contains($0) }
        }
    }

    private static let apple = Clue(
        form: .delegate,
        words: [
            "SecTrustCopyKey", "SecTrustCopyPublicKey", "SecTrustGetCertificateAtIndex", "SecTrustCopyCertificateChain",
            "SecTrustSetAnchorCertificates",
        ],
        gates: ["sec_protocol_options_set_verify_block", "ServerTrustEvaluating"],
        gateParts: ["hallenge", "erverTrust", "didReceiveTrust", "pinn", "Pinn", "sec_trust", "sec_protocol"]
    )

    /// A digest is taken behind the header that makes a key of the system one of a certificate.
    private static let appleHeader = Clue(
        form: .delegate,
        untold: ComparisonForm.untoldDigest,
        words: [
            "rsa2048Asn1Header", "rsa4096Asn1Header", "ecDsaSecp256r1Asn1Header", "ecDsaSecp384r1Asn1Header",
        ],
        gates: ["CC_SHA256", "SHA256"],
        isOfUse: true
    )

    /// NIO's own certificates, in a callback that its handler is given.
    private static let nio = Clue(
        form: .nioCallback,
        words: ["extractPublicKey", "toSPKIBytes", "toDERBytes"],
        gates: ["NIOSSLVerificationResult", "NIOSSLVerificationResultWithMetadata"],
        gateParts: ["ustomVerificationCallback"]
    )

    static func clues(_ tree: SyntaxTree) -> [Clue] {
        switch tree.language {
        // The header is looked for where nothing takes a certificate apart.
        case .swift, .objectiveC:
            tree.tokens.contains { $0.name?.hasPrefix("SecTrust") ?? false }
                ? [apple] : tree.language == .swift ? [appleHeader, nio] : [appleHeader]
        case .dart:
            [
                Clue(
                    form: .dartFingerprint,
                    words: ["der", "pem", "sha1"],
                    gates: [
                        "badCertificateCallback", "validateCertificate", "onBadCertificate", "peerCertificate",
                        "X509Certificate", "HttpClient",
                    ],
                    needsDot: true
                )
            ]
        case .cSharp:
            [
                Clue(
                    form: .dotNet,
                    words: [
                        "GetCertHashString", "GetCertHash", "Thumbprint", "GetPublicKeyString", "GetPublicKey",
                        "GetRawCertData", "GetRawCertDataString", "RawData", "ExportSubjectPublicKeyInfo",
                    ],
                    gates: [
                        "SslPolicyErrors", "sslPolicyErrors", "UserDefinedServerCertValidationDelegate",
                        "CertificateHandler", "ICertificatePolicy", "FtpSslValidationEventArgs", "SslStream",
                    ],
                    gateParts: [
                        "CertificateValidationCallback", "CertificateCustomValidationCallback",
                        "X509CertificateValidator", "CertificateValidationHandler",
                    ],
                    needsDot: true
                )
            ] + (tree.hashesWhatUnityGives ? [unity] : [])
        case .script:
            [
                Clue(
                    form: .electron,
                    words: ["fingerprint", "certificate"],
                    gates: ["setCertificateVerifyProc"]
                ),
                Clue(
                    form: .electronError,
                    words: ["fingerprint"],
                    gates: [],
                    gateParts: ["ertificateError"],
                    needsDot: true,
                    gateTexts: ["certificate-error"]
                ),
                Clue(
                    form: .nodeIdentity,
                    words: ["fingerprint", "fingerprint256", "fingerprint512", "pubkey", "raw"],
                    gates: ["checkServerIdentity", "getPeerCertificate", "getPeerX509Certificate"],
                    needsDot: true
                ),
            ]
        case .kotlin, .java:
            [
                Clue(
                    form: .trustManager,
                    words: [
                        "MessageDigest", "getPublicKey", "publicKey", "getEncoded", "encoded", "getTBSCertificate",
                        "subjectPublicKeyInfo", "generateCertificate", "getSignature",
                    ],
                    gates: [
                        "checkServerTrusted", "getPeerCertificates", "peerCertificates", "getServerCertificates",
                        "serverCertificates", "TrustStrategy", "loadTrustMaterial", "onReceivedSslError",
                    ]
                ), apple,
            ]
        case .groovy: []
        }
    }
}
