package com.acme

// K10, C3: a trust manager of the app's own.
object Leaf { const val DIGEST = "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=" }

class PinnedTrust : X509TrustManager {
    override fun checkServerTrusted(chain: Array<X509Certificate>, authType: String) {
        val digest = MessageDigest.getInstance("SHA-256").digest(chain.first().publicKey.encoded)
        if (Base64.encodeToString(digest, Base64.NO_WRAP) != Leaf.DIGEST) throw CertificateException("pin")
    }
}

class GivenTrust(private val expected: String) : X509TrustManager {
    override fun checkServerTrusted(chain: Array<X509Certificate>, authType: String) {
        if (hex(chain[0].encoded) != expected) throw CertificateException("pin")
    }
}
