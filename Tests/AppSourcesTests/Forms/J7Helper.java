package com.acme;

// The builder goes through a function of the source; the pins stand in an initialiser.
final class Factory {
    private static final Map<String, List<String>> PINS = new HashMap<String, List<String>>() {{
        put("api.acme.example", new ArrayList<String>() {{
            add("utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=");
            add("vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=");
        }});
        put("www.acme.example", Collections.singletonList("vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="));
    }};

    static CertificatePinner pinner() {
        CertificatePinner.Builder builder = new CertificatePinner.Builder();
        addAll(PINS, builder);
        return builder.build();
    }

    static CertificatePinner sorted() {
        CertificatePinner.Builder builder = new CertificatePinner.Builder();
        Elsewhere.fill(builder);
        return builder.build();
    }

    private static void addAll(Map<String, List<String>> pins, CertificatePinner.Builder builder) {
        for (Map.Entry<String, List<String>> entry : pins.entrySet()) {
            for (String pin : entry.getValue()) {
                builder.add(entry.getKey(), "sha256/" + pin);
            }
        }
    }
}
