package j16;

/** Cases of a switch that leave, and cases that go on with the next one. */
class Cases {
    OkHttpClient leaving(OkHttpClient.Builder b) {
        switch (environment) {
            case "dev":
                return b.build();
            case "stage":
                log("stage");
                break;
            default:
                break;
        }
        return b.certificatePinner(new CertificatePinner.Builder().add("leaving.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build()).build();
    }

    OkHttpClient onward(OkHttpClient.Builder b) {
        switch (environment) {
            case "prod":
                log("prod");
            case "stage":
                b.certificatePinner(new CertificatePinner.Builder().add("onward.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build());
                break;
            default:
                break;
        }
        return b.build();
    }

    CertificatePinner filled() {
        CertificatePinner.Builder b = new CertificatePinner.Builder();
        switch (environment) {
            case "prod": b.add("prod.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=");
            case "stage": b.add("stage.acme.example", "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg="); break;
        }
        return b.build();
    }

    OkHttpClient field(OkHttpClient.Builder b) {
        this.pinner = new CertificatePinner.Builder().add("field.acme.example", "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build();
        if (BuildConfig.DEBUG) { this.pinner = CertificatePinner.DEFAULT; }
        return b.certificatePinner(this.pinner).build();
    }

    private CertificatePinner pinner;
}
