package k25

/** Hosts and pins that are known only when the app runs, beside those that are written. */
class Open(private val site: Site) {
    fun host() = CertificatePinner.Builder()
        .add(site.name, "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=")
        .add(site.name, "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=")
        .add("known.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=")
        .build()

    fun pin() = CertificatePinner.Builder().add("half.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", site.pin).build()

    fun nothing() = CertificatePinner.Builder().add("bare.acme.example", site.pin).build()

    fun unknownTwice(builder: CertificatePinner.Builder) {
        for (host in site.hosts) CertificatePinner.Builder().add(host, "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build()
    }
}
