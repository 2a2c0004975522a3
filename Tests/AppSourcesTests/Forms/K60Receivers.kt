package app

import okhttp3.CertificatePinner

/** The builder is the receiver, and is named nowhere. */
class Receivers {
    private fun build(name: String) = println(name)

    private fun CertificatePinner.Builder.pinAll(host: String, vararg pins: String) {
        pins.forEach { add(host, "sha256/$it") }
    }

    fun within(): CertificatePinner {
        val builder = CertificatePinner.Builder()
        with(builder) {
            add("api.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=")
            builder.add("www.acme.example", "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=")
        }
        return builder.build()
    }

    fun extended(): CertificatePinner = CertificatePinner.Builder().apply {
        pinAll("api.acme.example", "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=")
        also { add("www.acme.example", "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=") }
    }.build()

    fun named(): CertificatePinner = CertificatePinner.Builder().apply {
        build("first")
        add("api.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=")
        with(this) { add("www.acme.example", "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=") }
    }.build()

    fun other(list: MutableList<String>): CertificatePinner {
        val builder = CertificatePinner.Builder()
        with(list) { add("api.acme.example") }
        return builder.add("www.acme.example", "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=").build()
    }

    fun handedOn(): CertificatePinner = CertificatePinner.Builder().apply {
        TABLE.forEach(::add)
        add("www.acme.example", "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=")
    }.build()
}

private val TABLE = mapOf("api.acme.example" to "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=")
