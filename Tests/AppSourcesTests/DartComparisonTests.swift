import Testing

@testable import AppSources

/// Whose certificates callbacks of Dart are asked about, and what they do with them.
@Suite struct `Callbacks in Dart` {
    private static let digest = "146de983c5730650d8eeb9952f34fc6416a08342e61dbea88a0496b23fcf44e5"
    private let compared = "compared with the server's certificate in code"

    private func found(in text: String) -> [FoundPins] { Reading.found(text, .dart) }

    private func told(_ text: String) -> [String] { Reading.told(text, .dart) }

    @Test(arguments: [
        ("HttpClient()", true), ("HttpClient(context: SecurityContext(withTrustedRoots: true))", true),
        ("HttpClient(context: SecurityContext.defaultContext)", true), ("HttpClient(context: all)", true),
        ("HttpClient(context: SecurityContext())", false), ("HttpClient(context: none)", false),
        ("HttpClient(context: SecurityContext(withTrustedRoots: false))", false),
        ("super.createHttpClient(context)", false), ("HttpClient(context: given)", false),
        ("HttpClient(context: await withRoots())", true), ("HttpClient(context: withoutRoots())", false),
        ("HttpClient(context: withSome())", false),
    ])
    func `are asked about what the system refuses, where their client has its roots`(client: String, hasRoots: Bool) {
        let text = """
            final all = SecurityContext(withTrustedRoots: true);
            final none = SecurityContext(withTrustedRoots: false);
            Future<SecurityContext> withRoots() async {
              final context = SecurityContext(withTrustedRoots: true);
              if (bytes != null) { return all; }
              return context;
            }
            SecurityContext withoutRoots() => none;
            SecurityContext withSome() { if (isOwn) { return none; } return all; }
            class Overrides extends HttpOverrides {
              HttpClient make(SecurityContext? given) => \(client)
                ..badCertificateCallback = (cert, host, port) => sha256.convert(cert.der).toString() == '\(Self.digest)';
            }
            """

        let conditions = found(in: text).filter { $0.form == .dartFingerprint }.map(\.conditions)
        #expect(conditions == [hasRoots ? ["the system refuses the certificate"] : []])
    }

    @Test(arguments: [("HttpClient()", true), ("super.createHttpClient(context)", false)])
    func `of an override may be of a client that others made`(client: String, hasRoots: Bool) {
        let text = """
            class Overrides extends HttpOverrides {
              final plain = HttpClient();
              @override
              HttpClient createHttpClient(SecurityContext? context) => \(client)
                ..badCertificateCallback = (cert, host, port) => sha256.convert(cert.der).toString() == '\(Self.digest)';
            }
            """

        let conditions = found(in: text).filter { $0.form == .dartFingerprint }.map(\.conditions)
        #expect(conditions == [hasRoots ? ["the system refuses the certificate"] : []])
    }

    // The twin: the same comparison, given to the client's own callback.
    @Test(arguments: [
        ("false", "pins.contains(sha256.convert(cert.der).toString())", FoundPins.Form.dartCheck),
        ("pins.contains(sha256.convert(cert.der).toString())", "false", FoundPins.Form.dartFingerprint),
    ])
    func `are called by what the comparison is given to, where a client has two`(
        callback: String,
        check: String,
        form: FoundPins.Form
    ) {
        let text = """
            const pins = ['\(Self.digest)'];
            final adapter = IOHttpClientAdapter(
              createHttpClient: () => HttpClient()..badCertificateCallback = (cert, host, port) => \(callback),
              validateCertificate: (cert, host, port) => \(check),
            );
            """

        #expect(found(in: text).map(\.form) == [form])
    }

    @Test func `of dio are asked about every certificate`() {
        let text = """
            dio.httpClientAdapter = IOHttpClientAdapter(
              createHttpClient: () => HttpClient()..badCertificateCallback = (cert, host, port) => false,
              validateCertificate: (cert, host, port) {
                if (cert == null) return false;
                return sha256.convert(cert.der).toString() == '\(Self.digest)';
              },
            );
            """

        #expect(found(in: text).map(\.conditions) == [[]])
    }

