package k50

// What stands in for a host that cannot be told when the app is built.
class Attempts {
    private val first: String by lazy {
        runCatching { java.net.URL(BuildConfig.UNTOLD_URL).host }.getOrDefault("usual.acme.example")
    }

    fun byResult() = CertificatePinner.Builder().add(first, "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build()

    fun byTry(): CertificatePinner {
        val host = try { java.net.URL(BuildConfig.UNTOLD_URL).host } catch (e: Exception) { "tried.acme.example" }
        return CertificatePinner.Builder().add(host, "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build()
    }

    fun known(): CertificatePinner {
        val host = try { java.net.URL("https://known.acme.example/v1").host } catch (e: Exception) { "tried.acme.example" }
        return CertificatePinner.Builder().add(host, "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build()
    }
}
