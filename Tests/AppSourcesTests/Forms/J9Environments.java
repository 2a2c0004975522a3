class J9Environments {
    private static final Map<String, List<String>> PINS = Map.of(
        "stage.acme.example", List.of("sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM="),
        "api.acme.example", List.of("sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="));

    private final String suffix;

    J9Environments() {
        this.suffix = ".acme.example";
    }

    CertificatePinner pinner(String environment) {
        CertificatePinner.Builder builder = new CertificatePinner.Builder();
        for (String pin : PINS.get(environment)) builder.add("any" + suffix, pin);
        return builder.build();
    }
}
