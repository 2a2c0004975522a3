package app

fun trust(context: Context): X509TrustManager {
    val factory = CertificateFactory.getInstance("X.509")
    val certificate = context.resources.openRawResource(R.raw.acme_root).use { factory.generateCertificate(it) }
    val store = KeyStore.getInstance(KeyStore.getDefaultType())
    store.setCertificateEntry("acme", certificate)
    return managerOf(store)
}
