import java.util.*;

class J3Loop {
    private static final Map<String, List<String>> PINS = Map.of("api.acme.example", List.of("utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="));
    private static final String[] KEYS = new String[] {"sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="};
    static final Set<Map.Entry<String, String>> REMOTE = load();

    CertificatePinner entries() {
        CertificatePinner.Builder b = new CertificatePinner.Builder();
        for (Map.Entry<String, List<String>> e : PINS.entrySet()) {
            for (String pin : e.getValue()) b.add(e.getKey(), String.format("sha256/%s", pin));
        }
        return b.build();
    }

    CertificatePinner index() {
        CertificatePinner.Builder builder = new CertificatePinner.Builder();
        for (int i = 0; i < KEYS.length; i++) {
            builder.add("www.acme.example", KEYS[i]);
        }
        return builder.build();
    }

    CertificatePinner remote() {
        CertificatePinner.Builder b = new CertificatePinner.Builder();
        for (Map.Entry<String, String> e : REMOTE) b.add(e.getKey(), e.getValue());
        return b.build();
    }
}
