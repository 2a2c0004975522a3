import Testing

@testable import AppSources

/// What other sources, and other names, have to do with what one source says. Each case is a module of its own, beside one that
/// differs in nothing but that.
@Suite struct `What is read of a pinner` {
    private static let pin = "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="
    private static let built = "CertificatePinner.Builder().add(\"api.acme.example\", \"\(pin)\").build()"

    @Test(arguments: [
        ("", ["okhttp\tapi.acme.example"]),
        ("fun error(text: String) = log(text)", ["okhttp if not pins\t-", "okhttp if pins\tapi.acme.example"]),
    ])
    func `is less where the module's own error goes on`(other: String, rows: [String]) {
        let source = """
            fun make(): CertificatePinner {
                val builder = CertificatePinner.Builder()
                if (pins) builder.add("api.acme.example", "\(Self.pin)") else error("nothing is pinned")
                return builder.build()
            }
            """

        #expect(Self.rows([source, other]) == rows)
    }

    @Test(arguments: [
        ("remote.forEach(::log)", true), ("Collections.addAll(pins, remote)", false),
        ("remote.forEach(pins::add)", false), ("remote.mapTo(pins) { it }", false), ("pins.retainAll(remote)", false),
    ])
    func `is read unless a library fills its list`(filling: String, isRead: Bool) {
        let source = """
            fun make(remote: List<String>): CertificatePinner {
                val pins = mutableListOf("\(Self.pin)")
                \(filling)
                return CertificatePinner.Builder().add("api.acme.example", *pins.toTypedArray()).build()
            }
            """

        let file = SourceModule.File(path: "a.kt", language: .kotlin, text: source)
        let found = Reading.read(file).flatMap(\.rows)
        #expect(!found.isEmpty)
        #expect(found.contains { $0.contains("\t! ") } == !isRead, "\(found)")
    }

    @Test(arguments: [
        ("flavour == \"vanilla\"", ["okhttp if flavour == \"vanilla\"\tapi.acme.example"]),
        ("flavour != null", ["okhttp\tapi.acme.example"]),
        ("isLive || flavour == null", ["okhttp if isLive || flavour == null\tapi.acme.example"]),
    ])
    func `is under each condition but those that ask whether something is there`(condition: String, rows: [String]) {
        #expect(Self.rows(["fun make(b: Builder) { if (\(condition)) b.certificatePinner(\(Self.built)) }"]) == rows)
    }

    @Test(arguments: [
        ("", ["okhttp if isTest\tapi.acme.example"]),
        ("fun make(b: Builder) = b.certificatePinner(Pins.pinner).build()", ["okhttp\tapi.acme.example"]),
    ])
    func `has the condition of its one use, unless another source may use it, too`(other: String, rows: [String]) {
        let source = """
            object Pins {
                val pinner = \(Self.built)
                fun test(b: OkHttpClient.Builder) { if (isTest) b.certificatePinner(pinner) }
            }
            """

        #expect(Self.rows([source, other]) == rows)
    }

    @Test(arguments: [
        ("class Live { fun make(b: Builder) { if (isLive) b.certificatePinner(Pins.made()) } }", "okhttp if isLive"),
        (
            "class Live(val pins: Pins) { fun make(b: Builder) { if (isLive) b.certificatePinner(pins.made()) } }",
            "okhttp if isLive"
        ),
        ("class Live { fun make(b: Builder) { if (isLive) b.certificatePinner(Others.made()) } }", "okhttp"),
        ("class Live { fun a() = b.certificatePinner(Pins.made()); fun c() { if (isLive) d(Pins.made()) } }", "okhttp"),
        ("class Live { fun made() = 1; fun make() { if (isLive) made() } }", "okhttp"),
        ("fun make() { try { first() } catch (e: Exception) { b.certificatePinner(Pins.made()) } }", "okhttp"),
    ])
    func `has the conditions of its uses in other sources`(other: String, head: String) {
        let source = "object Pins { fun made() = \(Self.built) }"

        #expect(Self.rows([source, other]) == ["\(head)\tapi.acme.example"])
    }

    @Test(arguments: [
        ("single { client(get()) }", "if (isLive) b.certificatePinner(pinner)", "okhttp if isLive"),
        ("single { b.apply { if (!isDebug) certificatePinner(get()) } }", "", "okhttp if not isDebug"),
        ("single { b.apply { if (!isDebug) certificatePinner(get(named(\"other\"))) } }", "", "okhttp"),
    ])
    func `has the conditions of where Koin gives it by its type`(single: String, use: String, head: String) {
        let source = """
            val net = module {
                single { \(Self.built) }
                \(single)
            }
            fun client(pinner: CertificatePinner) { \(use) }
            """

        #expect(Self.rows([source]) == ["\(head)\tapi.acme.example"])
    }

