package k22

/** Where the client is given a pinner, and where it is not. */
class Use {
    fun client(): OkHttpClient {
        val pinner = CertificatePinner.Builder().add("local.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build()
        val builder = OkHttpClient.Builder()
        if (!BuildConfig.DEBUG) {
            builder.certificatePinner(pinner)
        }
        return builder.build()
    }

    private val kept = CertificatePinner.Builder().add("field.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build()
    fun other() = OkHttpClient.Builder().apply { if (isProd) certificatePinner(kept) }.build()

    fun never() {
        return
        CertificatePinner.Builder().add("never.acme.example", "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=").build()
    }

    fun rest() {
        if (isProd) log() else return
        CertificatePinner.Builder().add("rest.acme.example", "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=").build()
    }

    fun neither() {
        if (isDemo) return else if (isTest) throw IllegalStateException()
        CertificatePinner.Builder().add("neither.acme.example", "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=").build()
    }
}
