package assets;

/** Certificates that one build trusts, and what compares the wrong part of one. */
class J18Assets {
    OkHttpClient.Builder client(String env) throws Exception {
        OkHttpClient.Builder builder = new OkHttpClient.Builder();
        if (env.equalsIgnoreCase("Trial")) {
            InputStream file = null;
            try {
                file = context.getResources().openRawResource(R.raw.trial_root);
                if (file != null) {
                    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
                    store.setCertificateEntry("trial", CertificateFactory.getInstance("X.509").generateCertificate(file));
                    TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
                    factory.init(store);
                    builder.sslSocketFactory(socketFactory(factory));
                }
            } finally {
                if (file != null) file.close();
            }
        }
        return builder;
    }

    static class BySignature implements X509TrustManager {
        public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
            String wanted = "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=";
            for (X509Certificate one : chain) {
                if (wanted.equals("sha256/" + Base64.encodeToString(one.getSignature(), Base64.NO_WRAP))) return;
            }
            throw new CertificateException("no");
        }
    }
}
