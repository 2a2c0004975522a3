class J8Switch {
    CertificatePinner pinner(String environment) {
        String host;
        switch (environment) {
            case "prod":
            case "live":
                host = "live.acme.example";
                break;
            default:
                host = "stage.acme.example";
        }
        String pin = switch (environment) {
            case "prod", "live" -> "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=";
            default -> throw new IllegalStateException();
        };
        return new CertificatePinner.Builder().add(host, pin).build();
    }
}
