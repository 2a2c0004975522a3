package k12

/** Values by statements: branches that assign, lists that are filled, and one that a loop leaves early. */
class Assigned(private val degraded: Set<String>) {
    private val host: String
    private val table = mutableMapOf<String, List<String>>()

    init {
        host = "init.acme.example"
    }

    fun branches(): CertificatePinner {
        val pin: String
        if (BuildConfig.DEBUG) {
            pin = "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="
        } else {
            pin = "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="
        }
        return CertificatePinner.Builder().add("branch.acme.example", pin).build()
    }

    fun filled(): CertificatePinner {
        val pins = mutableListOf<String>()
        pins.add("sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=")
        for (rest in listOf("vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=")) pins.add("sha256/$rest")
        val builder = CertificatePinner.Builder()
        builder.add(host, *pins.toTypedArray())
        pins.clear()
        return builder.build()
    }

    fun mapped(): CertificatePinner {
        val hosts = mutableMapOf<String, List<String>>()
        if (PINS.isNotEmpty()) hosts["map.acme.example"] = PINS
        val builder = CertificatePinner.Builder()
        hosts.forEach { (name, pins) -> pins.forEach { builder.add(name, it) } }
        return builder.build()
    }

    fun changing(): CertificatePinner {
        var name = "a.acme.example"
        while (degraded.contains(name)) name = "b.acme.example"
        return CertificatePinner.Builder().add(name, "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build()
    }

    private companion object {
        val PINS = listOf("sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=")
    }
}
