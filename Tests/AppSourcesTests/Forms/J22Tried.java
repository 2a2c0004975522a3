package tried;

/** What a `try` opens in its brackets. */
class J22Tried {
    SSLContext context(Context context) throws Exception {
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        try (InputStream first = context.getResources().openRawResource(R.raw.tried_root);
             InputStream second = context.getAssets().open("tried.cer")) {
            store.setCertificateEntry("first", factory.generateCertificate(first));
            store.setCertificateEntry("second", factory.generateCertificate(second));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext made = SSLContext.getInstance("TLS");
        made.init(null, trust.getTrustManagers(), null);
        return made;
    }
}