    @Test(arguments: [
        ("class Other { val pinner = CertificatePinner.DEFAULT }", "okhttp if not isDemo"),
        ("import okhttp3.CertificatePinner\nimport okhttp3.OkHttpClient", "okhttp if not isDemo"),
        ("class Other(val pinner: CertificatePinner)", "okhttp"),
    ])
    func `may be given elsewhere where another source takes one`(other: String, head: String) {
        let source = """
            @Provides fun pinner(): CertificatePinner = \(Self.built)
            @Provides fun client(pinner: CertificatePinner): OkHttpClient {
                val builder = OkHttpClient.Builder()
                if (!isDemo) builder.certificatePinner(pinner)
                return builder.build()
            }
            """

        #expect(Self.rows([source, other]) == ["\(head)\tapi.acme.example"])
    }

    @Test(arguments: [
        ("if (isTest) b.certificatePinner(pinner)", "okhttp if isTest"),
        ("b.install(pinner)", "okhttp"),
    ])
    func `has no condition of what only has its name`(use: String, head: String) {
        let source = """
            class Client {
                fun make(b: Builder) {
                    val pinner = \(Self.built)
                    \(use)
                }
                fun other(b: Builder, own: CertificatePinner) { val pinner = own; if (isOther) b.give(pinner) }
                fun another(b: Builder, pinner: CertificatePinner) { if (isOther) b.certificatePinner(pinner) }
            }
            """

        #expect(Self.rows([source]) == ["\(head)\tapi.acme.example"])
    }

    @Test(arguments: [
        ("certificates = read()", "a certificate that the app carries is read, and nothing in this source trusts it"),
        ("val store = KeyStore.getInstance(kind)", "only certificates that the app carries are trusted"),
        (
            """
            val own = object : X509TrustManager {
                override fun checkServerTrusted(chain: Array<X509Certificate>, authType: String) {
                    try { system.checkServerTrusted(chain, authType) } catch (e: Exception) {
                        extra.checkServerTrusted(chain, authType)
                    }
                }
            }
            """, "certificates that the app carries are trusted, beside those of another trust manager"
        ),
        (
            "val store = KeyStore.getInstance(kind); KeyManagerFactory.getInstance(kind).init(store, word)",
            "a key store that the app carries: what it trusts, or the client's own key"
        ),
    ])
    func `is trusted only where the source speaks of it`(use: String, what: String) {
        let source = """
            import javax.net.ssl.SSLContext
            class Client {
                fun factory() = CertificateFactory.getInstance("X.509")
                fun make(context: Context) {
                    val file = context.resources.openRawResource(R.raw.roots)
                    \(use)
                }
            }
            """
        let file = SourceModule.File(path: "A.kt", language: .kotlin, text: source)

        let found = Reading.read(file)

        #expect(found.map { if case .described(_, _, let what, _) = $0.content { what } else { "" } } == [what])
    }

    @Test(arguments: [
        ("private val pinner", "", "a pinner that nothing in this source uses"),
        (
            "private val pinner", "fun a(b: Builder) = b.apply { pinner; go() }",
            "a pinner that nothing in this source uses"
        ),
        ("private val pinner", "fun other(b: Builder) = b.run { pinner }", "pinned"),
        ("private val pinner", "fun other(b: Builder) = b.certificatePinner(pinner)", "pinned"),
        ("val pinner", "", "pinned"),
        ("fun make() { val pinner", "}", "a pinner that nothing in this source uses"),
        ("fun make() { val pinner", "install(pinner) }", "pinned"),
        ("private fun pinner()", "", "a pinner that nothing in this source uses"),
        ("private fun pinner()", "fun make(b: Builder) = b.certificatePinner(pinner())", "pinned"),
        ("@Provides private fun pinner()", "", "pinned"),
    ])
    func `is told where nothing can use it`(declaration: String, use: String, what: String) {
        let source = """
            class Client {
                \(declaration) = \(Self.built)
                \(use)
            }
            """
        let file = SourceModule.File(path: "A.kt", language: .kotlin, text: source)

        let found = Reading.read(file)

        #expect(found.map { if case .described(_, _, let what, _) = $0.content { what } else { "pinned" } } == [what])
    }

    @Test(arguments: [
        ("", "", "a pinner that nothing in this source uses"), (".certificatePinner(given)", "", "pinned"),
        ("", "class Other(val pinner: CertificatePinner)", "pinned"),
    ])
    func `is told where a container gives it in vain`(use: String, other: String, what: String) {
        let source = """
            object Module {
                @Provides fun provided(): CertificatePinner = \(Self.built)
                @Provides fun client(given: CertificatePinner): OkHttpClient = OkHttpClient.Builder()\(use).build()
            }
            """
        let files = [source, other].enumerated().map {
            SourceModule.File(path: "\($0).kt", language: .kotlin, text: $1)
        }

        let found = SourceReader(SourceModule(files)).read(files[0])

        #expect(found.map { if case .described(_, _, let what, _) = $0.content { what } else { "pinned" } } == [what])
    }

