package app;

import okhttp3.CertificatePinner;

public class J1SameFile {
    private static String host = "api.acme.example";
    private static final String[] PINS = {"sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="};
    private final boolean isLive = true;

    CertificatePinner pinner() {
        String pin = isLive ? "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=" : "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=";
        return new CertificatePinner.Builder()
            .add(host, PINS)
            .add("www.acme.example", pin)
            .build();
    }
}
