package k54

// Methods by their names, types within others, and rounds by a number.
sealed interface Pinned {
    data class On(val host: String, val pins: List<String>) : Pinned
}

object References {
    private val on = Pinned.On("on.acme.example", listOf("sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="))
    private val hosts = listOf("one.acme.example", "two.acme.example")
    private const val BOTH = "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM= , ,sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="

    fun within() = CertificatePinner.Builder().add(on.host, *on.pins.toTypedArray()).build()

    fun parts() = CertificatePinner.Builder().apply {
        BOTH.split(",").map(String::trim).filter(String::isNotEmpty).forEach { add("parts.acme.example", it) }
    }.build()

    fun rounds() = CertificatePinner.Builder().apply {
        repeat(2) { add(hosts[it], "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=") }
    }.build()

    fun others() = CertificatePinner.Builder().apply { BOTH.split(",").map(Other::trim).forEach { add("others.acme.example", it) } }.build()
}
