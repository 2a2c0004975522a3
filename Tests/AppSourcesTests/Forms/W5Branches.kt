package app

val pinner = if (BuildConfig.DEBUG) {
    CertificatePinner.Builder().add("api.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build()
} else {
    CertificatePinner.Builder().add("api.acme.example", "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=").build()
}

fun byWhen(backend: Backend) = when (backend) {
    Backend.LIVE -> CertificatePinner.Builder().add("when.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build()
    else -> CertificatePinner.DEFAULT
}

fun chosen(): CertificatePinner {
    val pin = if (isProduction) "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=" else "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="
    val b = CertificatePinner.Builder()
    when (flavour) {
        "one" -> b.add("one.acme.example", pin)
        else -> b.add("other.acme.example", pin)
    }
    return b.build()
}
