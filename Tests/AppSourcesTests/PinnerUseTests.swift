import Testing

@testable import AppSources

/// Pinners that no client is given, and requests that go another way.
@Suite struct `A pinner beside other clients` {
    private static let pinner = """
        CertificatePinner.Builder()
            .add("api.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build()
        """

    private func told(_ texts: String...) -> [String] {
        let files = texts.enumerated().map { SourceModule.File(path: "a\($0)", language: .kotlin, text: $1) }
        return SourceReader(SourceModule(files)).read(files[0]).map { found in
            switch found.content {
            case .described(_, _, let what, _): what
            case .pinner: found.conditions.joined(separator: ", ")
            default: "\(found.content)"
            }
        }
    }

    private func api(_ client: String) -> String {
        """
        object Api {
            val pinner = \(Self.pinner)
            val retrofit by lazy { Retrofit.Builder().baseUrl(URL)\(client).build() }
        }
        """
    }

    @Test func `is told where a property holds it that nothing names`() {
        let unused = "a pinner that nothing in this source uses"

        #expect(told(api("")) == [unused])
        let pinned = ".client(OkHttpClient.Builder().certificatePinner(pinner).build())"
        #expect(told(api(pinned)) == [""])
        // Another source may give it to a client.
        #expect(told(api(""), "val client = OkHttpClient.Builder().certificatePinner(Api.pinner).build()") == [""])
        // A source without clients holds it for others.
        #expect(told("object Pins { val pinner = \(Self.pinner) }") == [""])
    }

    @Test func `is told where whatever is made of its client is given another one`() {
        let text = """
            val pinner = \(Self.pinner)
            val pinned = OkHttpClient.Builder().certificatePinner(pinner).build()
            val relaxed = pinned.newBuilder().certificatePinner(CertificatePinner.DEFAULT).build()
            fun load(request: Request) = relaxed.newCall(request).execute()
            """
        let replaced = "a pinner in whose place its client is given another one"

        #expect(told(text) == [replaced])
        #expect(told(text.replacing(".certificatePinner(CertificatePinner.DEFAULT)", with: "")) == [""])
        #expect(told(text.replacing("relaxed.newCall", with: "pinned.newCall")) == [""])
        #expect(told(text, "fun other(request: Request) = pinned.newCall(request)") == [""])
    }

    @Test func `is told where the builder that has it is never built`() {
        let text = """
            class Api() {
                private val client: OkHttpClient
                init {
                    val builder = OkHttpClient.Builder()
                    val pinner = \(Self.pinner)
                    builder.certificatePinner(pinner)
                    client = OkHttpClient.Builder().build()
                }
            }
            """

        #expect(told(text) == ["a pinner that nothing in this source uses"])
        #expect(told(text.replacing("= OkHttpClient.Builder().build()", with: "= builder.build()")) == [""])
        #expect(told(text.replacing("OkHttpClient.Builder().build()", with: "made(builder)")) == [""])
    }

    private func java(_ client: String) -> [[String]] {
        let text = """
            class Api {
                private final OkHttpClient pinned;
                private final OkHttpClient plain = new OkHttpClient();
                Api() {
                    CertificatePinner pinner = new \(Self.pinner);
                    this.pinned = new OkHttpClient.Builder().certificatePinner(pinner).build();
                }
                Response ask(Request request) { return \(client).newCall(request).execute(); }
            }
            """
        return Reading.found(text, .java).map(\.conditions)
    }

    @Test func `has what decides whether its field is asked as a condition`() {
        #expect(java("(isOpen ? plain : pinned)") == [["not isOpen"]])
        #expect(java("pinned") == [[]])
    }

    private func asked(_ caught: String, elsewhere: Bool = false) -> [String] {
        let interceptor = """
            class Again(private val other: OkHttpClient) : Interceptor {
                private val plain = OkHttpClient.Builder().build()
                override fun intercept(chain: Interceptor.Chain): Response = try {
                    chain.proceed(chain.request())
                } catch (refused: SSLPeerUnverifiedException) {
                    \(caught)
                }
            }

            """
        let client = """
            val client = OkHttpClient.Builder().addInterceptor(Again(other)).certificatePinner(\(Self.pinner)).build()
            """
        let texts = elsewhere ? [client, interceptor] : [interceptor + client]
        let files = texts.enumerated().map { SourceModule.File(path: "a\($0)", language: .kotlin, text: $1) }
        return SourceReader(SourceModule(files)).read(files[0]).flatMap { found in
            found.asked.map { "\($0.line): \($0.condition)" }
        }
    }

    private static let again = "what is tried fails, and the request is sent again without pins"

    @Test(arguments: [
        ("OkHttpClient().newCall(chain.request()).execute()", true), ("plain.newCall(chain.request()).execute()", true),
        ("OkHttpClient.Builder().build().newCall(chain.request()).execute()", true), ("throw refused", false),
        // It may have pins of its own.
        ("other.newCall(chain.request()).execute()", false),
        ("OkHttpClient.Builder().certificatePinner(strict).build().newCall(chain.request()).execute()", false),
    ])
    func `says if what it refuses is asked again without pins`(caught: String, isTold: Bool) {
        #expect(asked(caught) == (isTold ? ["6: \(Self.again)"] : []))
        #expect(asked(caught, elsewhere: true) == (isTold ? ["1: \(Self.again)"] : []))
    }
}
