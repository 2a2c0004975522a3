package app

const val KTOR_HOST = "api.acme.example"
private val pins = listOf("sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=")

private fun buildPinner(): CertificatePinner {
    val builder = CertificatePinner.Builder()
    pins.forEach { builder.add(KTOR_HOST, it) }
    return builder.build()
}

val engine = OkHttp.create { config { certificatePinner(buildPinner()) } }
