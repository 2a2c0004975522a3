class J4Statements {
    CertificatePinner pinner(boolean prod) {
        CertificatePinner.Builder b = new CertificatePinner.Builder();
        if (prod) b.add("api.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="); else b.add("api.acme.example", "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=");
        b = b.add("www.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=");
        return b.build();
    }
}
