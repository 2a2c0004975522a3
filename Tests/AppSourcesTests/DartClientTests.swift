import Testing

@testable import AppSources

/// What clients of dart:io trust, and callbacks that look at nothing.
@Suite struct `Clients in Dart` {
    private static let digest = "146de983c5730650d8eeb9952f34fc6416a08342e61dbea88a0496b23fcf44e5"

    private func found(in text: String) -> [FoundPins] {
        let file = SourceModule.File(path: "a.dart", language: .dart, text: text)
        return SourceReader(SourceModule([file])).read(file)
    }

    private func told(_ text: String) -> [String] {
        found(in: text).map { found in
            if case .described(_, _, let what, _) = found.content { return what }
            return "no description"
        }
    }

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
}
