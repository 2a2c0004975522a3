package k26

/** Hosts that a loop leaves out, where only the running app knows which. */
object Left {
    private val left = mutableSetOf<String>()
    private val table = mapOf("one.acme.example" to listOf("sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="), "two.acme.example" to listOf("sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="))

    fun flat(): CertificatePinner {
        val builder = CertificatePinner.Builder()
        for ((host, pins) in table) {
            if (host in left) continue
            builder.add(host, *pins.toTypedArray())
        }
        return builder.build()
    }

    fun nested(): CertificatePinner {
        val builder = CertificatePinner.Builder()
        for ((host, pins) in table) {
            if (host in left) continue
            for (pin in pins) {
                builder.add(host, pin)
            }
        }
        builder.add("always.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=")
        return builder.build()
    }

    fun otherwise(): CertificatePinner {
        val builder = CertificatePinner.Builder()
        for ((host, pins) in table) {
            if (host in left) builder.add("left.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=") else builder.add(host, *pins.toTypedArray())
        }
        return builder.build()
    }
}
