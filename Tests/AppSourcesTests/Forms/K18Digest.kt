package digest

class LeafPins(private val pins: List<String>) : X509TrustManager {
    override fun checkServerTrusted(chain: Array<X509Certificate>, authType: String?) {
        if (CertificatePinner.pin(chain.first()) !in pins) throw CertificateException("no pin")
    }
}
val trust = LeafPins(listOf("sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="))
