import Testing

@testable import AppSources

/// Contexts of dart:io, and the connections that are given them.
@Suite struct `Contexts in Dart` {
    private func told(_ text: String) -> [String] { Reading.told(text, .dart) }

    @Test(arguments: [("", true), ("trust(roots, pem);", false), ("debugPrint(roots);", true)])
    func `are given nothing by what is read beside them`(giving: String, isAsked: Bool) {
        let text = """
            Future<HttpClient> make() async {
              final pem = await rootBundle.loadString('assets/acme.pem');
              final roots = SecurityContext(withTrustedRoots: false);
              \(giving)
              final client = HttpClient(context: roots);
              client.badCertificateCallback = (one, host, port) => true;
              return client;
            }
            """
        let what = "no root is trusted, so that its callback is asked about every certificate"
        let found = Reading.found(text, .dart).map(\.content)

        #expect(found.contains(.described(hosts: [], pins: [], what: what)) == isAsked, "\(found)")
        #expect(!"\(found)".contains("acme.pem"))
        let given = text.replacing(
            "final client",
            with: "roots.setTrustedCertificatesBytes(utf8.encode(pem)); final client"
        )
        #expect("\(Reading.found(given, .dart).map(\.content))".contains("acme.pem"))
    }

    private let own = """
        Future<SecurityContext> ownRoots() async {
          final context = SecurityContext(withTrustedRoots: false);
          context.setTrustedCertificates('assets/acme.pem');
          return context;
        }
        """

    @Test(arguments: [
        ("SecureSocket.connect(host, 443, context: roots, onBadCertificate: (one) => true);", true),
        (
            "SecureSocket.connect(host, 443, context: roots, onBadCertificate: (one) { print(one); return true; });",
            true
        ),
        ("SecureSocket.connect(host, 443, context: roots, onBadCertificate: (one) => false);", false),
        // Another connection's.
        (
            "SecureSocket.connect(host, 443, context: roots); SecureSocket.connect(host, 44, onBadCertificate: (one) => true);",
            false
        ),
        ("HttpClient(context: roots)..badCertificateCallback = (one, host, port) => true;", true),
        ("final client = HttpClient(context: roots); client.badCertificateCallback = (one, host, port) => true;", true),
        ("final client = HttpClient(context: roots); other.badCertificateCallback = (one, host, port) => true;", false),
        ("HttpClient(context: roots)..badCertificateCallback = always;", true),
        ("HttpClient(context: roots)..badCertificateCallback = asks;", false),
        ("client.securityContext = roots; client.onBadCertificate = (one) => true;", true),
        ("client.securityContext = roots; other.onBadCertificate = (one) => true;", false),
        ("if (isOpen) { HttpClient(context: roots)..badCertificateCallback = (one, host, port) => true; }", false),
    ])
    func `protect nothing where their connection takes any certificate`(connection: String, isOpen: Bool) {
        let text = """
            \(own)
            Future<void> start(String host) async {
              final roots = await ownRoots();
              \(connection)
            }
            bool always(X509Certificate one, String host, int port) => true;
            bool asks(X509Certificate one, String host, int port) => one.subject == host;
            """

        let all = "only certificates that the app carries are trusted"
        let open = "; the connection with these lets every certificate through, line 8"
        #expect(told(text) == [all + (isOpen ? open : "")])
        #expect(told(text).map(FoundPins.acceptsAll) == [isOpen])
    }

    @Test func `protect nothing on one connection of two`() {
        let text = """
            \(own)
            Future<void> start(String host) async {
              final roots = await ownRoots();
              SecureSocket.connect(host, 443, context: roots);
              SecureSocket.connect(host, 444, context: roots, onBadCertificate: (one) => true);
            }
            """

        let all = "only certificates that the app carries are trusted"
        #expect(told(text) == ["\(all); one connection with these lets any through, line 9"])
        #expect(told(text).map(FoundPins.acceptsAll) == [false])
    }

    @Test(arguments: [
        ("SecurityContext(withTrustedRoots: true)", "certificates of the app's own are trusted beside the system's"),
        ("SecurityContext.defaultContext", "certificates of the app's own are trusted beside the system's"),
        ("SecurityContext(withTrustedRoots: false)", "only certificates that the app carries are trusted"),
    ])
    func `may have the system's roots, and then pin nothing`(made: String, what: String) {
        let text = """
            HttpClient make() {
              final context = \(made);
              context.setTrustedCertificates('assets/acme.pem');
              return HttpClient(context: context);
            }
            """

        #expect(told(text).count == 1)
        #expect(told(text).allSatisfy { $0.hasPrefix(what) })
        #expect(Reading.found(text, .dart).flatMap(\.digests) == ["assets/acme.pem"])
    }

