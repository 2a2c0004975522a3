package k52

// When a trust manager is made that compares.
class Sockets {
    fun open(host: String, isChecked: Boolean): SSLContext {
        val context = SSLContext.getInstance("TLS")
        if (isChecked) {
            context.init(null, null, null)
        } else {
            val own = object : X509TrustManager {
                override fun checkServerTrusted(chain: Array<X509Certificate>, authType: String) {
                    val digest = MessageDigest.getInstance("SHA-256").digest(chain[0].publicKey.encoded)
                    if (hex(digest) != FIRST) throw CertificateException("pin")
                }
            }
            context.init(null, arrayOf(own), null)
        }
        return context
    }

    fun connect(engine: SSLEngine) {
        if (!BuildConfig.DEBUG) compare(engine)
        if (engine.isOpen) log(engine)
    }

    private fun compare(engine: SSLEngine) {
        val key = engine.session.peerCertificates[0].publicKey
        if (digestOf(key) != SECOND) throw SSLException("pin")
    }

    companion object {
        private const val FIRST = "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="
        private const val SECOND = "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="
    }
}

class MadeTrust : X509TrustManager {
    override fun checkServerTrusted(chain: Array<X509Certificate>, authType: String) {
        if (digestOf(chain[0].publicKey) != "utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=") throw CertificateException("pin")
    }
}

class MadeTwice : X509TrustManager {
    override fun checkServerTrusted(chain: Array<X509Certificate>, authType: String) {
        if (digestOf(chain[0].publicKey) != "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=") throw CertificateException("pin")
    }
}

fun trust(builder: OkHttpClient.Builder, settings: Settings) {
    if (settings.isLive) builder.sslSocketFactory(factory, MadeTrust())
    if (settings.isLive) builder.sslSocketFactory(factory, MadeTwice()) else builder.sslSocketFactory(other, MadeTwice())
}
