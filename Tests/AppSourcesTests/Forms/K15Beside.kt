package k15

/** Its trust manager names the pinner's constants, and compares none of them. */
class Beside {
    private val pins = mapOf("beside.acme.example" to listOf("sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="))

    fun client() = OkHttpClient.Builder().certificatePinner(pinner()).sslSocketFactory(factory(), manager()).build()

    private fun pinner(): CertificatePinner {
        val builder = CertificatePinner.Builder()
        pins.forEach { (host, own) -> own.forEach { builder.add(host, it) } }
        return builder.build()
    }

    private fun manager() = object : X509TrustManager {
        override fun checkServerTrusted(chain: Array<X509Certificate>, type: String) {
            require(chain[0].publicKey.algorithm == "RSA")
        }
    }
}
