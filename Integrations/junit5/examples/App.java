import java.io.ByteArrayInputStream;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import pindrill.Attempt;

/** An app for the examples: asks its server once, and knows pins or none. */
final class App {
    /** What the app showed its user. */
    static String ask(Attempt attempt, List<String> pins) throws Exception {
        Proxy proxy = new Proxy(Proxy.Type.HTTP, new InetSocketAddress(attempt.address(), attempt.port()));
        HttpsURLConnection connection = (HttpsURLConnection) new URL(attempt.url()).openConnection(proxy);
        connection.setSSLSocketFactory(trusting(attempt.trust()).getSocketFactory());
        connection.setReadTimeout(30_000);
        try {
            connection.connect();
            // The pin is compared before a byte of the request is sent.
            if (!pins.isEmpty() && !pins.contains(pin(connection.getServerCertificates()[0]))) return "refused-pin";
            return connection.getResponseCode() == 200 ? "worked" : "failed";
        } catch (SSLHandshakeException error) {
            attempt.note(error.getMessage());
            return "refused";
        } finally {
            connection.disconnect();
        }
    }

    private static String pin(Certificate certificate) throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(certificate.getPublicKey().getEncoded());
        return Base64.getEncoder().encodeToString(digest);
    }

    private static SSLContext trusting(String roots) throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        ByteArrayInputStream input = new ByteArrayInputStream(roots.getBytes(StandardCharsets.UTF_8));
        for (Certificate root : CertificateFactory.getInstance("X.509").generateCertificates(input)) {
            store.setCertificateEntry("root " + store.size(), root);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), null);
        return context;
    }
}
