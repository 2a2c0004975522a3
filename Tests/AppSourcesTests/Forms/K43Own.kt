package k43

/** A class of the app's own by the library's name. */
class CertificatePinner {
    class Builder {
        fun add(host: String, pin: String) = this

        fun build() = CertificatePinner()
    }
}

fun own() = CertificatePinner.Builder().add("own.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build()
