package k16

/** What a branch that pins nothing does: one goes on, the other does not. */
class Going(private val log: Logger) {
    fun on(): CertificatePinner {
        val builder = CertificatePinner.Builder()
        if (pins) builder.add("logged.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=") else log.error("nothing is pinned")
        return builder.build()
    }

    fun noMore(): CertificatePinner {
        val builder = CertificatePinner.Builder()
        if (pins) builder.add("thrown.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=") else error("nothing is pinned")
        return builder.build()
    }

    var pins = true
}