    @Test(arguments: [
        ("single(named(\"NAME\")) { BUILT }\nsingle { client.certificatePinner(get(named(\"live\"))) }", ""),
        (
            "@Module object Net {\n@Provides @Named(\"NAME\") fun pinner(): CertificatePinner = BUILT\n@Provides "
                + "fun client(@Named(\"live\") pinner: CertificatePinner) = client.certificatePinner(pinner)\n}", ""
        ),
        (
            "single(named(\"NAME\")) { BUILT }\nsingle { client.certificatePinner(get(named(\"live\"))) }",
            "val other = client.certificatePinner(get(named(\"old\")))"
        ),
    ])
    func `is told where a container gives it by a name for which nothing asks`(source: String, other: String) {
        func rows(_ name: String) -> [String] {
            Self.rows([source.replacing("NAME", with: name).replacing("BUILT", with: Self.built), other])
        }

        #expect(rows("live") == ["okhttp\tapi.acme.example"])
        #expect((rows("old") == ["okhttp\tapi.acme.example"]) == !other.isEmpty, "\(rows("old"))")
    }

    @Test(arguments: [("if (isTest)", ["okhttp if isTest\tapi.acme.example"]), ("if (false)", [])])
    func `is nothing where its one use is never run`(condition: String, rows: [String]) {
        let source = """
            class Client {
                private val pinner = \(Self.built)
                fun make(b: Builder) { \(condition) b.certificatePinner(pinner) }
            }
            """

        #expect(Self.rows([source]) == rows)
    }

    @Test(arguments: [
        ("", "okhttp if not isDemo"),
        ("class Other(val pinner: CertificatePinner)", "okhttp"),
        // A container gives others by more than their type.
        ("@Named", "okhttp"),
    ])
    func `has the condition of where a container gives it, unless it may be given elsewhere`(
        other: String,
        head: String
    ) {
        let qualifier = other.hasPrefix("@") ? other : ""
        let source = """
            object Module {
                @Provides \(qualifier) fun provided(): CertificatePinner = \(Self.built)
                @Provides fun client(given: CertificatePinner): OkHttpClient {
                    val builder = OkHttpClient.Builder()
                    if (!isDemo) builder.certificatePinner(given)
                    return builder.build()
                }
            }
            """

        #expect(Self.rows([source, qualifier.isEmpty ? other : ""]) == ["\(head)\tapi.acme.example"])
    }

    @Test(arguments: [
        ("if (isLive) own else null", "okhttp if isLive"),
        ("if (isLive && isOld) own else if (isLive) own else null", "okhttp"),
        ("own", "okhttp"),
    ])
    func `has the conditions that all places have in common where it is chosen`(chosen: String, head: String) {
        let source = """
            object Pins {
                private val own = \(Self.built)
                fun pinner() = \(chosen)
            }
            """

        #expect(Self.rows([source]) == ["\(head)\tapi.acme.example"])
    }

    @Test(arguments: [
        ("b.certificatePinner(own).certificatePinner(other)", "?"),
        ("b.certificatePinner(other).certificatePinner(own)", "own"),
        ("b.certificatePinner(own); other.use(b)", "own"),
        ("b.certificatePinner(own).build(); b.certificatePinner(other)", "own"),
    ])
    func `is none where its client is given another one behind it`(chain: String, first: String) {
        let source = """
            class Client {
                fun make(b: OkHttpClient.Builder, other: CertificatePinner) {
                    val own = \(Self.built)
                    \(chain)
                }
            }
            """
        let file = SourceModule.File(path: "0.kt", language: .kotlin, text: source)

        let found = Reading.read(file)

        #expect(found.count == 1)
        if case .pinner? = found.first?.content { #expect(first == "own") } else { #expect(first == "?") }
    }

    @Test(arguments: [
        ("client.newBuilder().certificatePinner(PINNER)", true),
        ("client.newBuilder().certificatePinner(PINNER).build()", false),
        ("builder.certificatePinner(PINNER)", false), ("return client.newBuilder().certificatePinner(PINNER)", false),
    ])
    func `is in vain where its builder is not built`(use: String, isInVain: Bool) {
        let source = """
            fun make(client: OkHttpClient, builder: OkHttpClient.Builder): Any {
                val pinner = \(Self.built)
                \(use.replacing("PINNER", with: "pinner"))
                return client
            }
            """

        let file = SourceModule.File(path: "a.kt", language: .kotlin, text: source)
        let found = Reading.read(file)
        #expect(found.count == 1)
        #expect(found.allSatisfy { $0.told.contains("a pinner that nothing in this source uses") == isInVain })
    }

    private static func rows(_ sources: [String]) -> [String] {
        let files = sources.enumerated().map { SourceModule.File(path: "\($0).kt", language: .kotlin, text: $1) }
        let reader = SourceReader(SourceModule(files))
        return files.flatMap { file in reader.read(file).flatMap(\.rows) }
            .map { $0.split(separator: "\t")[2...].prefix(2).joined(separator: "\t") }
    }
}
