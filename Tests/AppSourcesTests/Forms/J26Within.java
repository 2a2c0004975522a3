import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import javax.net.ssl.X509TrustManager;

/** A trust manager that asks a function of its own, and only where a switch says so. */
class J26Within implements X509TrustManager {
    private static final String PIN = "sha256/utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=";
    private boolean pinningEnabled = true;

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind) throws CertificateException {
        if (this.pinningEnabled && !matches(chain)) {
            throw new CertificateException("no pin");
        }
    }

    private boolean matches(X509Certificate[] chain) {
        for (X509Certificate certificate : chain) {
            if (pinOf(certificate).equals(PIN)) return true;
        }
        return false;
    }

    private String pinOf(X509Certificate certificate) {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        return "sha256/" + Base64.encodeToString(digest.digest(certificate.getPublicKey().getEncoded()), Base64.NO_WRAP);
    }
}

/** The same without a switch. */
class J26Always implements X509TrustManager {
    private static final String OTHER = "sha256/vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=";

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind) throws CertificateException {
        if (!agrees(chain)) {
            throw new CertificateException("no pin");
        }
    }

    private boolean agrees(X509Certificate[] chain) {
        for (X509Certificate certificate : chain) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] found = digest.digest(certificate.getPublicKey().getEncoded());
            if (("sha256/" + Base64.encodeToString(found, Base64.NO_WRAP)).equals(OTHER)) return true;
        }
        return false;
    }
}
