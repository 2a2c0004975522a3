package app

import app.pins.pinnedBy
import app.pins.pinsOf

const val API = "api.acme.example"
val HOSTS = listOf(API.pinnedBy(listOf("sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=")), pinsOf("www.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="))

fun pinner(): CertificatePinner {
    val b = CertificatePinner.Builder()
    for (entry in HOSTS) {
        entry.pins.forEach { b.add(entry.host, it) }
    }
    return b.build()
}
