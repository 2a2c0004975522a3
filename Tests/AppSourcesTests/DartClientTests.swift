import Testing

@testable import AppSources

/// What clients of dart:io trust, and callbacks that look at nothing.
@Suite struct `Clients in Dart` {
    private static let digest = "146de983c5730650d8eeb9952f34fc6416a08342e61dbea88a0496b23fcf44e5"

    private func found(in text: String) -> [FoundPins] { Reading.found(text, .dart) }

    private func told(_ text: String) -> [String] { Reading.told(text, .dart) }

    @Test(arguments: [
        ("if (kDebugMode) { print('open'); return HttpClient(); }", ["not kDebugMode"]),
        ("if (kIsWeb) throw UnsupportedError('web');", ["not kIsWeb"]), ("print('pinned');", []),
    ])
    func `may trust the app's own certificates in one build alone`(before: String, conditions: [String]) {
        let text = """
            HttpClient make(List<int> given) {
              \(before)
              final context = SecurityContext(withTrustedRoots: false);
              context.setTrustedCertificates('assets/acme.pem');
              return HttpClient(context: context);
            }
            """

        #expect(found(in: text).map(\.form) == [.dartTrust])
        #expect(found(in: text).map(\.conditions) == [conditions])
    }

    @Test(arguments: [
        ("catch (error) { print(error); return HttpClient(); }", true),
        ("on TlsException catch (_) { return IOClient(); }", true), ("catch (error) { rethrow; }", false),
        ("catch (error) { return HttpClient(context: other); }", false),
        ("finally { HttpClient(); }", false),
    ])
    func `may go on with the system's roots where the app's own cannot be read`(behind: String, isOpen: Bool) {
        let text = """
            HttpClient make() {
              try {
                final context = SecurityContext(withTrustedRoots: false);
                context.setTrustedCertificates('assets/acme.pem');
                return HttpClient(context: context);
              } \(behind)
            }
            """
        let rest = "; where that fails, line 6 makes a client with the system's roots"

        #expect(told(text) == ["only certificates that the app carries are trusted" + (isOpen ? rest : "")])
    }

    @Test(arguments: [
        ("badCertificateCallback", "final own = _pins[host]; print(cert.subject); return own != null;", true),
        ("badCertificateCallback", "return _isKnown(host);", true),
        ("badCertificateCallback", "return _isKnown(host, cert);", false),
        ("badCertificateCallback", "if (_pins[host] == null) print(host); return false;", false),
        ("validateCertificate", "return _pins.containsKey(host);", false),
    ])
    func `may be given a callback that looks at no certificate`(name: String, body: String, isOpen: Bool) {
        let text = """
            const _pins = {'api.acme.example': ['\(Self.digest)']};
            bool _isKnown(String host, [Object? other]) => _pins.containsKey(host);
            HttpClient make() => HttpClient()..\(name) = (cert, host, port) { \(body) };
            """

        #expect(told(text).count == 1)
        #expect(told(text).map { $0.contains("looks at nothing of the certificate") } == [isOpen])
        #expect(told(text).map(FoundPins.acceptsAll) == [isOpen])
    }

    private static let taken = "sha256.convert(cert.der).toString()"

    @Test(arguments: [
        ("given", "", true), ("if (given.isNotEmpty) given", "", true), ("if (given.isNotEmpty) Pins.given", "", true),
        ("given", "\(digest.dropLast())0", false), ("other", "", false),
    ])
    func `may be given a pin by the build, beside those that are named`(element: String, usual: String, isSaid: Bool) {
        let text = """
            class Pins {
              static const other = '\(Self.digest.dropLast())1';
              static const given = String.fromEnvironment('CERT_PIN', defaultValue: '\(usual)');
              static List<String> get active => ['\(Self.digest)', \(element)];
              static List<String> get names => ['name', given];
            }
            final client = HttpClient()..badCertificateCallback =
                (cert, host, port) => Pins.active.contains(\(Self.taken));
            """

        let said = "where the build gives 'CERT_PIN', that counts beside these"
        #expect(told(text).map { $0.contains(said) } == [isSaid])
    }

    @Test(arguments: [
        ("final isOne = hosts.any((one) => host.endsWith(one)); if (!isOne) return false;", true),
        ("if (!hosts.any((one) => host.endsWith(one))) return false;", true),
        ("if (hosts.any((one) => host.endsWith(one))) return false;", false),
        ("if (!hosts.any((one) => host.startsWith(one))) return false;", false),
        ("if (!hosts.any((one) => path.endsWith(one))) return false;", false),
        ("if (!hosts.any((one) => host.endsWith(other))) return false;", false),
        ("if (!exempted.any((one) => host.endsWith(one))) return false;", false),
        ("if (!hosts.contains(host)) return false;", false),
    ])
    func `may take any host that ends so`(asks: String, isSaid: Bool) {
        let text = """
            const hosts = ['acme.example'];
            const exempted = ['acme.example'];
            final client = HttpClient()..badCertificateCallback = (cert, host, port) {
              \(asks)
              if (!hosts.contains('acme.example')) return false;
              return \(Self.taken) == '\(Self.digest)';
            };
            """

        #expect(told(text).map { $0.contains("; hosts that end so count, too") } == [isSaid])
    }

