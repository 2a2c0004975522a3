import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.X509CertSelector;
import java.util.Date;
import javax.net.ssl.CertPathTrustManagerParameters;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** Java's JSSE: one server a line, "port host anchors pin instant", and one answer a line. */
public final class Jsse {
    private static void ask(int port, String host, String anchors, String instant) throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        int count = 0;
        try (InputStream file = new FileInputStream(anchors)) {
            for (Certificate anchor : CertificateFactory.getInstance("X.509").generateCertificates(file)) {
                store.setCertificateEntry("anchor" + count++, anchor);
            }
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        if (instant.equals("-")) {
            trust.init(store);
        } else {
            PKIXBuilderParameters parameters = new PKIXBuilderParameters(store, new X509CertSelector());
            parameters.setRevocationEnabled(false);
            parameters.setDate(new Date(Long.parseLong(instant)));
            trust.init(new CertPathTrustManagerParameters(parameters));
        }
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        Socket plain = new Socket();
        plain.connect(new InetSocketAddress("127.0.0.1", port), 20000);
        plain.setSoTimeout(20000);
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(plain, host, port, true)) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            socket.setSSLParameters(parameters);
            socket.startHandshake();
        }
    }

    public static void main(String[] arguments) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split(" ");
            try {
                ask(Integer.parseInt(words[0]), words[1], words[2], words[4]);
                System.out.println("accept");
            } catch (Exception error) {
                System.out.println(
                    (error instanceof SSLException ? "reject " : "fail ") + String.valueOf(error.getMessage()).replace('\n', ' '));
            }
            System.out.flush();
        }
    }
}
