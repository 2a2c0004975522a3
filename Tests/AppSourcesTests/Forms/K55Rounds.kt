package k55

// Rounds that only the app knows, with a host or pins that the source tells.
class UnknownRounds(private val settings: Settings) {
    fun pins(): CertificatePinner {
        val builder = CertificatePinner.Builder()
        for (host in listOf("one.acme.example", "two.acme.example")) {
            for (pin in settings.pins) { builder.add(host, pin) }
        }
        return builder.build()
    }

    fun hosts() = CertificatePinner.Builder().apply {
        settings.hosts.forEach { add(it, "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=") }
    }.build()
}
