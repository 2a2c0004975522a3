package com.acme.shop.net

import okhttp3.CertificatePinner as LibraryPinner
import okhttp3.OkHttpClient

object CertificatePinner {
    val client: OkHttpClient by lazy {
        val pinner = LibraryPinner.Builder()
            .add("api.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=")
            .add("api.acme.example", "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=")
            .build()
        OkHttpClient.Builder().certificatePinner(pinner).build()
    }
}
