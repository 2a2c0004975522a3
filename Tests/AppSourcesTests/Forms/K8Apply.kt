package app

val LIST = listOf("utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=")

val pinner = CertificatePinner.Builder().apply {
    if (!isStage) LIST.forEach { pin -> add("api.acme.example", "sha256/$pin") }
    add("www.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=")
}.build()

val also = CertificatePinner.Builder().also { it.add("also.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=") }.build()

val with = with(CertificatePinner.Builder()) {
    add("with.acme.example", "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=")
    build()
}
