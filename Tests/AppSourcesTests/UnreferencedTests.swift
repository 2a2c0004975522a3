import Testing

@testable import AppSources

/// Types and functions with pins that nothing else names.
@Suite struct `Code with pins that nothing else names` {
    private func unreferenced(_ language: SourceLanguage, _ texts: String...) -> [String?] {
        let files = texts.enumerated().map { SourceModule.File(path: "a\($0)", language: language, text: $1) }
        return SourceReader(SourceModule(files)).read(files[0]).map(\.unreferenced)
    }

    private func client(_ head: String, _ body: String = "") -> String {
        """
        \(head) {
            fun client() = OkHttpClient.Builder().certificatePinner(CertificatePinner.Builder()
                .add("api.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build()).build()
            \(body)
        }
        """
    }

    @Test(arguments: [
        ("class ApiClient", "ApiClient"), ("object ApiClient", "ApiClient"),
        // A system or a library starts with these.
        ("@Module class ApiClient", nil), ("@Singleton\nclass ApiClient @Inject constructor()", nil),
        ("class MainActivity : AppCompatActivity()", nil), ("class PinnedModule : ReactContextBaseJavaModule()", nil),
    ])
    func `is told, but not of what a system starts with`(head: String, expected: String?) {
        #expect(unreferenced(.kotlin, client(head)) == [expected])
    }

