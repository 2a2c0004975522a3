package k23

const val HELD_HOST = "outer.acme.example"

class Base {
    val HELD_HOST = "base.acme.example"
}

/** What holds a pinner until a client is given it. */
class Held : Base() {
    private val lazily by lazy {
        CertificatePinner.Builder().add("lazy.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build()
    }

    fun first() = OkHttpClient.Builder().apply { if (!isMocked) certificatePinner(lazily) }.build()

    private fun made() = CertificatePinner.Builder().add("made.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build()

    fun second(builder: OkHttpClient.Builder) {
        val pinner = made()
        if (isLive) builder.certificatePinner(pinner)
    }

    fun inherited() = CertificatePinner.Builder().add(HELD_HOST, "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=").build()
}
