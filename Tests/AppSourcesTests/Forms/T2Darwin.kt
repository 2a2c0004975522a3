import io.ktor.client.engine.darwin.certificates.CertificatePinner

fun client() = HttpClient(Darwin) {
    engine {
        handleChallenge(
            CertificatePinner.Builder()
                .add("api.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=")
                .build()
        )
    }
}
