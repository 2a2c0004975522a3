import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** The JVM's own checks, and then those of a pin: for all that takes an SSLContext. */
final class PinningContext extends X509ExtendedTrustManager {
    private final X509ExtendedTrustManager ordinary;
    private final String pins;

    private PinningContext(X509ExtendedTrustManager ordinary, String pins) {
        this.ordinary = ordinary;
        this.pins = pins;
    }

    static SSLContext of(String trust, String pins) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new PinningContext(Trust.manager(trust), pins)}, null);
        return context;
    }

    private void check(X509Certificate[] sent) throws CertificateException {
        try {
            if (pins.isEmpty() || pins.contains("sha256//" + Trust.pin(sent[0]))) return;
        } catch (Exception error) {
            throw new CertificateException(error);
        }
        throw new CertificateException("pin mismatch");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] sent, String type, SSLEngine engine) throws CertificateException {
        ordinary.checkServerTrusted(sent, type, engine);
        check(sent);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] sent, String type, Socket socket) throws CertificateException {
        ordinary.checkServerTrusted(sent, type, socket);
        check(sent);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] sent, String type) throws CertificateException {
        ordinary.checkServerTrusted(sent, type);
        check(sent);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] sent, String type, SSLEngine engine) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] sent, String type, Socket socket) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] sent, String type) {
        throw new UnsupportedOperationException();
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return ordinary.getAcceptedIssuers();
    }
}
