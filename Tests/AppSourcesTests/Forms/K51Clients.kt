package k51

// A client that a function makes, and that is chosen elsewhere.
class Clients(private val settings: Settings) {
    private val client = if (settings.isPinned) pinned() else plain()

    private fun pinned(): OkHttpClient {
        val pinner = CertificatePinner.Builder().add("chosen.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build()
        return OkHttpClient.Builder().certificatePinner(pinner).build()
    }

    private fun plain() = OkHttpClient.Builder().build()
}

class BothClients(private val settings: Settings) {
    private val client = if (settings.isPinned) held() else held()

    private fun held(): OkHttpClient {
        val pinner = CertificatePinner.Builder().add("both.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build()
        return OkHttpClient.Builder().certificatePinner(pinner).build()
    }
}
