class J2Literal {
    OkHttpClient client = new OkHttpClient.Builder()
        .certificatePinner(new okhttp3.CertificatePinner.Builder()
            .add("api.acme.example", "sha256//utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=")
            .add("api.acme.example", "sha256/" + "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=")
            .build())
        .build();
}
