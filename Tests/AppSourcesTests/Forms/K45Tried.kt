package com.acme

// What a function tries to make is its value.
class Tried {
    private val address = "https://tried.acme.example/v1"

    fun client(): OkHttpClient {
        val pinner = CertificatePinner.Builder().add(hostOf(address), "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build()
        return OkHttpClient.Builder().certificatePinner(pinner).build()
    }

    private fun hostOf(url: String): String {
        return try {
            url.removePrefix("https://").split("/")[0]
        } catch (e: Exception) {
            ""
        } finally {
            log(url)
        }
    }
}
