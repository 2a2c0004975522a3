package enums;

class J14Enums {
    enum Stage {
        LIVE("live.acme.example", new String[] {"sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="}),
        TRIAL("trial.acme.example", new String[] {"sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="});

        private final String host;
        private final String[] pins;

        Stage(String host, String[] pins) {
            this.host = host;
            this.pins = pins;
        }
        String getHost() { return host; }
        String[] pins() { return pins; }
    }

    static CertificatePinner live() {
        Stage stage = Stage.LIVE;
        return new CertificatePinner.Builder().add(stage.getHost(), stage.pins()).build();
    }

    static CertificatePinner all() {
        CertificatePinner.Builder builder = new CertificatePinner.Builder();
        for (Stage stage : Stage.values()) {
            builder.add(stage.getHost(), Arrays.copyOf(stage.pins(), stage.pins().length));
        }
        return builder.build();
    }
}
