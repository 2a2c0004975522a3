import Testing

@testable import AppSources

/// Pins that code changes, hosts that it has none for, and what decides whether it gives any out.
@Suite struct `Pins that code changes or keeps back` {
    private static let digest = "146de983c5730650d8eeb9952f34fc6416a08342e61dbea88a0496b23fcf44e5"
    private let compared = "compared with the server's certificate in code"

    private func told(_ text: String, _ language: SourceLanguage, path: String) -> [String] {
        Reading.toldOrUnread(text, language, path: path)
    }

    private func dart(_ function: String, _ map: String = "static final Map<String, Set<String>> _pins") -> String {
        """
        class Pins {
          \(map) = { 'api.acme.example': {'\(Self.digest)'} };
          static bool check(String host, X509Certificate certificate) {
            final pins = _pins[host];
            if (pins == null) return false;
            return pins.contains(sha256.convert(certificate.der).toString());
          }
          \(function)
        }
        """
    }

    private static let more = "; '_pins' is given more on line 8, which this source does not tell"
    private static let less = "; '_pins' is changed on line 8, where pins are taken out"

    @Test(arguments: [
        ("static void add(String host, String pin) { _pins[host]!.add(pin); }", more),
        ("static void add(String host, String pin) { _pins[host]?.add(pin); }", more),
        ("static void add(String host, Set<String> others) { _pins[host] ??= others; }", more),
        ("static void take(String host, String pin) { _pins[host]?.remove(pin); }", less),
        ("static void take(String host) { _pins.remove(host); }", less),
        ("static void takeForTesting(String host) { _pins.remove(host); }", ""),
        ("static void prepare(String host) { _pins[host] ??= {}; }", ""),
        ("static bool has(String host, String pin) { return _pins[host]!.contains(pin); }", ""),
    ])
    func `of a map in Dart are told with what is put in or taken out`(function: String, expected: String) {
        #expect(told(dart(function), .dart, path: "pins.dart") == [compared + expected])
    }

    @Test(arguments: [
        ("static final Map<String, Set<String>> _pins", true), ("static const Map<String, Set<String>> _pins", false),
    ])
    func `of a constant of Dart cannot be changed`(map: String, changes: Bool) {
        let text = dart("static void add(String host, Set<String> pins) { _pins[host] = pins; }", map)

        #expect(told(text, .dart, path: "pins.dart") == [compared + (changes ? Self.more : "")])
    }

    @Test(arguments: [
        ("if (pins == null) { return true; }", true), ("if (pins == null) return false;", false),
        ("if (pins == null) throw StateError(host);", false),
    ])
    func `may be none for a host, which a function of Dart lets through`(guarding: String, isOpen: Bool) {
        let text = """
            final Map<String, Set<String>> _pins = { 'api.acme.example': {'\(Self.digest)'} };
            Future<bool> check(String host, X509Certificate certificate) async {
              final pins = _pins[host];
              \(guarding)
              return pins.contains(sha256.convert(certificate.der).toString());
            }
            """

        let what = isOpen ? "; hosts without pins are let through" : ""
        #expect(told(text, .dart, path: "pins.dart") == [compared + what])
    }

    private func node(_ others: String, names: String = "", refusing: String = "!result.fits") -> String {
        """
        const PINS = { 'api.acme.example': ['\(Self.digest)'] };
        function judge(hostname, cert) {
          const pins = PINS[hostname];
          if (!pins || pins.length === 0) { return \(others); }
          return { fits: pins.includes(digestOf(cert.raw)), heeded: true };
        }
        export function agent(hostname) {
          return new https.Agent({
            checkServerIdentity: (host, cert) => {
              \(names)
              const result = judge(hostname, cert);
              if (\(refusing)) { return new Error('pin'); }
              return undefined;
            },
          });
        }
        """
    }

    private static let anyName = "; other hosts are let through, whatever name their certificate is for"

