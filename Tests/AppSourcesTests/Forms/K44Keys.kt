package k44

import okhttp3.CertificatePinner

private val k44 = mapOf("a.acme.example" to listOf("sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="), "b.acme.example" to listOf("sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="))

fun k44Pinner(host: String) = CertificatePinner.Builder().add(host, *k44.getValue(host).toTypedArray()).build()
