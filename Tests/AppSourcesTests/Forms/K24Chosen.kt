package k24

/** A pinner that is chosen somewhere else than where it is made. */
object Chosen {
    private val NONE = CertificatePinner.DEFAULT
    private val LIVE = CertificatePinner.Builder().add("getter.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build()

    val pinner: CertificatePinner
        get() = if (BuildConfig.DEBUG) NONE else LIVE

    fun of(url: String): CertificatePinner? = when {
        url.contains("first") -> first()
        else -> null
    }

    private fun first() = CertificatePinner.Builder().add("when.acme.example", "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=").build()

    private val twice = CertificatePinner.Builder().add("twice.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build()

    fun both(isOld: Boolean) = if (isLive && isOld) twice else if (isLive && isNew) twice else null
}

object Modes {
    private const val ENFORCED = false
    private val always = true
    private var later = true

    fun set(mode: Boolean) { later = mode }

    fun never(b: OkHttpClient.Builder) {
        if (ENFORCED) b.certificatePinner(CertificatePinner.Builder().add("never.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build())
    }

    fun ever(b: OkHttpClient.Builder) {
        if (always) b.certificatePinner(CertificatePinner.Builder().add("ever.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build())
    }

    fun changed(b: OkHttpClient.Builder) {
        if (later) b.certificatePinner(CertificatePinner.Builder().add("changed.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build())
    }

    fun part(b: OkHttpClient.Builder, site: Site?) {
        if (site != null && !site.isLocal) b.certificatePinner(CertificatePinner.Builder().add("part.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build())
    }
}
