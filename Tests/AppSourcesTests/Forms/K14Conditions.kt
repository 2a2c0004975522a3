package k14

class Conditions {
    /** A constant decides: only one way is a configuration. */
    fun constant(): CertificatePinner {
        val builder = CertificatePinner.Builder()
        if (ENABLED && PINS.size > 0) builder.add("constant.acme.example", PINS[0])
        return builder.build()
    }

    /** A debug build never comes here. */
    fun leaving(): CertificatePinner {
        if (BuildConfig.DEBUG) return CertificatePinner.DEFAULT
        return CertificatePinner.Builder().add("release.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build()
    }

    /** Anybody can assign to it, so both ways are told. */
    fun switched(): CertificatePinner {
        val builder = CertificatePinner.Builder()
        if (enabled) builder.add("switched.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=")
        return builder.build()
    }

    var enabled = true

    private companion object {
        const val ENABLED = true
        val PINS = listOf("sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=")
    }
}