    @Test func `is told by the outermost type, and not where another source names it`() {
        #expect(unreferenced(.kotlin, "class Outer { " + client("class Inner") + " }") == ["Outer"])
        #expect(unreferenced(.kotlin, client("class ApiClient"), "val api = ApiClient().client()") == [nil])
        #expect(unreferenced(.kotlin, client("class ApiClient") + "\nval api = ApiClient().client()") == [nil])
        #expect(unreferenced(.kotlin, client("class ApiClient"), "val api = OtherClient()") == ["ApiClient"])
        // Its own name within it is no use.
        #expect(
            unreferenced(.kotlin, client("class ApiClient", "val tag = ApiClient::class.simpleName")) == ["ApiClient"]
        )
    }

    @Test(arguments: [("fun main() = client()", nil), ("val scope = CoroutineScope(Dispatchers.Main)", "ApiClient")])
    func `is told of what names a main thread, and not of what starts`(body: String, expected: String?) {
        #expect(unreferenced(.kotlin, client("object ApiClient", body)) == [expected])
    }

    private let swift = """
        func startPinning() {
            TrustKit.initSharedInstance(withConfiguration: [kTSKPinnedDomains: ["api.acme.example": [
                kTSKPublicKeyHashes: ["utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="],
            ]]])
        }
        """

    @Test func `is told of a function outside all types`() {
        #expect(unreferenced(.swift, swift) == ["startPinning"])
        #expect(unreferenced(.swift, swift, "@main struct Acme: App { init() { startPinning() } }") == [nil])
    }

    @Test(arguments: [
        ("final class Client: NSObject {}", "Client"), ("final class Client: UIViewController {}", nil), ("", nil),
        ("final class Client: NSObject {}\nlet client = Client()", nil),
    ])
    func `is told of what stands in an extension where the source has the type`(type: String, expected: String?) {
        let own = "extension Client: URLSessionDelegate {\n\(swift)\n}"
        #expect(unreferenced(.swift, "\(type)\n\(own)") == [expected])
    }

    @Test(arguments: [
        ("final class Screen: UIViewController", "", "", "startPinning"),
        ("final class Screen: NSObject", "", "", "startPinning"),
        ("final class Screen: Delegate", "", "", nil), ("final class Screen: UIViewController", "@objc ", "", nil),
        ("final class Screen: UIViewController", "override ", "", nil),
        ("final class Screen: UIViewController", "", "let start = #selector(Screen.startPinning)", nil),
    ])
    func `is told of a function of a screen that nothing calls`(
        type: String,
        mark: String,
        use: String,
        expected: String?
    ) {
        let text = "\(type) {\n\(mark)\(swift)\n}\nlet screen = Screen()\n\(use)"

        #expect(unreferenced(.swift, text) == [expected])
    }

    @Test(arguments: [
        ("@available(iOS 15, *)", "Client"), ("@MainActor", "Client"), ("@Observable @MainActor", "Client"),
        ("@main", nil), ("@UIApplicationMain", nil), ("@objc(AcmeClient)", nil), ("@objcMembers", nil),
        ("@available(iOS 15, *) @main", nil),
        // Who knows what a macro of the app's own does.
        ("@Registered", nil),
    ])
    func `is told whatever attribute starts nothing`(attribute: String, expected: String?) {
        let text = "import TrustKit\n\n\(attribute)\nfinal class Client {\n\(swift)\n}"

        #expect(unreferenced(.swift, text) == [expected])
    }

    @Test(arguments: [("@escaping", "startPinning"), ("@Injected", nil)])
    func `is told of a function whatever is said of what it is given`(attribute: String, expected: String?) {
        let start = swift.replacing("startPinning()", with: "startPinning(then: \(attribute) () -> Void)")

        #expect(unreferenced(.swift, "final class Client {\n\(start)\n}\nlet client = Client()") == [expected])
    }

    @Test(arguments: [
        ("@Suppress(\"unused\")", "ApiClient"), ("@RequiresApi(24)", "ApiClient"), ("@HiltAndroidApp", nil),
        ("@Suppress(\"unused\") @Module", nil),
    ])
    func `is told of Kotlin whatever attribute starts nothing`(attribute: String, expected: String?) {
        #expect(unreferenced(.kotlin, client("\(attribute)\nclass ApiClient")) == [expected])
    }

    private func objectiveC(_ name: String) -> String {
        """
        @implementation \(name)
        - (void)start {
            [TrustKit initSharedInstanceWithConfiguration:@{kTSKPinnedDomains: @{@"api.acme.example": @{
                kTSKPublicKeyHashes: @[@"utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", @"vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="]}}}];
        }
        @end
        """
    }

    @Test func `is told of a class of Objective-C, whose own header is no use`() {
        let files = [("Pinning.m", objectiveC("Pinning")), ("Pinning.h", "@interface Pinning : NSObject\n@end")].map {
            SourceModule.File(path: $0.0, language: .objectiveC, text: $0.1)
        }
        #expect(SourceReader(SourceModule(files)).read(files[0]).map(\.unreferenced) == ["Pinning"])
        #expect(unreferenced(.objectiveC, objectiveC("Pinning"), "[[Pinning new] start];") == [nil])
        #expect(unreferenced(.objectiveC, objectiveC("AppDelegate")) == [nil])
    }

    private func dart(_ head: String, _ type: String = "class Api") -> String {
        """
        \(type) {
          static final shared = Api();
          \(head) async {
            await HttpCertificatePinning.check(serverURL: "https://api.acme.example", sha: SHA.SHA256,
              allowedSHAFingerprints: ["6D:4C:1A:5E:9B:00:6D:4C:1A:5E:9B:00:6D:4C:1A:5E:9B:00:6D:4C:1A:5E:9B:00:6D:4C:1A:5E:9B:00:11:22"]);
          }
        }
        final api = Api.shared;
        """
    }

    @Test(arguments: [
        ("Future<void> askFirst()", "class Api", "askFirst"),
        ("static Future<void> askFirst()", "class Api", "askFirst"),
        // A library may call these.
        ("@override Future<void> askFirst()", "class Api", nil), ("Future<void> onRequest()", "class Api", nil),
        ("Future<void> askFirst()", "class Api extends Interceptor", nil),
        // The system calls a screen's state by names of its own alone.
        ("Future<void> getPins()", "class Api extends State<Screen>", "getPins"),
        ("Future<void> initState()", "class Api extends State<Screen>", nil),
    ])
    func `is told of a function of a type that something names`(head: String, type: String, expected: String?) {
        #expect(unreferenced(.dart, dart(head, type)) == [expected])
        #expect(unreferenced(.dart, dart(head, type), "void main() { api.askFirst(); api.getPins(); }") == [nil])
        // By the one that calls it.
        let calling = dart("Future<void> _ask()", type).replacing(
            "static final",
            with: "void askFirst() => _ask();\n  static final"
        )
        #expect(unreferenced(.dart, calling) == [type.hasSuffix("Interceptor") ? nil : "askFirst"])
    }

    @Test(arguments: [
        ("using Acme.Security;", "Security"), ("using static Acme.Security;", nil),
        ("using Keys = Acme.Security;", nil),
        ("namespace Acme.Security { }", "Security"), ("var one = new Security();", nil),
    ])
    func `is told of a class of .NET whose name is a part of a namespace's`(other: String, expected: String?) {
        let text = """
            using System.Net.Security;
            class Security {
                public HttpClient ConfigureClient() {
                    var handler = new HttpClientHandler();
                    handler.ServerCertificateCustomValidationCallback = (message, certificate, chain, errors) =>
                        certificate.Thumbprint == "9A7B2C3D4E5F60718293A4B5C6D7E8F901234567";
                    return new HttpClient(handler);
                }
            }
            """

        #expect(unreferenced(.cSharp, text) == ["Security"])
        #expect(unreferenced(.cSharp, text, other) == [expected])
        #expect(unreferenced(.cSharp, text + "\n" + other) == [expected])
    }

    @Test(arguments: [("extension PinnedDio on Dio", "usePins"), ("class PinnedDio extends BaseDio", nil)])
    func `is told of a method of an extension in Dart, which its type does not call`(head: String, expected: String?) {
        let text = """
            bool check(X509Certificate certificate) => pins.contains(digestOf(certificate));
            String digestOf(X509Certificate certificate) => sha256.convert(certificate.der).toString();
            void show(X509Certificate certificate) { print(digestOf(certificate)); }
            const pins = ['146de983c5730650d8eeb9952f34fc6416a08342e61dbea88a0496b23fcf44e5'];
            \(head) {
              void usePins() {
                httpClientAdapter = IOHttpClientAdapter(createHttpClient: () {
                  return HttpClient()..badCertificateCallback = (certificate, host, port) => check(certificate);
                });
              }
            }
            """

        #expect(unreferenced(.dart, text) == [expected])
        #expect(unreferenced(.dart, text, "void main() { dio.usePins(); }") == [nil])
    }
}
