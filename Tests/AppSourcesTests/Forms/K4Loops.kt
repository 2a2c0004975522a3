package app

val PINS = mapOf(
    "api.acme.example" to listOf("utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="),
    "www.acme.example" to listOf("utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="),
)

class Loops {
    fun byFor(): CertificatePinner {
        val b = CertificatePinner.Builder()
        for ((host, pins) in PINS) {
            for (pin in pins) b.add(host, "sha256/$pin")
        }
        return b.build()
    }

    fun byForEach(): CertificatePinner {
        val builder: CertificatePinner.Builder = CertificatePinner.Builder()
        listOf("a.acme.example", "b.acme.example").forEach { host -> builder.add(host, "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=") }
        Backend.values().forEach { builder.add(it.host, it.pin) }
        return builder.build()
    }

    fun byParameter(host: String, pins: List<String>): CertificatePinner {
        val b = CertificatePinner.Builder()
        for (p in pins) b.add(host, p)
        return b.build()
    }

    fun changed(): CertificatePinner {
        val pins = mutableListOf("sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=")
        pins.add(remote())
        return CertificatePinner.Builder().add("api.acme.example", *pins.toTypedArray()).build()
    }

    fun handedOn(): CertificatePinner {
        val b = CertificatePinner.Builder().add("api.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=")
        fill(b)
        return b.build()
    }
}
