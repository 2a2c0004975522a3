package j15;

/** The header that servers send, set in code. */
class Headers {
    void literal(HttpServletResponse response) {
        response.setHeader("Public-Key-Pins", "pin-sha256=\"utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=\"; pin-sha256=\"vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=\"; max-age=60");
        response.setHeader("X-Pins", "pin-sha256=\"utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=\"");
    }

    void loose(HttpServletResponse response) {
        response.addHeader("public-key-pins", "pin-sha256 = c2hvcnQ=; max-age=60");
    }

    void spring(HttpSecurity http) {
        http.headers().httpPublicKeyPinning().addSha256Pins("utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=");
    }

    void unknown(HttpServletResponse response) {
        response.setHeader("Public-Key-Pins", "pin-sha256=\"" + fingerprint + "\"");
    }
}