    @Test(arguments: [
        ("base64Encode(cert.der)", true), ("_text(cert)", true), ("cert.pem", true),
        ("base64Encode(sha256.convert(cert.der).bytes)", false), ("_digest(cert)", false),
        ("others.of(cert.der)", false),
    ])
    func `may hold a whole certificate against digests`(made: String, isWhole: Bool) {
        let bytes = made == "_text(cert)" ? "cert.der" : "sha256.convert(cert.der).bytes"
        let helper = "String \(made.prefix { $0 != "(" })(X509Certificate cert) => base64.encode(\(bytes));"
        let text = """
            const pins = {'a.acme.example': ['sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=']};
            HttpClient make(SecurityContext context) => HttpClient(context: context)
              ..badCertificateCallback = (cert, host, port) {
                final own = 'sha256/${\(made)}';
                AppLogger.debug('$host: $own');
                return pins[host]?.contains(own) ?? false;
              };
            \(made.hasPrefix("_") ? helper : "")
            """

        let whole = "held against a whole certificate, of which no digest is taken: nothing is equal to it"
        #expect(told(text) == [isWhole ? whole : compared])
    }

    @Test(arguments: [
        ("final pin = pins[host]; if (pin == null) return true; return", true),
        ("final pin = pins[host]; if (pin == null || pin.isEmpty) { log('none'); return true; } return", true),
        ("if (!pins.containsKey(host)) return true; return", true),
        ("if (host != 'a.acme.example') return true; return", true),
        ("if (host == 'a.acme.example') { return IS; } return true; //", true),
        ("final pin = pins[host]; if (pin == null) return false; return", false),
        ("if (kDebugMode) return true; return", false), ("if (host == 'localhost') return true; return", false),
        ("if (host == 'a.acme.example') { return IS; } return false; //", false), ("return", false),
    ])
    func `may let other hosts through`(code: String, letsThrough: Bool) {
        let compares = "pins[host] == sha256.convert(cert.der).toString()"
        let text = """
            const pins = {'a.acme.example': '\(Self.digest)'};
            HttpClient make(SecurityContext context) => HttpClient(context: context)
              ..badCertificateCallback = (cert, host, port) {
                \(code.replacing("IS", with: compares)) \(compares);
              };
            """

        let others = "; other hosts are let through, whatever they show"
        #expect(told(text) == [letsThrough ? compared + others : compared])
    }

    @Test(arguments: [
        ("_check", "true", true), ("Client._check", "true", true), ("_check", "false", false),
        ("(cert, host, port) { return _check(cert, host); }", "true", true),
        ("(cert, host, port) { return _check(cert, host); }", "false", false),
        ("(cert, host, port) { return _check(cert, 'a.acme.example'); }", "true", false),
    ])
    func `may let other hosts through in a function of their own`(given: String, answer: String, letsThrough: Bool) {
        let text = """
            class Client {
              static HttpClient make(SecurityContext context) =>
                  HttpClient(context: context)..badCertificateCallback = \(given);

              static bool _check(X509Certificate cert, String host\(given.contains("{") ? "" : ", int port")) {
                if (!_isPinned(host)) return \(answer);
                return sha256.convert(cert.der).toString() == '\(Self.digest)';
              }

              static bool _isPinned(String host) => host.endsWith('.acme.example') || host == 'a.acme.example';
            }
            """

        let others = "; other hosts are let through, whatever they show"
        #expect(told(text) == [letsThrough ? compared + others : compared])
    }

    @Test(arguments: [
        ("super.createHttpClient(context)", true), ("super.createHttpClient(SecurityContext())", false),
        ("HttpClient(context: context)", false),
    ])
    func `of an override are asked about what the system refuses, if no context is given`(client: String, isSaid: Bool)
    {
        let text = """
            class Overrides extends HttpOverrides {
              @override
              HttpClient createHttpClient(SecurityContext? context) => \(client)
                ..badCertificateCallback = (cert, host, port) => sha256.convert(cert.der).toString() == '\(Self.digest)';
            }
            """

        let asked = "; clients that are given no context ask it only about what the system refuses"
        #expect(told(text) == [isSaid ? compared + asked : compared])
    }

    @Test(arguments: [
        ("badCertificateCallback", "HttpClient()", true), ("badCertificateCallback", "HttpClient(context: own)", false),
        ("validateCertificate", "HttpClient()", false),
    ])
    func `may be given to a client by another source`(callback: String, client: String, hasRoots: Bool) {
        let pins = """
            class Pins {
              static bool check(X509Certificate cert, String host, int port) {
                if (host != 'a.acme.example') return true;
                return sha256.convert(cert.der).toString() == '\(Self.digest)';
              }
            }
            """
        let other = """
            final client = \(client);
            void pin(target) => target.\(callback) = (cert, host, port) => Pins.check(cert, host, port);
            """
        let file = SourceModule.File(path: "pins.dart", language: .dart, text: pins)
        let module = SourceModule([file, .init(path: "client.dart", language: .dart, text: other)])

        let told = SourceReader(module).read(file).map { found in
            if case .described(_, _, let what, _) = found.content { what } else { "no description" }
        }
        let asked = hasRoots ? "; it is asked only about what the system refuses" : ""
        let isOpen = callback == "badCertificateCallback"
        #expect(told == [compared + asked + (isOpen ? "; other hosts are let through, whatever they show" : "")])
    }

    @Test(arguments: ["badCertificateCallback", "validateCertificate"])
    func `of dio leave other hosts to the ordinary checks`(name: String) {
        let text = """
            const pinnedHost = 'a.acme.example';
            void pin(target) {
              target.\(name) = (cert, host, port) {
                if (host != pinnedHost) return true;
                return cert != null && sha256.convert(cert.der).toString() == '\(Self.digest)';
              };
            }
            """

        let isOfDio = name == "validateCertificate"
        #expect(told(text) == [compared + (isOfDio ? "" : "; other hosts are let through, whatever they show")])
    }

    @Test(arguments: [true, false])
    func `may take a digest that nothing here compares`(compares: Bool) {
        let text = """
            String digestOf(X509Certificate cert) => sha256.convert(cert.der).toString();
            \(compares ? "bool check(X509Certificate cert, String pin) => digestOf(cert) == pin;" : "")
            """

        let reasons = found(in: text).map { found in
            if case .gaps(let gaps, _, _) = found.content { gaps.map(\.reason) } else { [String]() }
        }
        let taken = "a digest of the server's certificate is taken, and what it is compared with is not told here"
        #expect(reasons == [[compares ? ComparisonForm.untold : taken]])
    }

    @Test(arguments: [("badCertificateCallback", true), ("null", false)])
    func `may be called as the library calls them`(given: String, isGiven: Bool) {
        let text = """
            bool badCertificateCallback(X509Certificate cert, String host, int port) =>
                sha256.convert(cert.der).toString() == '\(Self.digest)';
            final client = HttpClient()..badCertificateCallback = \(given);
            """

        #expect(found(in: text).map(\.conditions) == [isGiven ? ["the system refuses the certificate"] : []])
    }

    @Test(arguments: [
        ("cert.sha1.map(_hex).join()", Self.digest, "SHA-1 is taken"),
        ("cert.sha1.map(_hex).join()", String(Self.digest.prefix(40)), ""),
        ("sha256.convert(cert.der).toString()", fingerprint, "the digest is written without colons"),
        ("sha256.convert(cert.der).toString()", Self.digest, ""),
        ("sha256.convert(cert.der).bytes.map(_hex).join(':')", fingerprint, ""),
        ("sha256.convert(cert.der).toString()", base64, "in hexadecimal, and the pins in Base64"),
        ("sha256.convert(cert.der).bytes.map(_hex).join()", base64, "in hexadecimal, and the pins in Base64"),
        ("'sha256/${base64Encode(sha256.convert(cert.der).bytes)}'", "sha256/" + base64, ""),
    ])
    func `may be equal to nothing`(made: String, pin: String, what: String) {
        let text = """
            String _hex(int byte) => byte.toRadixString(16).padLeft(2, '0');
            final client = HttpClient(context: SecurityContext(withTrustedRoots: false))
              ..badCertificateCallback = (cert, host, port) => \(made) == '\(pin)';
            """
        let told = told(text).filter { $0.hasPrefix(compared) }

        #expect(told.map { $0.contains("nothing is equal to it") } == [!what.isEmpty])
        #expect(told.allSatisfy { $0.contains(what) })
    }

    private static let fingerprint = (0..<32).map { _ in "AB" }.joined(separator: ":")

    private static let base64 = "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="

    @Test(arguments: [(Self.digest, true), (fingerprint, true), (base64, false)])
    func `may write their digest in Base64`(pin: String, isOther: Bool) {
        let text = """
            final client = HttpClient(context: SecurityContext(withTrustedRoots: false))
              ..badCertificateCallback = (cert, host, port) =>
                  base64.encode(sha256.convert(cert.der).bytes) == '\(pin)';
            """
        let what = "; the digest is written in Base64, and the pins in hexadecimal: nothing is equal to it"

        #expect(told(text).contains(isOther ? compared + what : compared))
    }

    @Test(arguments: [("''", true), ("base64.encode(sha256.convert(bytes).bytes)", false)])
    func `may take no digest in a text`(answer: String, isConstant: Bool) {
        let text = """
            final client = HttpClient(context: SecurityContext(withTrustedRoots: false))
              ..badCertificateCallback = (cert, host, port) => _pins.contains('sha256/${_digest(cert.der)}');
            const _pins = ['sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM='];
            String _digest(List<int> bytes) {
              return \(answer);
            }
            """
        let what = "looked up in code that takes no digest: '_digest' answers the same for every certificate"

        #expect(told(text).contains(what) == isConstant)
    }

    @Test(arguments: [("_others", ["1", "2"]), ("_pins[host]!", [])])
    func `tell a table's host from others`(rest: String, parts: [String]) {
        let text = """
            const _pins = {'api.acme.example': ['\(Self.digest)']};
            const _others = ['\(Self.digest.reversed().map(String.init).joined())'];
            bool check(X509Certificate cert, String host, int port) {
              final digest = sha256.convert(cert.der).toString();
              if (_pins.containsKey(host)) return _pins[host]!.contains(digest);
              return \(rest).contains(digest);
            }
            final client = HttpClient()..badCertificateCallback = check;
            """
        let known = found(in: text).map { found -> [String?] in
            if case .described(_, _, _, let known) = found.content { known.map(\.host) } else { ["none"] }
        }

        #expect(known == [parts.isEmpty ? [] : ["api.acme.example", nil]])
    }

    @Test(arguments: [
        ("if (!config.enabled) return true;", "", ["config.enabled"]),
        ("", "if (!isPinned && config.reportOnly) return true;", ["not config.reportOnly"]),
        ("", "if (!isPinned && config.hosts.contains(host)) return true;", []),
    ])
    func `have the switches that they are given`(before: String, behind: String, expected: [String]) {
        let text = """
            HttpClient client(Config config) => HttpClient(context: SecurityContext(withTrustedRoots: false))
              ..badCertificateCallback = (cert, host, port) {
                \(before)
                final isPinned = sha256.convert(cert.der).toString() == '\(Self.digest)';
                \(behind)
                return isPinned;
              };
            """

        #expect(found(in: text).filter { $0.form == .dartFingerprint }.map(\.conditions) == [expected])
    }

    @Test(arguments: [
        ("options.extra['client'] != null", ["options.extra[\"client\"] != null"]), ("options.client != null", []),
    ])
    func `may be set where a table has an entry`(asked: String, expected: [String]) {
        let text = """
            void onRequest(RequestOptions options) {
              if (\(asked)) {
                final HttpClient client = clientOf(options);
                client.badCertificateCallback = (cert, host, port) =>
                    sha256.convert(cert.der).toString() == '\(Self.digest)';
              }
            }
            """

        #expect(found(in: text).map(\.conditions) == [expected])
    }

    @Test(arguments: [
        ("return host == '10.0.2.2' || host.startsWith('192.168.');", []),
        ("if (!host.endsWith('acme.example')) return false; return IS;", ["host.endsWith(\"acme.example\")"]),
        ("return host.contains('acme') && IS;", ["host.contains(\"acme\")"]),
    ])
    func `ask for hosts where they compare`(code: String, expected: [String]) {
        let compares = "sha256.convert(cert.der).toString() == '\(Self.digest)'"
        let text = """
            final client = HttpClient(context: SecurityContext(withTrustedRoots: false))
              ..badCertificateCallback = (cert, host, port) {
                if (kReleaseMode) return host == 'api.acme.example' && \(compares);
                \(code.replacing("IS", with: compares))
              };
            """
        let conditions = found(in: text).filter { $0.form == .dartFingerprint }.flatMap(\.conditions)

        #expect(conditions.filter { $0.contains("host.") } == expected)
    }

    @Test(arguments: [
        ("if (open.contains(host)) return true;", "b.acme.example, c.acme.example"),
        (
            "if (open.any((other) => host.contains(other))) { log(host); return true; }",
            "b.acme.example, c.acme.example"
        ),
        ("if (host == 'b.acme.example' || host == 'localhost') return true;", "b.acme.example"),
        ("if (host.endsWith('.acme.example')) return true;", "*.acme.example"),
        ("if (open.contains(host)) return false;", ""), ("if (open.contains(port)) return true;", ""),
        ("if (near.contains(host)) return true;", ""), ("if (kDebugMode && open.contains(host)) return true;", ""),
        ("if (kDebugMode) { if (open.contains(host)) return true; }", ""),
    ])
    func `may let hosts through that they name`(code: String, hosts: String) {
        let text = """
            const open = ['c.acme.example', 'b.acme.example', '10.0.2.2'];
            const near = ['localhost', '127.0.0.1', '10.0.2.2'];
            final client = HttpClient()..badCertificateCallback = (cert, host, port) {
              \(code)
              return sha256.convert(cert.der).toString() == '\(Self.digest)';
            };
            """

        #expect(told(text) == [compared + (hosts.isEmpty ? "" : "; let through, whatever they show: \(hosts)")])
    }

    @Test(arguments: [
        ("[85, 157, 12]", "return true;", ComparisonForm.lenient),
        (
            "PUT_THE_HASH_HERE", "return false;",
            "compared with the server's certificate in code; what stands there is no digest"
        ),
    ])
    func `may be a text that is no digest`(text: String, end: String, what: String) {
        let text = """
            const pinned = '\(text)';
            final client = HttpClient()..badCertificateCallback = (cert, host, port) {
              if (cert.sha1.toString() == pinned) return true;
              \(end)
            };
            """

        #expect(told(text) == [what])
    }

    @Test(arguments: [("const <String>[]", true), ("['\(digest)']", false)])
    func `may be an empty list that a package is given`(pins: String, isEmpty: Bool) {
        let text =
            "await HttpCertificatePinning.check(serverURL: 'https://api.acme.example', allowedSHAFingerprints: \(pins));"

        #expect(told(text).contains { $0.contains("its list is empty") } == isEmpty)
    }
}
