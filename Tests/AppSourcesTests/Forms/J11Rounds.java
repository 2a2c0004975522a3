package rounds;

class J11Rounds {
    static final List<String> PINS = java.util.Arrays.asList("sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=");

    static CertificatePinner iterated() {
        CertificatePinner.Builder builder = new CertificatePinner.Builder();
        try {
            String host = java.net.URI.create("https://iterated.acme.example/v1").getHost();
            if (TextUtils.isEmpty(host)) {
                return builder.build();
            }
            Iterator<String> it = PINS.iterator();
            while (it.hasNext()) {
                builder.add(host, it.next());
            }
            return builder.build();
        } catch (NullPointerException e) {
            return builder.build();
        }
    }

    static CertificatePinner counted() {
        CertificatePinner.Builder builder = new CertificatePinner.Builder();
        for (Iterator<String> rounds = PINS.iterator(); rounds.hasNext();) {
            String pin = rounds.next();
            builder.add("counted.acme.example", pin);
        }
        return builder.build();
    }

    static CertificatePinner pairs() {
        CertificatePinner.Builder builder = new CertificatePinner.Builder();
        Iterator<String> two = PINS.iterator();
        while (two.hasNext()) {
            builder.add("pairs.acme.example", two.next(), two.next());
        }
        return builder.build();
    }
}
