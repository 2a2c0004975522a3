package nameless;

/** Classes without a name: what they do is read as that of any other. */
class J21Nameless {
    private static final String PIN = "abababababababababababababababababababab";
    private String host = "nameless.acme.example";
    private OkHttpClient client;

    void start(final boolean isLive) {
        if (isLive) {
            new Thread(new Runnable() {
                @Override
                public void run() {
                    CertificatePinner pinner = new CertificatePinner.Builder()
                        .add(host, "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=")
                        .build();
                    client = new OkHttpClient.Builder().certificatePinner(pinner).build();
                }
            }).start();
        }
    }

    Supplier<OkHttpClient> supplier() {
        return new Supplier<OkHttpClient>() {
            private final String own = "field.acme.example";

            public OkHttpClient get() {
                return new OkHttpClient.Builder().certificatePinner(new CertificatePinner.Builder()
                    .add(own, "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=").build()).build();
            }
        };
    }

    void open(HttpsURLConnection connection) {
        if (BuildConfig.PINNING) {
            connection.setHostnameVerifier(new HostnameVerifier() {
                public boolean verify(String name, SSLSession session) {
                    byte[] key = session.getPeerCertificates()[0].getPublicKey().getEncoded();
                    return PIN.equals(encode(MessageDigest.getInstance("SHA-1").digest(key)));
                }
            });
        }
    }
}