    @Test(arguments: [
        ("{ fits: true, heeded: false }", "", "!result.fits", true),
        ("{ fits: false, heeded: false }", "", "!result.fits && result.heeded", true),
        ("{ fits: false, heeded: false }", "", "!result.fits", false),
        ("true", "", "!result", true), ("false", "", "!result", false),
        (
            "{ fits: true }", "const e = https.globalAgent.options.checkServerIdentity?.(host, cert); if (e) return e;",
            "!result.fits", true
        ),
        (
            "{ fits: true }", "const e = tls.checkServerIdentity(host, cert); if (e) return e;", "!result.fits", false
        ),
    ])
    func `may be none for a host that a function of Node lets through`(
        others: String,
        names: String,
        refusing: String,
        isOpen: Bool
    ) {
        let whole = told(node(others, names: names, refusing: refusing), .script, path: "a.js")
        #expect(whole.map { $0.contains(Self.anyName) } == [isOpen])
        // Where the table is read in part, too.
        let changing = node(others, names: names, refusing: refusing) + "\nexport function set(all) { PINS = all; }"
        let part = told(changing.replacing("const PINS", with: "let PINS"), .script, path: "a.js")
        #expect(part.map { $0.contains(Self.anyName) } == [isOpen])
        #expect(part.map { $0.hasPrefix("'PINS' is changed on line 17") } == [true])
    }

    private func service(_ field: String, _ guarding: String) -> String {
        """
        const PINNED_CERTS = { 'api.acme.example': ['acme_api'] };
        const load = () => require('react-native-ssl-pinning').fetch;
        function certificatesOf(host) { return PINNED_CERTS[host] ?? null; }
        class Pinning {
          \(field)
          configuration(host) {
            \(guarding)
            const certs = certificatesOf(host);
            return certs ? { certs } : null;
          }
          turn(enabled) { this.enabled = enabled; }
        }
        """
    }

    @Test(arguments: [
        (
            "private enabled = !__DEV__;", "if (!this.enabled) return null;", ["this.enabled"],
            "; 'this.enabled' begins as '!__DEV__', and is changed on line 11"
        ),
        ("", "if (__DEV__) return null;", ["not __DEV__"], ""),
        ("private enabled = !__DEV__;", "if (!host) return null;", [], ""),
    ])
    func `of react-native-ssl-pinning are given out by functions that a field may stop`(
        field: String,
        guarding: String,
        conditions: [String],
        rest: String
    ) {
        let found = Reading.found(service(field, guarding), .script, path: "a.ts")

        let what = "names of certificates for each host; what gives them to the library is not told by this source"
        #expect(found.map(\.conditions) == [conditions])
        #expect(told(service(field, guarding), .script, path: "a.ts") == [what + rest])
    }

    @Test(arguments: [
        ("Collections.addAll(known, PINS);", ""), ("Collections.addAll(known, PINS[0], PINS[1]);", ""),
        ("for (String pin : PINS) known.add(pin);", ""), ("for (String pin : PINS) { known.add(pin); }", ""),
        (
            "for (String pin : PINS) known.add(pin); for (String pin : read()) known.add(pin);",
            "; 'known' is given more on line 4, which this source does not tell"
        ),
    ])
    func `of Java may be put into a set one by one`(filling: String, rest: String) {
        let text = """
            class Pinned implements X509TrustManager {
                private static final String[] PINS = { "\(Self.digest)", "\(Self.digest.replacing("1", with: "2"))" };
                private final Set<String> known = new HashSet<>();
                public Pinned() { \(filling) }
                static final Pinned SHARED = new Pinned();
                public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
                    byte[] digest = MessageDigest.getInstance("SHA-256").digest(chain[0].getPublicKey().getEncoded());
                    if (!known.contains(hex(digest)) && !PINS[0].equals(hex(digest))) throw new CertificateException("pin");
                }
            }
            """

        let found = Reading.found(text, .java, path: "Pinned.java")
        #expect(told(text, .java, path: "Pinned.java") == [compared + rest])
        #expect(found.map(\.digests.count) == [2])
    }
}
