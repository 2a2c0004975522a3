import okhttp3.CertificatePinner;

abstract class Heired {
    protected abstract String host();

    protected String pin() {
        return "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=";
    }

    CertificatePinner pinner() {
        return new CertificatePinner.Builder().add(host(), pin()).build();
    }
}

class HeirOfJava extends Heired {
    @Override
    protected String host() {
        return "java.acme.example";
    }

    @Override
    protected String pin() {
        return "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=";
    }
}

interface HeirHosts {
    String HEIR_HOST = "constant.acme.example";
}

class HeirOfConstants implements HeirHosts {
    CertificatePinner pinner() {
        return new CertificatePinner.Builder().add(HEIR_HOST, "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=").build();
    }
}
