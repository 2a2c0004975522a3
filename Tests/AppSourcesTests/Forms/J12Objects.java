package objects;

class HostPins {
    private final String domain;
    private final String[] hashes;
    private String label;

    HostPins(String domain, String[] hashes) {
        this.domain = domain;
        this.hashes = hashes;
        this.label = domain;
    }
    String getDomain() { return domain; }
    String[] hashes() { return hashes; }
    String getLabel() { return label; }
    void setLabel(String label) { this.label = label; }
}

class J12Objects {
    static final HostPins LIVE = new HostPins("objects.acme.example", new String[] {"sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="});

    static CertificatePinner pinner() {
        CertificatePinner.Builder builder = new CertificatePinner.Builder();
        HostPins live = LIVE;
        if (live != null) {
            builder.add(live.getDomain(), live.hashes());
        }
        builder.add(StringsKt.drop("https://dropped.acme.example", 8), live.hashes());
        return builder.build();
    }

    static CertificatePinner changed() {
        return new CertificatePinner.Builder().add(LIVE.getLabel(), "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=").build();
    }
}
