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
        #expect(unreferenced(.kotlin, client("class ApiClient"), "val api = ApiClient()") == [nil])
        #expect(unreferenced(.kotlin, client("class ApiClient") + "\nval api = ApiClient()") == [nil])
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
}