    @Test func `are told of no client that is given no certificate`() {
        #expect(told("final client = HttpClient(context: SecurityContext(withTrustedRoots: true));").isEmpty)
    }

    @Test(arguments: ["=", "??="])
    func `and interceptors count where a variable has none yet`(mark: String) {
        let text = """
            class Api {
              static Dio? client;
              static Dio get() {
                client \(mark) Dio(BaseOptions(baseUrl: 'https://api.acme.example'))
                  ..interceptors.add(CertificatePinningInterceptor(allowedSHAFingerprints: [
                    '6D:4C:1A:5E:9B:00:6D:4C:1A:5E:9B:00:6D:4C:1A:5E:9B:00:6D:4C:1A:5E:9B:00:6D:4C:1A:5E:9B:00:11:22']));
                return client ??= Dio();
              }
            }
            """

        let found = Reading.found(text, .dart)
        #expect(found.map(\.form) == [.flutterCheck])
        #expect(
            found.map { found in if case .library(let library) = found.content { library.hosts } else { [] } } == [
                ["api.acme.example"]
            ]
        )
    }

    private static let digest = "146de983c5730650d8eeb9952f34fc6416a08342e61dbea88a0496b23fcf44e5"

    private func fetching(_ address: String, _ rest: String) -> String {
        """
        const endpoint = 'https://api.acme.example/v1';
        const pins = ['\(Self.digest)'];
        class Api {
          Future<void> load() async {
            final uri = Uri.parse(endpoint);
            if (!await _isPinned(uri)) throw StateError('pin');
            await http.get(uri);
          }
          Future<bool> _isPinned(Uri uri) async {
            final socket = await SecureSocket.connect(\(address), 443);
            final cert = socket.peerCertificate;
            \(rest)
            return pins.contains(sha256.convert(cert!.der).toString());
          }
        }
        """
    }

    @Test(arguments: [
        ("uri.host", "await socket.close();", ["api.acme.example"], true),
        ("'other.acme.example'", "socket.destroy();", ["other.acme.example"], true),
        ("name", "socket.destroy();", [], true), ("uri.host", "socket.write('GET');", ["api.acme.example"], false),
    ])
    func `are no matter to a certificate that a connection of its own fetches`(
        address: String,
        rest: String,
        hosts: [String],
        isOwn: Bool
    ) {
        let found = Reading.found(fetching(address, rest), .dart)

        let own = "; on a connection of its own, which is closed again: the requests go over others"
        #expect(found.map(\.told).map { $0.contains { $0.hasSuffix(own) } } == [isOwn])
        #expect(found.map { if case .described(let hosts, _, _, _) = $0.content { hosts } else { ["?"] } } == [hosts])
    }

    @Test(arguments: [("setForTesting", true), ("set", false)])
    func `and pins are those that only a test replaces`(name: String, isRead: Bool) {
        let text = """
            class Pins {
              static const usual = {'api.acme.example': ['\(Self.digest)']};
              static Map<String, List<String>> _own = Map.from(usual);
              static void \(name)(Map<String, List<String>> pins) { _own = Map.from(pins); }
              static bool isOne(String host, X509Certificate cert) =>
                  _own[host]?.contains(sha256.convert(cert.der).toString()) ?? false;
            }
            final client = HttpClient(context: SecurityContext(withTrustedRoots: false))
              ..badCertificateCallback = (cert, host, port) => Pins.isOne(host, cert);
            """

        let found = Reading.found(text, .dart).filter { $0.form == .dartFingerprint }
        #expect(found.map { if case .gaps = $0.content { false } else { true } } == [isRead])
    }

    @Test func `and a callback that lets all but its pins through has the hosts of these`() {
        let text = """
            const pins = {'api.acme.example': ['\(Self.digest)']};
            final client = HttpClient()..badCertificateCallback = (cert, host, port) {
              if (!pins.containsKey(host)) return false;
              final isOne = pins[host]!.contains(sha256.convert(cert.der).toString());
              return !isOne;
            };
            """

        let found = Reading.found(text, .dart)
        #expect(
            found.map(\.told).allSatisfy { $0.contains { $0.contains("lets all others through, and refuses these") } }
        )
        #expect(
            found.map { if case .described(let hosts, _, _, _) = $0.content { hosts } else { [] } } == [
                ["api.acme.example"]
            ]
        )
    }

    @Test(arguments: [
        ("(one, other, port) => other == 'api.acme.example'", true), ("(one, other, port) => isOpen", false),
        ("(one, other, port) => other == 'api.acme.example' && isOne(one)", false),
    ])
    func `protect nothing of a host whose certificates are let through whatever they show`(asks: String, isOpen: Bool) {
        let text = """
            Future<SecurityContext> get ownRoots async {
              final context = SecurityContext(withTrustedRoots: false);
              context.setTrustedCertificates('assets/acme.pem');
              return context;
            }
            Future<HttpClient> make() async =>
                HttpClient(context: await ownRoots)..badCertificateCallback = \(asks);
            """

        let all = "only certificates that the app carries are trusted"
        let open = "; line 7 lets every certificate through of hosts that it takes"
        #expect(told(text).first == all + (isOpen ? open : ""))
    }

    @Test(arguments: [
        ("", ""),
        (
            ", onBadCertificate: (one, host) => true",
            "; the connection with these lets every certificate through, line 3"
        ),
    ])
    func `of gRPC trust the app's own certificates alone`(callback: String, said: String) {
        let text = """
            Future<ClientChannel> open() async {
              final bytes = await rootBundle.load('assets/acme.pem');
              final credentials = ChannelCredentials.secure(certificates: bytes.buffer.asUint8List()\(callback));
              return ClientChannel('rpc.acme.example', port: 443, options: ChannelOptions(credentials: credentials));
            }
            """

        let found = Reading.found(text, .dart)
        #expect(told(text) == ["only certificates that the app carries are trusted\(said)"])
        #expect(found.flatMap(\.told).contains("rpc.acme.example"))
        #expect(told("final own = ChannelCredentials.secure(authority: 'rpc.acme.example');").isEmpty)
    }

    @Test(arguments: [
        ("await check();", "print(error);", true), ("final answer = await check(); print(answer);", "", true),
        ("await check();", "handler.next(options);", true), ("await check(); await load();", "print(error);", false),
        ("await check();", "handler.reject(error);", false), ("return await check();", "print(error);", false),
        ("isSafe = await check();", "print(error);", false),
    ])
    func `are no matter to a check of which nothing asks how it ended`(tried: String, kept: String, isKept: Bool) {
        let call = tried.replacing(
            "check()",
            with:
                "HttpCertificatePinning.check(serverURL: options.baseUrl, sha: SHA.SHA256, allowedSHAFingerprints: [pin])"
        )
        let text = """
            const pin = '6D:4C:1A:5E:9B:00:6D:4C:1A:5E:9B:00:6D:4C:1A:5E:9B:00:6D:4C:1A:5E:9B:00:6D:4C:1A:5E:9B:00:11:22';
            Future<void> ask(RequestOptions options, RequestInterceptorHandler handler) async {
              try { \(call) } catch (error) { \(kept) }
              await http.get(options.baseUrl);
            }
            """

        #expect(
            told(text).map { $0.contains("; where none matches, line 3 lets every certificate through") } == [isKept]
        )
    }

    @Test(arguments: [
        ("return true;", true), ("print(error); return true;", true), ("return false;", false), ("rethrow;", false),
    ])
    func `are no matter to a check whose failure is kept`(kept: String, isKept: Bool) {
        let text = """
            Future<bool> isSafe() async {
              try {
                final answer = await HttpCertificatePinning.check(serverURL: 'https://api.acme.example', sha: SHA.SHA256,
                  allowedSHAFingerprints: ['6D:4C:1A:5E:9B:00:6D:4C:1A:5E:9B:00:6D:4C:1A:5E:9B:00:6D:4C:1A:5E:9B:00:6D:4C:1A:5E:9B:00:11:22']);
                return answer.contains('CONNECTION_SECURE');
              } catch (error) { \(kept) }
            }
            """

        let said = "; where none matches, line 6 lets every certificate through all the same"
        #expect(told(text).map { $0.hasSuffix(said) } == [isKept])
        #expect(told(text).map(FoundPins.acceptsAll) == [isKept])
    }

    @Test(arguments: [
        ("if (host == 'api.acme.example' && own == '\(digest)') return true;", ["api.acme.example"]),
        ("if (own == '\(digest)') return true; if (host == 'api.acme.example' && isOpen) return true;", []),
    ])
    func `and a host is one that is asked with a pin`(asks: String, hosts: [String]) {
        let text = """
            final client = HttpClient()..badCertificateCallback = (cert, host, port) {
              final own = sha256.convert(cert.der).toString();
              \(asks)
              return false;
            };
            """

        let found = Reading.found(text, .dart)
        #expect(found.map { if case .described(let hosts, _, _, _) = $0.content { hosts } else { ["?"] } } == [hosts])
    }
}
