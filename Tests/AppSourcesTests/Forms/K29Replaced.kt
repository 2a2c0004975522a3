package k29

/** What takes a pinner's place behind the statement that gives it. */
class Replaced {
    fun called(b: OkHttpClient.Builder) {
        b.certificatePinner(CertificatePinner.Builder().add("called.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build())
        if (BuildConfig.DEBUG) b.certificatePinner(CertificatePinner.DEFAULT)
    }

    fun assigned(b: OkHttpClient.Builder) {
        var pinner = CertificatePinner.Builder().add("assigned.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build()
        if (BuildConfig.DEBUG) pinner = CertificatePinner.DEFAULT
        b.certificatePinner(pinner)
    }

    /** It was used before. */
    fun before(b: OkHttpClient.Builder, c: OkHttpClient.Builder) {
        var pinner = CertificatePinner.Builder().add("before.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build()
        b.certificatePinner(pinner)
        pinner = CertificatePinner.DEFAULT
        c.certificatePinner(pinner)
    }

    fun either(b: OkHttpClient.Builder) {
        if (isLive) {
            b.certificatePinner(CertificatePinner.Builder().add("either.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build())
        } else {
            b.certificatePinner(CertificatePinner.DEFAULT)
        }
    }

    fun always(b: OkHttpClient.Builder) {
        b.certificatePinner(CertificatePinner.Builder().add("always.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build())
        b.certificatePinner(CertificatePinner.DEFAULT)
    }

    /** Whether it has a round is not known. */
    fun looped(b: OkHttpClient.Builder) {
        b.certificatePinner(CertificatePinner.Builder().add("looped.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build())
        for (other in others) { b.certificatePinner(other) }
    }

    fun client(): OkHttpClient {
        val pinner = CertificatePinner.Builder().add("client.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build()
        val client = OkHttpClient.Builder().certificatePinner(pinner).build()
        return if (BuildConfig.DEBUG) OkHttpClient() else client
    }

    fun taken(b: OkHttpClient.Builder) = b.apply {
        CertificatePinner.Builder().add("taken.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build().takeUnless { BuildConfig.DEBUG }?.let { certificatePinner(it) }
    }.build()

    private fun isActive() = false

    fun inactive(b: OkHttpClient.Builder) {
        if (isActive()) b.certificatePinner(CertificatePinner.Builder().add("inactive.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build())
    }

    fun one(b: OkHttpClient.Builder) {
        if (!BuildConfig.DEBUG) install(b)
    }

    fun two(b: OkHttpClient.Builder) {
        if (isStage) install(b)
    }

    private fun install(b: OkHttpClient.Builder) {
        b.certificatePinner(CertificatePinner.Builder().add("install.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build())
    }
}
