package com.acme

// Each branch is a configuration of its own.
object Flavours {
    private val host = when (BuildConfig.FLAVOR) {
        "live" -> "api.acme.example"
        "stage" -> "stage.acme.example"
        else -> "dev.acme.example"
    }
    val pinner = CertificatePinner.Builder().add(host, "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build()
}

fun either(): CertificatePinner {
    val builder = CertificatePinner.Builder()
    val filled = if (isLive) builder.add("live.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=")
    else builder.add("test.acme.example", "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=")
    return filled.build()
}

enum class Known(val host: String, val pin: String) {
    API("api.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="),
    WWW("www.acme.example", "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=")
}

fun ofEntries() = CertificatePinner.Builder().apply { for (known in Known.entries) add(known.host, known.pin) }.build()