    @Test(arguments: [
        ("if (kReleaseMode) return false;", ", if not kReleaseMode"),
        ("if (kReleaseMode && isStrict) { print(host); return false; }", ", if not (kReleaseMode && isStrict)"),
        (
            "if (kReleaseMode) return false; if (isStrict) return false;",
            ", if not kReleaseMode and not isStrict"
        ),
        ("if (kReleaseMode) print(host);", ""), ("", ""),
    ])
    func `may let other hosts through in one build alone`(behind: String, condition: String) {
        let text = """
            final client = HttpClient()..badCertificateCallback = (cert, host, port) {
              if (host == 'api.acme.example') {
                return \(Self.taken) == '\(Self.digest)';
              }
              \(behind)
              return true;
            };
            """

        let compared = "compared with the server's certificate in code"
        #expect(told(text) == ["\(compared); other hosts are let through, whatever they show\(condition)"])
        // What is told so is not asked beside.
        if !condition.isEmpty { #expect(found(in: text).flatMap(\.asked).isEmpty) }
    }

    @Test(arguments: [
        ("String show(X509Certificate cert) => digestOf(cert);", "", true),
        ("dynamic other(X509Certificate cert) => digestOf(cert) == pin;", "", false),
        ("Future<bool> other(X509Certificate cert) async => isOne(digestOf(cert));", "", false),
        ("String other(X509Certificate cert) => log(digestOf(cert));", "final shown = other(own);", false),
    ])
    func `compare in one build alone where another function shows a certificate`(
        other: String,
        use: String,
        isOfBuild: Bool
    ) {
        let text = """
            const pin = '\(Self.digest)';
            String digestOf(X509Certificate cert) => \(Self.taken);
            bool check(X509Certificate cert) {
              if (kDebugMode) return true;
              return digestOf(cert) == pin;
            }
            \(other)
            \(use)
            final client = HttpClient(context: SecurityContext(withTrustedRoots: false))
              ..badCertificateCallback = (cert, host, port) => check(cert);
            """

        let conditions = found(in: text).filter { $0.form == .dartFingerprint }.map(\.conditions)
        #expect(conditions == [isOfBuild ? ["not kDebugMode"] : []])
    }

    @Test(arguments: [
        ("final isOurs = check(cert, host); if (!isOurs && kReleaseMode) return false; return isOurs || isOpen;", true),
        ("final isOurs = check(cert, host); if (!isOurs) { print(host); } return isOurs;", true),
        ("return Pins.validateCertificate(cert, host);", true),
        ("final isOurs = check(cert, host); return isOurs && isOpen;", false),
        ("final isOurs = check(cert, host); if (isStrict) return false; return isOurs;", false),
        ("final isOurs = check(cert, 'api.acme.example'); return isOurs;", false),
        ("var isOurs = check(cert, host); isOurs = isOpen; return isOurs;", false),
    ])
    func `may leave it to a function whether other hosts are let through`(body: String, isOpen: Bool) {
        let text = """
            class Pins {
              static bool validateCertificate(X509Certificate cert, String host) {
                return check(cert, host);
              }
            }
            bool check(X509Certificate cert, String host) {
              if (host != 'api.acme.example') return true;
              return \(Self.taken) == '\(Self.digest)';
            }
            final client = HttpClient()..badCertificateCallback = (cert, host, port) { \(body) };
            """

        #expect(told(text).map { $0.contains("; other hosts are let through, whatever they show") } == [isOpen])
    }

    @Test(arguments: [
        ("_pins[host ?? 'api.acme.example'] ?? const []", "if (pins.isEmpty) return true;", true),
        ("_pins[host]", "if (pins == null) { print(host); return true; }", true),
        ("_pins[host ?? 'api.acme.example'] ?? const []", "if (pins.isEmpty) return false;", false),
        ("_pins['api.acme.example'] ?? const []", "if (pins.isEmpty) return true;", false),
    ])
    func `may let through hosts that a client is made for, and that have no pins`(
        pins: String,
        asks: String,
        isOpen: Bool
    ) {
        let text = """
            const _pins = {'api.acme.example': ['\(Self.digest)']};
            HttpClient make([String? host]) {
              final pins = \(pins);
              return HttpClient(context: SecurityContext(withTrustedRoots: false))
                ..badCertificateCallback = (cert, other, port) {
                  \(asks)
                  return pins.contains(\(Self.taken));
                };
            }
            """

        let told = told(text).filter { $0.hasPrefix("compared") }
        #expect(told.map { $0.contains("; other hosts are let through, whatever they show") } == [isOpen])
    }

    @Test(arguments: [("return true;", true), ("return false;", false)])
    func `may let others through in a function that is given a list of certificates`(others: String, isOpen: Bool) {
        let text = """
            const _pins = {'api.acme.example': ['\(Self.digest)']};
            bool isOne(List<X509Certificate> chain, String host) {
              final pins = _pins[host];
              if (pins == null || pins.isEmpty) {
                if (kDebugMode) { for (final one in chain) { debugPrint(one.subject); } }
                \(others)
              }
              for (final cert in chain) {
                if (pins.contains(\(Self.taken))) return true;
              }
              return false;
            }
            final client = HttpClient()..badCertificateCallback = (cert, host, port) => isOne([cert], host);
            """

        #expect(told(text).map { $0.contains("; other hosts are let through, whatever they show") } == [isOpen])
        // One line of a log for each is no question.
        #expect(found(in: text).flatMap(\.asked).isEmpty)
    }

    @Test(arguments: [
        ("if (pins.contains(hash)) { return false; } return true;", true),
        ("if (pins.contains(hash)) { return true; } return false;", false),
    ])
    func `may let all others through, and refuse its pins`(body: String, isOpposite: Bool) {
        let text = """
            const pins = {'\(Self.digest)'};
            String hashOf(X509Certificate cert) { final der = cert.der; return sha256.convert(der).toString(); }
            class Overrides extends HttpOverrides {
              HttpClient createHttpClient(SecurityContext? context) {
                final client = super.createHttpClient(context);
                client.badCertificateCallback = _onBad;
                return client;
              }
              bool _onBad(X509Certificate cert, String host, int port) {
                if (host != 'api.acme.example') return false;
                final hash = hashOf(cert);
                \(body)
              }
            }
            """

        #expect(told(text).map(FoundPins.acceptsAll) == [isOpposite])
        let pins = found(in: text).flatMap { found in
            if case .described(_, let pins, _, _) = found.content { pins } else { [String]() }
        }
        #expect(pins == [Self.digest])
    }

    @Test(arguments: [
        ("['PLACEHOLDER_HASH_OF_ACME']", true), ("'PLACEHOLDER_HASH_OF_ACME'", false), ("['acme_hash_of_one']", false),
    ])
    func `may hold words where a pin belongs`(value: String, isTold: Bool) {
        let text = """
            const pinHashes = \(value);
            final client = HttpClient()..badCertificateCallback = (cert, host, port) {
              if (host != 'api.acme.example') return true;
              return pinHashes.contains(\(Self.taken));
            };
            """

        let rest = "what stands there is no digest; other hosts are let through, whatever they show"
        #expect(told(text) == [isTold ? "compared with the server's certificate in code; \(rest)" : "no description"])
    }

    @Test(arguments: [
        ("final isSafe = await _isSafe('https://api.acme.example');", false),
        ("// final isSafe = await _isSafe('https://api.acme.example');", true),
    ])
    func `may have a check that nothing calls`(calling: String, isUnused: Bool) {
        let text = """
            class Client {
              Future<bool> _isSafe(String url) async {
                final status = await HttpCertificatePinning.check(serverURL: url, sha: SHA.SHA256,
                  allowedSHAFingerprints: ['\(Self.digest)'], timeout: 60);
                return status == 'CONNECTION_SECURE';
              }
              Future<void> load() async {
                \(calling)
                return get('https://api.acme.example/list');
              }
            }
            """
        let what = "digests of the server's own certificate, not of its key: each renewal needs a new one"

        #expect(told(text) == [isUnused ? "\(what); nothing in what was read calls '_isSafe'" : "no description"])
    }

    @Test(arguments: [
        ("!pinning || pins.isEmpty", ["pinning"]), ("!kReleaseMode || pins.isEmpty", ["kReleaseMode"]),
        ("pins.isEmpty", []),
    ])
    func `have each condition beside one that asks if there are pins`(condition: String, conditions: [String]) {
        let text = """
            const pins = ['\(Self.digest)'];
            HttpClient make(bool pinning) {
              if (\(condition)) return HttpClient();
              return HttpClient(context: SecurityContext(withTrustedRoots: false))
                ..badCertificateCallback = (cert, host, port) => pins.contains(\(Self.taken));
            }
            """

        #expect(Set(found(in: text).map(\.conditions)) == [conditions])
    }
}
