package built

object BuiltPins {
    private val pins: Map<String, List<String>> = buildMap {
        put("built.acme.example", buildList { add("sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=") })
        put("set.acme.example", listOf("sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="))
    }
    private val some = buildMap { if (isTrial) put("some.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=") }
    fun create() = CertificatePinner.Builder().apply { pins.forEach { (host, all) -> add(host, *all.toTypedArray()) } }.build()
    fun other() = CertificatePinner.Builder().apply { some.forEach { (host, pin) -> add(host, pin) } }.build()
}

class GivenPins(private val usual: X509TrustManager, vararg pins: String) : X509TrustManager {
    private val allowed = pins.map { it.lowercase().replace(":", "") }.toSet()
    override fun checkServerTrusted(chain: Array<X509Certificate>, kind: String) {
        val digest = MessageDigest.getInstance("SHA-256").digest(chain[0].encoded).hex()
        if (digest !in allowed) throw CertificateException("not pinned")
    }
}
val givenPins = GivenPins(system, "AB12AB12AB12AB12AB12AB12AB12AB12AB12AB12")
