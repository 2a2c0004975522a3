package app

const val HOST = "api.acme.example"
private const val BACKUP = "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="

class Network {
    fun client(): OkHttpClient {
        val prefix = "sha256/"
        val pinner = CertificatePinner
            .Builder()
            .add(HOST, "sha256/$KEY", "$prefix${BACKUP}")
            .add(other, prefix + KEY)
            .build()
        return OkHttpClient.Builder().certificatePinner(pinner).build()
    }

    private val other: String by lazy { "www.$DOMAIN" }

    companion object {
        private const val KEY = "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="
        const val DOMAIN = "acme.example"
    }
}
