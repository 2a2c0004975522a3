package app

fun pinner(host: String) = CertificatePinner.Builder().add("**.$host", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build()

val domain = "acme.example"
val keys = listOf("utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=")
val spread = CertificatePinner.Builder().add("**.$domain", *keys.map { "sha256/$it" }.toTypedArray()).build()
