package k13

fun CertificatePinner.Builder.addOwnPins() = apply {
    add("extension.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=")
}

object Helpers {
    fun fill(into: CertificatePinner.Builder, host: String) {
        into.add(host, "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=")
    }
}
