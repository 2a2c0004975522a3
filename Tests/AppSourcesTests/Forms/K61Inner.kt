import okhttp3.CertificatePinner

const val K61_PIN = "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="

/** Closures that end early and name their receiver, and functions within a function that add to its builder. */
class Inner(private val isLive: Boolean) {
    private val host = "outer.acme.example"

    fun ofReceiver() = CertificatePinner.Builder().apply {
        if (!isLive) return@apply
        this@apply.add("receiver.acme.example", K61_PIN)
    }.build()

    fun ofOuter() = CertificatePinner.Builder().apply { add(this@Inner.host, K61_PIN) }.build()

    fun ofAll(): CertificatePinner? {
        return CertificatePinner.Builder().apply {
            if (!isLive) return null
            add("all.acme.example", K61_PIN)
        }.build()
    }

    fun byHelper(): CertificatePinner {
        val builder = CertificatePinner.Builder()
        fun pin(name: String) { builder.add("$name.acme.example", K61_PIN) }
        pin("one")
        if (isLive) pin("two")
        return builder.build()
    }

    fun byHandedHelper(names: List<String>): CertificatePinner {
        val builder = CertificatePinner.Builder()
        fun pinLater(name: String) { builder.add("$name.acme.example", K61_PIN) }
        names.forEach(::pinLater)
        return builder.build()
    }
}

val k61 = module {
    single(named("k61host")) { "named.acme.example" }
    single { CertificatePinner.Builder().add(get(named("k61host")), K61_PIN).build() }
    single { CertificatePinner.Builder().add(get(named("k61other")), K61_PIN).build() }
}
